/* Private to rotate, affine, perspective and what else takes pixels from between pixels: each pixel
 * of the result has a place in the source, where a filter weighs the pixels around it.
 *
 * Places are whole numbers of 2^-30 pixels, the same on every processor. 0 is the centre of the
 * first pixel of a row or column, whose edge is half a pixel before it. For a filter a place is
 * rounded to 1024ths of a pixel, for which weights of 2^-14 were made once
 * (core/resample/filter.h); the sums down the columns of a window are rounded, then those of these
 * along its row, and only these are cut off: what goes beyond the samples in a column may come back
 * in the row. That is off by at most 1/64 of a step of 8 bits, and 3 steps of 16 bits, beside the
 * last rounding.
 *
 * Samples are summed lifted (core/window/lift.h), so colours count by their alpha. Where the border
 * is the background, a pixel that lies partly outside of the picture is blended with it by the part
 * of its square that lies inside, and the filter finds edges replicated: the background is not
 * sharpened against. The nearest pixel is copied as it is, and so are all by any filter where every
 * place is a pixel's centre. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_H
#define IMGTOOL_KERNELS_WARP_WARP_H

#include "kernels/core/sample.h"
#include "kernels/core/window/lift.h"
#include "kernels/warp/warp_place.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WARP_WEIGHT_PLACES = 14,
    IMG_WARP_STRIDE = 8, /* of the weights of a phase, those past the taps are 0 */
    IMG_WARP_COVER_PLACES = 2 * IMG_WARP_PHASE_PLACES,
    IMG_WARP_COVERED = 1 << IMG_WARP_COVER_PLACES,
};

/* The value is half of the filter's width in pixels, which is the number of its taps. */
typedef enum ImgWarpFilter {
    IMG_WARP_NEAREST = 0,
    IMG_WARP_BILINEAR = 1,
    IMG_WARP_BICUBIC = 2, /* Catmull-Rom */
    IMG_WARP_LANCZOS3 = 3,
    IMG_WARP_LANCZOS4 = 4,
} ImgWarpFilter;

extern const ImgChoice img_warp_filters[];

/* What operations of this family have in common among their parameters. */
typedef struct ImgWarpParams {
    int32_t filter; /* an ImgWarpFilter */
    ImgBorderParams border;
} ImgWarpParams;

/* What implementations get as constants. */
typedef struct ImgWarp {
    ImgLift from, to; /* of samples of the source and the result */
    int32_t filter, border;
    int16_t background[4];          /* lifted */
    uint32_t nearest_background[4]; /* as samples of the result */
    int16_t weights[IMG_WARP_PHASES][IMG_WARP_STRIDE];
} ImgWarp;

/* Is each pixel one of the picture, as it is? Then indices stay indices, and few bits few. */
static inline bool img_warp_keeps_samples(const ImgWarpParams *params)
{
    return params->filter == IMG_WARP_NEAREST &&
           (params->border.border != IMG_BORDER_CONSTANT || params->border.index != 0);
}

/* For ImgOp.bind_palette. `shows`: something beyond edges is seen. */
bool img_warp_bind_palette(ImgWarpParams *params, bool shows, struct ImgPalette *palette);

/* The format of the result: that of the source where samples are kept; else at least 8 bits, and
 * what img_border_format says. */
ImgStatus img_warp_format(ImgFormat from, const ImgWarpParams *params, ImgFormat *to,
                          ImgError *err);

/* warp_color.c. Gray beside a background that has a colour becomes RGB first, so that loops and
 * kernels need not handle the case. */
bool img_warp_gets_color(ImgFormat from, ImgFormat to);

/* The format and the shape of the source that they get. */
ImgFormat img_warp_source_format(ImgFormat from, ImgFormat to);
ImgShape img_warp_source_shape(ImgShape src, ImgFormat to);

/* Bytes of that source, or 0 where it is the picture as it is: for ImgOp.scratch, and for the
 * workspace of CUDA implementations. */
uint64_t img_warp_color_scratch(ImgShape src, ImgFormat to);
size_t img_warp_color_workspace(ImgShape src, ImgFormat to);

/* *own becomes the call with that source. On the CPU it lies in `copy`, which the caller frees
 * after the run; on a GPU it lies in the workspace. IMG_E_MEMORY. */
ImgStatus img_warp_color_cpu(const ImgCall *call, ImgImage *copy, ImgCall *own, ImgError *err);
ImgStatus img_warp_color_cuda(const ImgCall *call, ImgCall *own, ImgError *err);

/* For ImgOp.prepare. */
ImgStatus img_warp_prepare(ImgFormat from, const ImgWarpParams *params, ImgConstants *constants,
                           ImgError *err);

/* Weights of one phase, which sum to 2^14; none of IMG_WARP_NEAREST. */
void img_warp_weigh(ImgWarpFilter filter, int32_t phase, int16_t weights[IMG_WARP_STRIDE]);

/* How many places are made for a result: the grid of each pixel, but of an affine map beside a
 * background only of those pixels that the picture touches, of which this is an estimate. Refused
 * (IMG_E_UNSUPPORTED) are more than IMG_WARP_PLACES_LEAST and so many for each pixel of source and
 * result: of a picture that is repeated as smaller and smaller copies, one that is sheared to
 * nearly a line, a corner far steeper than the others. What only shrinks has about one place for
 * each pixel of the source, and beside a background IMG_WARP_PLACES_BESIDE are enough for a line of
 * single pixels that is made 1000 times as short. */
enum {
    IMG_WARP_PLACES_MOST = 256,
    IMG_WARP_PLACES_BESIDE = 1024, /* of an affine map beside a background */
    IMG_WARP_PLACES_LEAST = 1 << 21,
};
double img_warp_places(const ImgWarpMap *map, int32_t border, ImgShape src, ImgShape dst);
ImgStatus img_warp_check_places(const char *op, const ImgWarpMap *map, int32_t border, ImgShape src,
                                ImgShape dst, ImgError *err);

/* --- The picture and its background ----------------------------------------------------------- */

/* How much of the side of a pixel at `phases` lies inside, in phases. */
IMG_HOST_DEVICE int32_t img_warp_inside(int64_t phases, int32_t size)
{
    const int64_t before = phases + IMG_WARP_PHASES;
    const int64_t behind = (int64_t)size * IMG_WARP_PHASES - phases;
    const int64_t least = before < behind ? before : behind, most = IMG_WARP_PHASES;
    return (int32_t)(least < 0 ? 0 : least < most ? least : most);
}

/* How much of a pixel counts as the picture, of IMG_WARP_COVERED. */
IMG_HOST_DEVICE int32_t img_warp_cover(const ImgWarp *warp, int64_t x_phases, int64_t y_phases,
                                       int32_t width, int32_t height)
{
    if (warp->border != IMG_BORDER_CONSTANT)
        return IMG_WARP_COVERED;
    return img_warp_inside(x_phases, width) * img_warp_inside(y_phases, height);
}

/* --- A pixel ---------------------------------------------------------------------------------- */

/* Of a column: up to 17 bits and a sign. */
IMG_HOST_DEVICE int32_t img_warp_round(int32_t sum)
{
    return (sum + (1 << (IMG_WARP_WEIGHT_PLACES - 1))) >> IMG_WARP_WEIGHT_PLACES;
}

/* Of all of a window: a lifted value. */
IMG_HOST_DEVICE int32_t img_warp_end(int32_t sum)
{
    const int32_t value = img_warp_round(sum);
    return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

/* Do lifted values of the result fill 16 bits, so that columns need more? */
static inline bool img_warp_is_wide(const ImgWarp *warp)
{
    return warp->to.has_alpha || warp->to.bits == 16;
}

IMG_HOST_DEVICE uint32_t img_warp_sample(const uint8_t *row, int64_t index, int32_t bits)
{
    return bits == 16 ? ((const ImgSample16 *)row)[index] : row[index];
}

/* A pixel of the source as one of the result, of 8 or 16 bits and with alpha if that has it. */
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

/* Part of a pixel's side in a blend; a lifted value. */
IMG_HOST_DEVICE int32_t img_warp_blend(int32_t value, int32_t background, int32_t cover)
{
    const int64_t sum = (int64_t)value * cover + (int64_t)background * (IMG_WARP_COVERED - cover);
    return (int32_t)((sum + IMG_WARP_COVERED / 2) >> IMG_WARP_COVER_PLACES);
}

/* The average of a grid's lifted values, of which `sum` has each plus 32768. */
IMG_HOST_DEVICE int32_t img_warp_average(uint64_t sum, uint32_t places)
{
    return (int32_t)((sum + places / 2) / places) - IMG_LIFT_ZERO;
}

/* What a window of the source gives at a place, and how much of it counts. */
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

/* Is all of a pixel's grid beside the picture, so that it is the background? All places lie between
 * those of its corners. */
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

/* A pixel of the result by a filter. */
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

/* A pixel of the result as the nearest one of the source, or the background. */
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

/* For ImgOp.scratch: what threads have of their own, by a filter and a map to a result of that
 * shape. */
uint64_t img_warp_scratch(const ImgWarpMap *map, int32_t filter, ImgShape dst, int threads);

/* `call->constants` are of img_warp_prepare. */
typedef ImgStatus ImgWarpRun(const ImgCall *call, const ImgWarpMap *map, ImgError *err);

ImgWarpRun img_warp_reference, img_warp_cpu, img_warp_cpu_avx2, img_warp_cpu_avx512;
ImgWarpRun img_warp_cuda_naive, img_warp_cuda_fast;

#ifdef __cplusplus
}
#endif
#endif
