/* Reference implementation of canny in plain C. It computes each stage for the whole picture,
 * directly from the definition. */
#include <stdlib.h>

#include "kernels/core/sample.h"
#include "kernels/edge/canny.h"

/* One integer per pixel of a picture, with a margin on all sides. Rows and columns are numbered
 * from -margin on. */
typedef struct Plane {
    int32_t *values;
    int32_t width, height, margin;
} Plane;

typedef struct CannyPlanes {
    const ImgCall *call;
    const ImgCanny *canny;
    Plane gray, lower, smooth, magnitude;
    size_t *stack;
} CannyPlanes;

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

static void make_gray(const CannyPlanes *planes)
{
    const ImgView *src = &planes->call->src;
    const size_t channels = (size_t)planes->canny->channels;
    for (int32_t y = 0; y < src->height; y++)
        for (int32_t x = 0; x < src->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            for (size_t c = 0; c < channels; c++)
                sample[c] = img_sample(src->data + (size_t)y * src->stride,
                                       (size_t)x * channels + c, src->format.bits);
            *at(&planes->gray, x, y) = img_canny_gray(planes->canny, sample);
        }
}

/* Returns the gray at (x, y). Beyond the edges of the picture, the border mode defines it. */
static int32_t beyond(const ImgCanny *canny, const Plane *plane, int64_t x, int64_t y)
{
    const int32_t column = img_border_place(x, plane->width, canny->border);
    const int32_t line = img_border_place(y, plane->height, canny->border);
    return column < 0 || line < 0 ? canny->background : *at(plane, column, line);
}

static int32_t smooth_down(const CannyPlanes *planes, int64_t x, int64_t y)
{
    const ImgCanny *canny = planes->canny;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    if (canny->radius == 0)
        return beyond(canny, &planes->gray, x, y);
    for (int32_t k = -canny->radius; k <= canny->radius; k++)
        sum += canny->weights[canny->radius + k] * beyond(canny, &planes->gray, x, y + k);
    return sum >> IMG_CANNY_PLACES;
}

static int32_t smooth_across(const CannyPlanes *planes, int64_t x, int64_t y)
{
    const ImgCanny *canny = planes->canny;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    if (canny->radius == 0)
        return beyond(canny, &planes->gray, x, y);
    for (int32_t k = -canny->radius; k <= canny->radius; k++) {
        const int32_t column = img_border_place(x + k, planes->gray.width, canny->border);
        sum += canny->weights[canny->radius + k] *
               (column < 0 ? canny->background : *at(&planes->lower, column, y));
    }
    return sum >> IMG_CANNY_PLACES;
}

/* Smooths the picture, including one row and one column beyond each edge, which Sobel's operator
 * needs. Vertical sums are computed only for columns inside the picture. Beyond them, the border
 * mode defines the sums. */
static void smooth(const CannyPlanes *planes)
{
    const int32_t width = planes->gray.width;
    for (int64_t y = -1; y <= planes->gray.height; y++) {
        for (int32_t x = 0; x < width; x++)
            *at(&planes->lower, x, y) = smooth_down(planes, x, y);
        for (int32_t x = 0; x < width; x++) {
            *at(&planes->smooth, x, y) = smooth_across(planes, x, y);
            if (x == 0)
                *at(&planes->smooth, -1, y) = smooth_across(planes, -1, y);
            if (x == width - 1)
                *at(&planes->smooth, width, y) = smooth_across(planes, width, y);
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

/* Computes gradients and squared magnitudes. In the margin, magnitudes stay 0. */
static void measure(const CannyPlanes *planes)
{
    const Plane *p = &planes->smooth;
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++)
            *at(&planes->magnitude, x, y) = img_canny_magnitude(across(p, x, y), down(p, x, y));
}

static uint8_t class_of(const CannyPlanes *planes, int32_t x, int32_t y)
{
    const Plane *p = &planes->smooth;
    const int32_t gx = across(p, x, y), gy = down(p, x, y);
    const int32_t dx = img_canny_step(gx, gy), dy = img_canny_step(gy, gx);
    const int32_t magnitude = *at(&planes->magnitude, x, y);
    if (magnitude <= planes->canny->low ||
        !img_canny_is_ridge(magnitude, *at(&planes->magnitude, x + dx, y + dy),
                            *at(&planes->magnitude, x - dx, y - dy)))
        return 0;
    return magnitude > planes->canny->high ? IMG_CANNY_STRONG : IMG_CANNY_WEAK;
}

/* --- Hysteresis ------------------------------------------------------------------------------- */

/* Makes the weak pixels around a pixel strong, and pushes them on the stack, which has `count`
 * pixels. Returns the new size of the stack. */
static size_t strengthen(const CannyPlanes *planes, size_t pixel, size_t count)
{
    const ImgView *dst = &planes->call->dst;
    const int64_t x = (int64_t)(pixel % (size_t)dst->width);
    const int64_t y = (int64_t)(pixel / (size_t)dst->width);
    for (int64_t line = y - 1; line <= y + 1; line++)
        for (int64_t column = x - 1; column <= x + 1; column++) {
            if (line < 0 || line >= dst->height || column < 0 || column >= dst->width)
                continue;
            uint8_t *neighbour = dst->data + (size_t)line * dst->stride + column;
            if (*neighbour == IMG_CANNY_WEAK) {
                *neighbour = IMG_CANNY_STRONG;
                planes->stack[count++] = (size_t)line * (size_t)dst->width + (size_t)column;
            }
        }
    return count;
}

static void follow(const CannyPlanes *planes)
{
    const ImgView *dst = &planes->call->dst;
    size_t count = 0;
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++) {
            if (dst->data[(size_t)y * dst->stride + (size_t)x] == IMG_CANNY_STRONG)
                count = strengthen(planes, (size_t)y * (size_t)dst->width + (size_t)x, count);
            while (count > 0) {
                count--;
                count = strengthen(planes, planes->stack[count], count);
            }
        }
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++) {
            uint8_t *pixel = dst->data + (size_t)y * dst->stride + x;
            *pixel = *pixel == IMG_CANNY_STRONG ? 255 : 0;
        }
}

/* ---------------------------------------------------------------------------------------------- */

static void run(const CannyPlanes *planes)
{
    const ImgView *dst = &planes->call->dst;
    make_gray(planes);
    smooth(planes);
    measure(planes);
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++)
            dst->data[(size_t)y * dst->stride + (size_t)x] = class_of(planes, x, y);
    follow(planes);
}

ImgStatus img_canny_reference(const ImgCall *call, ImgError *err)
{
    CannyPlanes planes = {.call = call, .canny = call->constants.bytes};
    const ImgView *src = &call->src;
    planes.stack = malloc((size_t)src->width * (size_t)src->height * sizeof *planes.stack);
    const bool ready = planes.stack != NULL && plane_alloc(&planes.gray, src, 0) &&
                       plane_alloc(&planes.lower, src, 1) && plane_alloc(&planes.smooth, src, 1) &&
                       plane_alloc(&planes.magnitude, src, 1);
    if (ready)
        run(&planes);
    free(planes.gray.values);
    free(planes.lower.values);
    free(planes.smooth.values);
    free(planes.magnitude.values);
    free(planes.stack);
    return ready ? IMG_OK
                 : img_fail(err, IMG_E_MEMORY, "no memory to find edges in %d x %d pixels",
                            src->width, src->height);
}
