/* Puts pictures in device memory into a tensor. A row of thread blocks takes one picture, a thread
 * block CHUNK of its pixels. Numbers of samples of up to 8 bits are looked up in a table in shared
 * memory. */
#include "io/tensor/tensor_priv.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t CHUNK = 4096, VALUES = 256;

/* Writes the bits of a number to place `at` of a tensor of elements of the type Word. */
template <typename Word>
__device__ void store(const ImgTensor &tensor, uint64_t at, uint32_t number)
{
    ((Word *)tensor.data)[at] = (Word)number;
}

/* Fills table[c][v] with the number for the sample v of channel c. */
__device__ void make_table(const ImgTensor &tensor, ImgFormat format, uint32_t maximum,
                           uint32_t (*table)[VALUES])
{
    const bool is_index = tensor_is_index(&tensor, format);
    for (uint32_t i = threadIdx.x; i < tensor.channels * VALUES; i += THREADS) {
        const uint32_t sample = i % VALUES < maximum ? i % VALUES : maximum;
        table[i / VALUES][i % VALUES] =
            tensor_number(&tensor, (int)(i / VALUES), sample, maximum, is_index);
    }
}

template <typename Word>
__global__ void __launch_bounds__(THREADS)
    tensor_kernel(ImgTensor tensor, const ImgTensorSource *sources)
{
    IMG_SHARED(uint32_t, table, [IMG_TENSOR_CHANNELS][VALUES]);
    const ImgTensorSource source = sources[blockIdx.y];
    const bool is_good = source.status == nullptr || *source.status == source.good;
    const bool is_wide = source.format.bits > 8;
    const uint32_t maximum = (1u << source.format.bits) - 1;
    const uint32_t pixels = (uint32_t)tensor.height * (uint32_t)tensor.width;
    const uint32_t end = min(pixels, (blockIdx.x + 1) * CHUNK);
    const bool is_index = tensor_is_index(&tensor, source.format);
    const bool has_color =
        source.format.color == IMG_COLOR_RGB || source.format.color == IMG_COLOR_RGBA;
    const bool has_alpha =
        source.format.color == IMG_COLOR_GRAY_ALPHA || source.format.color == IMG_COLOR_RGBA;
    const uint32_t samples = (has_color ? 3u : 1u) + (has_alpha ? 1u : 0u);
    if (is_good && !is_wide)
        make_table(tensor, source.format, maximum, table);
    __syncthreads();
    for (uint32_t i = blockIdx.x * CHUNK + threadIdx.x; i < end; i += THREADS) {
        const uint32_t y = i / (uint32_t)tensor.width, x = i - y * (uint32_t)tensor.width;
        const uint8_t *row = source.data + y * source.stride;
        for (int c = 0; c < tensor.channels; c++) {
            const int from = tensor_source_channel(source.format.color, tensor.channels, c);
            uint32_t sample = maximum, number = 0;
            if (is_good && from >= 0)
                sample = is_wide ? ((const uint16_t *)row)[x * samples + (uint32_t)from]
                                 : row[x * samples + (uint32_t)from];
            if (is_good)
                number = is_wide ? tensor_number(&tensor, c, sample, maximum, is_index)
                                 : table[c][sample];
            store<Word>(tensor, tensor_place(&tensor, (int32_t)blockIdx.y, i, c), number);
        }
    }
}

} // namespace

ImgStatus img_tensor_queue(const ImgTensor *tensor, const ImgTensorSource *sources, int32_t count,
                           void *stream, ImgError *err)
{
    const uint32_t pixels = (uint32_t)tensor->height * (uint32_t)tensor->width;
    const ImgTensor copy = *tensor;
    dim3 grid((pixels + CHUNK - 1) / CHUNK, (unsigned)count);
    if (count <= 0)
        return IMG_OK;
    switch (img_element_bytes(tensor->element)) {
    case 1:
        IMG_LAUNCH(tensor_kernel<uint8_t>, grid, THREADS, 0, stream, copy, sources);
        break;
    case 2:
        IMG_LAUNCH(tensor_kernel<uint16_t>, grid, THREADS, 0, stream, copy, sources);
        break;
    default:
        IMG_LAUNCH(tensor_kernel<uint32_t>, grid, THREADS, 0, stream, copy, sources);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
