/* overlay in threads: a row is copied, and the part of it that is covered computed in loops for
 * each kind of pixel, which a compiler turns into vectors. */
#include <string.h>

#include "kernels/canvas/overlay.h"
#include "kernels/core/minmax.h"
#include "kernels/core/window/border.h"

/* `count` pixels of a row, with the logo's above them. */
typedef void Cover(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity);

#define COVER(NAME, SAMPLE, COLORS, HAS_ALPHA)                                                     \
    static void NAME(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity)        \
    {                                                                                              \
        for (int32_t i = 0; i < count; i++) {                                                      \
            SAMPLE own[(COLORS) + (HAS_ALPHA)], over[(COLORS) + 1];                                \
            uint32_t pixel[4] = {0}, above[4] = {0};                                               \
            memcpy(own, pixels + (size_t)i * sizeof own, sizeof own);                              \
            memcpy(over, logo + (size_t)i * sizeof over, sizeof over);                             \
            for (int c = 0; c < (COLORS) + (HAS_ALPHA); c++)                                       \
                pixel[c] = own[c];                                                                 \
            for (int c = 0; c <= (COLORS); c++)                                                    \
                above[c] = over[c];                                                                \
            if (!(HAS_ALPHA) && sizeof(SAMPLE) == 1)                                               \
                img_overlay_bytes(above, pixel, COLORS, opacity);                                  \
            else                                                                                   \
                img_overlay_pixel(above, pixel, COLORS, HAS_ALPHA, opacity, (SAMPLE)-1);           \
            for (int c = 0; c < (COLORS) + (HAS_ALPHA); c++)                                       \
                own[c] = (SAMPLE)pixel[c];                                                         \
            memcpy(pixels + (size_t)i * sizeof own, own, sizeof own);                              \
        }                                                                                          \
    }
COVER(cover_gray_8, uint8_t, 1, 0)
COVER(cover_gray_alpha_8, uint8_t, 1, 1)
COVER(cover_rgb_8, uint8_t, 3, 0)
COVER(cover_rgba_8, uint8_t, 3, 1)
COVER(cover_gray_16, uint16_t, 1, 0)
COVER(cover_gray_alpha_16, uint16_t, 1, 1)
COVER(cover_rgb_16, uint16_t, 3, 0)
COVER(cover_rgba_16, uint16_t, 3, 1)

typedef struct Rows {
    const ImgView *src, *dst;
    const ImgOverlayLogo *logo;
    ImgOverlayPlace place;
    Cover *cover;
    uint32_t opacity, scale; /* of samples of few bits */
    size_t pixel, logo_pixel;
} Rows;

static void copy_row(const Rows *rows, const uint8_t *from, uint8_t *to)
{
    const size_t bytes = (size_t)rows->dst->width * rows->pixel;
    if (rows->scale == 1)
        memcpy(to, from, bytes);
    for (size_t i = 0; rows->scale != 1 && i < bytes; i++)
        to[i] = (uint8_t)(from[i] * rows->scale);
}

static void cover_row(const Rows *rows, uint8_t *to, int32_t logo_y)
{
    const ImgOverlayPlace *place = &rows->place;
    const uint8_t *above =
        rows->logo->samples + (size_t)logo_y * (size_t)place->width * rows->logo_pixel;
    const int32_t width = rows->dst->width;
    int32_t x = place->tile == 0 && place->x > 0 ? place->x : 0;
    while (x < width) {
        const int32_t logo_x = img_overlay_along(x, place->x, place->width, place->tile);
        if (logo_x < 0)
            return;
        const int32_t count = img_min32(place->width - logo_x, width - x);
        rows->cover(to + (size_t)x * rows->pixel, above + (size_t)logo_x * rows->logo_pixel, count,
                    rows->opacity);
        x += count;
    }
}

static void do_rows(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    const ImgOverlayPlace *place = &rows->place;
    for (int64_t y = first; y < end; y++) {
        uint8_t *to = rows->dst->data + (size_t)y * rows->dst->stride;
        const int32_t logo_y = img_overlay_along(y, place->y, place->height, place->tile);
        copy_row(rows, rows->src->data + (size_t)y * rows->src->stride, to);
        if (logo_y >= 0)
            cover_row(rows, to, logo_y);
    }
}

ImgStatus img_overlay_cpu(const ImgCall *call, ImgError *err)
{
    static Cover *const covers[2][4] = {
        {cover_gray_8, cover_gray_alpha_8, cover_rgb_8, cover_rgba_8},
        {cover_gray_16, cover_gray_alpha_16, cover_rgb_16, cover_rgba_16}};
    const ImgOverlayParams *own = call->params;
    const ImgOverlayLogo *logo = call->constants.bytes;
    const ImgFormat format = call->dst.format;
    const Rows rows = {.src = &call->src,
                       .dst = &call->dst,
                       .logo = logo,
                       .place = img_overlay_place(call),
                       .cover = covers[format.bits == 16][img_format_channels(format) - 1],
                       .opacity = (uint32_t)own->opacity,
                       .scale = img_window_scale(call->src.format),
                       .pixel = img_format_pixel_size(format),
                       .logo_pixel = ((size_t)logo->colors + 1) * (logo->bits == 16 ? 2 : 1)};
    (void)err;
    const uint64_t traffic = img_op_traffic(call->op, img_view_shape(&call->src), own);
    img_parallel_for(call->team, traffic < IMG_BYTES_WORTH_THREADS ? 1 : call->threads,
                     call->dst.height, do_rows, (void *)&rows);
    return IMG_OK;
}
