/* Converts a kernel from the user's decimal weights to weights of 16 bits, as convolve.h
 * defines. */
#include <stdlib.h>

#include "kernels/convolve/convolve.h"

enum {
    PLACES_MOST = 22,
    ONE_MOST = 255,  /* largest weight, as a multiple of the divisor */
    ALL_MOST = 8000, /* largest sum of the magnitudes of weights, as a multiple of the divisor */
    /* weights cancel out if the magnitude of their sum is less than 1/16 of the sum of
     * magnitudes */
    CANCEL = 16,
};

static const int64_t THOUSANDTH = 1000000; /* one thousandth, in billionths */

/* Sums over the weights of a kernel, and its largest magnitude, in billionths. */
typedef struct Totals {
    int64_t sum, magnitudes, largest;
} Totals;

static Totals totals_of(const ImgKernel *kernel)
{
    Totals totals = {0, 0, 0};
    for (int32_t i = 0; i < kernel->width * kernel->height; i++) {
        const int64_t magnitude = llabs(kernel->weights[i]);
        totals.sum += kernel->weights[i];
        totals.magnitudes += magnitude;
        totals.largest = magnitude > totals.largest ? magnitude : totals.largest;
    }
    return totals;
}

/* Returns the divisor in billionths: the user's, or the sum of weights, or 1 if this sum is 0. */
static int64_t divisor_of(const Totals *totals, const ImgConvolveScale *scale)
{
    if (scale->divisor != 0)
        return scale->divisor * THOUSANDTH;
    return totals->sum != 0 ? totals->sum : 1000 * THOUSANDTH;
}

/* Returns value * 2^places / divisor, rounded to nearest, ties away from 0. `value` and `divisor`
 * are below 2^62. */
static int64_t scaled(int64_t value, int64_t divisor, int32_t places)
{
    const bool is_negative = (value < 0) != (divisor < 0);
    const int64_t by = llabs(divisor);
    int64_t quotient = llabs(value) / by, rest = llabs(value) % by;
    for (int32_t i = 0; i < places; i++) {
        rest *= 2;
        quotient = 2 * quotient + (rest >= by);
        rest -= rest >= by ? by : 0;
    }
    quotient += 2 * rest >= by;
    return is_negative ? -quotient : quotient;
}

ImgStatus img_convolve_check(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgError *err)
{
    const Totals totals = totals_of(kernel);
    const int64_t divisor = llabs(divisor_of(&totals, scale));
    /* The totals fit 64 bits, because the magnitude of a weight is at most a million. */
    if (totals.largest / ONE_MOST < divisor && totals.magnitudes / ALL_MOST < divisor)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "convolve: weights are too large for the divisor, which %s; give a divisor "
                    "above a 255th of the largest and an 8000th of all together",
                    scale->divisor != 0 ? "is given"
                    : totals.sum != 0   ? "is their sum"
                                        : "is 1 where they sum to 0");
}

/* --- One sum ---------------------------------------------------------------------------------- */

/* Requirements of a sum. The value of black is `zero`, and white is `range` steps above it. The
 * bias is `bias` thousandths of the range, or of alpha if `bias_is_weight`. */
typedef struct Wanted {
    const ImgKernel *kernel;
    Totals totals;
    int64_t divisor, zero, range, bias;
    /* number of fractional bits that a sum has after its shift */
    int32_t kept;
    bool bias_is_weight; /* true: alpha is multiplied by the bias, as by a weight */
} Wanted;

static int64_t offset_of(const Wanted *wanted, int32_t places)
{
    const int64_t one = (int64_t)1 << places;
    const int64_t all = scaled(wanted->totals.sum, wanted->divisor, places);
    const int64_t bias = wanted->bias_is_weight
                             ? scaled(wanted->bias, 1000, places) * IMG_LIFT_ZERO
                             : scaled(wanted->bias * wanted->range, 1000, places);
    return (all - one) * wanted->zero + bias;
}

/* Returns true if weights with `places` fractional bits fit 16 bits, and all sums and partial sums
 * fit 32 bits. */
static bool fits(const Wanted *wanted, int32_t places)
{
    const int64_t count = (int64_t)wanted->kernel->width * wanted->kernel->height;
    const int64_t largest = scaled(wanted->totals.largest, wanted->divisor, places);
    const int64_t magnitudes = scaled(wanted->totals.magnitudes, wanted->divisor, places);
    const int64_t bias = wanted->bias_is_weight ? llabs(scaled(wanted->bias, 1000, places)) : 0;
    const int64_t most = wanted->zero != 0 ? IMG_LIFT_ZERO : wanted->range;
    return llabs(largest) + 1 <= INT16_MAX && bias <= INT16_MAX &&
           (llabs(magnitudes) + count + bias) * most + llabs(offset_of(wanted, places)) +
                   ((int64_t)1 << places) <=
               INT32_MAX;
}

/* Computes the weights of a sum with as many fractional bits as possible. Returns the number of
 * these bits. */
static int32_t make_sum(const Wanted *wanted, const ImgConvolve *own, ImgConvolveSum *sum)
{
    const ImgKernel *kernel = wanted->kernel;
    int32_t places = PLACES_MOST;
    while (!fits(wanted, places))
        places--;
    int64_t before = 0, until = 0;
    for (int32_t i = 0, tap = 0; i < kernel->width * kernel->height; i++) {
        if (kernel->weights[i] == 0)
            continue;
        until += kernel->weights[i];
        const int64_t next = scaled(until, wanted->divisor, places);
        sum->weights[tap++] = (int16_t)(next - before);
        before = next;
    }
    sum->weights[own->taps] = 0;
    sum->shift = places - wanted->kept;
    sum->offset = (int32_t)offset_of(wanted, places);
    return places;
}

/* --- The whole -------------------------------------------------------------------------------- */

static void place_taps(const ImgKernel *kernel, ImgConvolve *own)
{
    for (int32_t i = 0; i < kernel->width * kernel->height; i++)
        if (kernel->weights[i] != 0) {
            own->x[own->taps] = (int8_t)(i % kernel->width - kernel->width / 2);
            own->y[own->taps++] = (int8_t)(i / kernel->width - kernel->height / 2);
        }
}

static int32_t way_of(const ImgConvolve *own, const Wanted *wanted)
{
    const bool is_one = own->taps == 1 && own->x[0] == 0 && own->y[0] == 0 &&
                        wanted->totals.sum == wanted->divisor && wanted->bias == 0;
    if (is_one)
        return IMG_CONVOLVE_COPY;
    if (!own->lift.has_alpha)
        return IMG_CONVOLVE_PLAIN;
    return llabs(wanted->totals.sum) < wanted->totals.magnitudes / CANCEL || wanted->totals.sum == 0
               ? IMG_CONVOLVE_KEEP
               : IMG_CONVOLVE_ALPHA;
}

static void make_background(ImgFormat format, const ImgBorderParams *border, ImgConvolve *own)
{
    uint16_t samples[4];
    int32_t values[4];
    img_border_samples(format, border, samples);
    const uint32_t sample[4] = {samples[0], samples[1], samples[2], samples[3]};
    img_convolve_load(own, sample, values);
    for (int32_t c = 0; c < own->lift.channels; c++)
        own->background[c] = (int16_t)values[c];
}

void img_convolve_make(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgFormat format,
                       const ImgBorderParams *border, ImgConvolve *own)
{
    *own = (ImgConvolve){.lift = img_lift_of(format),
                         .border = border->border,
                         .width = kernel->width,
                         .height = kernel->height};
    own->is_bytes = own->lift.bits == 8 && !own->lift.has_alpha;
    make_background(format, border, own);
    place_taps(kernel, own);
    Wanted wanted = {.kernel = kernel, .totals = totals_of(kernel), .bias = scale->bias};
    wanted.divisor = divisor_of(&wanted.totals, scale);
    wanted.zero = own->is_bytes ? 0 : IMG_LIFT_ZERO;
    wanted.range = own->is_bytes ? 255 : own->lift.bits == 16 ? 65535 : 65025;
    wanted.kept = own->is_bytes ? IMG_LIFT_PLACES : 0;
    own->way = way_of(own, &wanted);
    wanted.bias_is_weight = own->way == IMG_CONVOLVE_ALPHA && scale->bias != 0;
    const int32_t places = make_sum(&wanted, own, &own->color);
    own->bias = wanted.bias_is_weight ? (int32_t)scaled(scale->bias, 1000, places) : 0;
    own->is_one_sum =
        own->way == IMG_CONVOLVE_ALPHA && scale->bias == 0 && wanted.divisor == wanted.totals.sum;
    if (own->way != IMG_CONVOLVE_ALPHA)
        return;
    wanted.divisor = wanted.totals.sum;
    wanted.bias = 0;
    wanted.bias_is_weight = false;
    (void)make_sum(&wanted, own, &own->alpha);
}
