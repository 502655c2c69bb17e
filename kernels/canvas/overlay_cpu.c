/* overlay on the CPU, in several threads: copies each row, then composites the part that the logo
 * covers. */
#include <string.h>

#include "kernels/canvas/overlay.h"
#include "kernels/core/minmax.h"
#include "kernels/window/border.h"

typedef struct Rows {
    const ImgView *src, *dst;
    const ImgOverlayLogo *logo;
    ImgOverlayPlace place;
    ImgOverlayCover *cover;
    /* opacity in thousandths; factor that scales samples of fewer than 8 bits to 8 bits */
    uint32_t opacity, scale;
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

static ImgStatus lay_over(const ImgCall *call, const ImgOverlayRows *kinds, ImgError *err)
{
    (void)err;
    const ImgOverlayParams *own = call->params;
    const ImgOverlayLogo *logo = call->constants.bytes;
    const ImgFormat format = call->dst.format;
    const Rows rows = {.src = &call->src,
                       .dst = &call->dst,
                       .logo = logo,
                       .place = img_overlay_place(call),
                       .cover = kinds->cover[format.bits == 16][img_format_channels(format) - 1],
                       .opacity = (uint32_t)own->opacity,
                       .scale = img_window_scale(call->src.format),
                       .pixel = img_format_pixel_size(format),
                       .logo_pixel = ((size_t)logo->colors + 1) * (logo->bits == 16 ? 2 : 1)};
    const uint64_t traffic = img_op_traffic(call->op, img_view_shape(&call->src), own);
    img_parallel_for(call->team, traffic < IMG_BYTES_WORTH_THREADS ? 1 : call->threads,
                     call->dst.height, do_rows, (void *)&rows);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_overlay_cpu, lay_over, &img_overlay_rows)
