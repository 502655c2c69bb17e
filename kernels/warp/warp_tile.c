/* Computes a tile of the result on the CPU with a filter (warp_tile.h). */
#include "kernels/warp/warp_tile.h"

#include <stdlib.h>
#include <string.h>

/* --- Where a tile lies in the source ---------------------------------------------------------- */

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
        return 0; /* an empty box: site_of sets it for a tile far outside the source */
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

/* Returns the number of source pixels in the box of `site`. Numbers above IMG_WARP_BOX_MOST are not
 * exact. */
static int64_t site_pixels(const ImgWarpSite *site)
{
    return pixels_of(&site->box);
}

static ImgWarpSite site_of(const ImgWarpWork *work, const ImgWarpTile *tile)
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

/* Lifts the source pixels in the box of `site` to `to` (window/lift.h). Pixels beyond the
 * edges of the picture are as the border mode defines. */
static void lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to)
{
    const int32_t height = work->call->src.height;
    for (int64_t y = site->box.top; y <= site->box.bottom; y++, to += site->pitch)
        lift_row(work, &site->box, img_border_place(y, height, edges_of(work->warp)), to);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* --- Scratch ---------------------------------------------------------------------------------- */

enum {
    ROW_SAMPLES = IMG_WARP_TILE * IMG_WARP_LANES + IMG_WARP_SLACK,
    BOX_SAMPLES = IMG_WARP_BOX_MOST * IMG_WARP_LANES + IMG_WARP_SLACK,
    POINTS = IMG_WARP_TILE + IMG_WARP_MORE,
};

size_t img_warp_scratch_bytes(void)
{
    const ImgWarpScratch *own = NULL;
    return BOX_SAMPLES * sizeof *own->box + ROW_SAMPLES * (sizeof *own->row + sizeof *own->sums) +
           POINTS * sizeof *own->points + IMG_WARP_TILE * sizeof *own->covers;
}

bool img_warp_scratch_start(ImgWarpScratch *own)
{
    *own = (ImgWarpScratch){.box = calloc(BOX_SAMPLES, sizeof *own->box),
                            .row = calloc(ROW_SAMPLES, sizeof *own->row),
                            .sums = calloc(ROW_SAMPLES, sizeof *own->sums),
                            .points = calloc(POINTS, sizeof *own->points),
                            .covers = calloc(IMG_WARP_TILE, sizeof *own->covers)};
    const bool is_whole = own->box != NULL && own->row != NULL && own->sums != NULL &&
                          own->points != NULL && own->covers != NULL;
    if (!is_whole)
        img_warp_scratch_end(own);
    return is_whole;
}

void img_warp_scratch_end(ImgWarpScratch *own)
{
    free(own->box);
    free(own->row);
    free(own->sums);
    free(own->points);
    free(own->covers);
    *own = (ImgWarpScratch){.box = NULL};
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Selects one position of each pixel in row `y` of the result: the position in column grid_x and
 * row grid_y of the pixel's grid of positions. */
typedef struct Spot {
    int32_t y, grid_x, grid_y;
} Spot;

static ImgWarpPlace place_of(const ImgWarpWork *work, const ImgWarpSite *site, Spot spot, int32_t x)
{
    return img_warp_place(work->map, site->tile.x + x, spot.y, spot.grid_x, spot.grid_y);
}

/* For an affine map: computes in `points` the source windows of the tile's pixels in one row. */
static void find_in_line(const ImgWarpWork *work, const ImgWarpSite *site, Spot spot,
                         ImgWarpPoint *points)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    const int64_t left = site->box.left + work->warp->filter - 1;
    const int64_t top = site->box.top + work->warp->filter - 1;
    const ImgWarpPlace place = place_of(work, site, spot, 0);
    const ImgWarpLine line = {.x = (uint64_t)(place.x + half - left * IMG_WARP_ONE),
                              .y = (uint64_t)(place.y + half - top * IMG_WARP_ONE),
                              .step_x = (uint64_t)work->map->across.x,
                              .step_y = (uint64_t)work->map->across.y,
                              .pitch = (uint32_t)site->pitch};
    work->rows->points(&line, site->tile.width, points);
}

/* Does the same as find_in_line for a map in perspective (ImgWarpProjection). */
static void find_in_ray(const ImgWarpWork *work, const ImgWarpSite *site, Spot spot,
                        ImgWarpPoint *points)
{
    const ImgWarpMap *map = work->map;
    const ImgWarpProjection *by = &map->projection;
    const int64_t column = (int64_t)site->tile.x * map->grid_width + spot.grid_x;
    const int64_t row = (int64_t)spot.y * map->grid_height + spot.grid_y;
    const int64_t left = site->box.left + work->warp->filter - 1;
    const int64_t top = site->box.top + work->warp->filter - 1;
    const ImgWarpRay ray = {.x = (double)img_warp_slope(&by->x, column, row),
                            .y = (double)img_warp_slope(&by->y, column, row),
                            .w = (double)img_warp_slope(&by->w, column, row),
                            .step_x = (double)(by->x.across * map->grid_width),
                            .step_y = (double)(by->y.across * map->grid_width),
                            .step_w = (double)(by->w.across * map->grid_width),
                            .unit = by->unit,
                            .left = (double)(left * IMG_WARP_PHASES),
                            .top = (double)(top * IMG_WARP_PHASES),
                            .pitch = (uint32_t)site->pitch};
    work->rows->project(&ray, site->tile.width, points);
}

/* Computes, for each pixel of a row, which part of it shows the picture instead of the background
 * (img_warp_cover). */
static void find_covers(const ImgWarpWork *work, const ImgWarpSite *site, Spot spot,
                        int32_t *covers)
{
    const ImgView *src = &work->call->src;
    for (int32_t i = 0; i < site->tile.width; i++) {
        const ImgWarpPlace place = place_of(work, site, spot, i);
        covers[i] = img_warp_cover(work->warp, img_warp_phases(place.x), img_warp_phases(place.y),
                                   src->width, src->height);
    }
}

static void blend(const ImgWarp *warp, const int32_t *covers, int32_t width, int16_t *row)
{
    for (int32_t x = 0; x < width; x++, row += IMG_WARP_LANES)
        if (covers[x] != IMG_WARP_COVERED)
            for (int c = 0; c < IMG_WARP_LANES; c++)
                row[c] = (int16_t)img_warp_blend(row[c], warp->background[c], covers[x]);
}

/* Computes the value of one position of each pixel in a row, as lifted samples
 * (window/lift.h). Pixels that show the picture are contiguous, so it filters only these; the
 * others are background. */
static void make_row(const ImgWarpWork *work, const ImgWarpSite *site, Spot spot,
                     ImgWarpScratch *own)
{
    const ImgWarp *warp = work->warp;
    int32_t first = 0, end = site->tile.width;
    (work->map->is_projective ? find_in_ray : find_in_line)(work, site, spot, own->points);
    if (!site->is_inside)
        find_covers(work, site, spot, own->covers);
    while (!site->is_inside && first < end && own->covers[first] == 0)
        first++;
    while (!site->is_inside && first < end && own->covers[end - 1] == 0)
        end--;
    int16_t *from = own->row + (size_t)first * IMG_WARP_LANES;
    work->rows->filters[warp->filter](warp, own->box, site->pitch, own->points + first, end - first,
                                      from);
    if (!site->is_inside)
        blend(warp, own->covers, site->tile.width, own->row);
}

static void add_row(const int16_t *row, size_t samples, uint64_t *sums)
{
    for (size_t i = 0; i < samples; i++)
        sums[i] += (uint64_t)(row[i] + IMG_LIFT_ZERO);
}

static void set_background(const ImgWarp *warp, int32_t width, int16_t *row)
{
    for (int32_t x = 0; x < width; x++)
        memcpy(row + (size_t)x * IMG_WARP_LANES, warp->background, sizeof warp->background);
}

/* Returns row y of a tile without the pixels at both ends that are only background. Each pixel has
 * a large grid of positions if the picture shrinks strongly, so leaving pixels out saves much
 * time. */
static ImgWarpTile touched_of(const ImgWarpWork *work, const ImgWarpSite *site, int32_t y)
{
    const ImgView *src = &work->call->src;
    ImgWarpTile tile = site->tile;
    if (site->is_inside)
        return tile;
    while (tile.width > 0 && img_warp_misses(work->warp, work->map, src, tile.x, y))
        tile.x++, tile.width--;
    while (tile.width > 0 &&
           img_warp_misses(work->warp, work->map, src, tile.x + tile.width - 1, y))
        tile.width--;
    return tile;
}

/* Computes the average over all positions of each pixel in row y, as lifted samples
 * (window/lift.h). */
static void average_row(const ImgWarpWork *work, const ImgWarpSite *site, int32_t y,
                        ImgWarpScratch *own)
{
    const ImgWarpMap *map = work->map;
    const uint32_t places = (uint32_t)map->grid_width * (uint32_t)map->grid_height;
    ImgWarpSite touched = *site;
    touched.tile = touched_of(work, site, y);
    const size_t samples = (size_t)touched.tile.width * IMG_WARP_LANES;
    int16_t *row = own->row + (size_t)(touched.tile.x - site->tile.x) * IMG_WARP_LANES;
    memset(own->sums, 0, samples * sizeof *own->sums);
    for (int32_t j = 0; j < map->grid_height && samples > 0; j++)
        for (int32_t i = 0; i < map->grid_width; i++) {
            make_row(work, &touched, (Spot){y, i, j}, own);
            add_row(own->row, samples, own->sums);
        }
    if (touched.tile.width < site->tile.width)
        set_background(work->warp, site->tile.width, own->row);
    for (size_t i = 0; i < samples; i++)
        row[i] = (int16_t)img_warp_average(own->sums[i], places);
}

bool img_warp_make_tile(const ImgWarpWork *work, const ImgWarpTile *tile, ImgWarpScratch *own)
{
    const ImgWarpMap *map = work->map;
    const ImgView *dst = &work->call->dst;
    const size_t left = (size_t)tile->x * img_format_pixel_size(dst->format);
    const ImgWarpSite site = site_of(work, tile);
    if (site.is_shown && site_pixels(&site) > IMG_WARP_BOX_MOST)
        return false;
    if (site.is_shown)
        lift_box(work, &site, own->box);
    else
        set_background(work->warp, tile->width, own->row);
    for (int32_t y = tile->y; y < tile->y + tile->height; y++) {
        if (site.is_shown && map->grid_width == 1 && map->grid_height == 1)
            make_row(work, &site, (Spot){y, 0, 0}, own);
        else if (site.is_shown)
            average_row(work, &site, y, own);
        work->rows->lower(work->warp, own->row, dst->data + (size_t)y * dst->stride + left,
                          tile->width);
    }
    return true;
}
