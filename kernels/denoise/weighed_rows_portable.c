/* Vectors of LANES unsigned 16-bit numbers, and pairs of such vectors whose products are summed in
 * 32 bits, in portable C. The order of lanes in the sums of a pair is unspecified: pair_pack
 * restores it. */
#include <stdint.h>
#include <string.h>

enum { LANES = 8 };

typedef uint16_t Lanes __attribute__((vector_size(16)));

typedef struct Pair {
    Lanes low, high;
    uint32_t sums[LANES]; /* only used for sums of products */
} Pair;

static inline Lanes lanes_load(const void *from)
{
    Lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void lanes_store(void *to, Lanes a)
{
    memcpy(to, &a, sizeof a);
}

static inline Lanes lanes_all(uint32_t value)
{
    return (Lanes){0} + (uint16_t)value;
}

static inline Lanes lanes_add(Lanes a, Lanes b)
{
    return a + b;
}

/* Returns a + b, saturated at 65535. */
static inline Lanes lanes_add_most(Lanes a, Lanes b)
{
    const Lanes sum = a + b;
    return sum | (Lanes)(sum < a);
}

static inline Lanes lanes_less(Lanes a, Lanes b)
{
    return a - b;
}

/* Returns the absolute differences of numbers below 32768. */
static inline Lanes lanes_apart(Lanes a, Lanes b)
{
    const Lanes below = (Lanes)(a < b);
    return (Lanes)(((a - b) ^ below) - below);
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    const Lanes below = (Lanes)(a < b);
    return (a & below) | (b & ~below);
}

/* Multiplications are loops over lanes, for which compilers use vector instructions. */
typedef struct Words {
    uint16_t of[LANES];
} Words;

static inline Words words_of(Lanes lanes)
{
    Words words;
    memcpy(words.of, &lanes, sizeof words.of);
    return words;
}

/* Returns a * b / 2^16, rounded down. */
static inline Lanes lanes_high(Lanes a, Lanes b)
{
    Words x = words_of(a), y = words_of(b);
    for (int i = 0; i < LANES; i++)
        x.of[i] = (uint16_t)((uint32_t)x.of[i] * y.of[i] >> 16);
    return lanes_load(x.of);
}

/* Returns img_scale_15(a, b) for numbers below 32768. */
static inline Lanes lanes_scale(Lanes a, Lanes b)
{
    Words x = words_of(a), y = words_of(b);
    for (int i = 0; i < LANES; i++)
        x.of[i] = (uint16_t)(((uint32_t)x.of[i] * y.of[i] + (1 << 14)) >> 15);
    return lanes_load(x.of);
}

static inline Lanes lanes_left(Lanes a, uint32_t by)
{
    return a << (uint16_t)by;
}

/* Return the two factors of img_decay: for the fraction of an exponent, and for its integer part (a
 * power of two). */
static inline Lanes decay_part(Lanes exponent)
{
    return (exponent & 1023) << 5;
}

static inline Lanes decay_halves(Lanes exponent)
{
    return lanes_all(1 << 14) >> lanes_min(exponent >> 10, lanes_all(15));
}

static inline Pair pair_of(Lanes a, Lanes b)
{
    return (Pair){.low = a, .high = b};
}

static inline void pair_start(Pair *sums)
{
    memset(sums->sums, 0, sizeof sums->sums);
}

/* Adds the products of both vectors of `a` and `b`. */
static inline void pair_add(Pair *sums, Pair a, Pair b)
{
    const Words al = words_of(a.low), bl = words_of(b.low);
    const Words ah = words_of(a.high), bh = words_of(b.high);
    for (int i = 0; i < LANES; i++)
        sums->sums[i] += (uint32_t)al.of[i] * bl.of[i] + (uint32_t)ah.of[i] * bh.of[i];
}

static inline void pair_load(Pair *sums, const uint32_t *from)
{
    memcpy(sums->sums, from, sizeof sums->sums);
}

static inline void pair_store(Pair sums, uint32_t *to)
{
    memcpy(to, sums.sums, sizeof sums.sums);
}

/* Stores the sums in the order of pixels; in this variant they already have it. */
static inline void pair_store_in_order(Pair sums, uint32_t *to)
{
    pair_store(sums, to);
}

/* Packs the sums, which must fit 16 bits, in the order of pixels. */
static inline Lanes pair_pack(Pair sums)
{
    Words words;
    for (int i = 0; i < LANES; i++)
        words.of[i] = (uint16_t)sums.sums[i];
    return lanes_load(words.of);
}

#define ROWS img_weighed_rows_portable
#include "kernels/denoise/weighed_rows_source.h"
