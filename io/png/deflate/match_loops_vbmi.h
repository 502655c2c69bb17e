/* Parts of match_loops.c for x86-64-v4 with VBMI. Adds the costs of 64 bytes at a time. Handles all
 * 32 positions of a group at once: gathers read the table and the data, and a scatter enters the
 * positions in the table. Most matches from the table are short and gain nothing; they are also
 * discarded for the whole group at once.
 *
 * It uses intrinsics instead of the common vectors of kernels/simd: other levels have no gathers of
 * this width, no scatters and no masks, and are faster with plain C. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCH_LOOPS_VBMI_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCH_LOOPS_VBMI_H

#define HAVE_ADD_STEP    1
#define HAVE_LOOK_UP_ALL 1

#include "io/png/deflate/matches_walk.h"
#include "kernels/simd/simd.h"

enum {
    STEP = 64,
    LOOK_UP_BYTES = 64, /* number of bytes that are read, from a group's first position onwards */
    /* Smallest number of positions outside runs for which this code is used. Fewer positions are
     * looked up one at a time. */
    MANY = 16,
    HALVES = 2,   /* number of vectors for a group if each position takes 32 bits */
    QUARTERS = 4, /* number of vectors for a group if each position takes 64 bits */
};

/* --- Prefix sums of costs --------------------------------------------------------------------- */

/* Returns the prefix sums of 32 costs of 16 bits. */
static inline __m512i sums_of(__m512i costs)
{
    /* Indices that select the last 16-bit number of the previous 16-byte lane. */
    const __m512i last =
        _mm512_setr_epi64(0, 0, 0x0007000700070007, 0x0007000700070007, 0x000F000F000F000F,
                          0x000F000F000F000F, 0x0017001700170017, 0x0017001700170017);
    __m512i sums = _mm512_add_epi16(costs, _mm512_bslli_epi128(costs, 2));
    sums = _mm512_add_epi16(sums, _mm512_bslli_epi128(sums, 4));
    sums = _mm512_add_epi16(sums, _mm512_bslli_epi128(sums, 8));
    const __m512i one = _mm512_maskz_permutexvar_epi16(0xFFFFFF00, last, sums);
    /* Each element of `two` is the last sum of the 16-byte lane two lanes before; each element of
     * `three` is the last sum of the lane three lanes before. */
    const __m512i two = _mm512_maskz_shuffle_i64x2(0xF0, one, one, 0x90);
    const __m512i three = _mm512_maskz_shuffle_i64x2(0xC0, one, one, 0x40);
    return _mm512_add_epi16(_mm512_add_epi16(sums, one), _mm512_add_epi16(two, three));
}

static inline uint32_t add_32(__m256i costs, uint16_t *out, uint32_t sum)
{
    const __m512i each = _mm512_cvtepu8_epi16(costs);
    const __m512i sums = _mm512_add_epi16(sums_of(each), _mm512_set1_epi16((short)sum));
    _mm512_storeu_si512(out, _mm512_sub_epi16(sums, each));
    return (uint16_t)_mm_extract_epi16(_mm512_extracti32x4_epi32(sums, 3), 7);
}

/* Stores in out[i] the total literal cost of all bytes before bytes[i], for STEP bytes. `sum` is
 * the total before bytes[0]. Returns the total after the last byte. */
static inline uint32_t add_step(const struct ImgMatches *work, const uint8_t *bytes, uint16_t *out,
                                uint32_t sum)
{
    const VTable costs = load_table(work->byte_costs);
    const __m512i each = (__m512i)look_up_u8(&costs, load_u8(bytes));
    sum = add_32(_mm512_castsi512_si256(each), out, sum);
    return add_32(_mm512_extracti64x4_epi64(each, 1), out + 32, sum);
}

/* --- The table of positions ------------------------------------------------------------------- */

/* Loads the eight-byte word at each of the 32 positions of a group, eight words per vector. */
static inline void load_words(const uint8_t *data, __m512i words[QUARTERS])
{
    const __m512i first = _mm512_setr_epi64(
        0x0706050403020100, 0x0807060504030201, 0x0908070605040302, 0x0A09080706050403,
        0x0B0A090807060504, 0x0C0B0A0908070605, 0x0D0C0B0A09080706, 0x0E0D0C0B0A090807);
    const __m512i bytes = _mm512_loadu_si512(data);
    for (int i = 0; i < QUARTERS; i++) {
        const __m512i index = _mm512_add_epi8(first, _mm512_set1_epi8((char)(8 * i)));
        words[i] = _mm512_permutexvar_epi8(index, bytes);
    }
}

static inline __m512i join(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline __m512i positions_from(uint32_t at)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_add_epi32(_mm512_set1_epi32((int)at), lanes);
}

/* Returns for each word the number of equal bytes at its start. `unlike` is the exclusive or of two
 * words. A result above eight means that all eight bytes are equal. */
static inline __m128i equal_bytes_of(__m512i unlike)
{
    const __m512i lowest =
        _mm512_and_si512(unlike, _mm512_sub_epi64(_mm512_setzero_si512(), unlike));
    const __m512i number = _mm512_sub_epi64(_mm512_set1_epi64(63), _mm512_lzcnt_epi64(lowest));
    return _mm512_cvtepi64_epi16(_mm512_srli_epi64(number, 3));
}

/* Returns for each element of `back` the cost of a match at distance back + 1, in sixteenths of a
 * bit. Assumes a length below 11, which has no extra bits. The elements of `back` must be at least
 * eight. */
static inline __m256i costs_of(__m512i back)
{
    enum { BOTH = 2 * IMG_MATCH_COST };
    const __m512i zeros = _mm512_lzcnt_epi32(back); /* 31 minus the index of the highest set bit */
    const __m512i extra = _mm512_sub_epi32(_mm512_set1_epi32(30), zeros);
    return _mm512_cvtepi32_epi16(
        _mm512_add_epi32(_mm512_slli_epi32(extra, 4), _mm512_set1_epi32(BOTH)));
}

typedef struct Found {
    __m512i back[HALVES]; /* distance of each position's candidate, minus one */
    /* Exclusive or of the word at each position and the word at its candidate. */
    __m512i unlike[QUARTERS];
} Found;

/* Returns a mask of the positions whose match has fewer than eight bytes and no gain, so that it is
 * useless. Positions with a distance of up to eight bytes are not in the mask, because costs_of
 * does not apply to them. */
static inline uint32_t that_gain_nothing(const ImgMatchWalk *walk, uint32_t at, const Found *found)
{
    const uint16_t *sums = walk->work->sums;
    const __m512i here = _mm512_loadu_si512(sums + at % IMG_MATCHES_SUMS);
    const __m512i behind = _mm512_loadu_si512(sums + (at + 32) % IMG_MATCHES_SUMS);
    const __m512i lanes =
        join(_mm512_cvtepi32_epi16(positions_from(0)), _mm512_cvtepi32_epi16(positions_from(16)));
    __m256i halves[HALVES];
    for (int i = 0; i < HALVES; i++)
        halves[i] =
            _mm256_inserti128_si256(_mm256_castsi128_si256(equal_bytes_of(found->unlike[2 * i])),
                                    equal_bytes_of(found->unlike[2 * i + 1]), 1);
    const __m512i lengths = join(halves[0], halves[1]);
    const __m512i saved = _mm512_sub_epi16(
        _mm512_permutex2var_epi16(here, _mm512_add_epi16(lanes, lengths), behind), here);
    const __m512i costs = join(costs_of(found->back[0]), costs_of(found->back[1]));
    const __m512i near = _mm512_set1_epi32(IMG_MATCH_WORD);
    const uint32_t is_far = _mm512_cmpge_epu32_mask(found->back[0], near) |
                            (uint32_t)_mm512_cmpge_epu32_mask(found->back[1], near) << 16;
    return is_far & _mm512_cmplt_epu16_mask(lengths, _mm512_set1_epi16(IMG_MATCH_WORD)) &
           _mm512_cmple_epu16_mask(saved, costs);
}

/* Looks up all positions of the group at `at`. Then enters the positions in the mask `outside`
 * (outside runs). Stores in `places` the positions that the table held before. Returns a mask of
 * the positions in `outside` whose match may have a gain.
 *
 * At least LOOK_UP_BYTES bytes must be left at `at`, and the sums of their costs must have been
 * computed. */
static inline uint32_t look_up_all(const ImgMatchWalk *walk, uint32_t at, uint32_t outside,
                                   uint32_t *places)
{
    uint32_t *table = walk->work->slots, found = 0;
    const __m512i factor = _mm512_set1_epi64((long long)walk->factor);
    const __m512i hashed = _mm512_set1_epi64((long long)walk->hashed);
    __m512i words[QUARTERS], slots[HALVES];
    __m256i slots_of[QUARTERS];
    Found all;
    load_words(walk->data + at, words);
    for (int i = 0; i < QUARTERS; i++)
        slots_of[i] = _mm512_cvtepi64_epi32(
            _mm512_srli_epi64(_mm512_mullo_epi64(words[i], factor), 64 - IMG_MATCH_SLOT_BITS));
    for (int i = 0; i < HALVES; i++) {
        slots[i] = join(slots_of[2 * i], slots_of[2 * i + 1]);
        const __m512i place = _mm512_i32gather_epi32(slots[i], table, 4);
        _mm512_storeu_si512(places + 16 * i, place);
        all.back[i] = _mm512_sub_epi32(positions_from(at + 16 * (uint32_t)i - 1), place);
        const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(place), walk->data, 1);
        const __m512i high =
            _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(place, 1), walk->data, 1);
        all.unlike[2 * i] = _mm512_xor_si512(words[2 * i], low);
        all.unlike[2 * i + 1] = _mm512_xor_si512(words[2 * i + 1], high);
        const uint32_t same = _mm512_testn_epi64_mask(all.unlike[2 * i], hashed) |
                              (uint32_t)_mm512_testn_epi64_mask(all.unlike[2 * i + 1], hashed) << 8;
        const __m512i reach = _mm512_set1_epi32(IMG_MATCH_REACH);
        found |= (same & _mm512_cmplt_epu32_mask(all.back[i], reach)) << 16 * i;
    }
    for (int i = 0; i < HALVES; i++)
        _mm512_mask_i32scatter_epi32(table, (__mmask16)(outside >> 16 * i), slots[i],
                                     positions_from(at + 16 * (uint32_t)i), 4);
    return found & outside & ~that_gain_nothing(walk, at, &all);
}

#endif
