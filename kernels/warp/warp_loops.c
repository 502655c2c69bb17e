/* Implements the functions of warp_rows.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include "kernels/core/parallel/cpu.h"
#include "kernels/warp/warp_filters.h"
#include "kernels/warp/warp_rows.h"
#include "kernels/window/lift_pixels.h"

/* Defines the functions that lift (window/lift.h) and lower pixels of one format without
 * alpha. Compilers vectorise their loops because the format is a constant. */
#define PLAIN(name, Sample, channels, bits)                                                        \
    static void lift_##name(const uint8_t *samples, uint32_t scale, int16_t *to, int32_t width)    \
    {                                                                                              \
        const Sample *from = (const Sample *)samples;                                              \
        for (size_t x = 0; x < (size_t)width; x++)                                                 \
            for (size_t c = 0; c < 4; c++)                                                         \
                to[4 * x + c] =                                                                    \
                    (int16_t)(c < (channels)                                                       \
                                  ? img_lift_plain(from[(channels)*x + c] * scale, (bits))         \
                                  : 0);                                                            \
    }                                                                                              \
    static void lower_##name(const int16_t *from, uint8_t *samples, int32_t width)                 \
    {                                                                                              \
        Sample *to = (Sample *)samples;                                                            \
        for (size_t x = 0; x < (size_t)width; x++)                                                 \
            for (size_t c = 0; c < (channels); c++)                                                \
                to[(channels)*x + c] = (Sample)img_lower_plain(from[4 * x + c], (bits));           \
    }

PLAIN(gray_8, uint8_t, 1, 8)
PLAIN(gray_16, ImgSample16, 1, 16)
PLAIN(rgb_8, uint8_t, 3, 8)
PLAIN(rgb_16, ImgSample16, 3, 16)

#define ALPHA(name, bits, channels)                                                                \
    static void lift_##name(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width)  \
    {                                                                                              \
        if (warp->from.has_alpha)                                                                  \
            lift_pixels((bits), (channels), IMG_WARP_LANES, from, to, width);                      \
        else                                                                                       \
            lift_opaque((bits), (channels)-1, IMG_WARP_LANES, warp->from.scale, from, to, width);  \
    }                                                                                              \
    static void lower_##name(const int16_t *from, uint8_t *to, int32_t width)                      \
    {                                                                                              \
        lower_pixels((bits), (channels), IMG_WARP_LANES, from, to, width);                         \
    }

ALPHA(gray_alpha_8, 8, 2)
ALPHA(gray_alpha_16, 16, 2)
ALPHA(rgba_8, 8, 4)
ALPHA(rgba_16, 16, 4)

static void lift(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width)
{
    const uint32_t scale = warp->from.scale;
    const bool deep = warp->to.bits == 16;
    switch (warp->to.channels) {
    case 1:
        (deep ? lift_gray_16 : lift_gray_8)(from, scale, to, width);
        break;
    case 2:
        (deep ? lift_gray_alpha_16 : lift_gray_alpha_8)(warp, from, to, width);
        break;
    case 3:
        if (deep) {
            lift_rgb_16(from, scale, to, width);
        } else {
            const int32_t done = lift_rgb_vectors(from, to, width);
            lift_rgb_8(from + (size_t)3 * (size_t)done, scale, to + (size_t)4 * (size_t)done,
                       width - done);
        }
        break;
    default:
        (deep ? lift_rgba_16 : lift_rgba_8)(warp, from, to, width);
    }
}

static void lower(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width)
{
    static void (*const lowers[4][2])(const int16_t *, uint8_t *,
                                      int32_t) = {{lower_gray_8, lower_gray_16},
                                                  {lower_gray_alpha_8, lower_gray_alpha_16},
                                                  {lower_rgb_8, lower_rgb_16},
                                                  {lower_rgba_8, lower_rgba_16}};
    lowers[warp->to.channels - 1][warp->to.bits == 16](from, to, width);
}

/* Positions, in bits, of the two phases of a point in the 32-bit word that holds both. The
 * horizontal phase comes first in memory. */
enum {
    ACROSS = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 16,
    DOWN = 16 - ACROSS,
};

/* Computes the points of a row of pixels, for an affine map. It may write up to IMG_WARP_MORE more
 * points than `count`, so that the loop consists of whole vectors. */
static void points(const ImgWarpLine *line, int32_t count, ImgWarpPoint *points)
{
    const int drop = IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES;
    const uint32_t mask = IMG_WARP_PHASES - 1, pitch = line->pitch;
    uint64_t x = line->x, y = line->y;
    uint32_t *to = (uint32_t *)points;
    for (int32_t i = 0; i < (count + IMG_WARP_MORE - 1) / IMG_WARP_MORE * IMG_WARP_MORE; i++) {
        const uint32_t column = (uint32_t)(x >> drop), row = (uint32_t)(y >> drop);
        to[2 * i] = (row >> IMG_WARP_PHASE_PLACES) * pitch +
                    (column >> IMG_WARP_PHASE_PLACES) * IMG_WARP_LANES;
        to[2 * i + 1] = (column & mask) << ACROSS | (row & mask) << DOWN;
        x += line->step_x;
        y += line->step_y;
    }
}

/* Computes the points of a row of pixels, in perspective. Every number is an integer below 2^53, so
 * doubles hold it exactly. The position of the tile is subtracted first, so that no number is
 * negative when its fraction is dropped. */
static void project(const ImgWarpRay *ray, int32_t count, ImgWarpPoint *points)
{
    const double half = 1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1), phase = 0.5 / half;
    const uint32_t mask = IMG_WARP_PHASES - 1, pitch = ray->pitch;
    uint32_t *to = (uint32_t *)points;
    for (int32_t i = 0; i < count; i++) {
        const double w = ray->w + i * ray->step_w;
        const double x = img_warp_quotient(ray->x + i * ray->step_x, w, ray->unit);
        const double y = img_warp_quotient(ray->y + i * ray->step_y, w, ray->unit);
        const uint32_t column = (uint32_t)(int32_t)((x + half) * phase - ray->left);
        const uint32_t row = (uint32_t)(int32_t)((y + half) * phase - ray->top);
        to[2 * i] = (row >> IMG_WARP_PHASE_PLACES) * pitch +
                    (column >> IMG_WARP_PHASE_PLACES) * IMG_WARP_LANES;
        to[2 * i + 1] = (column & mask) << ACROSS | (row & mask) << DOWN;
    }
}

const ImgWarpRows IMG_VARIANT(img_warp_rows) = {
    points, project, {NULL, bilinear, bicubic, lanczos3, lanczos4}, lift, lower};
