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

/* The source of a place, as all threads of the block see it. */
struct Place {
    ImgTensorSource source;
    uint32_t index; /* of the place in the tensor */
    uint32_t maximum;
    bool is_index, is_good;
    const uint32_t (*table)[VALUES];
};

/* Returns the number for channel `c` of a pixel with these samples. */
template <int SAMPLES, bool WIDE>
__device__ uint32_t number_of(const ImgTensor &tensor, const Place &place, int c,
                              const uint32_t (&samples)[SAMPLES])
{
    const int from = tensor_source_channel(place.source.format.color, tensor.channels, c);
    uint32_t sample = place.maximum;
#pragma unroll
    for (int s = 0; s < SAMPLES; s++)
        sample = s == from ? samples[s] : sample;
    return WIDE ? tensor_number(&tensor, c, sample, place.maximum, place.is_index)
                : place.table[c][sample];
}

/* Converts one pixel, `i`, at column x of `row`. */
template <typename Word, int SAMPLES, bool WIDE>
__device__ void put_one(const ImgTensor &tensor, const Place &place, const uint8_t *row, uint32_t x,
                        uint32_t i)
{
    uint32_t samples[SAMPLES];
#pragma unroll
    for (int s = 0; s < SAMPLES; s++)
        samples[s] = !place.is_good ? 0
                     : WIDE         ? ((const uint16_t *)row)[x * SAMPLES + s]
                                    : row[x * SAMPLES + s];
#pragma unroll
    for (int c = 0; c < IMG_TENSOR_CHANNELS; c++)
        if (c < tensor.channels)
            store<Word>(tensor, tensor_place(&tensor, (int32_t)place.index, i, c),
                        place.is_good ? number_of<SAMPLES, WIDE>(tensor, place, c, samples) : 0);
}

/* Writes four numbers, at an address that is a multiple of their size. */
__device__ inline void store_four(uint32_t *to, const uint32_t (&numbers)[4])
{
    *(uint4 *)to = make_uint4(numbers[0], numbers[1], numbers[2], numbers[3]);
}

__device__ inline void store_four(uint16_t *to, const uint32_t (&numbers)[4])
{
    *(uint2 *)to = make_uint2(numbers[0] | numbers[1] << 16, numbers[2] | numbers[3] << 16);
}

__device__ inline void store_four(uint8_t *to, const uint32_t (&numbers)[4])
{
    *(uint32_t *)to = numbers[0] | numbers[1] << 8 | numbers[2] << 16 | numbers[3] << 24;
}

/* Converts four pixels, from `i` and column x on, both multiples of 4. It loads words, and stores
 * four numbers at a time. */
template <typename Word, int SAMPLES, bool WIDE>
__device__ void put_four(const ImgTensor &tensor, const Place &place, const uint8_t *row,
                         uint32_t x, uint32_t i)
{
    constexpr int WORDS = WIDE ? 2 * SAMPLES : SAMPLES;
    const uint32_t *from = (const uint32_t *)row + x / 4 * WORDS;
    uint32_t numbers[IMG_TENSOR_CHANNELS][4] = {}, words[WORDS];
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        words[w] = place.is_good ? from[w] : 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t samples[SAMPLES];
#pragma unroll
        for (int s = 0; s < SAMPLES; s++) {
            const int at = k * SAMPLES + s;
            samples[s] =
                WIDE ? words[at / 2] >> at % 2 * 16 & 0xffff : words[at / 4] >> at % 4 * 8 & 0xff;
        }
#pragma unroll
        for (int c = 0; c < IMG_TENSOR_CHANNELS; c++)
            if (c < tensor.channels && place.is_good)
                numbers[c][k] = number_of<SAMPLES, WIDE>(tensor, place, c, samples);
    }
    Word *to = (Word *)tensor.data + tensor_place(&tensor, (int32_t)place.index, i, 0);
    const uint64_t plane = (uint64_t)tensor.height * (uint64_t)tensor.width;
    if (!tensor.channels_first && tensor.channels == 3) {
        const uint32_t mixed[3][4] = {{numbers[0][0], numbers[1][0], numbers[2][0], numbers[0][1]},
                                      {numbers[1][1], numbers[2][1], numbers[0][2], numbers[1][2]},
                                      {numbers[2][2], numbers[0][3], numbers[1][3], numbers[2][3]}};
#pragma unroll
        for (int part = 0; part < 3; part++)
            store_four(to + 4 * part, mixed[part]);
        return;
    }
#pragma unroll
    for (int c = 0; c < IMG_TENSOR_CHANNELS; c++) {
        if (c < tensor.channels && (tensor.channels_first || tensor.channels == 1))
            store_four(to + c * plane, numbers[c]);
        else if (c < tensor.channels)
#pragma unroll
            for (int k = 0; k < 4; k++)
                to[k * tensor.channels + c] = (Word)numbers[c][k];
    }
}

/* Converts the pixels from `first` to `end` - 1, which begin at a multiple of 4. */
template <typename Word, int SAMPLES, bool WIDE>
__device__ void put_pixels(const ImgTensor &tensor, const Place &place, uint32_t first,
                           uint32_t end)
{
    const uint32_t width = (uint32_t)tensor.width;
    const bool by_four = width % 4 == 0 && place.source.stride % 4 == 0 &&
                         (uintptr_t)place.source.data % 4 == 0 &&
                         (uintptr_t)tensor.data % (4 * sizeof(Word)) == 0;
    const uint32_t step = by_four ? 4 : 1;
    for (uint32_t i = first + step * threadIdx.x; i < end; i += step * THREADS) {
        const uint32_t y = i / width, x = i - y * width;
        const uint8_t *row = place.source.data + y * place.source.stride;
        if (by_four)
            put_four<Word, SAMPLES, WIDE>(tensor, place, row, x, i);
        else
            put_one<Word, SAMPLES, WIDE>(tensor, place, row, x, i);
    }
}

template <typename Word>
__global__ void __launch_bounds__(THREADS)
    tensor_kernel(ImgTensor tensor, const ImgTensorSource *sources)
{
    IMG_SHARED(uint32_t, table, [IMG_TENSOR_CHANNELS][VALUES]);
    Place place;
    place.source = sources[blockIdx.y];
    const ImgFormat format = place.source.format;
    place.index = blockIdx.y;
    place.is_good = place.source.status == nullptr || *place.source.status == place.source.good;
    place.maximum = (1u << format.bits) - 1;
    place.is_index = tensor_is_index(&tensor, format);
    place.table = table;
    const bool is_wide = format.bits > 8;
    if (place.is_good && !is_wide)
        make_table(tensor, format, place.maximum, table);
    __syncthreads();
    const uint32_t pixels = (uint32_t)tensor.height * (uint32_t)tensor.width;
    const uint32_t first = blockIdx.x * CHUNK, end = min(pixels, first + CHUNK);
    const bool has_color = format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
    const bool has_alpha = format.color == IMG_COLOR_GRAY_ALPHA || format.color == IMG_COLOR_RGBA;
    switch ((is_wide ? 4 : 0) + (has_color ? 2 : 0) + (has_alpha ? 1 : 0)) {
    case 0:
        return put_pixels<Word, 1, false>(tensor, place, first, end);
    case 1:
        return put_pixels<Word, 2, false>(tensor, place, first, end);
    case 2:
        return put_pixels<Word, 3, false>(tensor, place, first, end);
    case 3:
        return put_pixels<Word, 4, false>(tensor, place, first, end);
    case 4:
        return put_pixels<Word, 1, true>(tensor, place, first, end);
    case 5:
        return put_pixels<Word, 2, true>(tensor, place, first, end);
    case 6:
        return put_pixels<Word, 3, true>(tensor, place, first, end);
    default:
        return put_pixels<Word, 4, true>(tensor, place, first, end);
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
