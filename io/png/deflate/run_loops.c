/* The inner loops for runs, compiled once for each instruction set (kernels/core/parallel/cpu.h). A
 * header for an instruction set may define HAVE_MISSING, with functions that replace those below.
 * It may also define HAVE_PUT_MANY with the type Lookup and the functions make_lookup and put_many.
 * make_lookup fills a Lookup for each block. put_many writes whole vectors of literals and leaves
 * the rest to put_four and put_rest. */
#if defined IMG_VARIANT_VBMI
#include "io/png/deflate/run_loops_vbmi.h"
#elif defined IMG_VARIANT_AVX2
#include "io/png/deflate/run_loops_avx2.h"
#endif

#include <stdbool.h>

#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/runs.h"
#include "kernels/core/parallel/cpu.h"

enum {
    PIECE = 512,
    STRIDE = IMG_EQUAL_BYTES,
    /* Number of tables of counts. Counting in different tables avoids stalls when neighbouring
     * bytes are equal. */
    LANES = 4
};

/* --- Finding runs --------------------------------------------------------------------------- */

/* Returns a mask: bit i is set if bits i to i + IMG_RUN_LEAST - 1 of `bits` are set. */
static inline uint64_t long_groups(uint64_t bits)
{
    bits &= bits >> 1;
    bits &= bits >> 2;
    _Static_assert(IMG_RUN_LEAST >= 4 && IMG_RUN_LEAST <= 8, "two steps and a third");
    return bits & bits >> (IMG_RUN_LEAST - 4);
}

static inline void add_run(ImgRunsBlock *block, uint32_t start, uint32_t length)
{
    block->runs[block->count++] = (ImgRun){start, length};
}

/* Adds the runs that end within the STRIDE bytes from offset `at` onwards. Bit i of `equal` is set
 * if byte `at` + i equals the byte before it. `open` is the length of the run that ends just before
 * `at`. Returns the length of the run that reaches the last of these bytes. */
static uint32_t find_runs(ImgRunsBlock *block, uint32_t at, uint64_t equal, uint32_t open)
{
    if (equal == UINT64_MAX)
        return open + STRIDE;
    unsigned first = (unsigned)__builtin_ctzll(~equal);
    if (open + first >= IMG_RUN_LEAST)
        add_run(block, at - open, open + first);
    uint64_t rest = equal >> first << first;
    for (uint64_t groups; (groups = long_groups(rest)) != 0;) {
        unsigned start = (unsigned)__builtin_ctzll(groups);
        unsigned length = (unsigned)__builtin_ctzll(~(rest >> start));
        if (start + length == STRIDE)
            break;
        add_run(block, at + start, length);
        rest = rest >> (start + length) << (start + length);
    }
    return (uint32_t)__builtin_clzll(~equal);
}

static void find(ImgRunsBlock *block)
{
    const uint8_t *data = block->data;
    uint32_t at = block->from > 0 ? block->from : 1, open = 0;
    block->count = 0;
    for (; at < block->to && block->to - at >= STRIDE; at += STRIDE) {
        uint64_t equal = img_equal_64(data + at, data + at - 1);
        if (open == 0 && long_groups(equal) == 0)
            open = (uint32_t)__builtin_clzll(~equal);
        else
            open = find_runs(block, at, equal, open);
    }
    for (; at < block->to; at++) {
        if (data[at] == data[at - 1]) {
            open++;
            continue;
        }
        if (open >= IMG_RUN_LEAST)
            add_run(block, at - open, open);
        open = 0;
    }
    if (open >= IMG_RUN_LEAST)
        add_run(block, at - open, open);
}

/* --- Counting literals ---------------------------------------------------------------------- */

static inline void count_bytes(const uint8_t *p, const uint8_t *end,
                               uint32_t counts[LANES][IMG_LITERALS])
{
    for (; end - p >= 8; p += 8) {
        uint64_t word = img_get_le64(p);
        for (int i = 0; i < 8; i++)
            counts[i % LANES][word >> (8 * i) & 255]++;
    }
    for (; p < end; p++)
        counts[0][*p]++;
}

/* Counts the bytes from offset `from` to `to`, but only in every `step`-th section of PIECE
 * bytes. */
static void count_pieces(const uint8_t *data, uint32_t from, uint32_t to, unsigned step,
                         uint32_t counts[LANES][IMG_LITERALS])
{
    while (from < to) {
        uint32_t end = (from | (PIECE - 1)) + 1;
        if (from / PIECE % step == 0)
            count_bytes(data + from, data + (end < to ? end : to), counts);
        else
            end = (from / PIECE / step + 1) * step * PIECE;
        from = end;
    }
}

static void count(const ImgRunsBlock *block, unsigned step, uint32_t *counts)
{
    uint32_t found[LANES][IMG_LITERALS] = {{0}};
    uint32_t at = block->from;
    for (size_t i = 0; i < block->count; i++) {
        count_pieces(block->data, at, block->runs[i].start, step, found);
        at = block->runs[i].start + block->runs[i].length;
    }
    count_pieces(block->data, at, block->to, step, found);
    for (int i = 0; i < IMG_LITERALS; i++)
        counts[i] += (found[0][i] + found[1][i] + found[2][i] + found[3][i]) * step;
}

#ifndef HAVE_MISSING
typedef struct Missing {
    uint8_t is_missing[IMG_LITERALS];
} Missing;

static void list_missing(const uint32_t *counts, Missing *missing)
{
    for (int i = 0; i < IMG_LITERALS; i++)
        missing->is_missing[i] = counts[i] == 0;
}

/* Returns true if the count of any of the STRIDE bytes at `p` is still 0. */
static inline bool holds_missing(const Missing *missing, const uint8_t *p)
{
    unsigned found = 0;
    for (int i = 0; i < STRIDE; i++)
        found |= missing->is_missing[p[i]];
    return found != 0;
}
#endif

static void complete(const ImgRunsBlock *block, uint32_t *counts)
{
    const uint8_t *p = block->data + block->from, *end = block->data + block->to;
    Missing missing;
    list_missing(counts, &missing);
    for (; end - p >= STRIDE; p += STRIDE) {
        if (!holds_missing(&missing, p))
            continue;
        for (int i = 0; i < STRIDE; i++)
            counts[p[i]] += counts[p[i]] == 0;
        list_missing(counts, &missing);
    }
    for (; p < end; p++)
        counts[*p] += counts[*p] == 0;
}

/* --- Writing codes -------------------------------------------------------------------------- */

/* Writes four literals. Collects their codes in the highest bits of a word; each code shifts the
 * earlier codes down. The final shift removes the code lengths, which are still in the low bits. */
static inline void put_four(ImgBits *bits, const uint64_t *literals, const uint8_t *p)
{
    uint64_t a = literals[p[0]], b = literals[p[1]], c = literals[p[2]], d = literals[p[3]];
    uint64_t word = a >> (b & 63) | b;
    word = word >> (c & 63) | c;
    word = word >> (d & 63) | d;
    unsigned count_of_four = (unsigned)(a + b + c + d) & 63;
    img_bits_put(bits, word >> (64 - count_of_four), count_of_four);
}

/* Writes `n` literals, one to three. If there are fewer than three, the missing codes count as
 * codes of 0 bits. */
static inline void put_rest(ImgBits *bits, const uint64_t *literals, const uint8_t *p, ptrdiff_t n)
{
    uint64_t a = literals[p[0]], b = n > 1 ? literals[p[1]] : 0, c = n > 2 ? literals[p[2]] : 0;
    uint64_t word = a >> (b & 63) | b;
    word = word >> (c & 63) | c;
    unsigned count_of_rest = (unsigned)(a + b + c) & 63;
    img_bits_put(bits, word >> (64 - count_of_rest), count_of_rest);
}

static void put(ImgBits *to, const ImgRunsCodes *codes, const ImgRunsBlock *block)
{
    ImgBits bits = *to;
#ifdef HAVE_PUT_MANY
    Lookup lookup;
    make_lookup(codes, &lookup);
#endif
    uint32_t at = block->from;
    for (size_t i = 0; i <= block->count; i++) {
        ImgRun run = i < block->count ? block->runs[i] : (ImgRun){block->to, 0};
        const uint8_t *p = block->data + at, *end = block->data + run.start;
#ifdef HAVE_PUT_MANY
        p = put_many(&bits, &lookup, p, end);
#endif
        for (; end - p >= 4; p += 4)
            put_four(&bits, codes->literals, p);
        if (p < end)
            put_rest(&bits, codes->literals, p, end - p);
        at = run.start + run.length;
        for (uint32_t left = run.length; left > 0;) {
            uint32_t length = img_run_match(left), match = codes->matches[length];
            img_bits_put(&bits, match >> 8, match & 255);
            left -= length;
        }
    }
    *to = bits;
}

const ImgRunsLoops IMG_VARIANT(img_runs) = {
    .find = find,
    .count = count,
    .complete = complete,
    .put = put,
};
