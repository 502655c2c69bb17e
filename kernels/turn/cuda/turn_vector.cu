/* Half turns and flips on CUDA, fast version: copies or mirrors rows with 16 bytes per access. */
#include "kernels/core/cuda/row_copy.h"
#include "kernels/core/cuda/row_runs.cuh"
#include "kernels/turn/cuda/turn_cuda.cuh"

namespace
{

/* Reverses the order of pixels in the first COUNT words of `in`. Pixels of 3 and 6 bytes are
 * processed in groups of three words, which contain four or two of them. */
template <int BYTES, int COUNT> __device__ void reverse_pixels(const uint32_t *in, uint32_t *out)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += BYTES % 3 == 0 ? 3 : (BYTES == 8 ? 2 : 1)) {
        if (BYTES == 1)
            out[i] = __byte_perm(in[COUNT - 1 - i], 0, 0x0123);
        if (BYTES == 2)
            out[i] = __byte_perm(in[COUNT - 1 - i], 0, 0x1032);
        if (BYTES == 4)
            out[i] = in[COUNT - 1 - i];
        if (BYTES == 8) {
            out[i] = in[COUNT - 2 - i];
            out[i + 1] = in[COUNT - 1 - i];
        }
        if (BYTES % 3 == 0) {
            uint32_t a = in[COUNT - 3 - i], b = in[COUNT - 2 - i], c = in[COUNT - 1 - i];
            if (BYTES == 3) {
                uint32_t middle_left = __byte_perm(b, c, 0x0043),
                         middle_right = __byte_perm(a, b, 0x0043);
                out[i] = __byte_perm(c, b, 0x6321);
                out[i + 1] = __byte_perm(middle_left, middle_right, 0x5410);
                out[i + 2] = __byte_perm(b, a, 0x6541);
            } else {
                out[i] = __byte_perm(b, c, 0x5432);
                out[i + 1] = __byte_perm(c, a, 0x5432);
                out[i + 2] = __byte_perm(a, b, 0x5432);
            }
        }
    }
}

/* Mirrors rows, 16 bytes (a run) per thread. The bytes of a destination run come from a source run.
 * Source runs are counted from the other end of the row, so they may start at any byte. A source
 * run begins `shift` bytes after the start of an aligned 16-byte piece, and ends in the next piece.
 * The shift is the same for all runs, because all of them start at a multiple of 16 bytes from the
 * end of the row. */
template <int BYTES>
__global__ void __launch_bounds__(ROW_THREADS)
    mirror_vector_kernel(ImgTurnPlan plan, uint32_t blocks_across, int shift)
{
    int64_t row_bytes = (int64_t)plan.width * BYTES;
    const RowRun own = row_run_of(blocks_across);
    if (own.y >= plan.height || own.run * WIDE_BYTES >= row_bytes)
        return;
    const uint8_t *src = plan.src + own.y * plan.src_stride;
    int64_t from = row_bytes - (own.run + 1) * WIDE_BYTES - shift;
    uint32_t words[8], out[4];
    take_piece(words, load_between(src, from, row_bytes));
    take_piece(words + 4, load_between(src, from + WIDE_BYTES, shift > 0 ? row_bytes : 0));
    shift_bytes(words, shift);
    reverse_pixels<BYTES, 4>(words, out);
    store_wide(plan.dst + own.y * plan.dst_stride, own.run * WIDE_BYTES, row_bytes,
               make_uint4(out[0], out[1], out[2], out[3]));
}

/* Runs of 3- and 6-byte pixels. A thread mirrors 48 bytes, which are 16 or 8 pixels. If each thread
 * accessed 48 bytes in global memory, each access would use only half of a sector. Therefore the
 * 1536 bytes of a warp are copied through shared memory, both for reading and for writing. In
 * global memory, adjacent threads access adjacent pieces of 16 bytes. In shared memory, each thread
 * accesses its 48 bytes. The number of pieces per thread is odd, so there are no bank conflicts. */
constexpr int TRIPLE_PIECES = 3, TRIPLE_BYTES = TRIPLE_PIECES * WIDE_BYTES;
constexpr int WARP_PIECES = 32 * TRIPLE_PIECES;

template <int BYTES>
__global__ void __launch_bounds__(ROW_THREADS)
    mirror_triple_kernel(ImgTurnPlan plan, uint32_t blocks_across, int shift)
{
    IMG_SHARED(uint4, staged, [ROW_THREADS / 32][WARP_PIECES + 1]);
    int lane = threadIdx.x % 32;
    uint4 *own = staged[(threadIdx.y * blockDim.x + threadIdx.x) / 32];
    int64_t row_bytes = (int64_t)plan.width * BYTES;
    const RowRun place = row_run_of(blocks_across);
    int64_t run = place.run - lane, y = place.y;
    /* this condition is the same for all threads of a warp, as __syncwarp requires */
    if (y >= plan.height || run * TRIPLE_BYTES >= row_bytes)
        return;
    const uint8_t *src = plan.src + y * plan.src_stride;
    int64_t from = row_bytes - run * TRIPLE_BYTES - WARP_PIECES * WIDE_BYTES - shift;
    for (int n = lane; n < WARP_PIECES + 1; n += 32)
        own[n] = load_between(src, from + WIDE_BYTES * n, row_bytes);
    __syncwarp();

    uint32_t words[16], out[12];
#pragma unroll
    for (int q = 0; q < 4; q++)
        take_piece(words + 4 * q, own[WARP_PIECES - TRIPLE_PIECES * (lane + 1) + q]);
    shift_bytes(words, shift);
    reverse_pixels<BYTES, 12>(words, out);
    __syncwarp();
#pragma unroll
    for (int q = 0; q < TRIPLE_PIECES; q++)
        own[TRIPLE_PIECES * lane + q] =
            make_uint4(out[4 * q], out[4 * q + 1], out[4 * q + 2], out[4 * q + 3]);
    __syncwarp();
#pragma unroll
    for (int q = 0; q < TRIPLE_PIECES; q++)
        store_wide(plan.dst + y * plan.dst_stride,
                   run * TRIPLE_BYTES + WIDE_BYTES * (lane + 32 * q), row_bytes,
                   own[lane + 32 * q]);
}

using MirrorKernel = void (*)(ImgTurnPlan, uint32_t, int);

MirrorKernel mirror_kernel(size_t pixel_size)
{
    switch (pixel_size) {
    case 1:
        return mirror_vector_kernel<1>;
    case 2:
        return mirror_vector_kernel<2>;
    case 3:
        return mirror_triple_kernel<3>;
    case 4:
        return mirror_vector_kernel<4>;
    case 6:
        return mirror_triple_kernel<6>;
    default:
        return mirror_vector_kernel<8>;
    }
}

} // namespace

ImgStatus img_turn_cuda_vector(const ImgCall *call, ImgError *err)
{
    const ImgTurnPlan plan = img_turn_plan(call);
    const int64_t row_bytes = (int64_t)plan.width * (int64_t)plan.pixel_size;
    if (!plan.mirrored) {
        const ImgRowCopy copy = {plan.src,        plan.dst,  plan.src_stride,
                                 plan.dst_stride, row_bytes, plan.height};
        return img_row_copy(&copy, call->stream, err);
    }
    const bool triple = plan.pixel_size % 3 == 0;
    RowGrid grid = {};
    const ImgStatus status = row_grid_of(row_bytes, plan.height, triple ? TRIPLE_BYTES : WIDE_BYTES,
                                         triple ? 32 : 1, &grid, err);
    if (status != IMG_OK)
        return status;
    IMG_LAUNCH(mirror_kernel(plan.pixel_size), grid.blocks, grid.block, 0, call->stream, plan,
               grid.blocks_across, (int)(row_bytes % WIDE_BYTES));
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
