/* Sums of floats by blocks of 512 threads: what divergence within warps costs, step by step. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"
#include "kernels/sum/reduce.cuh"

namespace
{

constexpr int THREADS = LAB_SUM_THREADS;

/* Elements that a block of the variant adds up. */
template <LabSum VARIANT>
constexpr int ELEMENTS = VARIANT >= LAB_SUM_FIRST_ADD ? THREADS * 2 : THREADS;
template <> constexpr int ELEMENTS<LAB_SUM_VECTOR> = THREADS * 4 * 4;

__device__ float load_or_zero(const float *in, size_t i, size_t count)
{
    return i < count ? in[i] : 0;
}

/* Four times four floats a thread; what is left behind the last whole vector one by one. */
__device__ float load_vectors(const float *in, size_t first, size_t count)
{
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        size_t i = first + (size_t)(k * THREADS + (int)threadIdx.x) * 4;
        if (i + 4 <= count) {
            float4 v = *(const float4 *)(in + i);
            sum += (v.x + v.y) + (v.z + v.w);
        } else {
            for (; i < count; i++)
                sum += in[i];
        }
    }
    return sum;
}

template <LabSum VARIANT>
__global__ void __launch_bounds__(THREADS)
    float_sum_kernel(const float *in, size_t count, int rounds, float *out)
{
    IMG_SHARED(float, shared, [THREADS]);
    size_t first = (size_t)blockIdx.x * ELEMENTS<VARIANT>;
    float value;
    if (VARIANT == LAB_SUM_VECTOR)
        value = load_vectors(in, first, count);
    else
        value = load_or_zero(in, first + threadIdx.x, count);
    if (VARIANT == LAB_SUM_FIRST_ADD || VARIANT == LAB_SUM_SHUFFLE)
        value += load_or_zero(in, first + THREADS + threadIdx.x, count);
    float sum;
    if (VARIANT == LAB_SUM_NEIGHBOURS)
        sum = reduce_neighbours<THREADS>(shared, value, rounds);
    else if (VARIANT == LAB_SUM_SEQUENTIAL || VARIANT == LAB_SUM_FIRST_ADD)
        sum = reduce_sequential<THREADS>(shared, value, rounds);
    else
        sum = reduce_shuffle<THREADS>(shared, value);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <LabSum VARIANT>
void launch(const float *in, size_t count, int rounds, float *out, void *stream)
{
    auto kernel = float_sum_kernel<VARIANT>;
    IMG_LAUNCH(kernel, (unsigned)lab_sum_blocks(VARIANT, count), THREADS, 0, stream, in, count,
               rounds, out);
}

} // namespace

const char *const lab_sum_names[LAB_SUMS] = {"neighbouring pairs", "sequential addressing",
                                             "first add on load", "warp shuffles", "vectorised"};

size_t lab_sum_blocks(LabSum variant, size_t count)
{
    size_t elements = variant == LAB_SUM_VECTOR      ? ELEMENTS<LAB_SUM_VECTOR>
                      : variant >= LAB_SUM_FIRST_ADD ? ELEMENTS<LAB_SUM_FIRST_ADD>
                                                     : ELEMENTS<LAB_SUM_NEIGHBOURS>;
    return (count + elements - 1) / elements;
}

ImgStatus lab_sum(LabSum variant, const float *in, size_t count, int rounds, float *out,
                  void *stream, ImgError *err)
{
    switch (variant) {
    case LAB_SUM_NEIGHBOURS:
        launch<LAB_SUM_NEIGHBOURS>(in, count, rounds, out, stream);
        break;
    case LAB_SUM_SEQUENTIAL:
        launch<LAB_SUM_SEQUENTIAL>(in, count, rounds, out, stream);
        break;
    case LAB_SUM_FIRST_ADD:
        launch<LAB_SUM_FIRST_ADD>(in, count, rounds, out, stream);
        break;
    case LAB_SUM_SHUFFLE:
        launch<LAB_SUM_SHUFFLE>(in, count, rounds, out, stream);
        break;
    default:
        launch<LAB_SUM_VECTOR>(in, count, rounds, out, stream);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
