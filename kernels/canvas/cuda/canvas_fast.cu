/* Puts a picture on a canvas on the GPU, fast version: each thread stores 16 bytes of the result.
 * Inside the source, these bytes come from two aligned loads, which all threads shift by the same
 * number of bytes. Only threads at edges of the source, and in margins that repeat pixels, assemble
 * their bytes pixel by pixel. So most threads are limited by memory bandwidth. If the format
 * changes, a thread converts four pixels and stores them in whole words. */
#include "kernels/canvas/cuda/canvas_cuda.cuh"
#include "kernels/core/cuda/row_copy.h"
#include "kernels/core/cuda/wide_access.cuh"

namespace
{

constexpr int ACROSS = 32, DOWN = 8;

/* Returns the 16 bytes from byte `at` of a row, which may be unaligned. All 16 bytes must be inside
 * the row. */
__device__ uint4 load_shifted(const uint8_t *row, int64_t at)
{
    const int shift = (int)(at % WIDE_BYTES);
    const uint8_t *from = row + (at - shift);
    uint32_t words[8];
    take_piece(words, load_wide(from));
    take_piece(words + 4, shift > 0 ? load_wide(from + WIDE_BYTES) : make_uint4(0, 0, 0, 0));
    shift_bytes(words, shift);
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* Returns the 16 bytes from byte `at` of a row of the result. Bytes past the end of the row are
 * undefined. `row` is the corresponding row of the source, or NULL if the result's row is all
 * background. */
template <int BYTES> __device__ uint4 gather(const CanvasTask &task, const uint8_t *row, int64_t at)
{
    uint32_t words[4] = {0, 0, 0, 0};
    int byte = (int)(at % BYTES);
    int64_t x = at / BYTES - task.x;
    uint64_t pixel = 0;
#pragma unroll
    for (int i = 0; i < WIDE_BYTES; i++) {
        if (i == 0 || byte == 0) {
            const int32_t from =
                row != nullptr ? img_border_place(x, task.src_width, task.border) : -1;
            pixel = from >= 0 ? canvas_pixel<BYTES, false>(task, row, from) : task.background;
        }
        words[i / 4] |= (uint32_t)(pixel >> (8 * byte) & 0xff) << (8 * (i % 4));
        byte = byte + 1 < BYTES ? byte + 1 : 0;
        x += byte == 0 ? 1 : 0;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

template <int BYTES> __global__ void canvas_fast_kernel(CanvasTask task)
{
    const int64_t piece = (int64_t)(blockIdx.x % task.blocks_across) * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)(blockIdx.x / task.blocks_across) * DOWN + threadIdx.y;
    const int64_t at = piece * WIDE_BYTES, row_bytes = (int64_t)task.width * BYTES;
    if (at >= row_bytes || y >= task.height)
        return;
    const int32_t from_y = img_border_place(y - task.y, task.src_height, task.border);
    const uint8_t *row = from_y >= 0 ? task.src + from_y * task.src_stride : nullptr;
    const int64_t inside = at - (int64_t)task.x * BYTES;
    const bool whole =
        row != nullptr && inside >= 0 && inside + WIDE_BYTES <= (int64_t)task.src_width * BYTES;
    const uint4 bytes = whole ? load_shifted(row, inside) : gather<BYTES>(task, row, at);
    store_wide(task.dst + y * task.dst_stride, at, row_bytes, bytes);
}

/* --- Pixels of another format ----------------------------------------------------------------- */

constexpr int CHANGED = 4; /* number of pixels per thread if the format changes */

/* Returns pixel `x` of a source row as an integer; its first byte in memory is the lowest byte. */
__device__ uint64_t load_pixel(const uint8_t *row, int64_t x, int bytes)
{
    const uint16_t *samples = reinterpret_cast<const uint16_t *>(row);
    switch (bytes) {
    case 1:
        return row[x];
    case 2:
        return samples[x];
    case 3:
        return row[3 * x] | row[3 * x + 1] << 8 | row[3 * x + 2] << 16;
    case 4:
        return reinterpret_cast<const uint32_t *>(row)[x];
    default:
        return samples[3 * x] | (uint32_t)samples[3 * x + 1] << 16 |
               (uint64_t)samples[3 * x + 2] << 32;
    }
}

/* Inserts a pixel, the thread's pixel number I, into the words that the thread will store. */
template <int BYTES, int I> __device__ void put_pixel(uint32_t (&words)[BYTES], uint64_t pixel)
{
    constexpr int WORD = I * BYTES / 4, SHIFT = I * BYTES % 4 * 8;
    const uint64_t shifted = pixel << SHIFT;
    words[WORD] |= (uint32_t)shifted;
    if (WORD + 1 < BYTES)
        words[WORD + 1 < BYTES ? WORD + 1 : 0] |= (uint32_t)(shifted >> 32);
}

/* Stores a thread's words with the widest stores that their alignment allows: 16, 8 or 4 bytes. */
template <int BYTES> __device__ void store_words(uint8_t *to, const uint32_t (&words)[BYTES])
{
#pragma unroll
    for (int i = 0; i < BYTES; i += BYTES % 4 == 0 ? 4 : BYTES % 2 == 0 ? 2 : 1) {
        if (BYTES % 4 == 0)
            *reinterpret_cast<uint4 *>(to + 4 * i) = make_uint4(
                words[i], words[(i + 1) % BYTES], words[(i + 2) % BYTES], words[(i + 3) % BYTES]);
        else if (BYTES % 2 == 0)
            *reinterpret_cast<uint2 *>(to + 4 * i) = make_uint2(words[i], words[(i + 1) % BYTES]);
        else
            *reinterpret_cast<uint32_t *>(to + 4 * i) = words[i];
    }
}

template <int BYTES> __global__ void canvas_change_kernel(CanvasTask task)
{
    const int64_t piece = (int64_t)(blockIdx.x % task.blocks_across) * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)(blockIdx.x / task.blocks_across) * DOWN + threadIdx.y;
    const int64_t x = piece * CHANGED;
    if (x >= task.width || y >= task.height)
        return;
    const int32_t from_y = img_border_place(y - task.y, task.src_height, task.border);
    const uint8_t *row = from_y >= 0 ? task.src + from_y * task.src_stride : nullptr;
    const auto pixel = [&](int i) {
        const int32_t from =
            row != nullptr ? img_border_place(x + i - task.x, task.src_width, task.border) : -1;
        return from < 0 ? task.background
                        : changed_pixel(task.change, load_pixel(row, from, task.change.bytes));
    };
    uint32_t words[BYTES] = {};
    put_pixel<BYTES, 0>(words, pixel(0));
    put_pixel<BYTES, 1>(words, pixel(1));
    put_pixel<BYTES, 2>(words, pixel(2));
    put_pixel<BYTES, 3>(words, pixel(3));
    uint8_t *to = task.dst + y * task.dst_stride + x * BYTES;
    if (x + CHANGED <= task.width) {
        store_words(to, words);
        return;
    }
    const int bytes = (int)(task.width - x) * BYTES;
#pragma unroll
    for (int i = 0; i < CHANGED * BYTES; i++)
        if (i < bytes)
            to[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

/* --- Launch ----------------------------------------------------------------------------------- */

bool is_all_source(const ImgCall *call, const ImgCanvas *canvas)
{
    const ImgView &src = call->src, &dst = call->dst;
    return src.format.color == dst.format.color && canvas->x <= 0 && canvas->y <= 0 &&
           dst.width <= src.width + canvas->x && dst.height <= src.height + canvas->y;
}

ImgStatus copy_part(const ImgCall *call, const ImgCanvas *canvas, ImgError *err)
{
    const ImgView &dst = call->dst;
    const ImgView src = img_view_crop(&call->src, -canvas->x, -canvas->y, dst.width, dst.height);
    return img_row_copy_view(&src, &dst, call->stream, err);
}

} // namespace

ImgStatus img_canvas_cuda_fast(const ImgCall *call, const ImgCanvas *canvas, ImgError *err)
{
    if (is_all_source(call, canvas))
        return copy_part(call, canvas, err);
    return with_pixel_bytes(call->dst.format, [&](auto bytes) {
        constexpr int BYTES = decltype(bytes)::VALUE;
        const bool changes = call->src.format.color != call->dst.format.color;
        const int64_t width = (int64_t)call->dst.width;
        const int64_t pieces = changes ? (width + CHANGED - 1) / CHANGED
                                       : (width * BYTES + WIDE_BYTES - 1) / WIDE_BYTES;
        CanvasTask task;
        unsigned blocks = 0;
        const ImgStatus status =
            canvas_task(call, canvas, pieces, ACROSS, DOWN, &task, &blocks, err);
        if (status != IMG_OK)
            return status;
        auto kernel = changes ? canvas_change_kernel<BYTES> : canvas_fast_kernel<BYTES>;
        IMG_LAUNCH(kernel, blocks, dim3(ACROSS, DOWN), 0, call->stream, task);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}
