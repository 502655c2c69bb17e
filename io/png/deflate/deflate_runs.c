/* Writes deflate blocks that contain only literals and matches at distance 1, which encode runs of
 * equal bytes (RFC 1951). The Huffman codes come from a sample of the literals. If the sample is a
 * quarter of the block, the output grows by less than 0.1 %. */
#include "io/png/deflate/deflate_runs.h"

#include <string.h>

#include "io/png/deflate/runs.h"
#include "kernels/core/parallel/cpu.h"

const ImgRunsLoops *img_runs_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        return &img_runs_vbmi;
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_runs_avx2;
#endif
    return &img_runs_portable;
}

enum {
    STORED = 0,
    DYNAMIC = 2,
    BLOCK_HEADER_BITS = 3,
    STORED_MOST = 65535,
    STORED_FRAME = 5, /* bytes of a stored block besides its data */
    /* A block with at most this many literals counts all of them; a larger block counts a sample.
     * Equal to SAMPLE_LEAST in io/png/cuda/encode/encode_counts.cuh. */
    SAMPLE_LEAST = 1 << 15,
    RARE = 50, /* a byte value that occurs less often in a sample has an unreliable count */
};

/* Number of extra bits, and shortest match length in bytes, of each length code (RFC 1951,
 * 3.2.5). */
static const uint8_t EXTRA_BITS[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t LEAST_LENGTH[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                          15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                          67, 83, 99, 115, 131, 163, 195, 227, 258};

/* Code lengths of the distance codes in bits. Only distance 1 occurs. Distance 2 also has a code,
 * so that the Huffman code is complete. */
static const uint8_t DISTANCE_LENGTHS[IMG_DISTANCES] = {1, 1};

/* The Huffman code lengths of a block, and the size of the block. */
typedef struct Plan {
    uint8_t lengths[IMG_SYMBOLS];
    uint64_t bits; /* size of the block in bits; an estimate if only a sample was counted */
} Plan;

/* Returns the length code of a match of `length` bytes. The search starts at `code`, the code of
 * the previous length, because the callers loop over ascending lengths. */
static int length_code(uint32_t length, int code)
{
    while (code < 28 && LEAST_LENGTH[code + 1] <= length)
        code++;
    return code;
}

static uint32_t count_literals(const ImgRunsBlock *block)
{
    uint32_t literals = block->to - block->from;
    for (size_t i = 0; i < block->count; i++)
        literals -= block->runs[i].length;
    return literals;
}

static void count_matches(const ImgRunsBlock *block, uint32_t *counts, uint64_t *extra)
{
    uint32_t by_length[IMG_RUN_MATCH_MOST + 1] = {0};
    for (size_t i = 0; i < block->count; i++) {
        for (uint32_t left = block->runs[i].length; left > 0;) {
            uint32_t length = img_run_match(left);
            by_length[length]++;
            left -= length;
        }
    }
    int code = 0;
    *extra = 0;
    for (uint32_t length = IMG_RUN_MATCH_LEAST; length <= IMG_RUN_MATCH_MOST; length++) {
        code = length_code(length, code);
        counts[IMG_FIRST_LENGTH + code] += by_length[length];
        *extra +=
            (uint64_t)by_length[length] * (EXTRA_BITS[code] + 1U /* 1 bit is the distance code */);
    }
}

/* Smooths the counts of rare byte values. In filtered pictures neighbouring byte values are
 * similarly frequent, so they predict the count of a rare value better than a few occurrences do.
 * Smoothing also gives neighbouring values equal code lengths, which shortens the block header. */
static void smooth(uint32_t *counts, uint32_t rare)
{
    uint32_t found[IMG_LITERALS];
    memcpy(found, counts, sizeof found);
    for (unsigned i = 0; i < IMG_LITERALS; i++) {
        if (found[i] == 0 || found[i] >= rare)
            continue;
        uint32_t sum = 0, known = 0;
        for (unsigned k = i + IMG_LITERALS - 1; k <= i + IMG_LITERALS + 1; k++) {
            sum += found[k % IMG_LITERALS];
            known += found[k % IMG_LITERALS] > 0;
        }
        counts[i] = (sum + known / 2) / known;
    }
}

static void make_plan(ImgRunsScratch *work, const ImgRunsBlock *block, Plan *plan)
{
    uint32_t counts[IMG_SYMBOLS] = {0};
    uint64_t extra;
    const uint32_t literals = count_literals(block);
    unsigned step = literals > SAMPLE_LEAST ? work->sample_step : 1;
    work->literals += literals;
    work->loops->count(block, step, counts);
    if (step > 1) {
        work->loops->complete(block, counts);
        smooth(counts, RARE * step);
    }
    counts[IMG_END_OF_BLOCK] = 1;
    count_matches(block, counts, &extra);
    img_huffman_lengths(counts, IMG_SYMBOLS, IMG_RUN_CODE_MOST, plan->lengths);
    plan->bits = BLOCK_HEADER_BITS + img_huffman_header_bits(plan->lengths, DISTANCE_LENGTHS);
    plan->bits += extra;
    for (int i = 0; i < IMG_SYMBOLS; i++)
        plan->bits += (uint64_t)counts[i] * plan->lengths[i];
}

static void make_codes(const uint8_t *lengths, const uint16_t *codes, ImgRunsCodes *tables)
{
    for (int i = 0; i < IMG_LITERALS; i++)
        tables->literals[i] =
            lengths[i] == 0 ? 0 : (uint64_t)codes[i] << (64 - lengths[i]) | lengths[i];
    int code = 0;
    for (uint32_t length = IMG_RUN_MATCH_LEAST; length <= IMG_RUN_MATCH_MOST; length++) {
        code = length_code(length, code);
        int symbol = IMG_FIRST_LENGTH + code;
        uint32_t bits = codes[symbol] | (length - LEAST_LENGTH[code]) << lengths[symbol];
        tables->matches[length] = bits << 8 | (lengths[symbol] + EXTRA_BITS[code] + 1U);
    }
}

static void put_dynamic(ImgRunsScratch *work, const ImgRunsBlock *block, const Plan *plan,
                        bool last, ImgBits *bits)
{
    uint16_t codes[IMG_SYMBOLS];
    img_huffman_codes(plan->lengths, IMG_SYMBOLS, codes);
    make_codes(plan->lengths, codes, &work->codes);
    img_bits_put(bits, last | DYNAMIC << 1, BLOCK_HEADER_BITS);
    img_huffman_put_header(bits, plan->lengths, DISTANCE_LENGTHS);
    work->loops->put(bits, &work->codes, block);
    img_bits_put(bits, codes[IMG_END_OF_BLOCK], plan->lengths[IMG_END_OF_BLOCK]);
}

static void put_stored_block(ImgBits *bits, const uint8_t *data, size_t size, bool last)
{
    img_bits_put(bits, last | STORED << 1, BLOCK_HEADER_BITS);
    img_bits_align(bits);
    img_bits_put(bits, size | (~size & 0xFFFF) << 16, 32);
    memcpy(bits->out, data, size);
    bits->out += size;
}

static void put_stored(ImgBits *bits, const uint8_t *data, size_t size, bool last,
                       ImgBlockStarts *starts)
{
    while (size > 0) {
        size_t here = size < STORED_MOST ? size : STORED_MOST;
        img_block_starts_add(starts, bits);
        put_stored_block(bits, data, here, last && here == size);
        data += here;
        size -= here;
    }
}

static size_t stored_bytes(size_t size)
{
    return size + (size + STORED_MOST - 1) / STORED_MOST * STORED_FRAME + 1;
}

/* Writes a block. If the sample was misleading and the block became larger than its data,
 * overwrites it with stored blocks. */
static void put_block(ImgRunsScratch *work, const ImgRunsBlock *block, bool last, ImgBits *bits,
                      ImgBlockStarts *starts)
{
    Plan plan;
    ImgBits before = *bits;
    size_t size = block->to - block->from, stored = stored_bytes(size);
    make_plan(work, block, &plan);
    if (plan.bits < 8 * (uint64_t)stored) {
        put_dynamic(work, block, &plan, last, bits);
        if ((size_t)(bits->out - before.out) <= stored) {
            img_block_starts_add(starts, &before);
            return;
        }
        *bits = before;
    }
    put_stored(bits, block->data + block->from, size, last, starts);
}

static size_t end_piece(ImgBits *bits, bool last, const uint8_t *out)
{
    img_bits_end_piece(bits, last);
    return (size_t)(bits->out - out);
}

size_t img_deflate_runs_bound(size_t size)
{
    /* The output must have room for one block that becomes larger than its data, before put_block
     * replaces it by stored blocks. Literals in this block take at most 14 bits each, and matches
     * take fewer bits per byte. */
    size_t block = size < IMG_RUNS_BLOCK_BYTES ? size : IMG_RUNS_BLOCK_BYTES;
    size_t blocks = size / IMG_RUNS_BLOCK_BYTES + 1;
    return stored_bytes(size) + blocks * (STORED_FRAME + 1) + block * IMG_RUN_CODE_MOST / 8 +
           IMG_HEADER_MOST_BYTES + STORED_FRAME + IMG_BITS_SLACK;
}

size_t img_deflate_runs(ImgRunsScratch *work, const uint8_t *data, size_t size, bool last,
                        uint8_t *out, ImgBlockStarts *starts)
{
    ImgBits bits = {out, 0, 0};
    size_t blocks = (size + IMG_RUNS_BLOCK_BYTES - 1) / IMG_RUNS_BLOCK_BYTES;
    img_block_starts_begin(starts, out);
    work->literals = 0;
    for (size_t from = 0; from < size; blocks--) {
        size_t to = from + (size - from + blocks - 1) / blocks;
        ImgRunsBlock block = {data, (uint32_t)from, (uint32_t)to, work->runs, 0};
        work->loops->find(&block);
        put_block(work, &block, last && to == size, &bits, starts);
        from = to;
    }
    return end_piece(&bits, last, out);
}

size_t img_deflate_stored(const uint8_t *data, size_t size, bool last, uint8_t *out)
{
    ImgBits bits = {out, 0, 0};
    put_stored(&bits, data, size, last, NULL);
    return end_piece(&bits, last, out);
}
