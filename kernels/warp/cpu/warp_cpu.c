/* On the CPU: threads take tiles of the result (warp_tile.h). */
#include <stdatomic.h>

#include "kernels/warp/cpu/warp_nearest.h"
#include "kernels/warp/cpu/warp_tile.h"

enum { TILE_LEAST = 8 };

/* With fewer places waking threads takes longer. */
enum { PIXELS_WORTH_THREADS = 1 << 14 };

typedef struct Tiles {
    ImgWarpWork work;
    int32_t side, across; /* of a tile; tiles beside each other */
    atomic_bool failed;   /* no memory */
} Tiles;

/* Without what a tile reaches, where a picture shrinks so much that it is no gain. */
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

static ImgWarpTile tile_at(const Tiles *tiles, int32_t x, int32_t y)
{
    const ImgView *dst = &tiles->work.call->dst;
    return (ImgWarpTile){x, y, least(tiles->side, dst->width - x),
                         least(tiles->side, dst->height - y)};
}

static void make_tiles(void *context, int64_t first, int64_t end)
{
    Tiles *tiles = context;
    const ImgWarpWork *work = &tiles->work;
    ImgWarpScratch own = {.box = NULL};
    const bool is_nearest = img_warp_is_nearest(work->warp, work->map) != 0;
    if (!is_nearest && !img_warp_scratch_start(&own))
        atomic_store(&tiles->failed, true);
    for (int64_t i = first; i < end && !atomic_load(&tiles->failed); i++) {
        const ImgWarpTile tile = tile_at(tiles, (int32_t)(i % tiles->across) * tiles->side,
                                         (int32_t)(i / tiles->across) * tiles->side);
        if (is_nearest)
            img_warp_make_nearest(work, &tile);
        else if (!img_warp_make_tile(work, &tile, &own))
            make_plain(work, &tile);
    }
    img_warp_scratch_end(&own);
}

/* Do the tiles in the corners of the result reach few enough pixels? By affine maps all reach as
 * many, by perspective these the fewest and the most. */
static bool is_small_enough(const Tiles *tiles)
{
    const ImgView *dst = &tiles->work.call->dst;
    const int32_t right = (dst->width - 1) / tiles->side * tiles->side;
    const int32_t bottom = (dst->height - 1) / tiles->side * tiles->side;
    bool is_small = true;
    for (int corner = 0; corner < 4; corner++) {
        const ImgWarpTile tile =
            tile_at(tiles, (corner & 1) != 0 ? right : 0, (corner & 2) != 0 ? bottom : 0);
        is_small = is_small && img_warp_tile_pixels(&tiles->work, &tile) <= IMG_WARP_BOX_MOST;
    }
    return is_small;
}

static ImgStatus warp_tiles(const ImgCall *call, const ImgWarpMap *map, const ImgWarpRows *rows,
                            ImgError *err)
{
    const ImgView *dst = &call->dst;
    Tiles tiles = {.work = {.call = call, .warp = call->constants.bytes, .map = map, .rows = rows},
                   .side = IMG_WARP_TILE};
    while (tiles.side > TILE_LEAST && !is_small_enough(&tiles))
        tiles.side /= 2;
    tiles.across = (dst->width - 1) / tiles.side + 1;
    atomic_init(&tiles.failed, false);
    const int64_t count = (int64_t)tiles.across * ((dst->height - 1) / tiles.side + 1);
    const uint64_t places = (uint64_t)dst->width * (uint64_t)dst->height *
                            (uint64_t)map->grid_width * (uint64_t)map->grid_height;
    img_parallel_for(call->team, places < PIXELS_WORTH_THREADS ? 1 : call->threads, count,
                     make_tiles, &tiles);
    return atomic_load(&tiles.failed)
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
