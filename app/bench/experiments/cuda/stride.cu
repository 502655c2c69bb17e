/* Kernel of the experiment `stride`: measures which strides cause bank conflicts in shared
 * memory. */
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 32, MOST_STRIDE = 33;

__device__ uint32_t all_words(uint32_t v)
{
    return v;
}
__device__ uint32_t all_words(uint2 v)
{
    return v.x ^ v.y;
}
__device__ uint32_t all_words(uint4 v)
{
    return v.x ^ v.y ^ v.z ^ v.w;
}

/* Writes words to shared memory in order, without conflicts, and reads them with a stride. The
 * argument `none` is 0, but the compiler does not know its value. It makes the address of each read
 * depend on the previous read, so that no read is optimised away. */
template <typename T>
__global__ void stride_kernel(int stride, int reads, uint32_t none, uint32_t *out)
{
    constexpr int WORDS = THREADS * MOST_STRIDE * (int)sizeof(T) / 4;
    IMG_SHARED(uint4, shared, [(WORDS + 3) / 4]);
    uint32_t *words = reinterpret_cast<uint32_t *>(shared);
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = (uint32_t)i;
    __syncwarp();
    const T *elements = reinterpret_cast<const T *>(shared);
    uint32_t at = threadIdx.x * stride, sum = 0;
    T element = elements[at];
    for (int i = 1; i < reads; i++) {
        uint32_t value = all_words(element);
        sum += value;
        at += value & none;
        element = elements[at];
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum + all_words(element);
}

template <typename T>
void launch(const LabVariant *variant, const LabCase *which, uint32_t *out, void *stream)
{
    IMG_LAUNCH(stride_kernel<T>, which->c, THREADS, 0, stream, variant->value, which->b, 0, out);
}

} // namespace

ImgStatus lab_launch_stride(const LabVariant *variant, const LabCase *which, const void *,
                            void *memory, void *stream, ImgError *err)
{
    uint32_t *out = (uint32_t *)memory;
    if (variant->value < 0 || variant->value > MOST_STRIDE)
        return img_fail(err, IMG_E_USAGE, "a stride of %d is not between 0 and %d", variant->value,
                        MOST_STRIDE);
    switch (which->a) {
    case 1:
        launch<uint8_t>(variant, which, out, stream);
        break;
    case 2:
        launch<uint16_t>(variant, which, out, stream);
        break;
    case 4:
        launch<uint32_t>(variant, which, out, stream);
        break;
    case 8:
        launch<uint2>(variant, which, out, stream);
        break;
    case 16:
        launch<uint4>(variant, which, out, stream);
        break;
    default:
        return img_fail(err, IMG_E_USAGE, "an access has 1, 2, 4, 8 or 16 bytes, not %d", which->a);
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
