/* The kernel of the experiment `matmul` in which a thread computes 8 x 8 elements. Source: Hwu,
 * Kirk, El Hajj, "Programming Massively Parallel Processors", chapter 6 (thread coarsening). */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_REGISTERS_CUH
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_REGISTERS_CUH

#include <math.h>

#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

/* The matrices of the product C = A x B and their sizes. A has `rows` x `inner` elements, B has
 * `inner` x `columns`. */
struct Product {
    const float *a, *b;
    float *c;
    int rows, inner, columns;
};

__device__ float element_or_zero(const float *matrix, int rows, int columns, int y, int x)
{
    return y < rows && x < columns ? matrix[(size_t)y * columns + x] : 0;
}

/* A block of 128 threads computes 128 x 64 elements of C from slices of A and B, 16 elements deep.
 * The threads are arranged as 8 x 16. Thread (x, y) computes eight rows, four from 4y and four from
 * 64 + 4y. It computes eight columns, four from 4x and four from 32 + 4x. The slice of A is stored
 * transposed, so that the rows of a thread are contiguous: one row of the transposed slice has the
 * 128 elements of one depth, padded by 4 floats.
 *
 * At a time, a warp stores the elements of 16 rows of A at two depths that are 4 apart. Because of
 * the padding, each depth begins 4 banks after the previous one. So the second 16 words begin 16
 * banks after the first 16, and the 32 words are in 32 different banks. */
constexpr int ROWS = 128, COLUMNS = 64, DEPTH = 16, THREADS = 128, QUADS = DEPTH / 4;
/* row lengths of the slices of A (LEFT) and of B (RIGHT), in vectors of 4 floats */
constexpr int LEFT_PITCH = (ROWS + 4) / 4, RIGHT_PITCH = COLUMNS / 4;

typedef float4 LeftSlice[DEPTH][LEFT_PITCH];
typedef float4 RightSlice[DEPTH][RIGHT_PITCH];

/* Loads four elements of row `y`, from column `x` on. Elements past the edges are zeros. VECTORS is
 * true if the row length is a multiple of four and rows start at multiples of 16 bytes. */
template <bool VECTORS>
__device__ float4 load_four(const float *matrix, int rows, int columns, int y, int x)
{
    float4 v;
    v.x = v.y = v.z = v.w = 0;
    if (VECTORS) {
        if (y < rows && x < columns)
            v = *(const float4 *)(matrix + (size_t)y * columns + x);
    } else {
        v.x = element_or_zero(matrix, rows, columns, y, x);
        v.y = element_or_zero(matrix, rows, columns, y, x + 1);
        v.z = element_or_zero(matrix, rows, columns, y, x + 2);
        v.w = element_or_zero(matrix, rows, columns, y, x + 3);
    }
    return v;
}

template <bool VECTORS>
__device__ void store_four(float *matrix, int rows, int columns, int y, int x, float4 v)
{
    float *to = matrix + (size_t)y * columns + x;
    if (VECTORS) {
        if (y < rows && x < columns)
            *(float4 *)to = v;
    } else if (y < rows) {
        if (x < columns)
            to[0] = v.x;
        if (x + 1 < columns)
            to[1] = v.y;
        if (x + 2 < columns)
            to[2] = v.z;
        if (x + 3 < columns)
            to[3] = v.w;
    }
}

/* The elements of the slices of A and B that one thread copies from global to shared memory. */
template <bool VECTORS> struct Share {
    static constexpr int LEFT = ROWS * DEPTH / 4 / THREADS, RIGHT = DEPTH * COLUMNS / 4 / THREADS;
    float4 left[LEFT], right[RIGHT];

    /* Returns the row of the slice of A from which the thread copies its vector number `i`. Two
     * neighbouring threads load one sector (32 bytes) of a row. */
    static __device__ int left_row(int i)
    {
        return threadIdx.x / 2 + i / 2 * (THREADS / 2);
    }
    static __device__ int left_quad(int i)
    {
        return threadIdx.x % 2 + i % 2 * (QUADS / 2);
    }
    static __device__ int right_row(int i)
    {
        return threadIdx.x / RIGHT_PITCH + i * (THREADS / RIGHT_PITCH);
    }
    static __device__ int right_quad()
    {
        return threadIdx.x % RIGHT_PITCH;
    }

    __device__ void load(const Product &p, int first)
    {
#pragma unroll
        for (int i = 0; i < LEFT; i++)
            left[i] = load_four<VECTORS>(p.a, p.rows, p.inner, blockIdx.y * ROWS + left_row(i),
                                         first + 4 * left_quad(i));
#pragma unroll
        for (int i = 0; i < RIGHT; i++)
            right[i] = load_four<VECTORS>(p.b, p.inner, p.columns, first + right_row(i),
                                          blockIdx.x * COLUMNS + 4 * right_quad());
    }

    __device__ void store(LeftSlice &to_left, RightSlice &to_right) const
    {
#pragma unroll
        for (int i = 0; i < LEFT; i++) {
            float *transposed = (float *)to_left[4 * left_quad(i)] + left_row(i);
            transposed[0] = left[i].x;
            transposed[4 * LEFT_PITCH] = left[i].y;
            transposed[8 * LEFT_PITCH] = left[i].z;
            transposed[12 * LEFT_PITCH] = left[i].w;
        }
#pragma unroll
        for (int i = 0; i < RIGHT; i++)
            to_right[right_row(i)][right_quad()] = right[i];
    }
};

__device__ void unpack(float4 v, float *to)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

__device__ void multiply(const LeftSlice &left, const RightSlice &right, float (&sums)[8][8])
{
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        float a[8], b[8];
        unpack(left[k][y], a);
        unpack(left[k][ROWS / 8 + y], a + 4);
        unpack(right[k][x], b);
        unpack(right[k][COLUMNS / 8 + x], b + 4);
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
    }
}

template <bool VECTORS> __device__ void write_result(const Product &p, const float (&sums)[8][8])
{
    int x = blockIdx.x * COLUMNS + threadIdx.x % 8 * 4, y = blockIdx.y * ROWS + threadIdx.x / 8 * 4;
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            float4 v;
            v.x = sums[i][j];
            v.y = sums[i][j + 1];
            v.z = sums[i][j + 2];
            v.w = sums[i][j + 3];
            store_four<VECTORS>(p.c, p.rows, p.columns, y + i / 4 * (ROWS / 2) + i % 4,
                                x + j / 4 * (COLUMNS / 2), v);
        }
}

/* Computes a block of C with double buffering. While the threads multiply the current slices of A
 * and B, they already load the next ones. */
template <bool VECTORS> __global__ void __launch_bounds__(THREADS) registers_kernel(Product p)
{
    IMG_SHARED(float4, left, [2][DEPTH][LEFT_PITCH]);
    IMG_SHARED(float4, right, [2][DEPTH][RIGHT_PITCH]);
    Share<VECTORS> share;
    float sums[8][8] = {};
    share.load(p, 0);
    share.store(left[0], right[0]);
    __syncthreads();
    int now = 0;
    for (int next = DEPTH; next < p.inner; next += DEPTH) {
        share.load(p, next);
        multiply(left[now], right[now], sums);
        now ^= 1;
        share.store(left[now], right[now]);
        __syncthreads();
    }
    multiply(left[now], right[now], sums);
    write_result<VECTORS>(p, sums);
}

} // namespace

#endif
