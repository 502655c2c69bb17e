/* Kernels of the experiment `square`. A block has 32 x 32 threads, and one word of shared memory
 * per thread. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int SIDE = 32;

/* Each thread (x, y) writes one word of the square, and reads one after a barrier. The word is in
 * row y and column x. If WRITES_COLUMNS or READS_COLUMNS is set, it is in row x and column y. */
template <int PITCH, bool WRITES_COLUMNS, bool READS_COLUMNS>
__device__ void through_square(int32_t *square, int32_t *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * SIDE + x;
    square[WRITES_COLUMNS ? x * PITCH + y : y * PITCH + x] = i;
    __syncthreads();
    out[blockIdx.x * SIDE * SIDE + i] = square[READS_COLUMNS ? x * PITCH + y : y * PITCH + x];
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

} // namespace

ImgStatus lab_launch_square(const LabVariant *variant, const LabCase *which, const void *,
                            void *memory, void *stream, ImgError *err)
{
    dim3 grid(which->a), block(SIDE, SIDE);
    int32_t *out = (int32_t *)memory;
    switch ((LabTile)variant->value) {
    case LAB_ROW_ROW:
        IMG_LAUNCH((square_kernel<SIDE, false, false>), grid, block, 0, stream, out);
        break;
    case LAB_COLUMN_COLUMN:
        IMG_LAUNCH((square_kernel<SIDE, true, true>), grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN:
        IMG_LAUNCH((square_kernel<SIDE, false, true>), grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_DYNAMIC:
        IMG_LAUNCH(square_dynamic_kernel<SIDE>, grid, block, SIDE * SIDE * 4, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED:
        IMG_LAUNCH((square_kernel<SIDE + 1, false, true>), grid, block, 0, stream, out);
        break;
    case LAB_ROW_COLUMN_PADDED_DYNAMIC:
        IMG_LAUNCH(square_dynamic_kernel<SIDE + 1>, grid, block, SIDE * (SIDE + 1) * 4, stream,
                   out);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
