/* Kernels of the experiment `coalescing`. Each element has three components, which are bytes or
 * floats. The kernels swap red and blue, and invert all three components. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

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

/* Number of elements, of three components each, in three vectors of 16 bytes. In all variants
 * except the first, a thread processes this number of elements. */
template <typename T> constexpr int ELEMENTS = 16 / (int)sizeof(T);

/* --- Component by component ------------------------------------------------------------------ */

/* Each thread swaps red and blue, and inverts all components, in EACH elements. Component k of
 * element i is at index i * `element` + k * `component`. For interleaved data `element` is 3 and
 * `component` is 1. For planes `element` is 1 and `component` is the number of elements. The
 * thread's elements are `first`, `first` + THREADS, and so on. A thread reads all its elements
 * before it writes the first one. Many loads are therefore in flight, and `from` and `to` may be
 * the same. */
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

/* Copies the data of a block between global and shared memory. If `full` is set, the copy uses
 * vectors; otherwise it copies one component at a time. */
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

/* A block copies its data to shared memory in vectors. Each thread swaps and inverts its elements
 * there, and the block stores the results in vectors. Neighbouring threads access components of
 * shared memory that are three components apart. This causes no bank conflict: for floats because 3
 * is odd, for bytes because a warp reads only 24 neighbouring words. */
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

constexpr int WARP = 32, LAST = WARP - 1;
constexpr unsigned ALL = 0xffffffffu;

/* word_before and word_after return the word next to `mine` in memory. A warp holds 96 vectors in
 * three groups of 32; `mine` belongs to vector 32 k + lane. Its neighbour is in the neighbouring
 * lane. For the first and the last lane it is in another group: `earlier` and `later` are this
 * lane's words of the groups k - 1 and k + 1. */
template <typename W> __device__ W word_before(W mine, W earlier, int lane)
{
    W near = __shfl_up_sync(ALL, mine, 1), far = __shfl_sync(ALL, earlier, LAST);
    return lane == 0 ? far : near;
}
template <typename W> __device__ W word_after(W mine, W later, int lane)
{
    W near = __shfl_down_sync(ALL, mine, 1), far = __shfl_sync(ALL, later, 0);
    return lane == LAST ? far : near;
}

/* Returns the word (four bytes) with red and blue swapped and all bytes inverted. `phase` is the
 * component of its lowest byte. Phase 0 (RGBR) needs two bytes of the next word. Phase 1 (GBRG)
 * needs one byte of each neighbour. Phase 2 (BRGB) needs two bytes of the previous word. */
__device__ uint32_t swapped(uint32_t before, uint32_t word, uint32_t after, int phase)
{
    uint32_t first = __byte_perm(word, after, phase == 0 ? 0x5012 : phase == 1 ? 0x3400 : 0x1230);
    return ~__byte_perm(first, before, phase == 0 ? 0x3210 : phase == 1 ? 0x3270 : 0x3216);
}

__device__ int next_phase(int phase)
{
    return phase == 2 ? 0 : phase + 1;
}

/* Swaps red and blue, and inverts all components, in vector `k` (16 bytes) of this lane, and writes
 * the result to `*to`. `phase` is the component of the vector's first byte. */
__device__ void swap_vector(const uint4 *v, int k, int lane, int phase, uint4 *to)
{
    uint32_t before = word_before(v[k].w, v[k > 0 ? k - 1 : 0].w, lane);
    uint32_t after = word_after(v[k].x, v[k < VECTORS - 1 ? k + 1 : k].x, lane);
    int second = next_phase(phase), third = next_phase(second);
    *to =
        make_uint4(swapped(before, v[k].x, v[k].y, phase), swapped(v[k].x, v[k].y, v[k].z, second),
                   swapped(v[k].y, v[k].z, v[k].w, third), swapped(v[k].z, v[k].w, after, phase));
}

/* Swaps and inverts vector `k` of this lane, four floats. Phase 0 is RGBR, phase 1 is GBRG, phase 2
 * is BRGB. */
__device__ void swap_vector(const float4 *v, int k, int lane, int phase, float4 *to)
{
    int earlier = k > 0 ? k - 1 : 0, later = k < VECTORS - 1 ? k + 1 : k;
    float before_z = word_before(v[k].z, v[earlier].z, lane);
    float before_w = word_before(v[k].w, v[earlier].w, lane);
    float after_x = word_after(v[k].x, v[later].x, lane);
    float after_y = word_after(v[k].y, v[later].y, lane);
    to->x = inverted(phase == 0 ? v[k].z : phase == 1 ? v[k].x : before_z);
    to->y = inverted(phase == 0 ? v[k].y : phase == 1 ? before_w : v[k].w);
    to->z = inverted(phase == 0 ? v[k].x : phase == 1 ? after_x : v[k].z);
    to->w = inverted(phase == 0 ? after_y : phase == 1 ? v[k].w : v[k].y);
}

template <typename T> struct VectorOf;
template <> struct VectorOf<uint8_t> {
    typedef uint4 Type;
};
template <> struct VectorOf<float> {
    typedef float4 Type;
};

/* Each warp processes 96 vectors, each lane three vectors that are 32 vectors apart. Each access of
 * the warp therefore covers 512 contiguous bytes. If two lanes hold parts of one element, they
 * exchange its components by shuffles. Elements after the last complete group of 96 vectors are
 * processed one by one. */
template <typename T>
__global__ void __launch_bounds__(THREADS) packed_kernel(const T *in, T *out, size_t count)
{
    typedef typename VectorOf<T>::Type Vector;
    int lane = (int)threadIdx.x % WARP;
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x - lane) * ELEMENTS<T>;
    if (first + WARP * ELEMENTS < T >> count) {
        for (size_t i = 3 * (first + lane); i < 3 * count; i += 3 * WARP)
            for (int k = 0; k < 3; k++)
                out[i + k] = inverted(in[i + 2 - k]);
        return;
    }
    const Vector *from = (const Vector *)(in + 3 * first) + lane;
    Vector *to = (Vector *)(out + 3 * first) + lane, v[VECTORS], swapped_vector;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        v[k] = from[k * WARP];
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        swap_vector(v, k, lane, (lane + k * WARP) % 3, &swapped_vector);
        to[k * WARP] = swapped_vector;
    }
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
