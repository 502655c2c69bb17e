/* Kernels of the experiment `rectangle`. A block has 32 x 16 threads, and one word of shared memory
 * per thread. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int WIDTH = 32, HEIGHT = 16;

__device__ int thread_number()
{
    return threadIdx.y * WIDTH + threadIdx.x;
}

__device__ void write_result(int32_t *out, int32_t word)
{
    out[blockIdx.x * WIDTH * HEIGHT + thread_number()] = word;
}

__global__ void rectangle_rows_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, rectangle, [HEIGHT][WIDTH]);
    rectangle[threadIdx.y][threadIdx.x] = thread_number();
    __syncthreads();
    write_result(out, rectangle[threadIdx.y][threadIdx.x]);
}

/* The shared array has 32 rows of 16 words. Thread (x, y) writes and reads the word in row x and
 * column y. */
__global__ void rectangle_columns_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, rectangle, [WIDTH][HEIGHT]);
    rectangle[threadIdx.x][threadIdx.y] = thread_number();
    __syncthreads();
    write_result(out, rectangle[threadIdx.x][threadIdx.y]);
}

/* Writes a rectangle of 32 x 16 words by rows and reads it by columns. Its rows have a distance of
 * PITCH words. */
template <int PITCH> __device__ void turn_rectangle(int32_t *rectangle, int32_t *out)
{
    int i = thread_number();
    rectangle[threadIdx.y * PITCH + threadIdx.x] = i;
    __syncthreads();
    write_result(out, rectangle[i % HEIGHT * PITCH + i / HEIGHT]);
}

template <int PITCH> __global__ void rectangle_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, rectangle, [HEIGHT * PITCH]);
    turn_rectangle<PITCH>(rectangle, out);
}

template <int PITCH> __global__ void rectangle_dynamic_kernel(int32_t *out)
{
    IMG_SHARED_DYNAMIC(int32_t, rectangle);
    turn_rectangle<PITCH>(rectangle, out);
}

} // namespace

ImgStatus lab_launch_rectangle(const LabVariant *variant, const LabCase *which, const void *,
                               void *memory, void *stream, ImgError *err)
{
    dim3 grid(which->a), block(WIDTH, HEIGHT);
    int32_t *out = (int32_t *)memory;
    switch ((LabTile)variant->value) {
    case LAB_ROW_ROW:
        IMG_LAUNCH(rectangle_rows_kernel, grid, block, 0, stream, out);
        break;
    case LAB_COLUMN_COLUMN:
        IMG_LAUNCH(rectangle_columns_kernel, grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN:
        IMG_LAUNCH(rectangle_kernel<WIDTH>, grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_DYNAMIC:
        IMG_LAUNCH(rectangle_dynamic_kernel<WIDTH>, grid, block, HEIGHT * WIDTH * 4, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED:
        IMG_LAUNCH(rectangle_kernel<WIDTH + 2>, grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED_DYNAMIC:
        IMG_LAUNCH(rectangle_dynamic_kernel<WIDTH + 2>, grid, block, HEIGHT * (WIDTH + 2) * 4,
                   stream, out);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
