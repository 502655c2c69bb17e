/* The passes of prepass.h on a GPU. They access 16 bytes at a time. In every format that needs a
 * pass, 16 bytes are whole pixels. */
#include "kernels/core/prepass/prepass.h"

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/row_runs.cuh"

namespace
{

struct Rows {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int64_t row_bytes, rows;
    /* factor that converts samples of fewer than 8 bits to 8 bits; used only by Widen */
    uint32_t scale;
};

/* For gray of fewer than 8 bits: multiplies all four samples of a word at once. No product exceeds
 * its byte. */
struct Widen {
    static __device__ uint32_t changed(uint32_t word, uint32_t scale)
    {
        return word * scale;
    }
};

/* For gray and alpha of 8 bits: clears transparent pixels, two per word. */
struct ClearHalves {
    static __device__ uint32_t changed(uint32_t word, uint32_t)
    {
        const uint32_t low = (word & 0xff00) != 0 ? 0xffff : 0;
        return word & (low | ((word & 0xff000000) != 0 ? 0xffff0000 : 0));
    }
};

/* For RGBA of 8 bits, or gray and alpha of 16 bits: clears transparent pixels, one per word. ALPHA
 * is the mask of alpha in the word. */
template <uint32_t ALPHA> struct ClearWords {
    static __device__ uint32_t changed(uint32_t word, uint32_t)
    {
        return (word & ALPHA) != 0 ? word : 0;
    }
};

/* For RGBA of 16 bits: selects the version of changed_piece that clears transparent pixels of two
 * words. The second word contains alpha. */
struct ClearPairs {
};

template <typename Change> __device__ uint4 changed_piece(uint4 v, uint32_t scale)
{
    return make_uint4(Change::changed(v.x, scale), Change::changed(v.y, scale),
                      Change::changed(v.z, scale), Change::changed(v.w, scale));
}

template <> __device__ uint4 changed_piece<ClearPairs>(uint4 v, uint32_t)
{
    const uint32_t first = v.y >> 16 != 0 ? ~0U : 0, second = v.w >> 16 != 0 ? ~0U : 0;
    return make_uint4(v.x & first, v.y & first, v.z & second, v.w & second);
}

/* Changes 16 bytes of a row per thread. Stores the last 16 bytes of a row as a whole: rows of the
 * copy are multiples of 16 bytes, and kernels may read all of them. The kernel is limited by memory
 * bandwidth. */
template <typename Change>
__global__ void __launch_bounds__(ROW_THREADS) prepass_kernel(Rows rows, uint32_t blocks_across)
{
    const RowRun own = row_run_of(blocks_across);
    const int64_t at = own.run * WIDE_BYTES;
    if (own.y >= rows.rows || at >= rows.row_bytes)
        return;
    const uint4 piece =
        load_between(rows.src + (size_t)own.y * rows.src_stride, at, rows.row_bytes);
    uint8_t *to = rows.dst + (size_t)own.y * rows.dst_stride + at;
    *reinterpret_cast<uint4 *>(to) = changed_piece<Change>(piece, rows.scale);
}

template <typename Change> ImgStatus launch(const Rows &rows, void *stream, ImgError *err)
{
    RowGrid grid = {};
    const ImgStatus status = row_grid_of(rows.row_bytes, rows.rows, WIDE_BYTES, 1, &grid, err);
    if (status != IMG_OK)
        return status;
    IMG_LAUNCH(prepass_kernel<Change>, grid.blocks, grid.block, 0, stream, rows,
               grid.blocks_across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus launch_clear(const Rows &rows, ImgFormat format, void *stream, ImgError *err)
{
    if (format.color == IMG_COLOR_RGBA)
        return format.bits == 16 ? launch<ClearPairs>(rows, stream, err)
                                 : launch<ClearWords<0xff000000>>(rows, stream, err);
    return format.bits == 16 ? launch<ClearWords<0xffff0000>>(rows, stream, err)
                             : launch<ClearHalves>(rows, stream, err);
}

} // namespace

ImgStatus img_prepass_cuda(ImgPrepass prepass, const ImgCall *call, ImgCall *after, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    *after = *call;
    if (!img_prepass_applies(prepass, src.format))
        return IMG_OK;
    uint8_t *memory = static_cast<uint8_t *>(call->workspace);
    after->src = img_view_make(memory, img_device_pitch(src), img_prepass_shape(prepass, src));
    after->workspace = memory + img_prepass_workspace(prepass, src);
    const Rows rows = {call->src.data,
                       memory,
                       call->src.stride,
                       after->src.stride,
                       (int64_t)src.width * (int64_t)img_format_pixel_size(src.format),
                       src.height,
                       prepass == IMG_PREPASS_WIDEN ? 255 / img_format_maximum(src.format) : 1};
    if (prepass == IMG_PREPASS_WIDEN)
        return launch<Widen>(rows, call->stream, err);
    return launch_clear(rows, src.format, call->stream, err);
}
