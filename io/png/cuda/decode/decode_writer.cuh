/* Decodes the symbols of a subsequence with one thread and writes one 16-bit cell per inflated byte
 * (decode_bits.cuh). A literal becomes the byte itself. A byte of a match becomes CELL_COPY +
 * distance - 1. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_WRITER_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_WRITER_CUH

#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/decode_codes.cuh"

namespace writer
{

constexpr uint32_t GROUP = 4; /* number of cells that are stored at a time */
/* Largest match, in groups of GROUP cells, that the thread which decodes it stores itself, provided
 * that the match does not overlap itself. */
constexpr uint32_t OWN_GROUPS = 8;
/* Smallest match, in groups of GROUP cells, that is listed if the thread does not store it itself.
 * Other threads then store it. Shorter matches are stored cell by cell. */
constexpr uint32_t LISTED_GROUPS = 3;
constexpr uint32_t LANES_EACH = 8; /* number of lanes that together store one entry of the list */
constexpr uint32_t ALL_LANES = 0xffffffffu;

/* Returns the window size in bytes that the zlib header specifies. */
__device__ inline uint32_t window_of(const DecodeJob &job)
{
    return 256u << (job.stream[0] >> 4 & 15);
}

/* Returns the cell of byte `i` of a match. If a match overlaps itself, its bytes refer to the data
 * before the match and not to each other, which keeps chains short. A match has at most 258
 * bytes. */
__device__ inline uint16_t cell_of_copy(uint32_t distance, uint32_t i)
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

/* A match in the list. store_listed stores those cells of the match that form whole groups; the
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

/* Adds the match of each lane to the list, which has *count entries. Lanes without a match pass 0
 * groups. */
__device__ inline void list_groups(const DecodeJob &job, uint32_t *count, const Listed &copy)
{
    uint32_t lanes = __ballot_sync(ALL_LANES, copy.groups > 0), place = 0, lane = threadIdx.x % 32;
    if (lanes == 0)
        return;
    if (lane == 0)
        place = atomicAdd(count, (uint32_t)__popc((int)lanes));
    place = __shfl_sync(ALL_LANES, place, 0) + (uint32_t)__popc((int)(lanes & ((1u << lane) - 1)));
    if (copy.groups > 0 && place < job.inflated / sizeof(uint2))
        ((uint2 *)job.bytes)[place] = copy.packed();
}

/* Writes the match of each lane; lanes without a match pass length 0. Long matches are listed
 * instead, because a lane that stored them would delay the other lanes. So are most matches that
 * overlap themselves: their cells differ (cell_of_copy), so storing them takes longer. */
__device__ inline void write_copies(const DecodeJob &job, uint32_t *count, CellRow &row,
                                    uint32_t length, uint32_t distance)
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
    list_groups(job, count, {row.out / GROUP, distance, head, listed ? groups : 0});
    row.out += groups * GROUP;
    for (uint32_t i = head + groups * GROUP; i < length; i++)
        row.put(cell_of_copy(distance, i));
}

/* Stores the cells of entry `index` of the list with LANES_EACH threads; `lane` is the number of
 * the thread among them. */
__device__ inline void store_listed(const DecodeJob &job, uint32_t index, uint32_t lane)
{
    Listed copy = Listed::of(((const uint2 *)job.bytes)[index]);
    for (uint32_t i = lane; i < copy.groups; i += LANES_EACH) {
        uint32_t at = copy.first + i * GROUP, cells[GROUP];
        for (uint32_t k = 0; k < GROUP; k++)
            cells[k] = cell_of_copy(copy.distance, at + k);
        ((uint2 *)job.cells)[copy.to + i] =
            make_uint2(cells[0] | cells[1] << 16, cells[2] | cells[3] << 16);
    }
}

/* Decodes and writes subsequences of a block, one per thread. The first thread processes the
 * subsequence with index `first`. `count` is the number of entries of the list of matches. */
__device__ inline void write_part(const DecodeJob &job, uint32_t *count, const Codes &codes,
                                  const Block &block, const Sub *subs, uint32_t first)
{
    uint32_t window = window_of(job);
    Writer writer;
    writer.start(job, block, subs, first + threadIdx.x);
    while (__any_sync(ALL_LANES, writer.active)) {
        uint32_t length = 0, distance = 1;
        if (writer.active)
            length = writer.step(job, codes, window, distance);
        write_copies(job, count, writer.row, length, distance);
    }
    writer.row.finish();
}

} // namespace writer

#endif
