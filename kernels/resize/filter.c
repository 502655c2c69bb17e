#include "kernels/resize/filter.h"

#include "kernels/core/fixed/fixed_math.h"

__extension__ typedef __int128 Wide;

static const int64_t ONE = INT64_C(1) << IMG_FILTER_PLACES;

const ImgChoice img_filter_choices[] = {
    {"nearest", IMG_FILTER_NEAREST},   {"box", IMG_FILTER_BOX},
    {"bilinear", IMG_FILTER_BILINEAR}, {"bicubic", IMG_FILTER_BICUBIC},
    {"mitchell", IMG_FILTER_MITCHELL}, {"lanczos2", IMG_FILTER_LANCZOS2},
    {"lanczos3", IMG_FILTER_LANCZOS3}, {NULL, 0}};

const ImgChoice img_filter_synonyms[] = {
    {"catmull-rom", IMG_FILTER_BICUBIC}, {"cubic", IMG_FILTER_BICUBIC},
    {"lanczos", IMG_FILTER_LANCZOS3},    {"linear", IMG_FILTER_BILINEAR},
    {"triangle", IMG_FILTER_BILINEAR},   {NULL, 0}};

int32_t img_filter_reach(ImgFilter filter)
{
    static const int32_t reaches[] = {
        [IMG_FILTER_NEAREST] = 1,  [IMG_FILTER_BOX] = 1,      [IMG_FILTER_BILINEAR] = 2,
        [IMG_FILTER_BICUBIC] = 4,  [IMG_FILTER_MITCHELL] = 4, [IMG_FILTER_LANCZOS2] = 4,
        [IMG_FILTER_LANCZOS3] = 6, [IMG_FILTER_LANCZOS4] = 8,
    };
    return reaches[filter];
}

/* --- Polynomials ------------------------------------------------------------------------------ */

enum { CUBIC_PLACES = 36 };

/* A polynomial of the third degree, multiplied by 18, which makes the coefficients of catmull_rom
 * and mitchell integers. The coefficient of x^3 comes first. */
typedef struct Piece {
    int32_t of[4];
} Piece;

static const Piece catmull_rom[2] = {{{27, -45, 0, 18}}, {{-9, 45, -72, 36}}};
static const Piece mitchell[2] = {{{21, -36, 0, 16}}, {{-7, 36, -60, 32}}};

static int64_t divide_rounded(Wide numerator, Wide denominator)
{
    const Wide twice = 2 * numerator + (numerator < 0 ? -denominator : denominator);
    return (int64_t)(twice / (2 * denominator));
}

static int64_t cubic(const Piece pieces[2], uint64_t numerator, uint64_t denominator)
{
    const Wide one = (Wide)1 << CUBIC_PLACES;
    const Wide x = divide_rounded((Wide)numerator * one, (Wide)denominator);
    const Piece *piece = &pieces[numerator >= denominator];
    Wide sum = piece->of[0];
    sum = sum * x + piece->of[1] * one;
    sum = (sum * x >> CUBIC_PLACES) + piece->of[2] * one;
    sum = (sum * x >> CUBIC_PLACES) + piece->of[3] * one;
    return divide_rounded(sum, (Wide)18 << (CUBIC_PLACES - IMG_FILTER_PLACES));
}

/* --- Windowed sincs --------------------------------------------------------------------------- */

/* Returns sinc(x) = sin(pi x) / (pi x) as Q62 (times 2^62), for x = numerator / denominator, which
 * must be positive. */
static int64_t sinc(uint64_t numerator, uint64_t denominator)
{
    static const uint64_t pi_inverse = 0x517cc1b727220a95; /* 1 / pi as Q64 (times 2^64) */
    const Wide share = (Wide)img_sin_pi(numerator, denominator) * (Wide)denominator;
    return (int64_t)((share / (Wide)numerator * (Wide)(pi_inverse >> 2)) >> 62);
}

static int64_t lanczos(uint64_t lobes, uint64_t numerator, uint64_t denominator)
{
    if (numerator == 0)
        return ONE;
    const Wide product = (Wide)sinc(numerator, denominator) * sinc(numerator, lobes * denominator);
    return divide_rounded(product, (Wide)1 << (124 - IMG_FILTER_PLACES));
}

int64_t img_filter_weight(ImgFilter filter, uint64_t numerator, uint64_t denominator)
{
    if (2 * numerator > (uint64_t)img_filter_reach(filter) * denominator)
        return 0;
    switch (filter) {
    case IMG_FILTER_NEAREST:
    case IMG_FILTER_BOX:
        return 2 * numerator == denominator ? ONE / 2 : ONE;
    case IMG_FILTER_BILINEAR:
        return ONE - divide_rounded((Wide)numerator * ONE, (Wide)denominator);
    case IMG_FILTER_BICUBIC:
        return cubic(catmull_rom, numerator, denominator);
    case IMG_FILTER_MITCHELL:
        return cubic(mitchell, numerator, denominator);
    case IMG_FILTER_LANCZOS2:
        return lanczos(2, numerator, denominator);
    case IMG_FILTER_LANCZOS3:
        return lanczos(3, numerator, denominator);
    case IMG_FILTER_LANCZOS4:
        return lanczos(4, numerator, denominator);
    }
    return 0;
}

/* --- Normalisation ---------------------------------------------------------------------------- */

/* Returns the index of the larger of the two middle weights. If they are equal, the nearest unequal
 * pair around them decides. Returns the only middle index if `count` is odd. */
static int32_t larger_half(const int32_t *weights, int32_t count)
{
    int32_t left = (count - 1) / 2, right = count / 2;
    while (left > 0 && weights[left] == weights[right])
        left--, right++;
    return weights[left] >= weights[right] ? (count - 1) / 2 : count / 2;
}

/* Adds `rest` units, which may be negative, to the weights. Each pair of weights at equal distance
 * from the middle gets one unit per weight, from the inside outwards, until all units are used. An
 * odd unit goes to the middle weight, or to one of the two middle weights. */
static void add_in_the_middle(int32_t *weights, int32_t count, int32_t rest)
{
    const int32_t unit = rest < 0 ? -1 : 1;
    int32_t left = (count - 1) / 2, right = count / 2;
    if (rest % 2 != 0) {
        weights[larger_half(weights, count)] += unit;
        rest -= unit;
    }
    if (left == right)
        left--, right++;
    for (; rest != 0 && left >= 0; left--, right++, rest -= 2 * unit) {
        weights[left] += unit;
        weights[right] += unit;
    }
}

/* Sets each weight to parts[i] * one / sum, rounded to the nearest. */
static void round_each(const int64_t *parts, int32_t count, Wide one, Wide sum, int32_t *weights)
{
    for (int32_t i = 0; i < count; i++)
        weights[i] = (int32_t)divide_rounded(parts[i] * one, sum);
}

/* Rounds the running sums from each end to the middle, so that rounding errors do not accumulate.
 * If very many weights were rounded one by one, all could become 0. The weights in the middle would
 * then get the whole sum. */
static void round_sums(const int64_t *parts, int32_t count, Wide one, Wide sum, int32_t *weights)
{
    Wide left = 0, right = 0;
    int64_t left_before = 0, right_before = 0;
    for (int32_t i = 0; i < count / 2; i++) {
        const int32_t k = count - 1 - i;
        left += parts[i];
        right += parts[k];
        const int64_t left_sum = divide_rounded(left * one, sum);
        const int64_t right_sum = divide_rounded(right * one, sum);
        weights[i] = (int32_t)(left_sum - left_before);
        weights[k] = (int32_t)(right_sum - right_before);
        left_before = left_sum;
        right_before = right_sum;
    }
    if (count % 2 != 0)
        weights[count / 2] = (int32_t)divide_rounded(parts[count / 2] * one, sum);
}

void img_filter_round(const int64_t *parts, int32_t count, int32_t places, int32_t *weights)
{
    const Wide one = (Wide)1 << places;
    int64_t sum = 0;
    int32_t rest = INT32_C(1) << places;
    for (int32_t i = 0; i < count; i++)
        sum += parts[i];
    sum = sum > 0 ? sum : 1; /* the sum is always positive; the static analyser needs this line */
    (count > IMG_FILTER_ROUND_EACH ? round_sums : round_each)(parts, count, one, sum, weights);
    for (int32_t i = 0; i < count; i++)
        rest -= weights[i];
    add_in_the_middle(weights, count, rest);
}
