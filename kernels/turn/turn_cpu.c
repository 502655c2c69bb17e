/* The turn family on the CPU: cuts the picture into tiles or runs and shares them out to threads.
 */
#include <string.h>

#include "kernels/turn/blocks.h"
#include "kernels/turn/turn.h"

/* Tiles of 64 pixels a side stay within the first-level cache up to 4 bytes a pixel (16 KiB read
 * and 16 KiB written); larger pixels take half the side. Runs of 64 Ki pixels share out long rows.
 */
enum { SIDE = 64, SIDE_OF_LARGE = 32, RUN = 1 << 16 };

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

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void transpose_all(const ImgTurnPlan *plan, const ImgTurnBlocks *blocks, int threads)
{
    int32_t side = plan->pixel_size <= 4 ? SIDE : SIDE_OF_LARGE;
    int64_t across = (plan->width + (int64_t)side - 1) / side;
    int64_t down = (plan->height + (int64_t)side - 1) / side;
    ptrdiff_t size = (ptrdiff_t)plan->pixel_size;
    void (*transpose)(const ImgTile *) = blocks->transpose[size_index(plan->pixel_size)];

    /* A thread's tiles follow each other along rows of the destination. */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < across * down; i++) {
        int32_t x = (int32_t)(i / down * side), y = (int32_t)(i % down * side);
        ImgTile tile = {
            .src = plan->src + y * plan->src_stride + x * size,
            .dst = plan->dst + x * plan->dst_stride + y * size,
            .src_stride = plan->src_stride,
            .dst_stride = plan->dst_stride,
            .width = smaller(side, plan->width - x),
            .height = smaller(side, plan->height - y),
            .readable = plan->width - x,
        };
        transpose(&tile);
    }
}

static void move_rows(const ImgTurnPlan *plan, const ImgTurnBlocks *blocks, int threads)
{
    int64_t runs = (plan->width + (int64_t)RUN - 1) / RUN;
    size_t size = plan->pixel_size;
    void (*mirror)(uint8_t *, const uint8_t *, size_t) = blocks->mirror[size_index(size)];

#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < runs * plan->height; i++) {
        int64_t y = i / runs;
        int32_t x = (int32_t)(i % runs * RUN);
        size_t count = (size_t)smaller(RUN, plan->width - x);
        const uint8_t *src = plan->src + y * plan->src_stride;
        uint8_t *dst = plan->dst + y * plan->dst_stride + (size_t)x * size;
        if (plan->mirrored)
            mirror(dst, src + ((size_t)(plan->width - x) - count) * size, count);
        else
            memcpy(dst, src + (size_t)x * size, count * size);
    }
}

static ImgStatus run(const ImgCall *call, const ImgTurnBlocks *blocks)
{
    ImgTurnPlan plan = img_turn_plan(call);
    if (plan.transposed)
        transpose_all(&plan, blocks, threads_for(call));
    else
        move_rows(&plan, blocks, threads_for(call));
    return IMG_OK;
}

ImgStatus img_turn_cpu(const ImgCall *call, ImgError *err)
{
    (void)err;
    return run(call, &img_turn_blocks_portable);
}

#ifdef IMGTOOL_X86
ImgStatus img_turn_cpu_avx2(const ImgCall *call, ImgError *err)
{
    (void)err;
    return run(call, &img_turn_blocks_avx2);
}
#endif
