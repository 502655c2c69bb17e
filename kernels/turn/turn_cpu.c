/* The turn family on the CPU. Turns that swap the axes divide the picture into tiles, and all
 * others divide its rows into runs. Threads process the tiles or runs in parallel. */
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/turn/blocks.h"
#include "kernels/turn/turn.h"

/* Number of pixels per run. Long rows are divided into runs, which different threads may
 * process. */
enum { RUN = 1 << 16 };

/* Shape of tiles in pixels, for each pixel size. Tiles are wide enough for efficient reads of rows,
 * and high enough that transposed rows have at least two cache lines. They consist of whole blocks.
 * Together with the tile that is being prefetched, they fit the second-level cache. Blocks of
 * 1-byte pixels touch so many rows that prefetching slows them down. */
static const struct {
    int32_t columns, rows;
    bool fetched_ahead;
} tile_shapes[IMG_PIXEL_SIZES] = {
    {256, 192, false}, {256, 128, true}, {128, 128, true},
    {128, 128, true},  {64, 128, true},  {64, 128, true},
};

/* Smallest number of bytes of the result per thread for which streaming stores pay off. So many
 * bytes would not fit the thread's second-level cache anyway. */
static const uint64_t BYTES_WORTH_STREAMING = 1 << 20;

static int size_index(size_t pixel_size)
{
    static const int index[] = {[1] = 0, [2] = 1, [3] = 2, [4] = 3, [6] = 4, [8] = 5};
    return index[pixel_size];
}

static int threads_for(const ImgCall *call)
{
    uint64_t bytes = img_turn_traffic(img_view_shape(&call->src), call->params);
    return bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads;
}

/* Returns true if the result should be stored with non-temporal stores. They write whole cache
 * lines, which are then not read first and do not evict the source from the caches. */
static bool is_streamed(const ImgTurnPlan *plan, int threads)
{
    uint64_t bytes = (uint64_t)plan->width * (uint64_t)plan->height * plan->pixel_size;
    return ((uintptr_t)plan->dst | (size_t)plan->dst_stride) % IMG_CACHE_LINE == 0 &&
           bytes / (uint64_t)threads >= BYTES_WORTH_STREAMING;
}

/* Data that all tiles or runs of a picture have in common. */
typedef struct TurnTiles {
    const ImgTurnPlan *plan;
    const ImgTurnBlocks *blocks;
    /* number of tiles along each axis; if rows are copied: number of runs per row, and number of
     * rows */
    int64_t across, down;
    bool streamed;
} TurnTiles;

/* Transposes the tiles `first` to `end` - 1. They are numbered along rows of the destination. A
 * thread gets the same part of the destination in every picture of the same size. So its memory is
 * near the thread's core, or still in the core's cache. */
static void transpose_tiles(void *context, int64_t first, int64_t end)
{
    const TurnTiles *tiles = context;
    const ImgTurnPlan *plan = tiles->plan;
    ptrdiff_t size = (ptrdiff_t)plan->pixel_size;
    int index = size_index(plan->pixel_size);
    int32_t columns = tile_shapes[index].columns, rows = tile_shapes[index].rows;
    void (*transpose)(const ImgTile *) = tiles->blocks->transpose[index];
    for (int64_t i = first; i < end; i++) {
        int64_t column =
            plan->dst_stride > 0 ? i / tiles->down : tiles->across - 1 - i / tiles->down;
        int32_t x = (int32_t)(column * columns), y = (int32_t)(i % tiles->down * rows);
        const uint8_t *src = plan->src + y * plan->src_stride + x * size;
        int32_t height = img_min32(rows, plan->height - y);
        int32_t next_rows = img_min32(rows, plan->height - y - height);
        ImgTile tile = {
            .src = src,
            .dst = plan->dst + x * plan->dst_stride + y * size,
            .src_stride = plan->src_stride,
            .dst_stride = plan->dst_stride,
            .width = img_min32(columns, plan->width - x),
            .height = height,
            .readable = plan->width - x,
            .next = src + height * plan->src_stride,
            .next_rows = tile_shapes[index].fetched_ahead ? next_rows : 0,
            .streamed = tiles->streamed,
        };
        transpose(&tile);
    }
}

static void transpose_all(const ImgTurnPlan *plan, const ImgTurnBlocks *blocks, ImgTeam *team,
                          int threads)
{
    int index = size_index(plan->pixel_size);
    int32_t columns = tile_shapes[index].columns, rows = tile_shapes[index].rows;
    TurnTiles tiles = {plan, blocks, (plan->width + (int64_t)columns - 1) / columns,
                       (plan->height + (int64_t)rows - 1) / rows, is_streamed(plan, threads)};
    img_parallel_for(team, threads, tiles.across * tiles.down, transpose_tiles, &tiles);
}

static void move_runs(void *context, int64_t first, int64_t end)
{
    const TurnTiles *tiles = context;
    const ImgTurnPlan *plan = tiles->plan;
    size_t size = plan->pixel_size;
    void (*mirror)(uint8_t *, const uint8_t *, size_t) = tiles->blocks->mirror[size_index(size)];
    for (int64_t i = first; i < end; i++) {
        int64_t y = i / tiles->across;
        int32_t x = (int32_t)(i % tiles->across * RUN);
        size_t count = (size_t)img_min32(RUN, plan->width - x);
        const uint8_t *src = plan->src + y * plan->src_stride;
        uint8_t *dst = plan->dst + y * plan->dst_stride + (size_t)x * size;
        if (plan->mirrored)
            mirror(dst, src + ((size_t)(plan->width - x) - count) * size, count);
        else
            memcpy(dst, src + (size_t)x * size, count * size);
    }
}

static void move_rows(const ImgTurnPlan *plan, const ImgTurnBlocks *blocks, ImgTeam *team,
                      int threads)
{
    TurnTiles tiles = {plan, blocks, (plan->width + (int64_t)RUN - 1) / RUN, plan->height, false};
    img_parallel_for(team, threads, tiles.across * tiles.down, move_runs, &tiles);
}

static ImgStatus run(const ImgCall *call, const ImgTurnBlocks *blocks, ImgError *err)
{
    ImgTurnPlan plan = img_turn_plan(call);
    (void)err;
    if (plan.transposed)
        transpose_all(&plan, blocks, call->team, threads_for(call));
    else
        move_rows(&plan, blocks, call->team, threads_for(call));
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_turn_cpu, run, &img_turn_blocks)
