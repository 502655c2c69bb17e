/* grayscale of 8-bit RGB on CUDA, textbook versions. They show the effect of coalescing on 3-byte
 * pixels, for which there is no load of the same width. Three kernels with eight pixels per thread
 * compute the same sums. They differ only in how a warp loads its bytes. The fast version is
 * kernels/point/cuda/point_gray.cu. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/point/point_impls.h"

namespace
{

constexpr int THREADS = 256, LANES = 32, GRID_ROWS = 65535;
constexpr int PIXEL = 3; /* number of bytes per pixel */
/* number of pixels per thread, and number of pixels per block; the pixels of a block are adjacent
 * in a row */
constexpr int EACH = 8, PIXELS = THREADS * EACH;
constexpr unsigned ALL_LANES = 0xFFFFFFFF;

struct Rows {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height;
    int32_t weight[PIXEL], offset;

    __device__ uint32_t gray(uint32_t red, uint32_t green, uint32_t blue) const
    {
        const int32_t sum = offset + weight[0] * (int32_t)red + weight[1] * (int32_t)green +
                            weight[2] * (int32_t)blue;
        return (uint32_t)min(max(sum >> 16, 0), 255);
    }
    /* Returns the word with index `index` of a row. Bytes past the end of the row may be read up to
     * a multiple of 16 bytes; words after the end are 0. */
    __device__ uint32_t word(const uint8_t *row, int64_t index) const
    {
        return 4 * index < (int64_t)PIXEL * width
                   ? __ldg(reinterpret_cast<const uint32_t *>(row) + index)
                   : 0;
    }
};

/* Converts one pixel per thread at a time, and loads its three bytes one by one. So each load of a
 * warp uses only every third byte of 96. */
__global__ void __launch_bounds__(THREADS) grayscale_element_kernel(Rows rows)
{
    const int64_t first = (int64_t)blockIdx.x * PIXELS + threadIdx.x;
    for (int64_t y = blockIdx.y; y < rows.height; y += gridDim.y) {
        const uint8_t *row = rows.src + (size_t)y * rows.src_stride;
        uint8_t *to = rows.dst + (size_t)y * rows.dst_stride;
        uint32_t sample[EACH][PIXEL];
#pragma unroll
        for (int i = 0; i < EACH; i++)
#pragma unroll
            for (int c = 0; c < PIXEL; c++) {
                const int64_t x = first + i * THREADS;
                sample[i][c] = x < rows.width ? __ldg(row + x * PIXEL + c) : 0;
            }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (first + i * THREADS < rows.width)
                to[first + i * THREADS] =
                    (uint8_t)rows.gray(sample[i][0], sample[i][1], sample[i][2]);
    }
}

/* Converts one pixel per thread at a time, from shared memory. First the block loads its pixels
 * there as adjacent words. Then a warp reads bytes in 24 banks, so there are no bank conflicts. */
__global__ void __launch_bounds__(THREADS) grayscale_staged_kernel(Rows rows)
{
    constexpr int WORDS = PIXELS * PIXEL / 4, WORDS_EACH = WORDS / THREADS;
    IMG_SHARED(uint32_t, staged, [WORDS]);
    const int64_t first = (int64_t)blockIdx.x * PIXELS;
    const int32_t thread = (int32_t)threadIdx.x;
    for (int64_t y = blockIdx.y; y < rows.height; y += gridDim.y) {
        const uint8_t *row = rows.src + (size_t)y * rows.src_stride;
        uint8_t *to = rows.dst + (size_t)y * rows.dst_stride;
#pragma unroll
        for (int i = 0; i < WORDS_EACH; i++)
            staged[thread + i * THREADS] = rows.word(row, first * PIXEL / 4 + thread + i * THREADS);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int32_t own = thread + i * THREADS;
            const uint8_t *pixel = reinterpret_cast<const uint8_t *>(staged) + own * PIXEL;
            if (first + own < rows.width)
                to[first + own] = (uint8_t)rows.gray(pixel[0], pixel[1], pixel[2]);
        }
        __syncthreads();
    }
}

/* Returns word number `i` of the three words with this lane's four pixels. The lanes have loaded
 * adjacent words: register k of all lanes together has words 32 * k to 32 * k + 31 of the warp. */
__device__ uint32_t own_word(const uint32_t (&words)[PIXEL], int i)
{
    const int index = PIXEL * (int)(threadIdx.x % LANES) + i;
    uint32_t own = 0;
#pragma unroll
    for (int k = 0; k < PIXEL; k++) {
        const uint32_t word = __shfl_sync(ALL_LANES, words[k], index % LANES);
        own = index / LANES == k ? word : own;
    }
    return own;
}

/* Converts the four pixels of a thread, which are in three words, to a word of gray. */
__device__ uint32_t gray_of_four(const Rows &rows, const uint32_t (&words)[PIXEL])
{
    const uint32_t a = own_word(words, 0), b = own_word(words, 1), c = own_word(words, 2);
    return rows.gray(a & 255, a >> 8 & 255, a >> 16 & 255) |
           rows.gray(a >> 24, b & 255, b >> 8 & 255) << 8 |
           rows.gray(b >> 16 & 255, b >> 24, c & 255) << 16 |
           rows.gray(c >> 8 & 255, c >> 16 & 255, c >> 24) << 24;
}

/* Converts four pixels per thread at a time. A warp loads adjacent words, and its lanes exchange
 * them with shuffles. */
__global__ void __launch_bounds__(THREADS) grayscale_packed_kernel(Rows rows)
{
    constexpr int FOUR = 4, TIMES = EACH / FOUR, APART = THREADS * FOUR;
    const int32_t lane = (int32_t)(threadIdx.x % LANES);
    const int64_t first = (int64_t)blockIdx.x * PIXELS + (int64_t)threadIdx.x * FOUR;
    /* index, in the row, of the warp's first word */
    const int64_t word = (first - lane * FOUR) * PIXEL / 4;
    for (int64_t y = blockIdx.y; y < rows.height; y += gridDim.y) {
        const uint8_t *row = rows.src + (size_t)y * rows.src_stride;
        uint8_t *to = rows.dst + (size_t)y * rows.dst_stride;
        uint32_t words[TIMES][PIXEL];
#pragma unroll
        for (int i = 0; i < TIMES; i++)
#pragma unroll
            for (int k = 0; k < PIXEL; k++)
                words[i][k] = rows.word(row, word + i * APART * PIXEL / 4 + lane + k * LANES);
#pragma unroll
        for (int i = 0; i < TIMES; i++) {
            const uint32_t gray = gray_of_four(rows, words[i]);
            const int64_t x = first + i * APART;
            if (x + FOUR <= rows.width)
                *reinterpret_cast<uint32_t *>(to + x) = gray;
            else
#pragma unroll
                for (int k = 0; k < FOUR; k++)
                    if (x + k < rows.width)
                        to[x + k] = (uint8_t)(gray >> 8 * k);
        }
    }
}

/* Returns true if the program only converts 8-bit RGB to gray. It may do more if other steps are
 * merged with this one. */
bool is_gray_of_rgb(const ImgPointProgram &program)
{
    const ImgPointStage &stage = program.stages[0];
    return program.count == 1 && stage.kind == IMG_POINT_MATRIX && stage.is_narrow != 0 &&
           stage.from == 3 && stage.to == 1 && stage.from_bits == 8;
}

typedef void Kernel(Rows);

ImgStatus launch(const ImgCall *call, Kernel *kernel, ImgError *err)
{
    const ImgPointProgram &program = *static_cast<const ImgPointProgram *>(call->constants.bytes);
    if (!is_gray_of_rgb(program))
        return img_fail(err, IMG_E_USAGE,
                        "this implementation of grayscale takes no further step in the same pass; "
                        "leave it out, or ask for cuda-fast");
    Rows rows;
    rows.src = call->src.data;
    rows.dst = call->dst.data;
    rows.src_stride = call->src.stride;
    rows.dst_stride = call->dst.stride;
    rows.width = call->src.width;
    rows.height = call->src.height;
    for (int c = 0; c < PIXEL; c++)
        rows.weight[c] = program.stages[0].sum[0].weight[c];
    rows.offset = (int32_t)program.stages[0].sum[0].offset;
    const dim3 grid((unsigned)(((int64_t)rows.width + PIXELS - 1) / PIXELS),
                    (unsigned)(rows.height < GRID_ROWS ? rows.height : GRID_ROWS));
    IMG_LAUNCH(kernel, grid, THREADS, 0, call->stream, rows);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_grayscale_cuda_element(const ImgCall *call, ImgError *err)
{
    return launch(call, grayscale_element_kernel, err);
}

ImgStatus img_grayscale_cuda_staged(const ImgCall *call, ImgError *err)
{
    return launch(call, grayscale_staged_kernel, err);
}

ImgStatus img_grayscale_cuda_packed(const ImgCall *call, ImgError *err)
{
    return launch(call, grayscale_packed_kernel, err);
}
