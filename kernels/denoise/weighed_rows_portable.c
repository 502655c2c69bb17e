/* Vectors of LANES numbers of 16 bits without a sign, and pairs of them whose products are summed
 * in 32 bits, in what all compilers know. How the lanes of a pair's sums are ordered in memory is
 * its own affair: pair_pack undoes it. */
#include <stdint.h>
#include <string.h>

enum { LANES = 8 };

typedef uint16_t Lanes __attribute__((vector_size(16)));
typedef uint32_t Wide __attribute__((vector_size(32)));

typedef struct Pair {
    Wide low, high; /* of sums low alone */
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

/* At most 65535. */
static inline Lanes lanes_add_most(Lanes a, Lanes b)
{
    const Lanes sum = a + b;
    return sum | (Lanes)(sum < a);
}

static inline Lanes lanes_less(Lanes a, Lanes b)
{
    return a - b;
}

/* How far apart two are; of numbers below 32768. */
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

/* a * b / 2^16 */
static inline Lanes lanes_high(Lanes a, Lanes b)
{
    return __builtin_convertvector(
        __builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide) >> 16, Lanes);
}

/* img_scale_15 of numbers below 32768 */
static inline Lanes lanes_scale(Lanes a, Lanes b)
{
    const Wide product = __builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide);
    return __builtin_convertvector((product + (1 << 14)) >> 15, Lanes);
}

static inline Lanes lanes_left(Lanes a, uint32_t by)
{
    return a << (uint16_t)by;
}

/* What img_decay makes of an exponent: its places, and the power of two. */
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
    return (Pair){__builtin_convertvector(a, Wide), __builtin_convertvector(b, Wide)};
}

static inline void pair_start(Pair *sums)
{
    sums->low = sums->high = (Wide){0};
}

/* Both products are added. */
static inline void pair_add(Pair *sums, Pair a, Pair b)
{
    sums->low += a.low * b.low + a.high * b.high;
}

static inline void pair_load(Pair *sums, const uint32_t *from)
{
    memcpy(&sums->low, from, sizeof sums->low);
}

static inline void pair_store(Pair sums, uint32_t *to)
{
    memcpy(to, &sums.low, sizeof sums.low);
}

/* Without an order of its own. */
static inline void pair_store_in_order(Pair sums, uint32_t *to)
{
    pair_store(sums, to);
}

/* Of numbers of 16 bits. */
static inline Lanes pair_pack(Pair sums)
{
    return __builtin_convertvector(sums.low, Lanes);
}

#define ROWS img_weighed_rows_portable
#include "kernels/denoise/weighed_rows_source.h"
