/* Computes where a tile of the result lies in the source, and lifts (window/lift.h) the source
 * pixels that it uses (warp_site.h). */
#include "kernels/warp/warp_site.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* --- Position of a tile ----------------------------------------------------------------------- */

/* Returns the smallest rectangle, in phases, that contains the positions at the corners of a tile.
 * All other positions of the tile lie in this rectangle, too. */
static ImgWarpBox reach_of(const ImgWarpMap *map, const ImgWarpTile *tile)
{
    ImgWarpBox box = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (int corner = 0; corner < 16; corner++) {
        const ImgWarpPlace place =
            img_warp_place(map, tile->x + ((corner & 1) != 0 ? tile->width - 1 : 0),
                           tile->y + ((corner & 2) != 0 ? tile->height - 1 : 0),
                           (corner & 4) != 0 ? map->grid_width - 1 : 0,
                           (corner & 8) != 0 ? map->grid_height - 1 : 0);
        const int64_t x = img_warp_phases(place.x), y = img_warp_phases(place.y);
        box.left = least(box.left, x);
        box.top = least(box.top, y);
        box.right = most(box.right, x);
        box.bottom = most(box.bottom, y);
    }
    return box;
}

/* Returns true if all positions from `first` to `last`, in phases, lie between the centres of the
 * first and the last of `size` pixels. */
static bool is_within(int64_t first, int64_t last, int32_t size)
{
    return first >= 0 && last <= ((int64_t)size - 1) * IMG_WARP_PHASES;
}

static bool is_beside(int64_t first, int64_t last, int32_t size)
{
    return last <= -IMG_WARP_PHASES || first >= (int64_t)size * IMG_WARP_PHASES;
}

/* Converts a range of positions in phases to a range of source pixels, including the windows of the
 * filter. */
static void to_pixels(int64_t *first, int64_t *last, int32_t filter)
{
    *first = (*first >> IMG_WARP_PHASE_PLACES) - filter + 1;
    *last = (*last >> IMG_WARP_PHASE_PLACES) + filter;
}

static int64_t pixels_of(const ImgWarpBox *box)
{
    const int64_t width = box->right - box->left + 1, height = box->bottom - box->top + 1;
    if (width <= 0 || height <= 0)
        return 0; /* an empty box: img_warp_site sets it for a tile far outside the source */
    return width > IMG_WARP_BOX_MOST || height > IMG_WARP_BOX_MOST ? IMG_WARP_BOX_MOST + 1
                                                                   : width * height;
}

int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile)
{
    ImgWarpBox box = reach_of(map, tile);
    to_pixels(&box.left, &box.right, filter);
    to_pixels(&box.top, &box.bottom, filter);
    return pixels_of(&box);
}

int64_t img_warp_site_pixels(const ImgWarpSite *site)
{
    return pixels_of(&site->box);
}

ImgWarpSite img_warp_site(const ImgWarpWork *work, const ImgWarpTile *tile)
{
    const ImgView *src = &work->call->src;
    const int32_t filter = work->warp->filter;
    const bool has_background = work->warp->border == IMG_BORDER_CONSTANT;
    ImgWarpBox box = reach_of(work->map, tile);
    ImgWarpSite site = {.tile = *tile, .is_shown = true, .is_inside = true};
    if (has_background) {
        site.is_inside = is_within(box.left, box.right, src->width) &&
                         is_within(box.top, box.bottom, src->height);
        site.is_shown = !is_beside(box.left, box.right, src->width) &&
                        !is_beside(box.top, box.bottom, src->height);
    }
    to_pixels(&box.left, &box.right, filter);
    to_pixels(&box.top, &box.bottom, filter);
    /* Source pixels that are farther outside the picture than one window are all background, so the
     * box leaves them out. */
    if (has_background) {
        box.left = most(box.left, -filter);
        box.top = most(box.top, -filter);
        box.right = least(box.right, (int64_t)src->width + filter);
        box.bottom = least(box.bottom, (int64_t)src->height + filter);
    }
    site.box = box;
    site.pitch = (size_t)(box.right - box.left + 1) * IMG_WARP_LANES;
    return site;
}

/* --- The source ------------------------------------------------------------------------------- */

static int32_t edges_of(const ImgWarp *warp)
{
    return warp->border == IMG_BORDER_CONSTANT ? IMG_BORDER_REPLICATE : warp->border;
}

static void lift_row(const ImgWarpWork *work, const ImgWarpBox *box, int32_t y, int16_t *to)
{
    const ImgView *src = &work->call->src;
    const uint8_t *row = src->data + (size_t)y * src->stride;
    const size_t pixel = img_format_pixel_size(src->format);
    const int64_t first = most(box->left, 0), last = least(box->right, src->width - 1);
    for (int64_t x = box->left; x <= box->right; x++) {
        const bool is_run = x == first && last >= first;
        const int32_t count = is_run ? (int32_t)(last - first + 1) : 1;
        const int32_t at = img_border_place(x, src->width, edges_of(work->warp));
        work->rows->lift(work->warp, row + (size_t)at * pixel, to, count);
        to += (size_t)count * IMG_WARP_LANES;
        x += count - 1;
    }
}

void img_warp_lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to)
{
    const int32_t height = work->call->src.height;
    for (int64_t y = site->box.top; y <= site->box.bottom; y++, to += site->pitch)
        lift_row(work, &site->box, img_border_place(y, height, edges_of(work->warp)), to);
}
