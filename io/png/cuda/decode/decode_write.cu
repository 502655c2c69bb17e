/* Decodes the symbols of all blocks and writes one 16-bit cell per inflated byte
 * (decode_bits.cuh). A literal becomes the byte itself. A byte of a match becomes CELL_COPY +
 * distance - 1. */
#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/decode_codes.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t GROUP = 4; /* number of cells that are stored at a time */
/* Largest match, in groups of GROUP cells, that the thread which decodes it may store itself. */
constexpr uint32_t OWN_GROUPS = 8;
/* Smallest match, in groups of GROUP cells, that is listed, so that other threads store it. */
constexpr uint32_t LISTED_GROUPS = 3;
constexpr uint32_t LANES_EACH = 8; /* number of lanes that together store one entry of the list */
constexpr uint32_t ALL = 0xffffffffu;

/* Returns the window size in bytes that the zlib header specifies. */
__device__ uint32_t window_of(const DecodeJob &job)
{
    return 256u << (job.stream[0] >> 4 & 15);
}

/* Returns the cell of byte `i` of a match. If a match overlaps itself, its bytes refer to the data
 * before the match and not to each other, which keeps chains short. A match has at most 258
 * bytes. */
__device__ uint16_t cell_of_copy(uint32_t distance, uint32_t i)
{
    uint32_t back = i < distance ? distance : distance + i - i % distance;
    return (uint16_t)(CELL_COPY | (back - 1));
}

/* Collects the cells that one thread writes, and stores them in groups of GROUP cells. The first
 * and the last group are stored cell by cell, because other threads write the adjacent cells. */
struct CellRow {
    uint16_t *cells;
    uint32_t begin, out; /* `begin`: index of the first cell; `out`: index of the next cell */
    uint32_t low, high;  /* the last four cells; the oldest is in the low bits of `low` */

    __device__ void start(uint16_t *all, uint32_t from)
    {
        cells = all;
        begin = out = from;
        low = high = 0;
    }
    __device__ void store_last(uint32_t count)
    {
        uint64_t four = (uint64_t)high << 32 | low;
        for (uint32_t i = 1; i <= count; i++, four <<= 16)
            cells[out - i] = (uint16_t)(four >> 48);
    }
    __device__ void put(uint32_t cell)
    {
        low = __byte_perm(low, high, 0x5432);
        high = __byte_perm(high, cell, 0x5432);
        out++;
        if (out % GROUP != 0)
            return;
        if (out - begin >= GROUP)
            ((uint2 *)cells)[out / GROUP - 1] = make_uint2(low, high);
        else
            store_last(out - begin);
    }
    /* Stores `groups` groups that all consist of the cell `cell`. `out` must be at the start of a
     * group. */
    __device__ void put_groups(uint32_t cell, uint32_t groups)
    {
        uint32_t pair = cell * 0x10001u;
        for (uint32_t i = 0; i < groups; i++)
            ((uint2 *)cells)[out / GROUP + i] = make_uint2(pair, pair);
    }
    __device__ void finish()
    {
        store_last(min(out % GROUP, out - begin));
    }
};

/* The progress of one thread in decoding and writing a subsequence. */
struct Writer {
    Reader reader;
    CellRow row;
    uint32_t end; /* bit position after the subsequence's last symbol */
    bool active;

    __device__ void start(const DecodeJob &job, const Block &block, const Sub *subs, uint32_t k)
    {
        active = k < block.subs;
        end = 0;
        row.start(job.cells, 0);
        if (!active)
            return;
        Sub sub = subs[k];
        end = k + 1 < block.subs ? subs[k + 1].begin : block.end;
        row.start(job.cells, block.out + sub.place);
        reader.start(job, sub.begin);
        active = sub.begin < end;
    }

    /* Writes literals up to the next match. Returns the length of this match and sets `distance`.
     * Returns 0 if no match was read yet. */
    __device__ uint32_t step(const DecodeJob &job, const Codes &codes, uint32_t window,
                             uint32_t &distance)
    {
        CellRow &to = row;
        (void)pass_literals(reader, codes, end, min(LITERALS_AT_ONCE, job.inflated - row.out),
                            [&to](uint32_t literal) { to.put(literal); });
        if (reader.at >= end) {
            active = false;
            return 0;
        }
        uint32_t symbol = take_symbol(reader, codes), size = 1;
        active = reader.at < end && symbol != SYMBOL_END;
        if (symbol == SYMBOL_END)
            return 0;
        if (symbol >= SYMBOL_COPY) {
            size = symbol >> 16;
            distance = (symbol & 0xffff) + 1;
        }
        uint32_t failures = 0, out = row.out;
        if (symbol == SYMBOL_NONE || size > job.inflated - out)
            failures = IMG_PNG_CUDA_BAD_STREAM;
        else if (symbol >= SYMBOL_COPY && (distance > out || distance > window))
            failures = IMG_PNG_CUDA_BAD_COPY;
        if (failures != 0) {
            decode_fail(job, failures);
            active = false;
            return 0;
        }
        if (size > 1)
            return size;
        row.put(symbol);
        return 0;
    }
};

/* A match in the list. list_kernel stores those cells of the match that form whole groups; the
 * thread that decodes the match stores the cells before and after them. `packed` returns the match
 * as an entry of the list. */
struct Listed {
    uint32_t to; /* index of the first of these groups of cells in the output */
    uint32_t distance, first, groups;

    __device__ uint2 packed() const
    {
        return make_uint2(to, (distance - 1) << 16 | first << 8 | groups);
    }
    __device__ static Listed of(uint2 entry)
    {
        return {entry.x, (entry.y >> 16) + 1, entry.y >> 8 & 255, entry.y & 255};
    }
};

/* The list uses the memory of the output bytes. It fits there, because an entry of 8 bytes stands
 * for at least LISTED_GROUPS * GROUP bytes of output. */
static_assert(LISTED_GROUPS * GROUP >= sizeof(uint2), "the list fits");

/* Adds the match of each lane to the list. Lanes without a match pass 0 groups. */
__device__ void list_groups(const DecodeJob &job, const Listed &copy)
{
    uint32_t lanes = __ballot_sync(ALL, copy.groups > 0), place = 0, lane = threadIdx.x % 32;
    if (lanes == 0)
        return;
    if (lane == 0)
        place = atomicAdd(&job.counters->copies, (uint32_t)__popc((int)lanes));
    place = __shfl_sync(ALL, place, 0) + (uint32_t)__popc((int)(lanes & ((1u << lane) - 1)));
    if (copy.groups > 0 && place < job.inflated / sizeof(uint2))
        ((uint2 *)job.bytes)[place] = copy.packed();
}

/* Writes the match of each lane; lanes without a match pass length 0. Long matches, and matches
 * that overlap themselves, so that their cells differ (cell_of_copy), are listed instead: a lane
 * that stored them would delay the other lanes. */
__device__ void write_copies(const DecodeJob &job, CellRow &row, uint32_t length, uint32_t distance)
{
    uint32_t head = min(length, (GROUP - row.out % GROUP) % GROUP),
             groups = (length - head) / GROUP;
    bool alike = groups <= OWN_GROUPS && distance >= length, listed = false;
    for (uint32_t i = 0; i < head; i++)
        row.put(cell_of_copy(distance, i));
    if (alike)
        row.put_groups(cell_of_copy(distance, 0), groups);
    else if (groups >= LISTED_GROUPS)
        listed = true;
    else
        groups = 0;
    list_groups(job, {row.out / GROUP, distance, head, listed ? groups : 0});
    row.out += groups * GROUP;
    for (uint32_t i = head + groups * GROUP; i < length; i++)
        row.put(cell_of_copy(distance, i));
}

/* Stores the listed matches. LANES_EACH lanes process an entry together; each lane stores one group
 * at a time. */
__global__ void __launch_bounds__(THREADS) list_kernel(DecodeJob job)
{
    if (decode_has_failed(job))
        return;
    const uint32_t lane = threadIdx.x % LANES_EACH, count = job.counters->copies;
    uint32_t index = (blockIdx.x * THREADS + threadIdx.x) / LANES_EACH;
    for (; index < count; index += gridDim.x * (THREADS / LANES_EACH)) {
        Listed copy = Listed::of(((const uint2 *)job.bytes)[index]);
        for (uint32_t i = lane; i < copy.groups; i += LANES_EACH) {
            uint32_t at = copy.first + i * GROUP, cells[GROUP];
            for (uint32_t k = 0; k < GROUP; k++)
                cells[k] = cell_of_copy(copy.distance, at + k);
            ((uint2 *)job.cells)[copy.to + i] =
                make_uint2(cells[0] | cells[1] << 16, cells[2] | cells[3] << 16);
        }
    }
}

/* Decodes and writes subsequences of a block, one per thread. The first thread processes the
 * subsequence with index `first`. */
__device__ void write_part(const DecodeJob &job, const Codes &codes, const Block &block,
                           const Sub *subs, uint32_t first)
{
    uint32_t window = window_of(job);
    Writer writer;
    writer.start(job, block, subs, first + threadIdx.x);
    while (__any_sync(ALL, writer.active)) {
        uint32_t length = 0, distance = 1;
        if (writer.active)
            length = writer.step(job, codes, window, distance);
        write_copies(job, writer.row, length, distance);
    }
    writer.row.finish();
}

/* Writes the blocks of the chain. A thread block processes a group of DECODE_THREADS subsequences
 * at a time. It skips blocks outside the chain, and groups past the block's last subsequence. */
__global__ void __launch_bounds__(DECODE_THREADS) write_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(uint32_t, over, [1]);
    if (threadIdx.x == 0)
        over[0] = decode_has_failed(job);
    __syncthreads();
    if (over[0] != 0)
        return;
    uint32_t parts = min(job.counters->chunks, job.chunks_most) * DECODE_CHUNK_PARTS;
    for (uint32_t i = blockIdx.x; i < parts; i += gridDim.x) {
        Chunk chunk = job.chunks[i / DECODE_CHUNK_PARTS];
        Block block = job.blocks[chunk.block];
        uint32_t first = first_of_part(chunk, i);
        if (block.out == DECODE_NOWHERE || first >= block.subs)
            continue;
        const Sub *subs = chunk.block < job.found_most ? job.subs : job.extra_subs;
        copy_codes(job.codes[block.codes], codes[0]);
        write_part(job, codes[0], block, subs + block.first_sub, first);
    }
}

__global__ void __launch_bounds__(THREADS) stored_kernel(DecodeJob job)
{
    if (decode_has_failed(job))
        return;
    const uint8_t *bytes = (const uint8_t *)job.stream;
    if (blockIdx.x == 0 && threadIdx.x < DECODE_CELLS_BEHIND)
        job.cells[job.inflated + threadIdx.x] = 0;
    for (uint32_t i = blockIdx.x; i < job.counters->stored; i += gridDim.x) {
        StoredData data = job.stored[i];
        for (uint32_t k = threadIdx.x; k < data.size; k += THREADS)
            job.cells[data.out + k] = bytes[data.byte + k];
    }
}

} // namespace

void img_decode_write(const DecodeJob *job, void *stream)
{
    DecodeJob copy = *job;
    IMG_LAUNCH(write_kernel, decode_some(job), DECODE_THREADS, 0, stream, copy);
    IMG_LAUNCH(list_kernel, decode_some(job), THREADS, 0, stream, copy);
    IMG_LAUNCH(stored_kernel, decode_some(job), THREADS, 0, stream, copy);
}
