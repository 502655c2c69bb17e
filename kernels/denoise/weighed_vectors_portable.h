/* Portable variant of the vector functions for bilateral and denoise. Lanes is a vector of LANES
 * unsigned 16-bit numbers. Pair is a pair of such vectors, whose products are summed in 32 bits.
 * The order of lanes in the sums of a Pair is unspecified; pair_pack restores it. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_PORTABLE_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_PORTABLE_H

#include <stdint.h>
#include <string.h>

enum { LANES = 8 };

typedef uint16_t Lanes __attribute__((vector_size(16)));

typedef struct Pair {
    Lanes low, high;
    uint32_t sums[LANES]; /* used only if this Pair holds sums of products */
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

/* Returns the sum of `a` and `b` in each lane, saturated at 65535. */
static inline Lanes lanes_add_most(Lanes a, Lanes b)
{
    const Lanes sum = a + b;
    return sum | (Lanes)(sum < a);
}

static inline Lanes lanes_less(Lanes a, Lanes b)
{
    return a - b;
}

/* Returns the absolute difference of `a` and `b` in each lane. All numbers must be below 32768. */
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

/* The numbers of a Lanes vector as an array. Multiplications are loops over it, for which compilers
 * use vector instructions. */
typedef struct Words {
    uint16_t of[LANES];
} Words;

static inline Words words_of(Lanes lanes)
{
    Words words;
    memcpy(words.of, &lanes, sizeof words.of);
    return words;
}

/* Returns the high 16 bits of the product of `a` and `b` in each lane. */
static inline Lanes lanes_high(Lanes a, Lanes b)
{
    Words x = words_of(a), y = words_of(b);
    for (int i = 0; i < LANES; i++)
        x.of[i] = (uint16_t)((uint32_t)x.of[i] * y.of[i] >> 16);
    return lanes_load(x.of);
}

/* Returns img_scale_15 of `a` and `b` in each lane. All numbers must be below 32768. */
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

/* decay_part and decay_halves return the two factors of img_decay. The first one depends on the
 * fraction of an exponent, the second one is a power of two that depends on its integer part. */
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

/* Adds a.low * b.low + a.high * b.high to the sums, lane by lane. */
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

/* Stores the sums in the order of pixels. In this variant they already have this order. */
static inline void pair_store_in_order(Pair sums, uint32_t *to)
{
    pair_store(sums, to);
}

/* Returns the sums, which must fit 16 bits, as Lanes in the order of pixels. */
static inline Lanes pair_pack(Pair sums)
{
    Words words;
    for (int i = 0; i < LANES; i++)
        words.of[i] = (uint16_t)sums.sums[i];
    return lanes_load(words.of);
}

#endif
