/* Chooses for each strip the strategy with the smaller result (run-length encoding or LZ77) and
 * assigns positions in the output: bits of blocks, bytes of strips and chunks. Sizes follow from
 * symbol counts and code lengths, before anything is written. So later kernels can write each block
 * directly at its final position. This is little work with little parallelism: one warp per strip,
 * then one warp for all strips. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_decide.cuh"
#include "io/png/cuda/encode/encode_launch.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t ALL = 0xFFFFFFFF;
constexpr uint32_t ADLER_MODULUS = 65521;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5, OPENING_BITS = 3;

__device__ uint32_t stored_chunks(uint32_t size)
{
    return (size + STORED_MOST - 1) / STORED_MOST;
}

__device__ uint32_t stored_bytes(uint32_t size)
{
    return size + stored_chunks(size) * STORED_FRAME + 1;
}

__device__ uint64_t next_byte(uint64_t bit)
{
    return (bit + 7) / 8 * 8;
}

/* Returns the bit position of the end of a strip whose last block ends at `bit`. In strips other
 * than the last, an empty stored block pads the data to a whole byte: OPENING_BITS bits, zero bits
 * up to the next byte, and 32 bits for the length 0 and its complement. */
__device__ uint64_t end_of_strip(uint64_t bit, bool is_last)
{
    return is_last ? next_byte(bit) : next_byte(bit + OPENING_BITS) + 32;
}

struct Sizes {
    uint32_t bytes, dynamic_bits, is_worth;
};

__device__ Sizes sizes_of(const EncodeJob &job, uint32_t block)
{
    const EncodeRange range = encode_range(&job, block);
    const EncodeBlock *made = job.blocks + block;
    return {range.to - range.from, made->dynamic_bits, made->is_worth};
}

/* Returns the position of a block that starts at `*bit`, and advances `*bit` to its end. */
__device__ EncodePlace place(const Sizes &sizes, uint64_t *bit)
{
    const uint64_t begin = *bit;
    const bool stored =
        sizes.is_worth == 0 || (begin % 8 + sizes.dynamic_bits) / 8 > stored_bytes(sizes.bytes);
    /* A stored block is written as frames of up to 65,535 bytes. The first frame starts at this
     * bit, the other frames at whole bytes. STORED_FRAME includes the byte with a frame's opening
     * bits; for the first frame next_byte has already counted this byte. */
    if (stored)
        *bit = next_byte(begin + OPENING_BITS) +
               8 * ((uint64_t)sizes.bytes + stored_chunks(sizes.bytes) * STORED_FRAME - 1);
    else
        *bit += sizes.dynamic_bits;
    return {begin, stored};
}

/* Assigns positions to a strip's blocks, in bits from the strip's start. Returns the strip's size
 * in bits. Called by all lanes of a warp. Each lane loads and stores the data of one block. The
 * positions depend on each other, so every lane computes all of them. */
__device__ uint64_t place_blocks(const EncodeJob &job, uint32_t strip)
{
    const uint32_t first = encode_first_block(&job, strip), lane = threadIdx.x % 32;
    const uint32_t end = first + encode_strip_blocks(&job, strip);
    uint64_t bit = 0;
    for (uint32_t from = first; from < end; from += 32) {
        const uint32_t count = min(end - from, 32u), block = from + lane;
        const Sizes mine = lane < count ? sizes_of(job, block) : Sizes{0, 0, 0};
        EncodePlace here = {0, 0};
        for (uint32_t i = 0; i < count; i++) {
            const Sizes sizes = {__shfl_sync(ALL, mine.bytes, (int)i),
                                 __shfl_sync(ALL, mine.dynamic_bits, (int)i),
                                 __shfl_sync(ALL, mine.is_worth, (int)i)};
            const EncodePlace placed = place(sizes, &bit);
            if (i == lane)
                here = placed;
        }
        if (lane < count)
            job.places[block] = here;
    }
    return end_of_strip(bit, strip + 1 == job.strips.count);
}

/* Assigns positions to a strip's segments, in bits from the strip's start. Called by all lanes of a
 * warp. */
__device__ void place_segments(const EncodeJob &job, const MatchUnit &unit)
{
    const uint32_t segments = match_segments(unit.size), lane = threadIdx.x % 32;
    const MatchSegment *all = job.matches.segments + unit.first_segment;
    uint32_t bit = 0;
    for (uint32_t from = 0; from < segments; from += 32) {
        const uint32_t number = from + lane;
        const uint32_t mine = number < segments ? all[number].bits : 0;
        uint32_t end = mine;
        for (uint32_t away = 1; away < 32; away *= 2) {
            const uint32_t before = __shfl_up_sync(ALL, end, away);
            end += lane >= away ? before : 0;
        }
        if (number < segments)
            job.segment_bits[unit.first_segment + number] = bit + end - mine;
        bit += __shfl_sync(ALL, end, 31);
    }
    __syncwarp();
}

/* Combines the Adler-32 sums of `count` pieces of `bytes` bytes each, which are followed by
 * `behind` more bytes. The weight of each byte grows by the number of bytes after its piece. Called
 * by all lanes of a warp. */
__device__ EncodeRowSums sum_pieces(const EncodeRowSums *pieces, uint32_t count, uint64_t bytes,
                                    uint64_t behind)
{
    uint64_t sum = 0, weighted = 0;
    for (uint32_t i = threadIdx.x % 32; i < count; i += 32) {
        uint64_t after = ((count - 1 - i) * bytes + behind) % ADLER_MODULUS;
        sum += pieces[i].bytes;
        weighted += (pieces[i].weighted + after * pieces[i].bytes) % ADLER_MODULUS;
    }
    sum = warp_sum(sum);
    weighted = warp_sum(weighted);
    return {(uint32_t)(sum % ADLER_MODULUS), (uint32_t)(weighted % ADLER_MODULUS)};
}

/* Writes the block starts of a strip for the host. Unused entries become zeros. Called by all lanes
 * of a warp. */
__device__ void write_starts(const EncodeJob &job, uint32_t strip, uint32_t chosen)
{
    ImgPngCudaBlock *starts = job.starts + encode_first_start(&job, strip);
    const MatchUnit unit = chosen == ENCODE_MATCHES ? job.matches.units[strip] : MatchUnit{};
    const uint32_t first = encode_first_block(&job, strip);
    const uint32_t blocks = chosen == ENCODE_MATCHES ? unit.blocks
                            : chosen == ENCODE_RUNS  ? encode_strip_blocks(&job, strip)
                                                     : 0;
    for (uint32_t i = threadIdx.x % 32; i < encode_strip_starts(&job, strip); i += 32) {
        ImgPngCudaBlock start = {0, 0};
        if (i < blocks && chosen == ENCODE_MATCHES) {
            const uint32_t segment = job.matches.blocks[unit.first_block + i].first_segment;
            start.bit = job.segment_bits[unit.first_segment + segment];
        } else if (i < blocks) {
            start.bit = (uint32_t)job.places[first + i].bit;
            start.stored = job.places[first + i].stored != 0 ? sizes_of(job, first + i).bytes : 0;
        }
        starts[i] = start;
    }
    if (threadIdx.x % 32 == 0)
        job.results[strip].blocks = blocks;
}

/* Returns the strategy with the smaller result for a strip, and sets `*bits` to the size of this
 * result. Returns ENCODE_MATCHES if both strategies have the same size. Returns ENCODE_STRATEGIES
 * if neither was tried, or if a small strip counts as graphics. */
__device__ uint32_t choose(const EncodeJob &job, uint32_t strip, uint64_t *bits)
{
    const uint32_t *filters = encode_strip_filters(&job, strip);
    const bool is_last = strip + 1 == job.strips.count;
    uint32_t chosen = ENCODE_STRATEGIES;
    *bits = 0;
    if (filters[ENCODE_MATCHES] != 0) {
        *bits = end_of_strip(job.matches.units[strip].bits, is_last);
        chosen = ENCODE_MATCHES;
    }
    if (filters[ENCODE_RUNS] != 0) {
        const uint64_t by_runs = place_blocks(job, strip);
        if (encode_is_small(&job, strip) && decide::is_graphics(job, strip, by_runs / 8))
            return ENCODE_STRATEGIES;
        if (chosen != ENCODE_MATCHES || by_runs < *bits) {
            *bits = by_runs;
            chosen = ENCODE_RUNS;
        }
    }
    return chosen;
}

/* Chooses the strategies and assigns the positions within strips. Each warp processes one strip. */
template <typename Jobs> __global__ void __launch_bounds__(32) strips_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.x;
    if (strip >= job.strips.count)
        return;
    const uint64_t row = 1 + job.row_bytes;
    EncodeRowSums sums = {0, 0};
    uint64_t bits;
    const uint32_t chosen = choose(job, strip, &bits);
    __syncwarp();
    if (chosen == ENCODE_MATCHES)
        place_segments(job, job.matches.units[strip]);
    if (chosen != ENCODE_STRATEGIES)
        sums = sum_pieces(job.row_sums[chosen] + encode_first_row(&job, strip),
                          encode_strip_rows(&job, strip), row, 0);
    write_starts(job, strip, chosen);
    if (threadIdx.x == 0) {
        job.chosen[strip] = chosen;
        job.chunks[strip].data = (uint32_t)(bits / 8);
        job.strip_sums[strip] = sums;
    }
}

/* Writes the result of a strip for the host. The result's Adler-32 includes the initial 1. */
__device__ void write_result(const EncodeJob &job, uint32_t strip, uint64_t start, uint64_t bytes)
{
    ImgPngCudaStrip *result = job.results + strip;
    const EncodeRowSums sums = job.strip_sums[strip];
    const bool is_left_to_cpu = bytes == 0;
    const uint64_t data = is_left_to_cpu ? 0 : encode_strip_bytes(&job, strip);
    result->start = start;
    result->bytes = (uint32_t)bytes;
    result->adler =
        (uint32_t)((data + sums.weighted) % ADLER_MODULUS) << 16 | (sums.bytes + 1) % ADLER_MODULUS;
    result->strategy = is_left_to_cpu                        ? IMG_PNG_CUDA_LEFT_TO_CPU
                       : job.chosen[strip] == ENCODE_MATCHES ? IMG_PNG_CUDA_BY_MATCHES
                                                             : IMG_PNG_CUDA_BY_RUNS;
}

/* Computes the Adler-32 of all strips with one warp. The first strip may be taller than the others,
 * which all have the same height. Strips left to the CPU contribute zeros. */
__device__ void sum_strips(const EncodeJob &job)
{
    const uint64_t row = 1 + job.row_bytes, bytes = row * (uint64_t)job.height;
    const uint64_t first = row * encode_strip_rows(&job, 0);
    uint64_t sum = 0, weighted = 0;
    for (uint32_t strip = threadIdx.x % 32; strip < job.strips.count; strip += 32) {
        EncodeRowSums own = job.strip_sums[strip];
        uint64_t end = strip == 0 ? first : first + row * (uint64_t)job.strips.rows * strip;
        sum += own.bytes;
        weighted += (own.weighted + (bytes - end) % ADLER_MODULUS * own.bytes) % ADLER_MODULUS;
    }
    uint32_t low = (uint32_t)((1 + warp_sum(sum)) % ADLER_MODULUS);
    uint32_t high = (uint32_t)((bytes % ADLER_MODULUS + warp_sum(weighted)) % ADLER_MODULUS);
    if (threadIdx.x % 32 == 0)
        *job.adler = high << 16 | low;
}

/* Assigns positions without gaps to the chunks of the strips, with one warp. Strips left to the CPU
 * take no room. */
__device__ void place_chunks(const EncodeJob &job)
{
    uint64_t start = 0;
    for (uint32_t first = 0; first < job.strips.count; first += 32) {
        const uint32_t strip = first + threadIdx.x;
        const bool exists = strip < job.strips.count;
        const bool is_made = exists && job.chosen[strip] != ENCODE_STRATEGIES;
        uint32_t data = is_made ? job.chunks[strip].data : 0;
        data += is_made && strip == 0 ? ENCODE_STREAM_HEAD : 0;
        data += is_made && strip + 1 == job.strips.count ? ENCODE_STREAM_TAIL : 0;
        uint64_t size = is_made ? (uint64_t)ENCODE_CHUNK_HEAD + data + ENCODE_CHUNK_TAIL : 0;
        uint64_t end = size;
        for (int away = 1; away < 32; away *= 2) {
            uint64_t before = __shfl_up_sync(ALL, end, (unsigned)away);
            end += (int)threadIdx.x >= away ? before : 0;
        }
        if (exists) {
            job.chunks[strip] = {start + end - size, data, 0};
            write_result(job, strip, start + end - size, size);
        }
        start += __shfl_sync(ALL, end, 31);
    }
    if (threadIdx.x == 0)
        *job.size = start;
}

__device__ void put_big_endian(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

__device__ void put_chunk_head(const EncodeJob &job, const EncodeChunk &chunk, bool is_first)
{
    uint8_t *to = job.output + chunk.start;
    put_big_endian(to, chunk.data);
    put_big_endian(to + 4, 0x49444154); /* the chunk type "IDAT" */
    if (is_first) {
        to[ENCODE_CHUNK_HEAD] = 0x78; /* zlib header: method deflate, window of 32 KiB */
        to[ENCODE_CHUNK_HEAD + 1] = (uint8_t)job.stream_flags;
    }
}

/* Assigns positions to the chunks with the first warp, and computes the Adler-32 with the second.
 * Each picture has one thread block. */
template <typename Jobs> __global__ void __launch_bounds__(64) chunks_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    const EncodeJob &job = jobs.get();
    if (threadIdx.x < 32)
        place_chunks(job);
    else
        sum_strips(job);
}

/* --- Borders ---------------------------------------------------------------------------------- */

/* Clears the first output word of each part of each block of a strip, because the previous part
 * also adds bits to this word. `first` is the strip's first bit in the output. Also changes the
 * positions of the blocks to count from the output's start. Called by all threads. */
__device__ void clear_blocks(const EncodeJob &job, uint32_t strip, uint64_t first, uint32_t *words)
{
    const uint32_t begin = encode_first_block(&job, strip);
    const uint32_t end = begin + encode_strip_blocks(&job, strip);
    for (uint32_t block = begin + threadIdx.x; block < end; block += THREADS) {
        const uint64_t bit = job.places[block].bit + first;
        job.places[block].bit = bit;
        words[bit / 32] = 0;
        for (int part = 1; part < ENCODE_PARTS && job.places[block].stored == 0; part++)
            words[(bit + job.blocks[block].before[part]) / 32] = 0;
    }
}

/* Clears the first output word of each segment of a strip, because the previous segment also adds
 * bits to this word. `first` is the strip's first bit in the output. */
__device__ void clear_segments(const EncodeJob &job, uint32_t strip, uint64_t first,
                               uint32_t *words)
{
    const MatchUnit unit = job.matches.units[strip];
    for (uint32_t i = threadIdx.x; i < match_segments(unit.size); i += THREADS)
        words[(job.segment_bits[unit.first_segment + i] + first) / 32] = 0;
}

/* Writes the fields of a chunk before and after its data, except its CRC. `end` is the byte
 * position after the deflated data. Called by one thread. */
__device__ void put_frame(const EncodeJob &job, const EncodeChunk &chunk, uint32_t strip,
                          uint64_t end)
{
    put_chunk_head(job, chunk, strip == 0);
    if (strip + 1 == job.strips.count)
        put_big_endian(job.output + end, *job.adler);
    /* Clears the CRC field, because the CRC kernel may read it before writing it. */
    put_big_endian(job.output + chunk.start + ENCODE_CHUNK_HEAD + chunk.data, 0);
}

/* Clears the words to which several thread blocks will add bits: within a strip's data, and at its
 * start and end. Each thread block processes one strip. */
template <typename Jobs> __global__ void __launch_bounds__(THREADS) borders_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.x;
    const uint32_t chosen = strip < job.strips.count ? job.chosen[strip] : ENCODE_STRATEGIES;
    if (chosen == ENCODE_STRATEGIES)
        return;
    const EncodeChunk chunk = job.chunks[strip];
    const bool is_last = strip + 1 == job.strips.count;
    const uint64_t data = encode_chunk_data(&job, strip);
    const uint64_t end =
        chunk.start + ENCODE_CHUNK_HEAD + chunk.data - (is_last ? ENCODE_STREAM_TAIL : 0);
    uint32_t *words = reinterpret_cast<uint32_t *>(job.output);
    if (chosen == ENCODE_MATCHES)
        clear_segments(job, strip, 8 * data, words);
    else
        clear_blocks(job, strip, 8 * data, words);
    if (threadIdx.x == 0 && end % 4 != 0)
        words[end / 4] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        put_frame(job, chunk, strip, end);
}

} // namespace

void img_encode_layout(const EncodeBatch *batch, void *stream)
{
    const dim3 strips(batch->strips, 1, batch->count), pictures(1, 1, batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH(strips_kernel<decltype(jobs)>, strips, 32, 0, stream, jobs);
        IMG_LAUNCH_EARLY(chunks_kernel<decltype(jobs)>, pictures, 64, 0, stream, jobs);
        IMG_LAUNCH_EARLY(borders_kernel<decltype(jobs)>, strips, THREADS, 0, stream, jobs);
    });
}
