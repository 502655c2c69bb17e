/* Writes the deflated data of strips with run-length encoding. Each thread block writes a part of a
 * deflate block, in tiles. Prefix sums of the token sizes give each thread its bit position.
 * Threads combine their bits to words in shared memory, and whole words are stored in the output.
 * The first and last words of a part also contain bits of the neighbouring parts, so they are
 * written with atomicOr. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_launch.cuh"
#include "io/png/cuda/encode/encode_stage.cuh"
#include "io/png/cuda/encode/tokens.cuh"

namespace
{

constexpr int PER_THREAD = 16, TILE = THREADS * PER_THREAD;
constexpr int LITERAL_BITS = 14, STAGE_WORDS = TILE * LITERAL_BITS / 32 + ENCODE_HEADER_WORDS + 4;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5;

struct Shared {
    uint32_t codes[ENCODE_SYMBOLS];
    uint32_t stage[STAGE_WORDS];
    uint32_t scratch[WARPS];
};

/* --- Tokens ----------------------------------------------------------------------------------- */

/* A literal or a match. The low 24 bits are its bits in stream order; the bits from bit 24 upwards
 * are their number. 0 for bytes within a match. */
using Token = uint32_t;

struct Source {
    /* Masks with one bit per byte of the block. `runs`: the byte belongs to a run. `begins`: a
     * match begins at the byte. */
    const uint32_t *runs, *begins;
    const uint32_t *codes;
    const uint8_t *data; /* filtered data of the block */
    uint32_t bytes;
};

__device__ Token match_at(const Source &source, uint32_t at)
{
    uint32_t most = at + tokens::MATCH_MOST < source.bytes ? at + tokens::MATCH_MOST : source.bytes;
    uint32_t end = tokens::find_bit(source.runs, at, most, false);
    end = tokens::find_bit(source.begins, at + 1, end, true);
    tokens::Length length = tokens::length_of(end - at);
    uint32_t code = source.codes[tokens::FIRST_LENGTH + length.code], count = code >> 24;
    return (code & 0xFFFFFF) | length.extra << count | (count + length.extra_bits + 1) << 24;
}

/* Loads PER_THREAD bytes from offset `from` onwards, as aligned words. Bytes after the last row are
 * read from the workspace but not used. */
__device__ void load(const Source &source, uint32_t from, uint32_t (&words)[PER_THREAD / 4])
{
    const uint8_t *data = source.data + from;
    const unsigned shift = (unsigned)((uintptr_t)data & 3);
    const uint32_t *aligned = reinterpret_cast<const uint32_t *>(data - shift);
    const uint32_t there = (source.bytes - from + shift + 3) / 4;
    uint32_t low = aligned[0];
#pragma unroll
    for (uint32_t i = 0; i < PER_THREAD / 4; i++) {
        uint32_t high = i + 1 < there ? aligned[i + 1] : 0;
        words[i] = __funnelshift_r(low, high, 8 * shift);
        low = high;
    }
}

/* Makes the tokens of PER_THREAD bytes from offset `from` onwards. Returns their total size in
 * bits. */
__device__ uint32_t make_tokens(const Source &source, uint32_t from, Token (&made)[PER_THREAD])
{
    uint32_t words[PER_THREAD / 4], sum = 0;
    if (from < source.bytes)
        load(source, from, words);
    const uint32_t runs = from < source.bytes ? source.runs[from / 32] >> from % 32 : 0;
#pragma unroll
    for (uint32_t i = 0; i < PER_THREAD; i++) {
        made[i] = 0;
        if (from + i < source.bytes && (runs >> i & 1) == 0)
            made[i] = source.codes[words[i / 4] >> 8 * (i % 4) & 255];
        else if (from + i < source.bytes && (source.begins[from / 32] >> (from % 32 + i) & 1) != 0)
            made[i] = match_at(source, from + i);
        sum += made[i] >> 24;
    }
    return sum;
}

__device__ void put_tokens(const Token (&made)[PER_THREAD], const Stage &stage, uint64_t bit)
{
    uint32_t *word = stage.words + (bit / 32 - stage.base);
    uint32_t filled = (uint32_t)(bit % 32);
    uint64_t held = 0;
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
        held |= (uint64_t)(made[i] & 0xFFFFFF) << filled;
        filled += made[i] >> 24;
        if (filled >= 32) {
            atomicOr(word++, (uint32_t)held);
            held >>= 32;
            filled -= 32;
        }
    }
    if (held != 0)
        atomicOr(word, (uint32_t)held);
}

/* --- A block with Huffman codes --------------------------------------------------------------- */

__device__ void clear(const EncodeJob &job, uint32_t block, Shared *shared)
{
    for (int i = (int)threadIdx.x; i < STAGE_WORDS; i += THREADS)
        shared->stage[i] = 0;
    for (int i = (int)threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS)
        shared->codes[i] = job.codes[(size_t)block * ENCODE_SYMBOLS + i];
    __syncthreads();
}

/* Writes a part of a block with Huffman codes. The first part includes the block's header. The last
 * part includes the end-of-block code and, in the strip's last block, the end of the strip. */
__device__ void put_dynamic(const EncodeJob &job, uint32_t block, uint32_t part,
                            const EncodeRange &range, Shared *shared)
{
    const EncodeBlock *made = &job.blocks[block];
    const uint64_t start = job.places[block].bit, end = start + made->dynamic_bits;
    const uint32_t bytes = range.to - range.from, part_bytes = encode_part_bytes(bytes);
    const uint32_t from = part * part_bytes,
                   to = from + part_bytes < bytes ? from + part_bytes : bytes;
    if (from >= bytes)
        return;
    const Source source = {job.runs + (size_t)block * ENCODE_BLOCK_WORDS,
                           job.begins + (size_t)block * ENCODE_BLOCK_WORDS, shared->codes,
                           range.data + range.from, bytes};
    uint64_t bit = start + made->before[part], first = part == 0 ? start / 32 : bit / 32;
    Stage stage = {shared->stage, reinterpret_cast<uint32_t *>(job.output), first, first};
    clear(job, block, shared);
    if (part == 0)
        put_header(job.headers + (size_t)block * ENCODE_HEADER_WORDS, made->header_bits, stage,
                   start);
    for (uint32_t tile = from; tile < to; tile += TILE) {
        Token tokens_made[PER_THREAD];
        uint32_t mine = tile + threadIdx.x * PER_THREAD, total;
        uint32_t bits = make_tokens(source, mine < to ? mine : bytes, tokens_made);
        uint32_t before = block_scan<THREADS>(bits, shared->scratch, &total);
        put_tokens(tokens_made, stage, bit + before);
        bit += total;
        flush(&stage, bit);
    }
    if (to < bytes) {
        put_last_word(&stage, bit);
        return;
    }
    if (threadIdx.x == 0) {
        uint32_t code = shared->codes[tokens::END_OF_BLOCK];
        put(stage, bit, code & 0xFFFFFF, code >> 24);
        if (range.ends_strip && !range.is_last)
            put_strip_end(stage, end);
    }
    put_last_word(&stage, end_of_strip(range.ends_strip, range.is_last, end));
}

/* --- A stored block --------------------------------------------------------------------------- */

/* Positions of a stored block in the output. `start` is the position of its first frame's length
 * field. `end` includes the empty frame at the end of the strip. */
struct Stored {
    uint64_t start, data_end, end; /* byte positions in the output */
    bool is_last;
};

__device__ Stored stored_of(const EncodeRange &range, uint64_t bit)
{
    uint32_t bytes = range.to - range.from, frames = (bytes + STORED_MOST - 1) / STORED_MOST;
    Stored stored;
    stored.start = (bit + OPENING_BITS + 7) / 8;
    stored.data_end = stored.start + bytes + frames * STORED_FRAME - 1;
    stored.is_last = range.is_last != 0;
    stored.end = stored.data_end + (range.ends_strip && !stored.is_last ? STORED_FRAME : 0);
    return stored;
}

__device__ uint32_t stored_byte(const EncodeRange &range, const Stored &stored, uint64_t at)
{
    constexpr uint32_t FRAME = STORED_MOST + STORED_FRAME, LENGTHS = STORED_FRAME - 1;
    /* After the data comes the empty frame. Its last two bytes are 255, the complement of its
     * length. */
    if (at >= stored.data_end)
        return at + 2 >= stored.end ? 255 : 0;
    /* A frame begins with the byte in which its three opening bits end. For the first frame this
     * byte lies before stored.start, hence the 1. */
    uint32_t in_frames = (uint32_t)(at - stored.start) + 1;
    uint32_t number = in_frames / FRAME, in_frame = in_frames % FRAME;
    uint32_t left = range.to - range.from - number * STORED_MOST;
    uint32_t size = left < STORED_MOST ? left : STORED_MOST;
    if (in_frame == 0)
        return stored.is_last && left <= STORED_MOST;
    if (in_frame <= LENGTHS)
        return (size | ~size << 16) >> 8 * (in_frame - 1) & 255;
    return range.data[range.from + number * STORED_MOST + in_frame - STORED_FRAME];
}

/* Writes a stored block; each thread writes whole words. The first and last words also contain bits
 * of the neighbouring blocks, so they are written with atomicOr. */
__device__ void put_stored(const EncodeJob &job, const EncodeRange &range, uint64_t bit)
{
    uint32_t *words = reinterpret_cast<uint32_t *>(job.output);
    const Stored stored = stored_of(range, bit);
    const bool ends = stored.is_last && range.to - range.from <= STORED_MOST;
    const uint64_t first = bit / 32;
    for (uint64_t word = first + threadIdx.x; 4 * word < stored.end; word += THREADS) {
        uint32_t bits = word == first && ends ? 1u << bit % 32 : 0;
        for (unsigned i = 0; i < 4; i++) {
            uint64_t at = 4 * word + i;
            if (at >= stored.start && at < stored.end)
                bits |= stored_byte(range, stored, at) << 8 * i;
        }
        if (word == first || 4 * word + 4 > stored.end)
            atomicOr(words + word, bits);
        else
            words[word] = bits;
    }
}

template <typename Jobs> __global__ void __launch_bounds__(THREADS) put_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t block = blockIdx.x / ENCODE_PARTS, part = blockIdx.x % ENCODE_PARTS;
    if (block >= encode_blocks(&job))
        return;
    const EncodeRange range = encode_range(&job, block);
    if (job.chosen[range.strip] != ENCODE_RUNS)
        return;
    if (job.places[block].stored == 0)
        put_dynamic(job, block, part, range, shared);
    else if (part == 0)
        put_stored(job, range, job.places[block].bit);
}

} // namespace

void img_encode_put(const EncodeBatch *batch, void *stream)
{
    const dim3 grid(batch->blocks * ENCODE_PARTS, 1, batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH_EARLY(put_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}
