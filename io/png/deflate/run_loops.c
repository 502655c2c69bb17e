/* The inner loops for runs, compiled once for each instruction set (kernels/core/parallel/cpu.h).
 */
#include <stdbool.h>

#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/runs.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"

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

/* --- Literals without a count ----------------------------------------------------------------- */

/* The byte values whose count is still 0, in the form that the vectors need. */
typedef struct Missing {
    uint8_t is_missing[IMG_LITERALS]; /* 255 for these values, otherwise 0 */
    VTable table;                     /* the same, if V_HAS_TABLE */
    /* If V_HAS_SHUFFLE: bit h % 8 of byte l of rows[h / 8] is set for value 16 h + l. Each lane has
     * all 16 bytes. */
    vu8 rows[2];
} Missing;

static vu8 row_of(const Missing *missing, int from)
{
    uint8_t row[V_BYTES] = {0};
    for (int i = 0; i < V_BYTES; i++)
        for (int h = 0; h < 8; h++)
            row[i] |= (uint8_t)(missing->is_missing[from + 16 * h + i % V_LANE] & 1 << h);
    return load_u8(row);
}

static void list_missing(const uint32_t *counts, Missing *missing)
{
    for (int i = 0; i < IMG_LITERALS; i++)
        missing->is_missing[i] = counts[i] == 0 ? 255 : 0;
    if (V_HAS_TABLE)
        missing->table = load_table(missing->is_missing);
    else if (V_HAS_SHUFFLE)
        for (int i = 0; i < 2; i++)
            missing->rows[i] = row_of(missing, i * IMG_LITERALS / 2);
}

/* Returns a vector with bit h % 8 in the byte of each upper half h of a byte, if the value belongs
 * to rows[half]; otherwise with 0. */
static inline vu8 bits_of(int half)
{
    vu64 bits = {0};
    for (int i = half; i < V_BYTES / 8; i += 2)
        bits[i] = UINT64_C(0x8040201008040201);
    return (vu8)bits;
}

/* Returns a nonzero byte for each byte whose count is still 0. */
static inline vu8 missing_in(const Missing *missing, vu8 bytes)
{
    if (V_HAS_TABLE)
        return look_up_u8(&missing->table, bytes);
    const vu8 low = bytes & 15, high = (vu8)((vu16)bytes >> 4) & 15;
    return (shuffle_bytes(missing->rows[0], low) & shuffle_bytes(bits_of(0), high)) |
           (shuffle_bytes(missing->rows[1], low) & shuffle_bytes(bits_of(1), high));
}

/* Returns true if the count of any of the STRIDE bytes at `p` is still 0. */
static inline bool holds_missing(const Missing *missing, const uint8_t *p)
{
    unsigned one = 0;
    vu8 found = {0};
    for (int i = 0; i < STRIDE && !V_HAS_SHUFFLE; i++)
        one |= missing->is_missing[p[i]];
    for (int i = 0; i < STRIDE && V_HAS_SHUFFLE; i += V_BYTES)
        found |= missing_in(missing, load_u8(p + i));
    return V_HAS_SHUFFLE ? !is_zero(found) : one != 0;
}

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

#ifdef IMG_VARIANT_VBMI
/* The instruction vpermi2b looks up 64 bytes at once in a table of 128 bytes. So the codes of 64
 * literals are looked up at once, and then joined in groups of four. This section uses intrinsics
 * instead of the common vectors of kernels/simd: no other level has such look-ups and shifts by the
 * elements of a vector in all widths. */

enum { VECTOR = 64, PARTS = 4, QUEUE = 64, QUEUE_ROOM = QUEUE + 16 };

/* Tables by literal: the low byte and the high byte of its code, and the length of the code in
 * bits. */
typedef struct Lookup {
    __m512i low[PARTS], high[PARTS], length[PARTS];
} Lookup;

static void make_lookup(const ImgRunsCodes *codes, Lookup *lookup)
{
    uint8_t low[IMG_LITERALS], high[IMG_LITERALS], length[IMG_LITERALS];
    for (int i = 0; i < IMG_LITERALS; i++) {
        uint64_t entry = codes->literals[i];
        unsigned bits = entry & 63, code = bits == 0 ? 0 : (unsigned)(entry >> (64 - bits));
        low[i] = (uint8_t)code;
        high[i] = (uint8_t)(code >> 8);
        length[i] = (uint8_t)bits;
    }
    for (size_t i = 0; i < PARTS; i++) {
        lookup->low[i] = _mm512_loadu_si512(low + i * VECTOR);
        lookup->high[i] = _mm512_loadu_si512(high + i * VECTOR);
        lookup->length[i] = _mm512_loadu_si512(length + i * VECTOR);
    }
}

/* Returns table[byte] for each of the 64 bytes. `upper` is the mask of the bytes from 128
 * upwards. */
static inline __m512i look_up(const __m512i table[PARTS], __m512i bytes, __mmask64 upper)
{
    __m512i below = _mm512_permutex2var_epi8(table[0], bytes, table[1]);
    __m512i above = _mm512_permutex2var_epi8(table[2], bytes, table[3]);
    return _mm512_mask_blend_epi8(upper, below, above);
}

/* Joins the two codes in the halves of each 32-bit element: moves the upper code down to the end of
 * the lower code. The halves of `lengths` are the lengths of these codes in bits. */
static inline __m512i join32(__m512i codes, __m512i lengths)
{
    __m512i upper = _mm512_sllv_epi32(_mm512_srli_epi32(codes, 16),
                                      _mm512_and_si512(lengths, _mm512_set1_epi32(0xFFFF)));
    return _mm512_or_si512(_mm512_and_si512(codes, _mm512_set1_epi32(0xFFFF)), upper);
}

static inline __m512i join64(__m512i codes, __m512i lengths)
{
    __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
    __m512i upper = _mm512_sllv_epi64(_mm512_srli_epi64(codes, 32), _mm512_and_si512(lengths, low));
    return _mm512_or_si512(_mm512_and_si512(codes, low), upper);
}

/* Returns the sum of both halves of each 32-bit element. */
static inline __m512i add32(__m512i lengths)
{
    return _mm512_add_epi32(_mm512_and_si512(lengths, _mm512_set1_epi32(0xFFFF)),
                            _mm512_srli_epi32(lengths, 16));
}

static inline __m512i add64(__m512i lengths)
{
    return _mm512_add_epi64(_mm512_and_si512(lengths, _mm512_set1_epi64(0xFFFFFFFF)),
                            _mm512_srli_epi64(lengths, 32));
}

/* Words to be written: the bits of several literals, and the number of bits. */
typedef struct Queue {
    uint64_t words[QUEUE_ROOM], counts[QUEUE_ROOM];
    size_t size;
} Queue;

static inline void add_eight(Queue *queue, __m512i words, __m512i counts)
{
    _mm512_storeu_si512(queue->words + queue->size, words);
    _mm512_storeu_si512(queue->counts + queue->size, counts);
    queue->size += 8;
}

/* Adds 16 groups of four codes to the queue. If each pair of consecutive groups fits into a word,
 * as is almost always the case, joins the pairs to groups of eight codes. */
static inline void add_fours(Queue *queue, const __m512i words[2], const __m512i counts[2])
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    __m512i even_counts = _mm512_permutex2var_epi64(counts[0], even, counts[1]);
    __m512i odd_counts = _mm512_permutex2var_epi64(counts[0], odd, counts[1]);
    __m512i sums = _mm512_add_epi64(even_counts, odd_counts);
    if (_mm512_cmpgt_epi64_mask(sums, _mm512_set1_epi64(IMG_BITS_MOST)) != 0) {
        add_eight(queue, words[0], counts[0]);
        add_eight(queue, words[1], counts[1]);
        return;
    }
    __m512i odds = _mm512_permutex2var_epi64(words[0], odd, words[1]);
    __m512i evens = _mm512_permutex2var_epi64(words[0], even, words[1]);
    add_eight(queue, _mm512_or_si512(evens, _mm512_sllv_epi64(odds, even_counts)), sums);
}

static inline void add_literals(Queue *queue, const Lookup *lookup, const uint8_t *p)
{
    const __m512i zero = _mm512_setzero_si512();
    /* Unpacking interleaves alternate groups of eight bytes. This permutation moves the groups in
     * advance, so that the literals stay in order. */
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    __m512i bytes = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(p));
    __mmask64 upper = _mm512_movepi8_mask(bytes);
    __m512i low = look_up(lookup->low, bytes, upper), high = look_up(lookup->high, bytes, upper);
    __m512i length = look_up(lookup->length, bytes, upper);
    __m512i words[2] = {_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high)};
    __m512i counts[2] = {_mm512_unpacklo_epi8(length, zero), _mm512_unpackhi_epi8(length, zero)};
    for (int i = 0; i < 2; i++) {
        __m512i counts_of_two = add32(counts[i]);
        words[i] = join64(join32(words[i], counts[i]), counts_of_two);
        counts[i] = add64(counts_of_two);
    }
    add_fours(queue, words, counts);
}

/* Writes whole vectors of literals. Returns the first literal that is left. */
static const uint8_t *put_many(ImgBits *bits, const Lookup *lookup, const uint8_t *p,
                               const uint8_t *end)
{
    Queue queue;
    while (end - p >= VECTOR) {
        for (queue.size = 0; end - p >= VECTOR && queue.size < QUEUE; p += VECTOR)
            add_literals(&queue, lookup, p);
        for (size_t i = 0; i < queue.size; i++)
            img_bits_put(bits, queue.words[i], (unsigned)queue.counts[i]);
    }
    return p;
}
#endif

static void put(ImgBits *to, const ImgRunsCodes *codes, const ImgRunsBlock *block)
{
    ImgBits bits = *to;
#ifdef IMG_VARIANT_VBMI
    Lookup lookup;
    make_lookup(codes, &lookup);
#endif
    uint32_t at = block->from;
    for (size_t i = 0; i <= block->count; i++) {
        ImgRun run = i < block->count ? block->runs[i] : (ImgRun){block->to, 0};
        const uint8_t *p = block->data + at, *end = block->data + run.start;
#ifdef IMG_VARIANT_VBMI
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
