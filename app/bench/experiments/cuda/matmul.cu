/* Kernels of the experiment `matmul`, the product of two matrices. A thread computes one element
 * from global memory, one element from tiles in shared memory, or 8 x 8 elements. Every kernel adds
 * the products in the order of the inner index. */
#include "app/bench/experiments/cuda/matmul_registers.cuh"
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* --- One thread per element ------------------------------------------------------------------- */

/* Each warp computes 32 elements in one row of C. Its threads read the same element of A, and
 * neighbouring elements of B. */
__global__ void global_kernel(Product p)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.columns || y >= p.rows)
        return;
    float sum = 0;
    for (int k = 0; k < p.inner; k++)
        sum = fmaf(p.a[(size_t)y * p.inner + k], p.b[(size_t)k * p.columns + x], sum);
    p.c[(size_t)y * p.columns + x] = sum;
}

/* A block of TILE x TILE threads computes TILE x TILE elements of C. It moves along rows of A and
 * down columns of B, one tile at a time. It copies each tile to shared memory, where all its
 * threads read it. Parts of a tile past the edges of a matrix are zeros. */
template <int TILE> __global__ void __launch_bounds__(TILE *TILE) tiles_kernel(Product p)
{
    IMG_SHARED(float, left, [TILE][TILE]);
    IMG_SHARED(float, right, [TILE][TILE]);
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int first = 0; first < p.inner; first += TILE) {
        left[ty][tx] = element_or_zero(p.a, p.rows, p.inner, y, first + tx);
        right[ty][tx] = element_or_zero(p.b, p.inner, p.columns, first + ty, x);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum = fmaf(left[ty][k], right[k][tx], sum);
        __syncthreads();
    }
    if (x < p.columns && y < p.rows)
        p.c[(size_t)y * p.columns + x] = sum;
}

/* --- Launching ------------------------------------------------------------------------------- */

dim3 grid_of(const Product &p, int rows, int columns)
{
    return dim3((p.columns + columns - 1) / columns, (p.rows + rows - 1) / rows);
}

template <int TILE> void launch_tiles(const Product &p, void *stream)
{
    IMG_LAUNCH(tiles_kernel<TILE>, grid_of(p, TILE, TILE), dim3(TILE, TILE), 0, stream, p);
}

void launch_registers(const Product &p, void *stream)
{
    if (p.inner % 4 == 0 && p.columns % 4 == 0)
        IMG_LAUNCH(registers_kernel<true>, grid_of(p, ROWS, COLUMNS), THREADS, 0, stream, p);
    else
        IMG_LAUNCH(registers_kernel<false>, grid_of(p, ROWS, COLUMNS), THREADS, 0, stream, p);
}

} // namespace

ImgStatus lab_launch_matmul(const LabVariant *variant, const LabCase *which, const void *in,
                            void *out, void *stream, ImgError *err)
{
    const float *a = (const float *)in;
    Product p = {a, a + lab_matmul_second(which), (float *)out, which->a, which->b, which->c};
    switch ((LabMatmul)variant->value) {
    case LAB_MATMUL_GLOBAL:
        IMG_LAUNCH(global_kernel, grid_of(p, 8, 32), dim3(32, 8), 0, stream, p);
        break;
    case LAB_MATMUL_TILES_16:
        launch_tiles<16>(p, stream);
        break;
    case LAB_MATMUL_TILES_32:
        launch_tiles<32>(p, stream);
        break;
    case LAB_MATMUL_REGISTERS:
        launch_registers(p, stream);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
