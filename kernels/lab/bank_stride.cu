/* One warp, every stride: which ones meet a bank several times. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"

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

/* The words are written in order, without conflicts; only the read strides. */
template <typename T> __global__ void stride_kernel(int stride, uint32_t *out)
{
    constexpr int WORDS = THREADS * MOST_STRIDE * (int)sizeof(T) / 4;
    IMG_SHARED(uint4, shared, [(WORDS + 3) / 4]);
    uint32_t *words = reinterpret_cast<uint32_t *>(shared);
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = (uint32_t)i;
    __syncwarp();
    out[threadIdx.x] = all_words(reinterpret_cast<const T *>(shared)[threadIdx.x * stride]);
}

} // namespace

ImgStatus lab_stride(int bytes, int stride, uint32_t *out, void *stream, ImgError *err)
{
    if (stride < 0 || stride > MOST_STRIDE)
        return img_fail(err, IMG_E_USAGE, "a stride of %d is not between 0 and %d", stride,
                        MOST_STRIDE);
    switch (bytes) {
    case 1:
        IMG_LAUNCH(stride_kernel<uint8_t>, 1, THREADS, 0, stream, stride, out);
        break;
    case 2:
        IMG_LAUNCH(stride_kernel<uint16_t>, 1, THREADS, 0, stream, stride, out);
        break;
    case 4:
        IMG_LAUNCH(stride_kernel<uint32_t>, 1, THREADS, 0, stream, stride, out);
        break;
    case 8:
        IMG_LAUNCH(stride_kernel<uint2>, 1, THREADS, 0, stream, stride, out);
        break;
    case 16:
        IMG_LAUNCH(stride_kernel<uint4>, 1, THREADS, 0, stream, stride, out);
        break;
    default:
        return img_fail(err, IMG_E_USAGE, "no access of %d bytes", bytes);
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
