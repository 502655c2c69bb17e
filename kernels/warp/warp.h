/* Private to rotate, affine, perspective and other operations that interpolate. Each pixel of the
 * result has a position in the source. A filter computes the weighted sum of the source pixels
 * around that position (its window).
 *
 * Positions are integers in units of 2^-30 pixels, the same on every processor. Position 0 is the
 * centre of the first pixel of a row or column; the edge of this pixel is at -1/2. The filter
 * rounds a position to 1/1024 of a pixel, its phase. Weights are multiples of 2^-14 and are
 * computed once for each phase (resize/filter.h). The columns of a window are summed and
 * rounded first; then these sums are summed along the row. Only the second sum is clamped, because
 * the row may compensate an overshoot in a column. Apart from the last rounding, the error is at
 * most 1/64 of a step of 8 bits, or 3 steps of 16 bits.
 *
 * Samples are lifted before they are summed: converted to signed samples, with colours multiplied
 * by alpha (window/lift.h). If the border is the background, pixels that are partly outside
 * the picture are blended with it. The weight of the picture is the part of the pixel's square that
 * is inside. In that case the filter sees replicated edges, so that edges are not sharpened against
 * the background.
 *
 * IMG_WARP_NEAREST copies the nearest pixel unchanged. If every position is the centre of a pixel,
 * all filters copy pixels. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_H
#define IMGTOOL_KERNELS_WARP_WARP_H

#include "kernels/core/sample.h"
#include "kernels/warp/warp_place.h"
#include "kernels/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WARP_WEIGHT_PLACES = 14,
    IMG_WARP_STRIDE = 8, /* number of weights per phase; unused weights are 0 */
    IMG_WARP_COVER_PLACES = 2 * IMG_WARP_PHASE_PLACES,
    IMG_WARP_COVERED = 1 << IMG_WARP_COVER_PLACES,
};

/* A filter. Its value is half of its number of taps, which is the width of a window in pixels. */
typedef enum ImgWarpFilter {
    IMG_WARP_NEAREST = 0,
    IMG_WARP_BILINEAR = 1,
    IMG_WARP_BICUBIC = 2, /* Catmull-Rom spline */
    IMG_WARP_LANCZOS3 = 3,
    IMG_WARP_LANCZOS4 = 4,
} ImgWarpFilter;

extern const ImgChoice img_warp_filters[];

/* The rectangle of the result that a call computes, and the rectangle of the source that it gets
 * (ImgOp.bands.tile). If all numbers are 0, both are whole. */
typedef struct ImgWarpPart {
    int32_t width, height; /* size of the whole source, in pixels */
    int32_t x, y;          /* position of the call's source in the whole source */
    ImgRect dst;           /* rectangle of the whole result */
} ImgWarpPart;

/* Parameters that rotate, affine, perspective and similar operations have in common. */
typedef struct ImgWarpParams {
    int32_t filter; /* a value of ImgWarpFilter */
    ImgBorderParams border;
    ImgWarpPart part; /* set by ImgOp.bands.tile; the user cannot set it */
} ImgWarpParams;

/* Constants that all implementations of an operation use. */
typedef struct ImgWarp {
    /* formats of the source and of the result, for lifting (window/lift.h) */
    ImgLift from, to;
    int32_t filter, border;
    int16_t background[4];          /* background as lifted samples (window/lift.h) */
    uint32_t nearest_background[4]; /* background as samples of the result, for IMG_WARP_NEAREST */
    int16_t weights[IMG_WARP_PHASES][IMG_WARP_STRIDE];
} ImgWarp;

/* Returns true if each pixel of the result is a copy of a source pixel. In that case palette
 * indices stay indices, and samples keep their number of bits. */
static inline bool img_warp_keeps_samples(const ImgWarpParams *params)
{
    return params->filter == IMG_WARP_NEAREST &&
           (params->border.border != IMG_BORDER_CONSTANT || params->border.index != 0);
}

/* Finds the background in the palette, or adds its colour, and stores its index in `params`
 * (ImgOp.palette.bind). `shows` must be true if the result shows anything beyond the edges of the
 * picture. Returns false if the palette is full. */
bool img_warp_bind_palette(ImgWarpParams *params, bool shows, struct ImgPalette *palette);

/* Computes the format of the result. If pixels are copied, it is the format of the source.
 * Otherwise it has at least 8 bits, and img_border_format determines the rest. */
ImgStatus img_warp_format(ImgFormat from, const ImgWarpParams *params, ImgFormat *to,
                          ImgError *err);

/* Returns true if a gray picture becomes RGB before it is warped, because its background has a
 * colour. Loops and kernels thus need no code for this case. (The functions for this conversion are
 * in warp_color.c and cuda/warp_plan.cu.) */
bool img_warp_gets_color(ImgFormat from, ImgFormat to);

/* Return the format and the shape of the source after its conversion from gray to RGB. If
 * img_warp_gets_color is false, they are unchanged. */
ImgFormat img_warp_source_format(ImgFormat from, ImgFormat to);
ImgShape img_warp_source_shape(ImgShape src, ImgFormat to);

/* Return the size in bytes of the converted source, or 0 if it is not converted.
 * img_warp_color_scratch is for ImgOp.cost.scratch, img_warp_color_workspace for the workspace of
 * CUDA implementations. */
uint64_t img_warp_color_scratch(ImgShape src, ImgFormat to);
size_t img_warp_color_workspace(ImgShape src, ImgFormat to);

/* Set *own to a call whose source is converted to RGB, if needed. img_warp_color_cpu stores the
 * converted picture in `copy`, which the caller must free after the run. img_warp_color_cuda stores
 * it in the workspace. Return IMG_E_MEMORY when memory is short. */
ImgStatus img_warp_color_cpu(const ImgCall *call, ImgImage *copy, ImgCall *own, ImgError *err);
ImgStatus img_warp_color_cuda(const ImgCall *call, ImgCall *own, ImgError *err);

/* Computes the constants, an ImgWarp, for a source of format `from` (ImgOp.constants.prepare). */
ImgStatus img_warp_prepare(ImgFormat from, const ImgWarpParams *params, ImgConstants *constants,
                           ImgError *err);

/* Computes the weights of one phase, which sum to 2^14. The filter must not be IMG_WARP_NEAREST. */
void img_warp_weigh(ImgWarpFilter filter, int32_t phase, int16_t weights[IMG_WARP_STRIDE]);

/* Limits of the number of source positions at which the filter is computed; img_warp_places
 * estimates this number. Each pixel needs the positions of its grid. For an affine map with a
 * background, only pixels that the picture touches count.
 *
 * img_warp_check_places returns IMG_E_UNSUPPORTED if there are too many positions. The limit is a
 * number per pixel of source and result, plus IMG_WARP_PLACES_LEAST. Three kinds of maps exceed it:
 * maps that repeat the picture as smaller and smaller copies, maps that shear it to nearly a line,
 * and maps in perspective with one corner that is far steeper than the other corners. A picture
 * that only shrinks has about one position per pixel of the source. With a background, the limit is
 * higher (IMG_WARP_PLACES_BESIDE), so that a picture only one pixel high can still shrink to a
 * thousandth of its width and height. */
enum {
    IMG_WARP_PLACES_MOST = 256,
    IMG_WARP_PLACES_BESIDE = 1024, /* limit per pixel for an affine map with a background */
    IMG_WARP_PLACES_LEAST = 1 << 21,
};
double img_warp_places(const ImgWarpMap *map, int32_t border, ImgShape src, ImgShape dst);
ImgStatus img_warp_check_places(const char *op, const ImgWarpMap *map, int32_t border, ImgShape src,
                                ImgShape dst, ImgError *err);

/* --- Parts ------------------------------------------------------------------------------------ */

/* Returns the shape of the whole source for a call with a source of shape `src`. */
ImgShape img_warp_whole(ImgShape src, const ImgWarpPart *part);

/* Reduces *dst from the shape of the whole result to the shape of the part. */
void img_warp_cut(const ImgWarpPart *part, ImgShape *dst);

/* Converts *map from the map of the whole source and result to the map of the part. The conversion
 * is exact. In perspective, a shift of the source could not be exact; therefore the rectangle of
 * the source always begins at its upper left corner. */
void img_warp_move(const ImgWarpPart *part, ImgWarpMap *map);

/* Implements ImgOp.bands.tile: sets part->src and *own, a member of the parameters of the part.
 * `map` is the map of the whole picture; `border` is an ImgBorder value. The rectangle of the
 * source contains the window of each position of the result that is inside the source. It also
 * reaches the edges of the source beyond which there are positions, so that the border mode applies
 * to these positions as in the whole source. */
void img_warp_part(ImgShape src, const ImgWarpMap *map, int32_t border, ImgRect wanted,
                   ImgPart *part, ImgWarpPart *own);

/* --- The picture and its background ----------------------------------------------------------- */

/* Returns which part of the width or height of a pixel at the position `phases` is inside the
 * picture: 0 to IMG_WARP_PHASES. `size` is the width or height of the picture. */
IMG_HOST_DEVICE int32_t img_warp_inside(int64_t phases, int32_t size)
{
    const int64_t before = phases + IMG_WARP_PHASES;
    const int64_t behind = (int64_t)size * IMG_WARP_PHASES - phases;
    const int64_t least = before < behind ? before : behind, most = IMG_WARP_PHASES;
    return (int32_t)(least < 0 ? 0 : least < most ? least : most);
}

/* Returns which part of a pixel shows the picture instead of the background: 0 to
 * IMG_WARP_COVERED. */
IMG_HOST_DEVICE int32_t img_warp_cover(const ImgWarp *warp, int64_t x_phases, int64_t y_phases,
                                       int32_t width, int32_t height)
{
    if (warp->border != IMG_BORDER_CONSTANT)
        return IMG_WARP_COVERED;
    return img_warp_inside(x_phases, width) * img_warp_inside(y_phases, height);
}

/* --- A pixel ---------------------------------------------------------------------------------- */

/* Returns the weighted sum of a column, rounded to an integer. The result has up to 17 bits and a
 * sign. */
IMG_HOST_DEVICE int32_t img_warp_round(int32_t sum)
{
    return (sum + (1 << (IMG_WARP_WEIGHT_PLACES - 1))) >> IMG_WARP_WEIGHT_PLACES;
}

/* Returns the weighted sum of a window, rounded and clamped to a lifted sample
 * (window/lift.h). */
IMG_HOST_DEVICE int32_t img_warp_end(int32_t sum)
{
    const int32_t value = img_warp_round(sum);
    return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

/* Returns true if lifted samples of the result (window/lift.h) use all 16 bits, so that sums
 * of columns need more than 16 bits. */
static inline bool img_warp_is_wide(const ImgWarp *warp)
{
    return warp->to.has_alpha || warp->to.bits == 16;
}

IMG_HOST_DEVICE uint32_t img_warp_sample(const uint8_t *row, int64_t index, int32_t bits)
{
    return bits == 16 ? ((const ImgSample16 *)row)[index] : row[index];
}

/* Converts a pixel of the source to the format of the result: 8 or 16 bits per sample, and with
 * opaque alpha if only the result has alpha. */
IMG_HOST_DEVICE void img_warp_pixel(const ImgWarp *warp, const uint8_t *row, int32_t x,
                                    uint32_t sample[4])
{
    const int32_t channels = warp->from.channels;
    for (int32_t c = 0; c < 4; c++)
        sample[c] = c < channels
                        ? warp->from.scale *
                              img_warp_sample(row, (int64_t)x * channels + c, warp->from.bits)
                        : 0;
    if (warp->to.channels > channels)
        sample[channels] = warp->to.bits == 16 ? 65535 : 255;
}

/* Blends a lifted sample (window/lift.h) with the background. `cover` is the part that shows
 * the picture, from img_warp_cover. */
IMG_HOST_DEVICE int32_t img_warp_blend(int32_t value, int32_t background, int32_t cover)
{
    const int64_t sum = (int64_t)value * cover + (int64_t)background * (IMG_WARP_COVERED - cover);
    return (int32_t)((sum + IMG_WARP_COVERED / 2) >> IMG_WARP_COVER_PLACES);
}

/* Returns the average of the lifted samples (window/lift.h) of `places` positions. `sum` must
 * be their sum, with 32768 added to each. */
IMG_HOST_DEVICE int32_t img_warp_average(uint64_t sum, uint32_t places)
{
    return (int32_t)((sum + places / 2) / places) - IMG_LIFT_ZERO;
}

/* Computes the lifted samples `value` (window/lift.h) of the window at a position. Returns
 * which part of the pixel shows the picture (img_warp_cover); if it is 0, does not set `value`. */
IMG_HOST_DEVICE int32_t img_warp_window(const ImgWarp *warp, const ImgView *src, ImgWarpPlace place,
                                        int32_t value[4])
{
    const int64_t x_phases = img_warp_phases(place.x), y_phases = img_warp_phases(place.y);
    const int32_t cover = img_warp_cover(warp, x_phases, y_phases, src->width, src->height);
    const int32_t taps = 2 * warp->filter;
    const int32_t edges = warp->border == IMG_BORDER_CONSTANT ? IMG_BORDER_REPLICATE : warp->border;
    const int16_t *across = warp->weights[x_phases & (IMG_WARP_PHASES - 1)];
    const int16_t *down = warp->weights[y_phases & (IMG_WARP_PHASES - 1)];
    const int64_t left = (x_phases >> IMG_WARP_PHASE_PLACES) - warp->filter + 1;
    const int64_t top = (y_phases >> IMG_WARP_PHASE_PLACES) - warp->filter + 1;
    int32_t sums[4] = {0, 0, 0, 0};
    if (cover == 0)
        return 0;
    for (int32_t i = 0; i < taps; i++) {
        const int32_t x = img_border_place(left + i, src->width, edges);
        int32_t column[4] = {0, 0, 0, 0};
        for (int32_t k = 0; k < taps; k++) {
            const int32_t y = img_border_place(top + k, src->height, edges);
            uint32_t sample[4];
            int32_t lifted[4] = {0, 0, 0, 0};
            img_warp_pixel(warp, src->data + (size_t)y * src->stride, x, sample);
            img_lift_pixel(&warp->to, sample, lifted);
            for (int32_t c = 0; c < 4; c++)
                column[c] += down[k] * lifted[c];
        }
        for (int32_t c = 0; c < 4; c++)
            sums[c] += across[i] * img_warp_round(column[c]);
    }
    for (int32_t c = 0; c < 4; c++)
        value[c] = img_warp_end(sums[c]);
    return cover;
}

/* Returns 1 if a pixel is only background, because its whole grid of positions is outside the
 * picture. It checks only the corners of the grid, because all other positions are between them. */
IMG_HOST_DEVICE int32_t img_warp_misses(const ImgWarp *warp, const ImgWarpMap *map,
                                        const ImgView *src, int32_t x, int32_t y)
{
    int32_t left = 1, right = 1, above = 1, below = 1;
    if (warp->border != IMG_BORDER_CONSTANT)
        return 0;
    for (int32_t corner = 0; corner < 4; corner++) {
        const ImgWarpPlace place =
            img_warp_place(map, x, y, (corner & 1) != 0 ? map->grid_width - 1 : 0,
                           (corner & 2) != 0 ? map->grid_height - 1 : 0);
        const int64_t x_phases = img_warp_phases(place.x), y_phases = img_warp_phases(place.y);
        left &= x_phases <= -IMG_WARP_PHASES;
        above &= y_phases <= -IMG_WARP_PHASES;
        right &= x_phases >= (int64_t)src->width * IMG_WARP_PHASES;
        below &= y_phases >= (int64_t)src->height * IMG_WARP_PHASES;
    }
    return left | right | above | below;
}

/* Computes pixel (x, y) of the result with a filter. */
IMG_HOST_DEVICE void img_warp_filtered(const ImgWarp *warp, const ImgWarpMap *map,
                                       const ImgView *src, int32_t x, int32_t y, uint32_t sample[4])
{
    const int32_t places = map->grid_width * map->grid_height;
    const int32_t is_missed = places > 1 && img_warp_misses(warp, map, src, x, y);
    uint64_t sums[4] = {0, 0, 0, 0};
    int32_t lifted[4];
    for (int32_t j = 0; j < map->grid_height && !is_missed; j++)
        for (int32_t i = 0; i < map->grid_width; i++) {
            int32_t value[4] = {0, 0, 0, 0};
            const int32_t cover =
                img_warp_window(warp, src, img_warp_place(map, x, y, i, j), value);
            for (int32_t c = 0; c < 4; c++)
                sums[c] += (uint64_t)(img_warp_blend(value[c], warp->background[c], cover) +
                                      IMG_LIFT_ZERO);
        }
    for (int32_t c = 0; c < 4; c++)
        lifted[c] = is_missed ? warp->background[c] : img_warp_average(sums[c], (uint32_t)places);
    img_lower_pixel(&warp->to, lifted, sample);
}

/* Computes pixel (x, y) of the result as a copy of the nearest source pixel, or of the
 * background. */
IMG_HOST_DEVICE void img_warp_nearest(const ImgWarp *warp, const ImgWarpMap *map,
                                      const ImgView *src, int32_t x, int32_t y, uint32_t sample[4])
{
    const ImgWarpPlace place = img_warp_place(map, x, y, 0, 0);
    const int64_t half = IMG_WARP_ONE / 2;
    const int32_t from_x =
        img_border_place((place.x + half) >> IMG_WARP_PLACES, src->width, warp->border);
    const int32_t from_y =
        img_border_place((place.y + half) >> IMG_WARP_PLACES, src->height, warp->border);
    if (from_x >= 0 && from_y >= 0)
        img_warp_pixel(warp, src->data + (size_t)from_y * src->stride, from_x, sample);
    else
        for (int32_t c = 0; c < 4; c++)
            sample[c] = warp->nearest_background[c];
}

IMG_HOST_DEVICE int32_t img_warp_is_nearest(const ImgWarp *warp, const ImgWarpMap *map)
{
    return warp->filter == IMG_WARP_NEAREST || map->is_whole;
}

/* --- Implementations -------------------------------------------------------------------------- */

/* Returns the memory in bytes that all threads allocate on the CPU (ImgOp.cost.scratch), for a
 * result of shape `dst`. */
uint64_t img_warp_scratch(const ImgWarpMap *map, int32_t filter, ImgShape dst, int threads);

/* Computes the result of a call. `call->constants` must come from img_warp_prepare. */
typedef ImgStatus ImgWarpRun(const ImgCall *call, const ImgWarpMap *map, ImgError *err);

ImgWarpRun img_warp_reference, img_warp_cpu, img_warp_cpu_avx2, img_warp_cpu_avx512;
ImgWarpRun img_warp_cuda_naive, img_warp_cuda_fast;

/* --- Rotation by any angle as a map of positions ---------------------------------------------- */

/* Computes the smallest size in whole pixels that contains the corners of a picture rotated by the
 * angle. Its width is ceil((w * |cos| + h * |sin|) / 2^30), with the values of img_sin and img_cos.
 * Its height is the same with w and h exchanged. Returns IMG_E_LIMIT if a side exceeds
 * INT32_MAX. */
ImgStatus img_warp_expand(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst,
                          ImgError *err);

/* Computes the size of the largest upright rectangle inside a picture that is rotated by the angle.
 * The angle must not be a multiple of 90 degrees. The sides are whole pixels, at least 1, and
 * neither could be longer by a pixel. */
void img_warp_fit_inside(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst);

/* Returns the map of a clockwise rotation that maps the centre of the source to the centre of the
 * result. */
ImgWarpMap img_warp_rotation(ImgShape src, ImgShape dst, int32_t thousandths_of_degree);

#ifdef __cplusplus
}
#endif
#endif
