/* Computes integer weights of Gaussians and splines, and the memory and the source rows that a blur
 * needs. */
#include "kernels/blur/gaussian.h"

#include <string.h>

#include "kernels/core/fixed/fixed_math.h"

/* SHRINK_FROM is the smallest sigma, in thousandths of a pixel, at which the picture is reduced
 * first. The factor doubles while sigma, in thousandths of a reduced pixel, stays at least
 * SMALL_SIGMA. */
enum { SHRINK_FROM = 3000, SMALL_SIGMA = 2000, ONE = 1 << IMG_WEIGHT_PLACES };

static int32_t factor_of(int32_t sigma)
{
    int32_t factor = sigma >= SHRINK_FROM ? 2 : 1;
    while (factor > 1 && factor < IMG_GAUSSIAN_FACTOR && sigma >= 2 * factor * SMALL_SIGMA)
        factor *= 2;
    return factor;
}

/* --- Gaussian --------------------------------------------------------------------------------- */

/* Variance of a Gaussian as a fraction, in square pixels of the picture that it blurs (the source
 * or the reduced picture). */
typedef struct Variance {
    uint64_t numerator, denominator;
} Variance;

static Variance variance_of(int32_t sigma, int32_t factor)
{
    const uint64_t square = (uint64_t)sigma * (uint64_t)sigma, million = 1000000;
    const uint64_t area = (uint64_t)factor * (uint64_t)factor;
    if (factor == 1)
        return (Variance){square, million};
    return (Variance){3 * square - 2 * million * area, 3 * million * area};
}

/* Returns the radius beyond which weights are cut off: 3.5 times the square root of `variance`,
 * rounded up. */
static int32_t radius_of(Variance variance)
{
    int32_t radius = 1;
    while (4 * (uint64_t)radius * (uint64_t)radius * variance.denominator < 49 * variance.numerator)
        radius++;
    return radius;
}

/* Computes the radius and the weights of the Gaussian. The weight at the centre absorbs the
 * rounding errors, so that the sum is one. */
static void make_weights(Variance variance, ImgGaussian *gaussian)
{
    uint64_t half[IMG_GAUSSIAN_RADIUS + 1], sum = 0;
    int32_t radius = radius_of(variance), rest = ONE, weights[IMG_GAUSSIAN_RADIUS + 1];
    for (int32_t i = 0; i <= radius; i++) {
        half[i] = img_exp_negative((uint64_t)i * (uint64_t)i * variance.denominator,
                                   2 * variance.numerator) >>
                  30;
        sum += (i > 0 ? 2 : 1) * half[i];
    }
    for (int32_t i = 1; i <= radius; i++) {
        weights[i] = (int32_t)((half[i] * ONE + sum / 2) / sum);
        rest -= 2 * weights[i];
    }
    weights[0] = rest;
    while (radius > 0 && weights[radius] == 0)
        radius--;
    gaussian->radius = radius;
    for (int32_t i = -radius; radius > 0 && i <= radius; i++)
        gaussian->weights[radius + i] = (int16_t)weights[i < 0 ? -i : i];
}

/* --- Splines ---------------------------------------------------------------------------------- */

/* Returns 6 unit^3 times the value of the cubic B-spline at distance / unit from its centre. */
static int64_t spline(int64_t distance, int64_t unit)
{
    const int64_t d = distance < 0 ? -distance : distance, left = 2 * unit - d;
    if (d >= 2 * unit)
        return 0;
    if (d >= unit)
        return left * left * left;
    return 4 * unit * unit * unit - 6 * d * d * unit + 3 * d * d * d;
}

/* Computes integer weights that sum to ONE, in proportion to `parts`. It rounds the running sums,
 * so that errors do not accumulate. */
static void round_weights(const int64_t *parts, int32_t count, int16_t *weights)
{
    int64_t sum = 0, running = 0, before = 0;
    for (int32_t i = 0; i < count; i++)
        sum += parts[i];
    sum = sum > 0 ? sum : 1; /* sum > 0 always holds; the static analyser needs this line */
    for (int32_t i = 0; i < count; i++) {
        running += parts[i];
        const int64_t rounded = (2 * running * ONE + sum) / (2 * sum);
        weights[i] = (int16_t)(rounded - before);
        before = rounded;
    }
}

static void make_splines(ImgGaussian *gaussian)
{
    int64_t parts[IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR];
    const int32_t factor = gaussian->factor, count = IMG_SPLINE_TAPS * factor;
    for (int32_t i = 0; i < count; i++)
        parts[i] = spline(2 * i + 1 - count, 2 * factor);
    round_weights(parts, count, gaussian->shrink);
    for (int32_t place = 0; place < factor; place++) {
        const int32_t first = img_gaussian_enlarge_first(gaussian, place);
        for (int32_t i = 0; i < IMG_SPLINE_TAPS; i++)
            parts[i] = spline(2 * place - factor + 1 - 2 * factor * (first + i), 2 * factor);
        round_weights(parts, IMG_SPLINE_TAPS, gaussian->enlarge[place]);
    }
}

void img_gaussian_make(int32_t sigma, ImgFormat format, const ImgBorderParams *border,
                       ImgGaussian *gaussian)
{
    memset(gaussian, 0, sizeof *gaussian);
    gaussian->factor = factor_of(sigma);
    make_weights(variance_of(sigma, gaussian->factor), gaussian);
    if (gaussian->factor > 1)
        make_splines(gaussian);
    gaussian->border = border->border;
    img_lift_background(format, border, gaussian->background);
}

bool img_gaussian_is_plain(const ImgGaussian *gaussian, ImgFormat format)
{
    return gaussian->border != IMG_BORDER_CONSTANT && format.bits >= 8 &&
           !img_format_has_alpha(format);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns how many rows a thread stores as lifted samples (window/lift.h): `kept` rows of the
 * source and a row of the background. Returns 0 if weighted sums read the source directly. */
static uint64_t kept_rows(const ImgGaussian *gaussian, ImgFormat format, uint64_t kept)
{
    return img_gaussian_is_plain(gaussian, format) ? 0 : kept + 1;
}

/* Returns the number of samples that a thread allocates to blur without reducing: lifted rows of
 * the source, a padded row, a blurred row, and a row that sharpening needs. */
static uint64_t own_size_samples(const ImgGaussian *gaussian, ImgShape src, uint64_t channels)
{
    const uint64_t radius = (uint64_t)gaussian->radius;
    const uint64_t rows = kept_rows(gaussian, src.format, 2 * radius + 1) + 3;
    return (rows * (uint64_t)src.width + 2 * radius) * channels;
}

/* Returns the number of samples that a thread allocates to blur a reduced picture. Reducing and
 * enlarging run one after the other in the same memory, so only the larger of their needs counts.
 */
static uint64_t smaller_samples(const ImgGaussian *gaussian, ImgShape src, uint64_t columns,
                                uint64_t channels)
{
    const uint64_t factor = (uint64_t)gaussian->factor, width = (uint64_t)src.width;
    const uint64_t padded = (columns + IMG_SPLINE_TAPS) * factor;
    const uint64_t kept = kept_rows(gaussian, src.format, IMG_SPLINE_TAPS * factor);
    const uint64_t shrinking = kept * width + 2 * padded;
    const uint64_t enlarging = columns * (1 + factor) + 2 * width;
    return (shrinking > enlarging ? shrinking : enlarging) * channels;
}

/* Returns the memory in bytes that all threads need, plus the memory of the reduced picture before
 * the blur and of the reduced picture after it. */
uint64_t img_gaussian_scratch(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                              int threads)
{
    ImgGaussian gaussian;
    img_gaussian_make(sigma, src.format, border, &gaussian);
    const uint64_t channels = (uint64_t)img_format_channels(src.format);
    if (gaussian.factor == 1)
        return own_size_samples(&gaussian, src, channels) * sizeof(int16_t) *
               (uint64_t)img_op_band_threads(src, src.height, threads);
    const uint64_t around = 2 * (uint64_t)img_gaussian_margin(&gaussian) + 1;
    const uint64_t columns = (uint64_t)(src.width / gaussian.factor) + around;
    const uint64_t rows = (uint64_t)(src.height / gaussian.factor) + around;
    const uint64_t bands = (uint64_t)img_op_band_threads(src, INT64_MAX, threads);
    return (2 * columns * rows * channels +
            bands * smaller_samples(&gaussian, src, columns, channels)) *
           sizeof(int16_t);
}

/* If the picture is reduced, blurring and enlarging need rows of the reduced picture around the
 * wanted rows, and each of these depends on 4 * factor rows of the source. So the source of the
 * part has more rows above and below the wanted rows. It starts at a multiple of `factor`, so that
 * the groups of `factor` rows are the same as in the whole picture. It also starts at a multiple of
 * IMG_ROWS_STEP. */
bool img_gaussian_part(int32_t sigma, ImgShape src, const ImgBorderParams *border, ImgRows wanted,
                       ImgPart *part)
{
    ImgGaussian gaussian;
    img_gaussian_make(sigma, src.format, border, &gaussian);
    const int32_t factor = gaussian.factor;
    const int32_t reach =
        factor == 1 ? gaussian.radius : (img_gaussian_margin(&gaussian) + 3) * factor;
    (void)img_window_part(src, border, wanted, reach, reach, part);
    const int32_t before = part->src.y % factor;
    part->src.y -= before;
    part->src.height += before;
    part->skip += before;
    return true;
}
