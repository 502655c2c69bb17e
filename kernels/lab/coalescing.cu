/* Kernels of the experiment `coalescing`: swap red and blue of elements of three components, bytes
 * or floats, and invert all three. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/lab/coalescing.h"
#include "kernels/lab/lab.h"

namespace
{

constexpr int THREADS = 256, VECTORS = 3;

__device__ uint8_t inverted(uint8_t v)
{
    return (uint8_t)(255 - v);
}
__device__ float inverted(float v)
{
    return 1 - v;
}

/* Elements in three vectors of 16 bytes: what a thread moves in all variants but the first. */
template <typename T> constexpr int ELEMENTS = 16 / (int)sizeof(T);

/* --- Component by component ------------------------------------------------------------------ */

/* Component k of element i lies at i * element + k * component: interleaved 3 and 1, planes 1 and
 * the number of elements. A thread takes EACH elements from `first` on, a block's width apart; all
 * are read before the first is written, so that many loads are under way, and so that `from` and
 * `to` may be the same. */
template <int EACH, typename T>
__device__ void swap_components(const T *from, T *to, size_t first, size_t count, size_t element,
                                size_t component)
{
    T values[EACH][3];
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            size_t i = first + n * THREADS;
            values[n][k] = i < count ? from[i * element + k * component] : (T)0;
        }
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            size_t i = first + n * THREADS;
            if (i < count)
                to[i * element + k * component] = inverted(values[n][2 - k]);
        }
}

template <typename T, int EACH>
__global__ void __launch_bounds__(THREADS)
    components_kernel(const T *in, T *out, size_t count, size_t element, size_t component)
{
    size_t first = (size_t)blockIdx.x * (THREADS * EACH) + threadIdx.x;
    swap_components<EACH>(in, out, first, count, element, component);
}

/* --- Staged ---------------------------------------------------------------------------------- */

/* Between global and shared memory: all vectors of a full block, or `components` one by one. */
template <typename T> __device__ void move_block(const T *from, T *to, size_t components, bool full)
{
    if (full) {
        uint4 vectors[VECTORS];
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            vectors[k] = ((const uint4 *)from)[k * THREADS + threadIdx.x];
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            ((uint4 *)to)[k * THREADS + threadIdx.x] = vectors[k];
    } else {
        for (size_t i = threadIdx.x; i < components; i += THREADS)
            to[i] = from[i];
    }
}

/* Whole vectors in, each thread its elements where they lie, whole vectors out. Neighbours are
 * three components apart, which meets no bank twice. */
template <typename T>
__global__ void __launch_bounds__(THREADS) staged_kernel(const T *in, T *out, size_t count)
{
    constexpr int BLOCK = THREADS * ELEMENTS<T>;
    IMG_SHARED(uint4, vectors, [THREADS * VECTORS]);
    T *shared = reinterpret_cast<T *>(vectors);
    size_t first = (size_t)blockIdx.x * BLOCK, left = count - first;
    bool full = left >= BLOCK;
    move_block(in + 3 * first, shared, 3 * left, full);
    __syncthreads();
    swap_components<ELEMENTS<T>>((const T *)shared, shared, threadIdx.x, left, 3, 1);
    __syncthreads();
    move_block((const T *)shared, out + 3 * first, 3 * left, full);
}

/* --- Packed ---------------------------------------------------------------------------------- */

/* Four pixels are three words: RGBR GBRG BRGB, the first byte lowest. */
__device__ void swap_words(uint32_t a, uint32_t b, uint32_t c, uint32_t *to)
{
    to[0] = ~__byte_perm(a, b, 0x5012);
    to[1] = ~__byte_perm(__byte_perm(a, b, 0x7034), c, 0x3410);
    to[2] = ~__byte_perm(b, c, 0x5672);
}

/* 16 pixels. */
__device__ void swap_packed(const uint8_t *in, uint8_t *out)
{
    const uint4 *from = (const uint4 *)in;
    uint4 *to = (uint4 *)out, a = from[0], b = from[1], c = from[2];
    uint32_t words[12];
    swap_words(a.x, a.y, a.z, words);
    swap_words(a.w, b.x, b.y, words + 3);
    swap_words(b.z, b.w, c.x, words + 6);
    swap_words(c.y, c.z, c.w, words + 9);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        to[k] = make_uint4(words[4 * k], words[4 * k + 1], words[4 * k + 2], words[4 * k + 3]);
}

__device__ float4 inverted_four(float x, float y, float z, float w)
{
    float4 v;
    v.x = inverted(x);
    v.y = inverted(y);
    v.z = inverted(z);
    v.w = inverted(w);
    return v;
}

/* Four elements: RGBR GBRG BRGB. */
__device__ void swap_packed(const float *in, float *out)
{
    const float4 *from = (const float4 *)in;
    float4 *to = (float4 *)out, a = from[0], b = from[1], c = from[2];
    to[0] = inverted_four(a.z, a.y, a.x, b.y);
    to[1] = inverted_four(b.x, a.w, c.x, b.w);
    to[2] = inverted_four(b.z, c.w, c.z, c.y);
}

/* What is left behind the last whole group goes one by one. */
template <typename T>
__global__ void __launch_bounds__(THREADS) packed_kernel(const T *in, T *out, size_t count)
{
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * ELEMENTS<T>;
    if (first + ELEMENTS<T> <= count) {
        swap_packed(in + 3 * first, out + 3 * first);
        return;
    }
    for (size_t i = 3 * first; i < 3 * count; i += 3)
        for (int k = 0; k < 3; k++)
            out[i + k] = inverted(in[i + 2 - k]);
}

/* --- Launching ------------------------------------------------------------------------------- */

unsigned blocks(size_t count, int each)
{
    size_t block = (size_t)THREADS * each;
    return (unsigned)((count + block - 1) / block);
}

template <typename T>
void launch(LabCoalescing variant, const T *in, T *out, size_t count, void *stream)
{
    constexpr int EACH = ELEMENTS<T>;
    switch (variant) {
    case LAB_ELEMENTS:
        IMG_LAUNCH((components_kernel<T, 1>), blocks(count, 1), THREADS, 0, stream, in, out, count,
                   (size_t)3, (size_t)1);
        break;
    case LAB_STAGED:
        IMG_LAUNCH(staged_kernel<T>, blocks(count, EACH), THREADS, 0, stream, in, out, count);
        break;
    case LAB_PACKED:
        IMG_LAUNCH(packed_kernel<T>, blocks(count, EACH), THREADS, 0, stream, in, out, count);
        break;
    case LAB_PLANES:
        IMG_LAUNCH((components_kernel<T, EACH>), blocks(count, EACH), THREADS, 0, stream, in, out,
                   count, (size_t)1, count);
        break;
    }
}

} // namespace

ImgStatus lab_launch_coalescing(const LabVariant *variant, const LabCase *which, const void *in,
                                void *out, void *stream, ImgError *err)
{
    LabCoalescing how = (LabCoalescing)variant->value;
    size_t count = (size_t)which->b;
    if (which->a == 1)
        launch(how, (const uint8_t *)in, (uint8_t *)out, count, stream);
    else
        launch(how, (const float *)in, (float *)out, count, stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
