/* Kernels that copy rows, 16 bytes per access. */
#include "kernels/core/cuda/row_copy.h"

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/row_runs.cuh"

namespace
{

/* Copies rows whose source may be unaligned. Each 16 bytes of the destination are a part of two
 * adjacent aligned pieces of the source, 16 bytes each. This part begins at byte `shift` of the
 * first piece; the shift is the same for all threads. The second piece is the first piece of the
 * next thread, so it comes from the first-level cache. `copy.src` must be rounded down to a
 * multiple of 16. */
template <bool SHIFTED>
__global__ void __launch_bounds__(ROW_THREADS)
    copy_rows_kernel(ImgRowCopy copy, uint32_t blocks_across, int shift)
{
    const RowRun own = row_run_of(blocks_across);
    const int64_t at = own.run * WIDE_BYTES, end = copy.row_bytes + shift;
    if (own.y >= copy.rows || at >= copy.row_bytes)
        return;
    const uint8_t *from = copy.src + own.y * copy.src_stride;
    uint32_t words[8];
    take_piece(words, load_between(from, at, end));
    if (SHIFTED) {
        take_piece(words + 4, load_between(from, at + WIDE_BYTES, end));
        shift_bytes(words, shift);
    }
    store_wide(copy.dst + own.y * copy.dst_stride, at, copy.row_bytes,
               make_uint4(words[0], words[1], words[2], words[3]));
}

} // namespace

ImgStatus img_row_copy(const ImgRowCopy *copy, void *stream, ImgError *err)
{
    const int shift = (int)((uintptr_t)copy->src % WIDE_BYTES);
    ImgRowCopy aligned = *copy;
    RowGrid grid = {};
    const ImgStatus status = row_grid_of(copy->row_bytes, copy->rows, WIDE_BYTES, 1, &grid, err);
    if (status != IMG_OK)
        return status;
    aligned.src -= shift;
    auto kernel = shift > 0 ? copy_rows_kernel<true> : copy_rows_kernel<false>;
    IMG_LAUNCH(kernel, grid.blocks, grid.block, 0, stream, aligned, grid.blocks_across, shift);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_row_copy_view(const ImgView *src, const ImgView *dst, void *stream, ImgError *err)
{
    const ImgRowCopy copy = {src->data,
                             dst->data,
                             (ptrdiff_t)src->stride,
                             (ptrdiff_t)dst->stride,
                             (int64_t)dst->width * (int64_t)img_format_pixel_size(dst->format),
                             dst->height};
    return img_row_copy(&copy, stream, err);
}
