/* Image warps on the CPU: each thread computes tiles of the result (warp_tile.h). */
#include <stdatomic.h>

#include "kernels/warp/warp_tile.h"

enum { TILE_LEAST = 8 };

/* Smallest number of positions for which several threads save more time than it takes to wake
 * them. */
enum { PIXELS_WORTH_THREADS = 1 << 14 };

/* Division of the result into square tiles. */
typedef struct Grid {
    int32_t width, height; /* size of the result in pixels */
    int32_t side, across;  /* side of a tile in pixels; number of tiles per row */
    int64_t count;         /* number of tiles in the result */
} Grid;

typedef struct Tiles {
    ImgWarpWork work;
    Grid grid;
    atomic_bool failed; /* true if a thread could not allocate memory */
} Tiles;

/* Computes a tile directly from the source, pixel by pixel. It serves tiles that use more than
 * IMG_WARP_BOX_MOST source pixels, for which the memory of a thread does not suffice. */
static void make_plain(const ImgWarpWork *work, const ImgWarpTile *tile)
{
    const ImgWarp *warp = work->warp;
    const ImgView *dst = &work->call->dst;
    const size_t channels = (size_t)warp->to.channels;
    for (int32_t y = tile->y; y < tile->y + tile->height; y++)
        for (int32_t x = tile->x; x < tile->x + tile->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            img_warp_filtered(warp, work->map, &work->call->src, x, y, sample);
            for (size_t c = 0; c < channels; c++)
                img_sample_set(dst->data + (size_t)y * dst->stride, (size_t)x * channels + c,
                               warp->to.bits, sample[c]);
        }
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static ImgWarpTile tile_at(const Grid *grid, int32_t x, int32_t y)
{
    return (ImgWarpTile){x, y, least(grid->side, grid->width - x),
                         least(grid->side, grid->height - y)};
}

/* Returns true if the tiles in the four corners of the result use at most IMG_WARP_BOX_MOST source
 * pixels each. With an affine map all tiles use the same number; in perspective, tiles in corners
 * use the fewest and the most. */
static bool is_small_enough(const Grid *grid, const ImgWarpMap *map, int32_t filter)
{
    const int32_t right = (grid->width - 1) / grid->side * grid->side;
    const int32_t bottom = (grid->height - 1) / grid->side * grid->side;
    bool is_small = true;
    for (int corner = 0; corner < 4; corner++) {
        const ImgWarpTile tile =
            tile_at(grid, (corner & 1) != 0 ? right : 0, (corner & 2) != 0 ? bottom : 0);
        is_small = is_small && img_warp_tile_pixels(map, filter, &tile) <= IMG_WARP_BOX_MOST;
    }
    return is_small;
}

static Grid grid_of(const ImgWarpMap *map, int32_t filter, int32_t width, int32_t height)
{
    Grid grid = {.width = width, .height = height, .side = IMG_WARP_TILE};
    while (grid.side > TILE_LEAST && !is_small_enough(&grid, map, filter))
        grid.side /= 2;
    grid.across = (width - 1) / grid.side + 1;
    grid.count = (int64_t)grid.across * ((height - 1) / grid.side + 1);
    return grid;
}

static int threads_for(const Grid *grid, const ImgWarpMap *map, int threads)
{
    const uint64_t places = (uint64_t)grid->width * (uint64_t)grid->height *
                            (uint64_t)map->grid_width * (uint64_t)map->grid_height;
    return places < PIXELS_WORTH_THREADS ? 1 : threads;
}

static void make_tiles(void *context, int64_t first, int64_t end)
{
    Tiles *tiles = context;
    const ImgWarpWork *work = &tiles->work;
    const Grid *grid = &tiles->grid;
    ImgWarpScratch own = {.box = NULL};
    const bool is_nearest = img_warp_is_nearest(work->warp, work->map) != 0;
    if (!is_nearest && !img_warp_scratch_start(&own))
        atomic_store(&tiles->failed, true);
    for (int64_t i = first; i < end && !atomic_load(&tiles->failed); i++) {
        const ImgWarpTile tile = tile_at(grid, (int32_t)(i % grid->across) * grid->side,
                                         (int32_t)(i / grid->across) * grid->side);
        if (is_nearest)
            img_warp_make_nearest(work, &tile);
        else if (!img_warp_make_tile(work, &tile, &own))
            make_plain(work, &tile);
    }
    img_warp_scratch_end(&own);
}

static ImgStatus make_all(const ImgCall *call, const ImgWarpMap *map, const ImgWarpRows *rows,
                          ImgError *err)
{
    const ImgView *dst = &call->dst;
    const ImgWarp *warp = call->constants.bytes;
    Tiles tiles = {.work = {.call = call, .warp = warp, .map = map, .rows = rows},
                   .grid = grid_of(map, warp->filter, dst->width, dst->height)};
    atomic_init(&tiles.failed, false);
    img_parallel_for(call->team, threads_for(&tiles.grid, map, call->threads), tiles.grid.count,
                     make_tiles, &tiles);
    return atomic_load(&tiles.failed)
               ? img_fail(err, IMG_E_MEMORY, "no memory to make %d x %d pixels", dst->width,
                          dst->height)
               : IMG_OK;
}

static ImgStatus warp_tiles(const ImgCall *call, const ImgWarpMap *map, const ImgWarpRows *rows,
                            ImgError *err)
{
    ImgImage copy;
    ImgCall own;
    ImgStatus status = img_warp_color_cpu(call, &copy, &own, err);
    if (status == IMG_OK)
        status = make_all(&own, map, rows, err);
    img_image_free(&copy);
    return status;
}

uint64_t img_warp_scratch(const ImgWarpMap *map, int32_t filter, ImgShape dst, int threads)
{
    if (filter == IMG_WARP_NEAREST || map->is_whole != 0)
        return 0;
    const Grid grid = grid_of(map, filter, dst.width, dst.height);
    const int64_t most = threads_for(&grid, map, threads);
    return (uint64_t)(most < grid.count ? most : grid.count) * img_warp_scratch_bytes();
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
