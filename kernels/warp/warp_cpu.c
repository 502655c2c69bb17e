/* On the CPU: threads take tiles of the result. The part of the source that a tile's windows reach
 * is lifted once, edges continued, so that filters never ask where they are. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/warp/warp_rows.h"

enum { TILE = 128, TILE_LEAST = 8, BOX_PIXELS_MOST = 1 << 16 };

/* With fewer places waking threads takes longer. */
enum { PIXELS_WORTH_THREADS = 1 << 14 };

typedef struct Work {
    const ImgCall *call;
    const ImgWarp *warp;
    const ImgWarpMap *map;
    const ImgWarpRows *rows;
    int32_t side, across; /* of a tile; tiles beside each other */
    atomic_bool failed;   /* no memory */
} Work;

/* A rectangle of the source; of the places of a tile the least and the largest in phases. */
typedef struct Box {
    int64_t left, top, right, bottom;
} Box;

/* What a thread has. */
typedef struct Scratch {
    int16_t *box;   /* lifted pixels */
    int16_t *row;   /* of the result */
    uint64_t *sums; /* of the places of a row's pixels, by sample */
    ImgWarpPoint *points;
    int32_t *covers;
} Scratch;

/* A tile of the result. */
typedef struct Tile {
    int32_t x, y, width, height;
    Box box;        /* in pixels, with what windows reach */
    size_t pitch;   /* of the lifted box, in samples */
    bool is_inside; /* nowhere is the background */
} Tile;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* --- Where a tile lies ------------------------------------------------------------------------ */

/* The places of a tile's corners, in phases: all others lie between. */
static Box reach_of(const ImgWarpMap *map, const Tile *tile)
{
    Box box = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
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

/* Whether all of a side's pixels are inside of 0 to size - 1, the centres of edge pixels. */
static bool is_within(int64_t first, int64_t last, int32_t size)
{
    return first >= 0 && last <= ((int64_t)size - 1) * IMG_WARP_PHASES;
}

static bool is_beside(int64_t first, int64_t last, int32_t size)
{
    return last <= -IMG_WARP_PHASES || first >= (int64_t)size * IMG_WARP_PHASES;
}

/* From phases to pixels; nothing beyond the first that is all background. */
static void to_pixels(int64_t *first, int64_t *last, int32_t size, const ImgWarp *warp)
{
    *first >>= IMG_WARP_PHASE_PLACES;
    *last >>= IMG_WARP_PHASE_PLACES;
    if (warp->border == IMG_BORDER_CONSTANT) {
        *first = most(*first, -1);
        *last = least(*last, size);
    }
    *first -= warp->filter - 1;
    *last += warp->filter;
}

/* False: all of it is background. */
static bool place_tile(const Work *work, Tile *tile)
{
    const ImgView *src = &work->call->src;
    Box box = reach_of(work->map, tile);
    const bool has_background = work->warp->border == IMG_BORDER_CONSTANT;
    tile->is_inside = !has_background || (is_within(box.left, box.right, src->width) &&
                                          is_within(box.top, box.bottom, src->height));
    if (has_background &&
        (is_beside(box.left, box.right, src->width) || is_beside(box.top, box.bottom, src->height)))
        return false;
    to_pixels(&box.left, &box.right, src->width, work->warp);
    to_pixels(&box.top, &box.bottom, src->height, work->warp);
    tile->box = box;
    tile->pitch = (size_t)(box.right - box.left + 1) * IMG_WARP_LANES;
    return true;
}

/* --- Pixels of a tile ------------------------------------------------------------------------- */

static void lift_row(const Work *work, const Box *box, int32_t y, int16_t *to)
{
    const ImgWarp *warp = work->warp;
    const ImgView *src = &work->call->src;
    const int32_t edges = warp->border == IMG_BORDER_CONSTANT ? IMG_BORDER_REPLICATE : warp->border;
    const uint8_t *row = src->data + (size_t)y * src->stride;
    const size_t pixel = img_format_pixel_size(src->format);
    const int64_t first = most(box->left, 0), last = least(box->right, src->width - 1);
    for (int64_t x = box->left; x <= box->right; x++) {
        const bool is_run = x == first && last >= first;
        const int32_t count = is_run ? (int32_t)(last - first + 1) : 1;
        const int32_t at = img_border_place(x, src->width, edges);
        work->rows->lift(warp, row + (size_t)at * pixel, to, count);
        to += (size_t)count * IMG_WARP_LANES;
        x += count - 1;
    }
}

static void lift_box(const Work *work, const Tile *tile, int16_t *to)
{
    const int32_t border = work->warp->border;
    const int32_t edges = border == IMG_BORDER_CONSTANT ? IMG_BORDER_REPLICATE : border;
    for (int64_t y = tile->box.top; y <= tile->box.bottom; y++, to += tile->pitch)
        lift_row(work, &tile->box, img_border_place(y, work->call->src.height, edges), to);
}

/* The windows of a row's pixels. */
static void find_points(const Work *work, const Tile *tile, ImgWarpPlace place, Scratch *own)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    const int64_t left = tile->box.left + work->warp->filter - 1;
    const int64_t top = tile->box.top + work->warp->filter - 1;
    const ImgWarpLine line = {.x = (uint64_t)(place.x + half - left * IMG_WARP_ONE),
                              .y = (uint64_t)(place.y + half - top * IMG_WARP_ONE),
                              .step_x = (uint64_t)work->map->across.x,
                              .step_y = (uint64_t)work->map->across.y,
                              .pitch = (uint32_t)tile->pitch};
    work->rows->points(&line, tile->width, own->points);
}

/* How much of each pixel counts. */
static void find_covers(const Work *work, const Tile *tile, ImgWarpPlace place, int32_t *covers)
{
    const ImgView *src = &work->call->src;
    const ImgWarpPlace step = work->map->across;
    for (int32_t i = 0; i < tile->width; i++, place.x += step.x, place.y += step.y)
        covers[i] = img_warp_cover(work->warp, img_warp_phases(place.x), img_warp_phases(place.y),
                                   src->width, src->height);
}

static void blend(const ImgWarp *warp, const int32_t *covers, int32_t width, int16_t *row)
{
    for (int32_t x = 0; x < width; x++, row += IMG_WARP_LANES)
        if (covers[x] != IMG_WARP_COVERED)
            for (int c = 0; c < IMG_WARP_LANES; c++)
                row[c] = (int16_t)img_warp_blend(row[c], warp->background[c], covers[x]);
}

/* One place of each pixel of a row. Those of which something counts follow each other. */
static void make_row(const Work *work, const Tile *tile, ImgWarpPlace place, Scratch *own)
{
    const ImgWarp *warp = work->warp;
    int32_t first = 0, end = tile->width;
    find_points(work, tile, place, own);
    if (!tile->is_inside)
        find_covers(work, tile, place, own->covers);
    while (!tile->is_inside && first < end && own->covers[first] == 0)
        first++;
    while (!tile->is_inside && first < end && own->covers[end - 1] == 0)
        end--;
    int16_t *from = own->row + (size_t)first * IMG_WARP_LANES;
    work->rows->filters[warp->filter](warp, own->box, tile->pitch, own->points + first, end - first,
                                      from);
    if (!tile->is_inside)
        blend(warp, own->covers, tile->width, own->row);
}

static void add_row(const int16_t *row, size_t samples, uint64_t *sums)
{
    for (size_t i = 0; i < samples; i++)
        sums[i] += (uint64_t)(row[i] + IMG_LIFT_ZERO);
}

/* All places of each pixel of a row, averaged. */
static void average_row(const Work *work, const Tile *tile, int32_t y, Scratch *own)
{
    const ImgWarpMap *map = work->map;
    const size_t samples = (size_t)tile->width * IMG_WARP_LANES;
    const uint32_t places = (uint32_t)map->grid_width * (uint32_t)map->grid_height;
    memset(own->sums, 0, samples * sizeof *own->sums);
    for (int32_t j = 0; j < map->grid_height; j++)
        for (int32_t i = 0; i < map->grid_width; i++) {
            make_row(work, tile, img_warp_place(map, tile->x, y, i, j), own);
            add_row(own->row, samples, own->sums);
        }
    for (size_t i = 0; i < samples; i++)
        own->row[i] = (int16_t)img_warp_average(own->sums[i], places);
}

static void set_background(const Work *work, const Tile *tile, int16_t *row)
{
    for (int32_t x = 0; x < tile->width; x++)
        memcpy(row + (size_t)x * IMG_WARP_LANES, work->warp->background,
               sizeof work->warp->background);
}

static void make_tile(const Work *work, Tile *tile, Scratch *own)
{
    const ImgWarpMap *map = work->map;
    const ImgView *dst = &work->call->dst;
    const bool is_shown = place_tile(work, tile);
    if (is_shown)
        lift_box(work, tile, own->box);
    else
        set_background(work, tile, own->row);
    for (int32_t y = tile->y; y < tile->y + tile->height; y++) {
        if (is_shown && map->grid_width == 1 && map->grid_height == 1)
            make_row(work, tile, img_warp_place(map, tile->x, y, 0, 0), own);
        else if (is_shown)
            average_row(work, tile, y, own);
        work->rows->lower(work->warp, own->row,
                          dst->data + (size_t)y * dst->stride +
                              (size_t)tile->x * img_format_pixel_size(dst->format),
                          tile->width);
    }
}

/* Without tiles: the nearest pixels, and where a picture shrinks so much that a tile's box is no
 * gain. */
static void make_plain(const Work *work, const Tile *tile)
{
    const ImgWarp *warp = work->warp;
    const ImgView *dst = &work->call->dst;
    const size_t channels = (size_t)warp->to.channels;
    for (int32_t y = tile->y; y < tile->y + tile->height; y++)
        for (int32_t x = tile->x; x < tile->x + tile->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            if (img_warp_is_nearest(warp, work->map))
                img_warp_nearest(warp, work->map, &work->call->src, x, y, sample);
            else
                img_warp_filtered(warp, work->map, &work->call->src, x, y, sample);
            for (size_t c = 0; c < channels; c++)
                img_sample_set(dst->data + (size_t)y * dst->stride, (size_t)x * channels + c,
                               warp->to.bits, sample[c]);
        }
}

/* --- All tiles -------------------------------------------------------------------------------- */

/* Pixels of the largest box of a tile of that side, or more than there may be. */
static int64_t box_pixels(const ImgWarpMap *map, int32_t side)
{
    enum { TAPS = 2 * IMG_WARP_LANCZOS3, ROUNDED = 4, PART = 10 };
    const int rest = IMG_WARP_PLACES - PART;
    const int64_t x = (llabs(map->across.x) + llabs(map->down.x)) >> PART;
    const int64_t y = (llabs(map->across.y) + llabs(map->down.y)) >> PART;
    const int64_t width = ((x * side) >> rest) + TAPS + ROUNDED;
    const int64_t height = ((y * side) >> rest) + TAPS + ROUNDED;
    return width > BOX_PIXELS_MOST || height > BOX_PIXELS_MOST ? BOX_PIXELS_MOST + 1
                                                               : width * height;
}

static bool start_scratch(Scratch *own, int64_t pixels)
{
    const size_t samples = (size_t)TILE * IMG_WARP_LANES + IMG_WARP_SLACK;
    *own =
        (Scratch){.box = calloc((size_t)pixels * IMG_WARP_LANES + IMG_WARP_SLACK, sizeof *own->box),
                  .row = calloc(samples, sizeof *own->row),
                  .sums = calloc(samples, sizeof *own->sums),
                  .points = calloc(TILE + IMG_WARP_MORE, sizeof *own->points),
                  .covers = calloc(TILE, sizeof *own->covers)};
    return own->box != NULL && own->row != NULL && own->sums != NULL && own->points != NULL &&
           own->covers != NULL;
}

static void end_scratch(Scratch *own)
{
    free(own->box);
    free(own->row);
    free(own->sums);
    free(own->points);
    free(own->covers);
}

static Tile tile_of(const Work *work, int64_t index)
{
    const ImgView *dst = &work->call->dst;
    Tile tile = {.x = (int32_t)(index % work->across) * work->side,
                 .y = (int32_t)(index / work->across) * work->side};
    tile.width = (int32_t)least(work->side, dst->width - tile.x);
    tile.height = (int32_t)least(work->side, dst->height - tile.y);
    return tile;
}

static void make_tiles(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    Scratch own = {.box = NULL};
    const int64_t pixels = box_pixels(work->map, work->side);
    const bool is_plain =
        pixels > BOX_PIXELS_MOST || img_warp_is_nearest(work->warp, work->map) != 0;
    if (!is_plain && !start_scratch(&own, pixels))
        atomic_store(&work->failed, true);
    for (int64_t i = first; i < end && !atomic_load(&work->failed); i++) {
        Tile tile = tile_of(work, i);
        if (is_plain)
            make_plain(work, &tile);
        else
            make_tile(work, &tile, &own);
    }
    end_scratch(&own);
}

static ImgStatus warp_tiles(const ImgCall *call, const ImgWarpMap *map, const ImgWarpRows *rows,
                            ImgError *err)
{
    const ImgView *dst = &call->dst;
    Work work = {
        .call = call, .warp = call->constants.bytes, .map = map, .rows = rows, .side = TILE};
    while (work.side > TILE_LEAST && box_pixels(map, work.side) > BOX_PIXELS_MOST)
        work.side /= 2;
    work.across = (dst->width - 1) / work.side + 1;
    atomic_init(&work.failed, false);
    const int64_t tiles = (int64_t)work.across * ((dst->height - 1) / work.side + 1);
    const uint64_t places = (uint64_t)dst->width * (uint64_t)dst->height *
                            (uint64_t)map->grid_width * (uint64_t)map->grid_height;
    img_parallel_for(call->team, places < PIXELS_WORTH_THREADS ? 1 : call->threads, tiles,
                     make_tiles, &work);
    return atomic_load(&work.failed)
               ? img_fail(err, IMG_E_MEMORY, "no memory to make %d x %d pixels", dst->width,
                          dst->height)
               : IMG_OK;
}

ImgStatus img_warp_cpu(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    return warp_tiles(call, map, &img_warp_rows_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_warp_cpu_avx2(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    return warp_tiles(call, map, &img_warp_rows_avx2, err);
}

ImgStatus img_warp_cpu_avx512(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    return warp_tiles(call, map, &img_warp_rows_avx512, err);
}
#endif
