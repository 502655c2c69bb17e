/* Number types for the arithmetic of 3 x 3 filters on CUDA: a float for one sample of 16 bits, or a
 * Pair for two samples of 8 bits. Both are exact for integers within +-2^24 or, in a Pair, within
 * +-2^11. */
#ifndef IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_NUMBERS_CUH
#define IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_NUMBERS_CUH

#include <math.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#ifndef IMGTOOL_EMULATOR
#include <cuda_fp16.h>
#endif

namespace stencil
{

/* Returns a * weight + b, rounded once. The emulator rounds twice, so use it only where the result
 * is exact. */
__device__ inline float multiply_add(float a, float weight, float b)
{
#ifdef IMGTOOL_EMULATOR
    return a * weight + b;
#else
    return __fmaf_rn(a, weight, b);
#endif
}

/* Converts the lower or the upper half of a word to a float. The half becomes the last bits of the
 * float 2^23, which is then subtracted. */
__device__ inline float number(uint32_t word, bool upper)
{
    const float two_23 = 8388608.0F;
    return __uint_as_float(__byte_perm(word, __float_as_uint(two_23), upper ? 0x7632 : 0x7610)) -
           two_23;
}

/* Returns the integer part of `value`, which must be 0 to 2^23, in the lower bits of a word. The
 * upper bits are undefined. */
__device__ inline uint32_t whole_bits(float value)
{
    return __float_as_uint(__fadd_rd(value, 8388608.0F));
}

/* Rounds `value` to the nearest integer, ties up, and clamps it to `maximum`, as img_rounded does.
 * The upper bits of the result are undefined. */
__device__ inline uint32_t rounded_bits(float value, float maximum)
{
    return whole_bits(fminf(value + 0.5F, maximum));
}

/* Returns the square root of 0, or of a value of at least 2^-90, correctly rounded as in IEEE 754.
 * The code is what the compiler generates for sqrtf(), without the branch for other numbers. It was
 * compared with sqrtf() for all values from 2^-48 to 2^38. */
__device__ inline float root(float value)
{
#ifdef IMGTOOL_EMULATOR
    return sqrtf(value);
#else
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(value + 1e-30F));
    const float nearly = value * inverse;
    return __fmaf_rn(__fmaf_rn(-nearly, nearly, value), inverse * 0.5F, nearly);
#endif
}

/* Returns the square root of `value` with a relative error of at most 2^-22. */
__device__ inline float root_nearly(float value)
{
#ifdef IMGTOOL_EMULATOR
    return sqrtf(value);
#else
    float result;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
#endif
}

/* --- Two samples of 8 bits -------------------------------------------------------------------- */

/* A Pair is two 16-bit floating-point numbers (IEEE 754 binary16) in a word. Each is a multiple of
 * 2^-24, the smallest positive number. For multiples from 0 to 2047, the bit pattern of a number
 * equals the multiple. So bytes and numbers are converted into each other without arithmetic.
 * Instructions on pairs are twice as fast as instructions on integers. The emulator uses two floats
 * instead. */
constexpr float PAIR_UNIT = 1.0F / 16777216;

#ifdef IMGTOOL_EMULATOR

struct Pair {
    float low, high;
};

__device__ inline Pair pair(uint32_t bits)
{
    return Pair{(float)(bits & 0xffff), (float)(bits >> 16)};
}
__device__ inline Pair operator+(Pair a, Pair b)
{
    return Pair{a.low + b.low, a.high + b.high};
}
__device__ inline Pair operator-(Pair a, Pair b)
{
    return Pair{a.low - b.low, a.high - b.high};
}
__device__ inline Pair operator*(Pair a, float weight)
{
    return Pair{a.low * weight, a.high * weight};
}
__device__ inline Pair multiply_add(Pair a, float weight, Pair b)
{
    return a * weight + b;
}
__device__ inline Pair after(Pair a, Pair b)
{
    return Pair{a.high, b.low};
}
__device__ inline float low(Pair a)
{
    return a.low * PAIR_UNIT;
}
__device__ inline float high(Pair a)
{
    return a.high * PAIR_UNIT;
}
__device__ inline uint32_t byte_magnitudes(Pair a)
{
    return (uint32_t)min(fabsf(a.low), 255.0F) | (uint32_t)min(fabsf(a.high), 255.0F) << 16;
}
__device__ inline uint32_t byte_nearest(float low, float high)
{
    return (uint32_t)(min(low / PAIR_UNIT, 255.0F) + 0.5F) |
           (uint32_t)(min(high / PAIR_UNIT, 255.0F) + 0.5F) << 16;
}

#else

struct Pair {
    __half2 half;
};

__device__ inline uint32_t bits_of(__half2 half)
{
    return *reinterpret_cast<const uint32_t *>(&half);
}
__device__ inline Pair pair(uint32_t bits)
{
    return Pair{*reinterpret_cast<const __half2 *>(&bits)};
}
__device__ inline Pair operator+(Pair a, Pair b)
{
    return Pair{__hadd2(a.half, b.half)};
}
__device__ inline Pair operator-(Pair a, Pair b)
{
    return Pair{__hsub2(a.half, b.half)};
}
__device__ inline Pair operator*(Pair a, float weight)
{
    return Pair{__hmul2(a.half, __float2half2_rn(weight))};
}
__device__ inline Pair multiply_add(Pair a, float weight, Pair b)
{
    return Pair{__hfma2(a.half, __float2half2_rn(weight), b.half)};
}
/* Returns the second and the third of the four numbers in `a` and `b`, in this order. */
__device__ inline Pair after(Pair a, Pair b)
{
    return pair(__byte_perm(bits_of(a.half), bits_of(b.half), 0x5432));
}
/* Return the lower and the upper number of a pair as a float. Its value is a multiple of
 * PAIR_UNIT. */
__device__ inline float low(Pair a)
{
    return __low2float(a.half);
}
__device__ inline float high(Pair a)
{
    return __high2float(a.half);
}
/* Returns the absolute values of both numbers, at most 255, as integers in the halves of a word. */
__device__ inline uint32_t byte_magnitudes(Pair a)
{
    return bits_of(__hmin2(__habs2(a.half), pair(0x00ff00ff).half));
}
/* Converts two numbers in units of PAIR_UNIT to integers in the halves of a word, rounded to
 * nearest and at most 255. */
__device__ inline uint32_t byte_nearest(float low, float high)
{
    return bits_of(__hmin2(__floats2half2_rn(low, high), pair(0x00ff00ff).half));
}

#endif

/* --- Results of filters ---------------------------------------------------------------------- */

/* Type of a factor that is always 1, which saves the multiplication. Factors of other values are
 * floats. */
struct One {
};

template <typename Number> __device__ inline Number operator*(Number value, One)
{
    return value;
}

/* Returns `value` as a Factor. The type One ignores `value`. */
template <typename Factor> __device__ inline Factor factor(float value)
{
    return value;
}
template <> __device__ inline One factor<One>(float)
{
    return One();
}

/* Returns |value| * scale, rounded as img_rounded does, in the lower bits of a word. For a Pair
 * there are two results, in the lower bytes of both halves. */
template <typename Factor> __device__ inline uint32_t magnitude(float value, Factor scale)
{
    return rounded_bits(fabsf(value) * scale, 65535.0F);
}

__device__ inline uint32_t two_rounded(float low, float high, float scale)
{
    const float by = scale / PAIR_UNIT;
    return __byte_perm(rounded_bits(low * by, 255.0F), rounded_bits(high * by, 255.0F), 0x5410);
}

__device__ inline uint32_t magnitude(Pair value, float scale)
{
    return two_rounded(fabsf(low(value)), fabsf(high(value)), scale);
}

__device__ inline uint32_t magnitude(Pair value, One)
{
    return byte_magnitudes(value);
}

/* Returns sqrt(x^2 + y^2) * scale, rounded, in the lower bits of a word. For Pairs there are two
 * results, in the lower bytes of both halves. The squares of 8-bit differences are exact: they are
 * below 2^21. */
template <typename Factor> __device__ inline uint32_t length(float x, float y, Factor scale)
{
    return rounded_bits(root(x * x + y * y) * scale, 65535.0F);
}

__device__ inline float sum_of_squares(float x, float y)
{
    return multiply_add(x, x, y * y);
}

__device__ inline uint32_t length(Pair x, Pair y, float scale)
{
    return two_rounded(root(sum_of_squares(low(x), low(y))), root(sum_of_squares(high(x), high(y))),
                       scale);
}

/* The square root need not be exact here. The sum of squares is an integer, and rounding changes at
 * k + 1/2. (k + 1/2)^2 = k^2 + k + 1/4 is at least 1/4 from any integer. Below 256 the slope of the
 * root is at least 1/512. So roots are at least 1/4 / 512 = 2^-11 from such a change. The error is
 * smaller: at most 256 * 2^-22 = 2^-14. */
__device__ inline uint32_t length(Pair x, Pair y, One)
{
    return byte_nearest(root_nearly(sum_of_squares(low(x), low(y))),
                        root_nearly(sum_of_squares(high(x), high(y))));
}

} // namespace stencil

#endif
