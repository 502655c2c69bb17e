/* Parts of run_loops.c for x86-64-v4 with VBMI. Its instruction vpermi2b looks up 64 bytes at
 * once in a table of 128 bytes. So the codes of 64 literals are looked up at once, and then joined
 * in groups of four. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_RUN_LOOPS_VBMI_H
#define IMGTOOL_IO_PNG_DEFLATE_RUN_LOOPS_VBMI_H

#include <immintrin.h>
#include <stdbool.h>

#include "io/png/deflate/runs.h"

#define HAVE_MISSING  1
#define HAVE_PUT_MANY 1

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

typedef struct Missing {
    /* For each literal: all bits set if its count is still 0, otherwise 0. */
    __m512i is_missing[PARTS];
} Missing;

static void list_missing(const uint32_t *counts, Missing *missing)
{
    uint8_t is_missing[IMG_LITERALS];
    for (int i = 0; i < IMG_LITERALS; i++)
        is_missing[i] = counts[i] == 0 ? 255 : 0;
    for (size_t i = 0; i < PARTS; i++)
        missing->is_missing[i] = _mm512_loadu_si512(is_missing + i * VECTOR);
}

static inline bool holds_missing(const Missing *missing, const uint8_t *p)
{
    __m512i bytes = _mm512_loadu_si512(p);
    __m512i found = look_up(missing->is_missing, bytes, _mm512_movepi8_mask(bytes));
    return _mm512_test_epi8_mask(found, found) != 0;
}

#endif
