/* Reference implementation of the Gaussian, directly from its definition. It lifts the whole
 * picture (window/lift.h) and filters one axis after the other, sample by sample. */
#include <stdlib.h>

#include "kernels/blur/gaussian.h"
#include "kernels/core/sample.h"

/* A picture of lifted samples (window/lift.h). `left` and `top` are the indices of its first
 * column and row; they may be negative. */
typedef struct Plane {
    int16_t *samples;
    int64_t left, top, width, height;
    int32_t channels;
} Plane;

static bool plane_alloc(Plane *plane, int64_t left, int64_t top, int64_t width, int64_t height,
                        int32_t channels)
{
    const size_t count = (size_t)width * (size_t)height * (size_t)channels;
    *plane = (Plane){malloc(count * sizeof(int16_t)), left, top, width, height, channels};
    return plane->samples != NULL;
}

static int16_t *plane_at(const Plane *plane, int64_t x, int64_t y, int32_t c)
{
    const int64_t pixel = (y - plane->top) * plane->width + x - plane->left;
    return plane->samples + pixel * plane->channels + c;
}

/* A weighted sum along one axis: `count` weights, the first of them for the sample at position
 * `first`. */
typedef struct Sum {
    int64_t first;
    const int16_t *weights;
    int32_t count;
} Sum;

typedef Sum SumOf(const ImgGaussian *gaussian, int64_t place);

static Sum shrink(const ImgGaussian *gaussian, int64_t place)
{
    return (Sum){img_gaussian_shrink_first(gaussian, place), gaussian->shrink,
                 IMG_SPLINE_TAPS * gaussian->factor};
}

static Sum blur(const ImgGaussian *gaussian, int64_t place)
{
    return (Sum){place - gaussian->radius, gaussian->weights, 2 * gaussian->radius + 1};
}

static Sum enlarge(const ImgGaussian *gaussian, int64_t place)
{
    const int32_t in_group = (int32_t)(place % gaussian->factor);
    return (Sum){place / gaussian->factor + img_gaussian_enlarge_first(gaussian, in_group),
                 gaussian->enlarge[in_group], IMG_SPLINE_TAPS};
}

/* Returns the sample of channel c at (x, y). A sample beyond the source is as the border mode
 * defines. Samples beyond a reduced picture are never needed. */
static int32_t sample_beside(const ImgGaussian *gaussian, const Plane *from, int64_t x, int64_t y,
                             int32_t c)
{
    if (from->left == 0) {
        const int32_t place = img_border_place(x, (int32_t)from->width, gaussian->border);
        if (place < 0)
            return gaussian->background[c];
        x = place;
    }
    if (from->top == 0) {
        const int32_t place = img_border_place(y, (int32_t)from->height, gaussian->border);
        if (place < 0)
            return gaussian->background[c];
        y = place;
    }
    return *plane_at(from, x, y, c);
}

static int16_t sum_at(const ImgGaussian *gaussian, const Plane *from, const Sum *sum, int64_t x,
                      int64_t y, int32_t c, bool down)
{
    int32_t all = 1 << (IMG_WEIGHT_PLACES - 1);
    for (int32_t k = 0; k < sum->count; k++)
        all += sum->weights[k] * sample_beside(gaussian, from, down ? x : sum->first + k,
                                               down ? sum->first + k : y, c);
    return (int16_t)(all >> IMG_WEIGHT_PLACES);
}

/* Replaces the plane by its weighted sums along one axis, which `sum_of` describes: `count` rows if
 * `down` is true, otherwise `count` columns, from index `begin` on. Returns false when memory is
 * short. */
static bool along(const ImgGaussian *gaussian, Plane *plane, SumOf *sum_of, bool down,
                  int64_t begin, int64_t count)
{
    Plane to;
    const bool done =
        down ? plane_alloc(&to, plane->left, begin, plane->width, count, plane->channels)
             : plane_alloc(&to, begin, plane->top, count, plane->height, plane->channels);
    for (int64_t y = to.top; done && y < to.top + to.height; y++)
        for (int64_t x = to.left; x < to.left + to.width; x++) {
            const Sum sum = sum_of(gaussian, down ? y : x);
            for (int32_t c = 0; c < to.channels; c++)
                *plane_at(&to, x, y, c) = sum_at(gaussian, plane, &sum, x, y, c, down);
        }
    free(plane->samples);
    *plane = to;
    return done;
}

static bool both_ways(const ImgGaussian *gaussian, Plane *plane, SumOf *sum_of, int64_t begin,
                      int64_t columns, int64_t rows)
{
    return along(gaussian, plane, sum_of, true, begin, rows) &&
           along(gaussian, plane, sum_of, false, begin, columns);
}

static bool gaussian_of(const ImgGaussian *gaussian, Plane *plane)
{
    const int64_t width = plane->width, height = plane->height,
                  margin = img_gaussian_margin(gaussian);
    if (gaussian->factor == 1)
        return gaussian->radius == 0 || both_ways(gaussian, plane, blur, 0, width, height);
    const int64_t columns = (width - 1) / gaussian->factor + 1;
    const int64_t rows = (height - 1) / gaussian->factor + 1;
    return both_ways(gaussian, plane, shrink, -margin, columns + 2 * margin, rows + 2 * margin) &&
           both_ways(gaussian, plane, blur, gaussian->radius - margin,
                     columns + 2 * (margin - gaussian->radius),
                     rows + 2 * (margin - gaussian->radius)) &&
           both_ways(gaussian, plane, enlarge, 0, width, height);
}

/* --- Samples ---------------------------------------------------------------------------------- */

static void lift_at(const ImgView *view, const ImgLift *lift, int32_t x, int32_t y,
                    int32_t lifted[4])
{
    uint32_t sample[4] = {0, 0, 0, 0};
    for (int32_t c = 0; c < lift->channels; c++)
        sample[c] = img_sample(view->data + (size_t)y * view->stride,
                               (size_t)x * (size_t)lift->channels + (size_t)c, view->format.bits);
    img_lift_pixel(lift, sample, lifted);
}

static void end_at(const ImgCall *call, const ImgLift *lift, const Plane *blurred, int32_t x,
                   int32_t y)
{
    const ImgBlurEnd *end = call->constants.bytes;
    int32_t lifted[4] = {0, 0, 0, 0};
    uint32_t sample[4] = {0, 0, 0, 0};
    lift_at(&call->src, lift, x, y, lifted);
    for (int32_t c = 0; c < lift->channels; c++) {
        const int32_t value = *plane_at(blurred, x, y, c);
        lifted[c] = end->sharpens ? img_unsharp(&end->mask, lifted[c], value) : value;
    }
    img_lower_pixel(lift, lifted, sample);
    for (int32_t c = 0; c < lift->channels; c++)
        img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                       (size_t)x * (size_t)lift->channels + (size_t)c, call->dst.format.bits,
                       sample[c]);
}

ImgStatus img_gaussian_reference(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd *end = call->constants.bytes;
    const ImgLift lift = img_lift_of(call->src.format);
    const int32_t width = call->src.width, height = call->src.height;
    Plane plane;
    bool done = plane_alloc(&plane, 0, 0, width, height, lift.channels);
    for (int32_t y = 0; done && y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            int32_t lifted[4] = {0, 0, 0, 0};
            lift_at(&call->src, &lift, x, y, lifted);
            for (int32_t c = 0; c < lift.channels; c++)
                *plane_at(&plane, x, y, c) = (int16_t)lifted[c];
        }
    done = done && gaussian_of(&end->gaussian, &plane);
    for (int32_t y = 0; done && y < height; y++)
        for (int32_t x = 0; x < width; x++)
            end_at(call, &lift, &plane, x, y);
    free(plane.samples);
    return done ? IMG_OK
                : img_fail(err, IMG_E_MEMORY, "no memory to blur %d x %d pixels", width, height);
}
