/* Tiles of copies of the nearest source pixels (warp_tile.h). For each row of pixels, the code
 * first computes the source offset of each pixel and then copies the pixels. */
#include "kernels/warp/warp_tile.h"

#include <string.h>

enum { BACKGROUND = -1 };

typedef struct Pixel {
    uint8_t bytes[8];
} Pixel;

/* --- Positions -------------------------------------------------------------------------------- */

static int64_t nearest(int64_t place)
{
    return (place + IMG_WARP_ONE / 2) >> IMG_WARP_PLACES;
}

static bool is_inside(const ImgView *src, ImgWarpPlace place)
{
    return (uint64_t)nearest(place.x) < (uint64_t)src->width &&
           (uint64_t)nearest(place.y) < (uint64_t)src->height;
}

/* Returns the distance in bytes from the first pixel of the source to the pixel that is nearest to
 * `place`. Returns BACKGROUND if `place` shows the background. */
static ptrdiff_t offset_of(const ImgWarpWork *work, ImgWarpPlace place)
{
    const ImgView *src = &work->call->src;
    const int32_t border = work->warp->border;
    const int32_t x = img_border_place(nearest(place.x), src->width, border);
    const int32_t y = img_border_place(nearest(place.y), src->height, border);
    const ptrdiff_t size = (ptrdiff_t)img_format_pixel_size(src->format);
    return x < 0 || y < 0 ? BACKGROUND : y * (ptrdiff_t)src->stride + x * size;
}

/* Computes the source offsets of the pixels in row `y` of a tile. Positions of an affine map
 * advance by constant steps. So if the first and the last position are inside the picture, all of
 * them are. */
static void find_offsets(const ImgWarpWork *work, const ImgWarpTile *tile, int32_t y,
                         ptrdiff_t *offsets)
{
    const ImgWarpMap *map = work->map;
    const ImgView *src = &work->call->src;
    const ptrdiff_t size = (ptrdiff_t)img_format_pixel_size(src->format);
    const ptrdiff_t stride = (ptrdiff_t)src->stride;
    ImgWarpPlace place = img_warp_place(map, tile->x, y, 0, 0);
    const ImgWarpPlace last = img_warp_place(map, tile->x + tile->width - 1, y, 0, 0);
    if (!map->is_projective && is_inside(src, place) && is_inside(src, last))
        for (int32_t i = 0; i < tile->width; i++) {
            offsets[i] = (ptrdiff_t)nearest(place.y) * stride + (ptrdiff_t)nearest(place.x) * size;
            place.x += map->across.x;
            place.y += map->across.y;
        }
    else
        for (int32_t i = 0; i < tile->width; i++)
            offsets[i] = offset_of(work, img_warp_place(map, tile->x + i, y, 0, 0));
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* Copies `count` pixels of `size` bytes each. After each pixel it writes `alpha` bytes of opaque
 * alpha. */
static inline __attribute__((always_inline)) void
copy_pixels(const uint8_t *data, const ptrdiff_t *offsets, int32_t count, size_t size, size_t alpha,
            Pixel background, uint8_t *to)
{
    for (int32_t i = 0; i < count; i++, to += size + alpha)
        if (offsets[i] == BACKGROUND) {
            memcpy(to, background.bytes, size + alpha);
        } else {
            memcpy(to, data + offsets[i], size);
            memset(to + size, 0xff, alpha);
        }
}

/* Calls copy_pixels with constant sizes, so that the compiler makes a separate loop for each size
 * of pixels. */
static void copy_any(const uint8_t *data, const ptrdiff_t *offsets, int32_t count, size_t size,
                     size_t alpha, Pixel background, uint8_t *to)
{
#define KIND(bytes, more)                                                                          \
    if (size == (bytes) && alpha == (more)) {                                                      \
        copy_pixels(data, offsets, count, (bytes), (more), background, to);                        \
        return;                                                                                    \
    }
    KIND(1, 0)
    KIND(1, 1)
    KIND(2, 0)
    KIND(2, 2)
    KIND(3, 0)
    KIND(3, 1)
    KIND(4, 0)
    KIND(6, 0)
    KIND(6, 2)
    KIND(8, 0)
#undef KIND
}

static Pixel background_of(const ImgWarp *warp)
{
    Pixel pixel = {{0}};
    for (int32_t c = 0; c < warp->to.channels; c++)
        img_sample_set(pixel.bytes, (size_t)c, warp->to.bits, warp->nearest_background[c]);
    return pixel;
}

/* Computes a tile pixel by pixel. This is for samples of fewer than 8 bits, which must be scaled to
 * 8 bits. */
static void make_slowly(const ImgWarpWork *work, const ImgWarpTile *tile)
{
    const ImgView *dst = &work->call->dst;
    const size_t channels = (size_t)work->warp->to.channels;
    for (int32_t y = tile->y; y < tile->y + tile->height; y++)
        for (int32_t x = tile->x; x < tile->x + tile->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            img_warp_nearest(work->warp, work->map, &work->call->src, x, y, sample);
            for (size_t c = 0; c < channels; c++)
                img_sample_set(dst->data + (size_t)y * dst->stride, (size_t)x * channels + c,
                               work->warp->to.bits, sample[c]);
        }
}

void img_warp_make_nearest(const ImgWarpWork *work, const ImgWarpTile *tile)
{
    const ImgView *src = &work->call->src, *dst = &work->call->dst;
    const size_t size = img_format_pixel_size(src->format);
    const size_t made = img_format_pixel_size(dst->format);
    const Pixel background = background_of(work->warp);
    ptrdiff_t offsets[IMG_WARP_TILE];
    if (work->warp->from.scale != 1) {
        make_slowly(work, tile);
        return;
    }
    for (int32_t y = tile->y; y < tile->y + tile->height; y++) {
        find_offsets(work, tile, y, offsets);
        copy_any(src->data, offsets, tile->width, size, made - size, background,
                 dst->data + (size_t)y * dst->stride + (size_t)tile->x * made);
    }
}
