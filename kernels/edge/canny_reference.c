/* canny in plain C: each stage over the whole picture, straight from its definition. */
#include <stdlib.h>

#include "kernels/core/sample.h"
#include "kernels/edge/canny.h"

/* Numbers of a picture with a margin on all sides; positions start at -margin. */
typedef struct Plane {
    int32_t *values;
    int32_t width, height, margin;
} Plane;

typedef struct Work {
    const ImgCall *call;
    const ImgCanny *canny;
    Plane gray, lower, smooth, magnitude;
    size_t *stack;
} Work;

static bool plane_alloc(Plane *plane, const ImgView *src, int32_t margin)
{
    const size_t width = (size_t)src->width + 2 * (size_t)margin;
    const size_t height = (size_t)src->height + 2 * (size_t)margin;
    *plane = (Plane){calloc(width * height, sizeof(int32_t)), src->width, src->height, margin};
    return plane->values != NULL;
}

static int32_t *at(const Plane *plane, int64_t x, int64_t y)
{
    const size_t pitch = (size_t)plane->width + 2 * (size_t)plane->margin;
    return plane->values + (size_t)(y + plane->margin) * pitch + (size_t)(x + plane->margin);
}

/* --- Smoothing -------------------------------------------------------------------------------- */

static void make_gray(const Work *work)
{
    const ImgView *src = &work->call->src;
    const size_t channels = (size_t)work->canny->channels;
    for (int32_t y = 0; y < src->height; y++)
        for (int32_t x = 0; x < src->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            for (size_t c = 0; c < channels; c++)
                sample[c] = img_sample(src->data + (size_t)y * src->stride,
                                       (size_t)x * channels + c, src->format.bits);
            *at(&work->gray, x, y) = img_canny_gray(work->canny, sample);
        }
}

/* Returns the gray at a position that may be beyond the edges. */
static int32_t beyond(const ImgCanny *canny, const Plane *plane, int64_t x, int64_t y)
{
    const int32_t column = img_border_place(x, plane->width, canny->border);
    const int32_t line = img_border_place(y, plane->height, canny->border);
    return column < 0 || line < 0 ? canny->background : *at(plane, column, line);
}

static int32_t smooth_down(const Work *work, int64_t x, int64_t y)
{
    const ImgCanny *canny = work->canny;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    if (canny->radius == 0)
        return beyond(canny, &work->gray, x, y);
    for (int32_t k = -canny->radius; k <= canny->radius; k++)
        sum += canny->weights[canny->radius + k] * beyond(canny, &work->gray, x, y + k);
    return sum >> IMG_CANNY_PLACES;
}

static int32_t smooth_across(const Work *work, int64_t x, int64_t y)
{
    const ImgCanny *canny = work->canny;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    if (canny->radius == 0)
        return beyond(canny, &work->gray, x, y);
    for (int32_t k = -canny->radius; k <= canny->radius; k++) {
        const int32_t column = img_border_place(x + k, work->gray.width, canny->border);
        sum += canny->weights[canny->radius + k] *
               (column < 0 ? canny->background : *at(&work->lower, column, y));
    }
    return sum >> IMG_CANNY_PLACES;
}

/* Rows and columns go from -1 to one past the last, as Sobel's operator needs them. Vertical sums
 * are computed only for columns inside; those beyond follow from them. */
static void smooth(const Work *work)
{
    const int32_t width = work->gray.width;
    for (int64_t y = -1; y <= work->gray.height; y++) {
        for (int32_t x = 0; x < width; x++)
            *at(&work->lower, x, y) = smooth_down(work, x, y);
        for (int32_t x = 0; x < width; x++) {
            *at(&work->smooth, x, y) = smooth_across(work, x, y);
            if (x == 0)
                *at(&work->smooth, -1, y) = smooth_across(work, -1, y);
            if (x == width - 1)
                *at(&work->smooth, width, y) = smooth_across(work, width, y);
        }
    }
}

/* --- Gradients -------------------------------------------------------------------------------- */

static int32_t across(const Plane *p, int64_t x, int64_t y)
{
    return *at(p, x + 1, y - 1) + 2 * *at(p, x + 1, y) + *at(p, x + 1, y + 1) -
           *at(p, x - 1, y - 1) - 2 * *at(p, x - 1, y) - *at(p, x - 1, y + 1);
}

static int32_t down(const Plane *p, int64_t x, int64_t y)
{
    return *at(p, x - 1, y + 1) + 2 * *at(p, x, y + 1) + *at(p, x + 1, y + 1) -
           *at(p, x - 1, y - 1) - 2 * *at(p, x, y - 1) - *at(p, x + 1, y - 1);
}

/* The margin stays 0. */
static void measure(const Work *work)
{
    const Plane *p = &work->smooth;
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++)
            *at(&work->magnitude, x, y) = img_canny_magnitude(across(p, x, y), down(p, x, y));
}

static uint8_t class_of(const Work *work, int32_t x, int32_t y)
{
    const Plane *p = &work->smooth;
    const int32_t gx = across(p, x, y), gy = down(p, x, y);
    const int32_t dx = img_canny_step(gx, gy), dy = img_canny_step(gy, gx);
    const int32_t magnitude = *at(&work->magnitude, x, y);
    if (magnitude <= work->canny->low ||
        !img_canny_is_ridge(magnitude, *at(&work->magnitude, x + dx, y + dy),
                            *at(&work->magnitude, x - dx, y - dy)))
        return 0;
    return magnitude > work->canny->high ? IMG_CANNY_STRONG : IMG_CANNY_WEAK;
}

/* --- Hysteresis ------------------------------------------------------------------------------- */

/* Makes weak pixels around a pixel strong and pushes them. Returns the new size of the stack. */
static size_t strengthen(const Work *work, size_t pixel, size_t count)
{
    const ImgView *dst = &work->call->dst;
    const int64_t x = (int64_t)(pixel % (size_t)dst->width);
    const int64_t y = (int64_t)(pixel / (size_t)dst->width);
    for (int64_t line = y - 1; line <= y + 1; line++)
        for (int64_t column = x - 1; column <= x + 1; column++) {
            if (line < 0 || line >= dst->height || column < 0 || column >= dst->width)
                continue;
            uint8_t *neighbour = dst->data + (size_t)line * dst->stride + column;
            if (*neighbour == IMG_CANNY_WEAK) {
                *neighbour = IMG_CANNY_STRONG;
                work->stack[count++] = (size_t)line * (size_t)dst->width + (size_t)column;
            }
        }
    return count;
}

static void follow(const Work *work)
{
    const ImgView *dst = &work->call->dst;
    size_t count = 0;
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++) {
            if (dst->data[(size_t)y * dst->stride + (size_t)x] == IMG_CANNY_STRONG)
                count = strengthen(work, (size_t)y * (size_t)dst->width + (size_t)x, count);
            while (count > 0) {
                count--;
                count = strengthen(work, work->stack[count], count);
            }
        }
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++) {
            uint8_t *pixel = dst->data + (size_t)y * dst->stride + x;
            *pixel = *pixel == IMG_CANNY_STRONG ? 255 : 0;
        }
}

/* ---------------------------------------------------------------------------------------------- */

static void run(const Work *work)
{
    const ImgView *dst = &work->call->dst;
    make_gray(work);
    smooth(work);
    measure(work);
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++)
            dst->data[(size_t)y * dst->stride + (size_t)x] = class_of(work, x, y);
    follow(work);
}

ImgStatus img_canny_reference(const ImgCall *call, ImgError *err)
{
    Work work = {.call = call, .canny = call->constants.bytes};
    const ImgView *src = &call->src;
    work.stack = malloc((size_t)src->width * (size_t)src->height * sizeof *work.stack);
    const bool ready = work.stack != NULL && plane_alloc(&work.gray, src, 0) &&
                       plane_alloc(&work.lower, src, 1) && plane_alloc(&work.smooth, src, 1) &&
                       plane_alloc(&work.magnitude, src, 1);
    if (ready)
        run(&work);
    free(work.gray.values);
    free(work.lower.values);
    free(work.smooth.values);
    free(work.magnitude.values);
    free(work.stack);
    return ready ? IMG_OK
                 : img_fail(err, IMG_E_MEMORY, "no memory to find edges in %d x %d pixels",
                            src->width, src->height);
}
