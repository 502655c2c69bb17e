/* Kernel of the experiments `sum` and `sum-rounds`, which show the cost of divergence within
 * warps. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/sum/cuda/reduce.cuh"

namespace
{

constexpr int THREADS = LAB_SUM_THREADS;

__device__ float load_or_zero(const float *in, size_t i, size_t count)
{
    return i < count ? in[i] : 0;
}

/* Returns the sum of 16 floats, which the thread loads in four vectors. Floats after the last
 * complete vector are loaded one by one. */
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

/* Adds floats by blocks. In every variant `out` has one element per THREADS inputs. If a block adds
 * several times THREADS inputs, it owns several elements: it writes the sum to the first one and
 * zeros to the others. */
template <LabSum VARIANT>
__global__ void __launch_bounds__(THREADS)
    float_sum_kernel(const float *in, size_t count, int rounds, float *out)
{
    constexpr int PARTS = LAB_SUM_PARTS(VARIANT);
    IMG_SHARED(float, shared, [THREADS]);
    size_t first = (size_t)blockIdx.x * (THREADS * PARTS);
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
    size_t places = (count + THREADS - 1) / THREADS;
    size_t place = (size_t)blockIdx.x * PARTS + threadIdx.x;
    if (threadIdx.x < PARTS && place < places)
        out[place] = threadIdx.x == 0 ? sum : 0;
}

template <LabSum VARIANT>
void launch(const LabCase *which, const float *in, float *out, void *stream)
{
    auto kernel = float_sum_kernel<VARIANT>;
    size_t count = (size_t)which->a, elements = THREADS * LAB_SUM_PARTS(VARIANT);
    IMG_LAUNCH(kernel, (unsigned)((count + elements - 1) / elements), THREADS, 0, stream, in, count,
               which->b, out);
}

} // namespace

ImgStatus lab_launch_sum(const LabVariant *variant, const LabCase *which, const void *in, void *out,
                         void *stream, ImgError *err)
{
    const float *floats = (const float *)in;
    float *sums = (float *)out;
    switch ((LabSum)variant->value) {
    case LAB_SUM_NEIGHBOURS:
        launch<LAB_SUM_NEIGHBOURS>(which, floats, sums, stream);
        break;
    case LAB_SUM_SEQUENTIAL:
        launch<LAB_SUM_SEQUENTIAL>(which, floats, sums, stream);
        break;
    case LAB_SUM_FIRST_ADD:
        launch<LAB_SUM_FIRST_ADD>(which, floats, sums, stream);
        break;
    case LAB_SUM_SHUFFLE:
        launch<LAB_SUM_SHUFFLE>(which, floats, sums, stream);
        break;
    case LAB_SUM_VECTOR:
        launch<LAB_SUM_VECTOR>(which, floats, sums, stream);
        break;
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Launches the same kernel as `sum`. In `sum-rounds` a case defines the number of rounds after
 * which the kernel stops. */
ImgStatus lab_launch_sum_rounds(const LabVariant *variant, const LabCase *which, const void *in,
                                void *out, void *stream, ImgError *err)
{
    return lab_launch_sum(variant, which, in, out, stream, err);
}
