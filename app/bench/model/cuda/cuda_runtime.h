/* CUDA C for a C++ compiler: the qualifiers, built-in variables, vector types and intrinsics that
 * this project's kernels use. They behave as the CUDA C++ Programming Guide describes. */
#ifndef IMGTOOL_APP_BENCH_MODEL_CUDA_CUDA_RUNTIME_H
#define IMGTOOL_APP_BENCH_MODEL_CUDA_CUDA_RUNTIME_H

#include <algorithm>
#include <functional>
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

/* Device functions are always inlined into their kernel. Each basic block then belongs to one place
 * in the control flow of the kernel, which the counting of warps requires
 * (app/bench/model/emulator/flow.h). */
#define __device__ __attribute__((always_inline))
#define __global__
#define __launch_bounds__(...)

template <typename T> __device__ inline T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> __device__ inline T max(T a, T b)
{
    return a < b ? b : a;
}

/* --- Vector types. Each is read and written by one access, as in hardware --------------------- */

#define EMULATOR_VECTOR(NAME, SCALAR, BYTES, ...)                                                  \
    struct alignas(BYTES) NAME {                                                                   \
        typedef SCALAR Whole __attribute__((vector_size(BYTES), may_alias));                       \
        SCALAR __VA_ARGS__;                                                                        \
        __attribute__((always_inline)) NAME() = default;                                           \
        __attribute__((always_inline)) NAME(const NAME &from)                                      \
        {                                                                                          \
            *reinterpret_cast<Whole *>(this) = *reinterpret_cast<const Whole *>(&from);            \
        }                                                                                          \
        __attribute__((always_inline)) NAME &operator=(const NAME &from)                           \
        {                                                                                          \
            *reinterpret_cast<Whole *>(this) = *reinterpret_cast<const Whole *>(&from);            \
            return *this;                                                                          \
        }                                                                                          \
    };

EMULATOR_VECTOR(uint2, uint32_t, 8, x = 0, y = 0)
EMULATOR_VECTOR(uint4, uint32_t, 16, x = 0, y = 0, z = 0, w = 0)
EMULATOR_VECTOR(float4, float, 16, x = 0, y = 0, z = 0, w = 0)

__device__ inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    uint2 v;
    v.x = x;
    v.y = y;
    return v;
}

__device__ inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    uint4 v;
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    return v;
}

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

/* --- Built-in variables. They are set when a thread resumes ----------------------------------- */

extern dim3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

/* --- Operations with other threads (launch.cpp) ----------------------------------------------- */

/* A barrier is identified by its address in the code, so the compiler must neither merge the
 * barriers of two branches nor duplicate one. (For GCC the option -fno-crossjumping prevents the
 * merging.) */
#if __has_attribute(nomerge) && __has_attribute(noduplicate)
#define EMULATOR_BARRIER __attribute__((nomerge, noduplicate))
#else
#define EMULATOR_BARRIER
#endif

EMULATOR_BARRIER void __syncthreads();
EMULATOR_BARRIER void __syncwarp(unsigned mask = 0xffffffffu);

namespace emulator
{

enum WarpOperation {
    SHUFFLE,
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_XOR,
    BALLOT,
    ADD,
    MINIMUM,
    MAXIMUM
};

/* Waits for all lanes in `mask`. A shuffle returns the value of another lane; `operand` is the
 * index of that lane, or its distance from this one. Other operations return the combined value of
 * all lanes. */
EMULATOR_BARRIER
uint64_t warp_exchange(WarpOperation operation, unsigned mask, uint64_t value, int operand,
                       int width);

template <typename T>
__device__ inline T shuffle(WarpOperation operation, unsigned mask, T value, int n, int width)
{
    static_assert(sizeof(T) <= 8, "shuffles move up to 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = warp_exchange(operation, mask, bits, n, width);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

enum AtomicOperation {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE
};

unsigned atomic32(AtomicOperation operation, unsigned *address, unsigned value);
unsigned long long atomic64(AtomicOperation operation, unsigned long long *address,
                            unsigned long long value);
float atomic_float_add(float *address, float value);
unsigned compare_and_swap(unsigned *address, unsigned expected, unsigned value);

/* Runs `thread` once for each thread of the grid. `kernel` is the address of the kernel's code,
 * which identifies the kernel in counts and messages. */
void launch(const void *kernel, dim3 grid, dim3 block_size, size_t dynamic_bytes,
            const std::function<void()> &thread);

/* Returns the address of the running block's shared array. `site` is the code address of the
 * array's declaration, and identifies the array. */
void *shared_array(const void *site, size_t size);
void *dynamic_shared();

} // namespace emulator

template <typename T>
__device__ inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    return emulator::shuffle(emulator::SHUFFLE, mask, value, lane, width);
}
template <typename T>
__device__ inline T __shfl_up_sync(unsigned mask, T value, unsigned n, int width = 32)
{
    return emulator::shuffle(emulator::SHUFFLE_UP, mask, value, (int)n, width);
}
template <typename T>
__device__ inline T __shfl_down_sync(unsigned mask, T value, unsigned n, int width = 32)
{
    return emulator::shuffle(emulator::SHUFFLE_DOWN, mask, value, (int)n, width);
}
template <typename T>
__device__ inline T __shfl_xor_sync(unsigned mask, T value, int n, int width = 32)
{
    return emulator::shuffle(emulator::SHUFFLE_XOR, mask, value, n, width);
}
__device__ inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return (unsigned)emulator::warp_exchange(emulator::BALLOT, mask, predicate != 0, 0, 32);
}
__device__ inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
__device__ inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}
__device__ inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
    return (unsigned)emulator::warp_exchange(emulator::ADD, mask, value, 0, 32);
}
__device__ inline unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    return (unsigned)emulator::warp_exchange(emulator::MINIMUM, mask, value, 0, 32);
}
__device__ inline unsigned __reduce_max_sync(unsigned mask, unsigned value)
{
    return (unsigned)emulator::warp_exchange(emulator::MAXIMUM, mask, value, 0, 32);
}

__device__ inline unsigned atomicAdd(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_ADD, p, v);
}
__device__ inline int atomicAdd(int *p, int v)
{
    return (int)emulator::atomic32(emulator::ATOMIC_ADD, (unsigned *)p, (unsigned)v);
}
__device__ inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return emulator::atomic64(emulator::ATOMIC_ADD, p, v);
}
__device__ inline float atomicAdd(float *p, float v)
{
    return emulator::atomic_float_add(p, v);
}
__device__ inline unsigned atomicMin(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_MIN, p, v);
}
__device__ inline unsigned atomicMax(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_MAX, p, v);
}
__device__ inline unsigned long long atomicMax(unsigned long long *p, unsigned long long v)
{
    return emulator::atomic64(emulator::ATOMIC_MAX, p, v);
}
__device__ inline unsigned atomicAnd(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_AND, p, v);
}
__device__ inline unsigned atomicOr(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_OR, p, v);
}
__device__ inline unsigned atomicXor(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_XOR, p, v);
}
__device__ inline unsigned atomicExch(unsigned *p, unsigned v)
{
    return emulator::atomic32(emulator::ATOMIC_EXCHANGE, p, v);
}
__device__ inline unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v)
{
    return emulator::compare_and_swap(p, expected, v);
}

/* --- Operations of a single thread ------------------------------------------------------------ */

/* Cached loads and stores. They are plain loads and stores here, because cache hints have no effect
 * in the emulator. */
template <typename T> __device__ inline T __ldg(const T *p)
{
    return *p;
}
template <typename T> __device__ inline T __ldcs(const T *p)
{
    return *p;
}
template <typename T> __device__ inline T __ldcg(const T *p)
{
    return *p;
}
template <typename T> __device__ inline void __stcs(T *p, T v)
{
    *p = v;
}
template <typename T> __device__ inline void __stcg(T *p, T v)
{
    *p = v;
}

/* Returns four of the eight bytes of the pair b:a. The low three bits of each hexadecimal digit of
 * `selector` select one byte. The intrinsic ignores the fourth bit of a digit, but the PTX
 * instruction does not (observed on an H100). */
__device__ inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = selector >> 4 * i & 7;
        result |= (uint32_t)(bytes >> 8 * digit & 0xff) << 8 * i;
    }
    return result;
}

__device__ inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31));
}
__device__ inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}

__device__ inline float __uint_as_float(uint32_t bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
__device__ inline uint32_t __float_as_uint(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}
/* Returns `a` + `b`, rounded towards minus infinity. */
__device__ inline float __fadd_rd(float a, float b)
{
    float sum = a + b;
    return (double)sum > (double)a + (double)b ? __builtin_nextafterf(sum, -__builtin_inff()) : sum;
}
/* Returns `a` * `b` + `c`, rounded towards zero. It is correct only if a double can hold the exact
 * result. */
__device__ inline float __fmaf_rz(float a, float b, float c)
{
    const double exact = (double)a * (double)b + (double)c;
    const float sum = (float)exact;
    return __builtin_fabs((double)sum) > __builtin_fabs(exact) ? __builtin_nextafterf(sum, 0) : sum;
}
__device__ inline float __saturatef(float a)
{
    return a < 0 ? 0 : a < 1 ? a : 1;
}

__device__ inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    for (int i = 0; i < 4; i++)
        sum += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return sum;
}
/* Returns `sum` plus two products: low half of `a` times byte 0 of `b`, and high half of `a` times
 * byte 1 of `b`. The halves have 16 bits. */
__device__ inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum)
{
    return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
/* Same as __dp2a_lo, but with bytes 2 and 3 of `b`. */
__device__ inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum)
{
    return __dp2a_lo(a, b >> 16, sum);
}
/* As for unsigned numbers, but with signed halves and bytes. */
__device__ inline int __dp2a_lo(int a, int b, int sum)
{
    return sum + (int16_t)a * (int8_t)b + (int16_t)(a >> 16) * (int8_t)(b >> 8);
}
__device__ inline int __dp2a_hi(int a, int b, int sum)
{
    return __dp2a_lo(a, b >> 16, sum);
}
/* Return the minimum (or maximum) of each 16-bit half of `a` and `b`. */
__device__ inline unsigned __vminu2(unsigned a, unsigned b)
{
    return min(a & 0xffffu, b & 0xffffu) | min(a >> 16, b >> 16) << 16;
}
__device__ inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    return max(a & 0xffffu, b & 0xffffu) | max(a >> 16, b >> 16) << 16;
}
/* Return the minimum (or maximum) of three words, separately for each 16-bit half. */
__device__ inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vminu2(__vminu2(a, b), c);
}
__device__ inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxu2(__vmaxu2(a, b), c);
}
/* Returns `a` + `b`, limited to the range from 0 to `bound`. */
__device__ inline int __viaddmin_s32_relu(int a, int b, int bound)
{
    return max(min((int)((unsigned)a + (unsigned)b), bound), 0);
}
__device__ inline unsigned __vabsdiffu4(unsigned a, unsigned b)
{
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        int difference = (int)(a >> 8 * i & 0xff) - (int)(b >> 8 * i & 0xff);
        result |= (unsigned)(difference < 0 ? -difference : difference) << 8 * i;
    }
    return result;
}
/* Returns the sum of the absolute differences between the four bytes of `a` and of `b`. */
__device__ inline unsigned __vsadu4(unsigned a, unsigned b)
{
    return __dp4a(__vabsdiffu4(a, b), 0x01010101u, 0u);
}
__device__ inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
__device__ inline int __clz(int v)
{
    return v == 0 ? 32 : __builtin_clz((unsigned)v);
}
__device__ inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
__device__ inline int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
/* Returns the word with its 32 bits in reverse order. */
__device__ inline unsigned __brev(unsigned v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

#endif
