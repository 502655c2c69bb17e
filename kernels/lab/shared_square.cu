/* Squares and rectangles of shared memory, written and read by rows or by columns. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"

const char *const lab_tile_names[LAB_TILES] = {
    "row/row",
    "column/column",
    "row/column",
    "row/column, dynamic",
    "row/column, padded",
    "row/column, padded dynamic",
};

namespace
{

constexpr int SIDE = 32, HEIGHT = 16;

/* Thread (x, y) writes word (x, y) or (y, x) of the square and reads (x, y) or (y, x). */
template <int PITCH, bool WRITES_COLUMNS, bool READS_COLUMNS>
__device__ void through_square(int32_t *square, int32_t *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * SIDE + x;
    square[WRITES_COLUMNS ? x * PITCH + y : y * PITCH + x] = i;
    __syncthreads();
    out[i] = square[READS_COLUMNS ? x * PITCH + y : y * PITCH + x];
}

template <int PITCH, bool WRITES_COLUMNS, bool READS_COLUMNS>
__global__ void square_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, square, [SIDE * PITCH]);
    through_square<PITCH, WRITES_COLUMNS, READS_COLUMNS>(square, out);
}

template <int PITCH> __global__ void square_dynamic_kernel(int32_t *out)
{
    IMG_SHARED_DYNAMIC(int32_t, square);
    through_square<PITCH, false, true>(square, out);
}

/* A rectangle 32 wide and 16 high, held in rows of PITCH words. */
template <int PITCH> __device__ void turn_rectangle(int32_t *rectangle, int32_t *out)
{
    int i = threadIdx.y * SIDE + threadIdx.x;
    rectangle[threadIdx.y * PITCH + threadIdx.x] = i;
    __syncthreads();
    out[i] = rectangle[i % HEIGHT * PITCH + i / HEIGHT];
}

__global__ void rectangle_rows_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, rectangle, [HEIGHT][SIDE]);
    int i = threadIdx.y * SIDE + threadIdx.x;
    rectangle[threadIdx.y][threadIdx.x] = i;
    __syncthreads();
    out[i] = rectangle[threadIdx.y][threadIdx.x];
}

/* Rows of 16 words, so that the thread's x is the row. */
__global__ void rectangle_columns_kernel(int32_t *out)
{
    IMG_SHARED(int32_t, rectangle, [SIDE][HEIGHT]);
    int i = threadIdx.y * SIDE + threadIdx.x;
    rectangle[threadIdx.x][threadIdx.y] = i;
    __syncthreads();
    out[i] = rectangle[threadIdx.x][threadIdx.y];
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

ImgStatus lab_square(LabTile variant, int32_t *out, void *stream, ImgError *err)
{
    dim3 block(SIDE, SIDE);
    switch (variant) {
    case LAB_ROW_ROW:
        IMG_LAUNCH((square_kernel<SIDE, false, false>), 1, block, 0, stream, out);
        break;
    case LAB_COLUMN_COLUMN:
        IMG_LAUNCH((square_kernel<SIDE, true, true>), 1, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN:
        IMG_LAUNCH((square_kernel<SIDE, false, true>), 1, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_DYNAMIC:
        IMG_LAUNCH(square_dynamic_kernel<SIDE>, 1, block, SIDE * SIDE * 4, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED:
        IMG_LAUNCH((square_kernel<SIDE + 1, false, true>), 1, block, 0, stream, out);
        break;
    default:
        IMG_LAUNCH(square_dynamic_kernel<SIDE + 1>, 1, block, SIDE * (SIDE + 1) * 4, stream, out);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus lab_rectangle(LabTile variant, int32_t *out, void *stream, ImgError *err)
{
    dim3 block(SIDE, HEIGHT);
    switch (variant) {
    case LAB_ROW_ROW:
        IMG_LAUNCH(rectangle_rows_kernel, 1, block, 0, stream, out);
        break;
    case LAB_COLUMN_COLUMN:
        IMG_LAUNCH(rectangle_columns_kernel, 1, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN:
        IMG_LAUNCH(rectangle_kernel<SIDE>, 1, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_DYNAMIC:
        IMG_LAUNCH(rectangle_dynamic_kernel<SIDE>, 1, block, HEIGHT * SIDE * 4, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED:
        IMG_LAUNCH(rectangle_kernel<SIDE + 2>, 1, block, 0, stream, out);
        break;
    default:
        IMG_LAUNCH(rectangle_dynamic_kernel<SIDE + 2>, 1, block, HEIGHT * (SIDE + 2) * 4, stream,
                   out);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
