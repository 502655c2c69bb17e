/* Private to the fast image warp on CUDA: converts the sums of windows to pixels of the result. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_RESULTS_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_RESULTS_CUH

#include "kernels/core/cuda/byte_pairs.cuh"
#include "kernels/warp/cuda/warp_pixels.cuh"

namespace warp_tiles
{

constexpr int32_t ROUNDING = 1 << (IMG_WARP_WEIGHT_PLACES - 1);

/* Rounds a weighted sum of unsigned numbers and clamps the result to 0..most. */
__device__ inline int32_t round_wide(int32_t sum, int32_t most)
{
    constexpr int32_t PART = (1 << IMG_WARP_WEIGHT_PLACES) - 1;
    return __viaddmin_s32_relu(sum, ROUNDING, (most << IMG_WARP_WEIGHT_PLACES) | PART) >>
           IMG_WARP_WEIGHT_PLACES;
}

/* Number of fractional bits of the weights along a row. Bilinear weights are phases and have 10;
 * all other weights have 14. */
template <int HALF> struct RowWeight {
    static constexpr int PLACES =
        HALF == 1 ? (int)IMG_WARP_PHASE_PLACES : (int)IMG_WARP_WEIGHT_PLACES;
    static constexpr int32_t ROUNDING = 1 << (PLACES - 1);
};

/* Rounds and clamps the sum of a window to 0..most. Bilinear sums are never out of range, so they
 * are only rounded. */
template <int HALF> __device__ inline int32_t round_window(int32_t sum, int32_t most)
{
    return HALF == 1 ? (sum + RowWeight<HALF>::ROUNDING) >> RowWeight<HALF>::PLACES
                     : round_wide(sum, most);
}

/* Converts the sums of a window to lifted samples (window/lift.h), including alpha if the
 * result has alpha. */
template <typename K, int HALF>
__device__ inline void lifted_of(const int32_t (&sum)[K::CHANNELS], int32_t (&lifted)[4])
{
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        lifted[c] = K::IS_PLAIN && HALF > 1
                        ? img_warp_end(sum[c])
                        : round_window<HALF>(sum[c], 65535) - (K::IS_PLAIN ? 0 : IMG_LIFT_ZERO);
    if (K::ALPHA == ADDED)
        lifted[K::CHANNELS % 4] = (K::BITS == 16 ? 65535 : 255 * 255) - IMG_LIFT_ZERO;
}

/* Converts the lifted colour (window/lift.h) of an opaque 8-bit pixel to a sample, which is
 * the highest byte of the returned word. With n = color + 127, n * 65794 / 2^24 and n / 255, both
 * rounded down, are equal for all colours. */
__device__ inline uint32_t lower_opaque(uint32_t color)
{
    return color * 65794 + 127 * 65794;
}

/* Returns 1 / value, accurate to about 22 bits. */
__device__ inline float inverse_of(float value)
{
#ifdef __CUDA_ARCH__
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(value));
    return inverse;
#else
    return 1.0F / value;
#endif
}

/* Converts an integer below 2^23 to a float. */
__device__ inline float float_of(uint32_t value)
{
    return __uint_as_float(0x4b000000 | value) - 8388608.0F;
}

/* Divides a colour by alpha like img_lower_color, for lifted 8-bit samples (window/lift.h).
 * `inverse` must be 1 / alpha, reduced by about 2^-20 of its value. The quotient is correct or one
 * too small; the remainder decides between the two. */
__device__ inline uint32_t lower_color(uint32_t color, uint32_t alpha, float inverse)
{
    const uint32_t dividend = color * 255 + alpha / 2;
    const float guess =
        __fmaf_rz(float_of(color) * 255.0F + float_of(alpha / 2), inverse, 8388608.0F);
    const uint32_t quotient = __float_as_uint(guess) & 0x1ff;
    const uint32_t result = quotient + (dividend - quotient * alpha >= alpha ? 1 : 0);
    return color >= alpha ? (alpha > 0 ? 255 : 0) : result;
}

/* Packs a pixel that shows only the picture, for sources with alpha, from the sums of its
 * window. */
template <typename K, int HALF>
__device__ inline void pack_own(const int32_t (&sum)[K::CHANNELS], uint32_t (&pixel)[2])
{
    constexpr int32_t OPAQUE = K::BITS == 8 ? 255 * 255 : 65535;
    const uint32_t alpha = (uint32_t)round_window<HALF>(sum[K::CHANNELS - 1], OPAQUE);
    const float inverse = inverse_of(float_of(alpha)) * (1 - 1.0F / (1 << 20));
    uint32_t sample[4] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < K::CHANNELS - 1; c++) {
        const uint32_t color = (uint32_t)round_window<HALF>(sum[c], 65535);
        sample[c] = K::BITS == 8     ? lower_color(color, alpha, inverse)
                    : color >= alpha ? (alpha > 0 ? 65535 : 0)
                                     : (color * 65535 + alpha / 2) / alpha;
    }
    sample[K::CHANNELS - 1] = K::BITS == 16 ? alpha : lower_opaque(alpha) >> 24;
    if (K::BITS == 16) {
        pixel[0] = sample[0] | sample[1] << 16;
        pixel[1] = sample[2] | sample[3] << 16;
    } else {
        pixel[0] = sample[0] | sample[1] << 8 | sample[2] << 16 | sample[3] << 24;
    }
}

/* Packs 8-bit samples without alpha, for filters with negative weights. Their sums may be out of
 * range, so samples are clamped. */
template <typename K>
__device__ inline uint32_t pack_plain(const int32_t (&sum)[K::CHANNELS], int32_t start, int places)
{
    const int32_t first = (sum[0] + start) >> places;
    if (K::CHANNELS == 1)
        return (uint32_t)min(max(first, 0), 255);
    return pack_bytes(first, (sum[1 % K::CHANNELS] + start) >> places,
                      (sum[2 % K::CHANNELS] + start) >> places, 0);
}

/* Packs the samples of a pixel; each sample is byte AT of its word. */
template <typename K, uint32_t AT>
__device__ inline uint32_t pack_at(const uint32_t (&word)[3], uint32_t fourth)
{
    if (K::CHANNELS == 1)
        return word[0] >> 8 * AT | fourth >> 16;
    const uint32_t two = __byte_perm(word[0], word[1], AT | (4 + AT) << 4);
    return K::ALPHA == NONE ? __byte_perm(two, word[2], 0x10 | (4 + AT) << 8)
                            : __byte_perm(two, __byte_perm(word[2], fourth, AT | 0x70), 0x5410);
}

template <typename K, int HALF>
__device__ inline uint32_t pack_bytes_of(const int32_t (&sum)[K::CHANNELS])
{
    constexpr int PLACES = RowWeight<HALF>::PLACES + IMG_LIFT_PLACES;
    /* rounding term for the column sums and for the sum of the window together */
    constexpr int32_t START = RowWeight<HALF>::ROUNDING + (1 << (PLACES - 1));
    if (K::IS_PLAIN && HALF > 1)
        return pack_plain<K>(sum, START, PLACES);
    uint32_t word[3] = {0, 0, 0};
#pragma unroll
    for (int c = 0; c < 3; c++)
        if (c < K::CHANNELS)
            word[c] = K::IS_PLAIN ? (uint32_t)(sum[c] + START)
                                  : lower_opaque((uint32_t)round_window<HALF>(sum[c], 65025));
    return pack_at < K, K::IS_PLAIN ? PLACES / 8 : 3 > (word, K::ALPHA == ADDED ? 0xff000000 : 0);
}

/* Packs a pixel that shows only the picture, from the sums of its window. */
template <typename K, int HALF>
__device__ inline void pack_pixel(const int32_t (&sum)[K::CHANNELS], uint32_t (&pixel)[2])
{
    pixel[0] = pixel[1] = 0;
    if (K::ALPHA == OWN) {
        pack_own<K, HALF>(sum, pixel);
    } else if (K::BITS == 8) {
        pixel[0] = pack_bytes_of<K, HALF>(sum);
    } else {
        uint32_t sample[4] = {0, 0, 0, 0};
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++)
            sample[c] = (uint32_t)round_window<HALF>(sum[c], 65535);
        if (K::ALPHA == ADDED)
            sample[K::CHANNELS % 4] = 65535;
        pixel[0] = sample[0] | sample[1] << 16;
        pixel[1] = sample[2] | sample[3] << 16;
    }
}

/* Packs a pixel from lifted samples (window/lift.h). The pixel may be partly background, or an
 * average of several positions. */
template <typename K>
__device__ inline void pack_lifted(const int32_t (&lifted)[4], uint32_t (&pixel)[2])
{
    const ImgLift to = {K::RESULT_CHANNELS, K::ALPHA != NONE, K::BITS, 1};
    uint32_t sample[4] = {0, 0, 0, 0};
    img_lower_pixel(&to, lifted, sample);
    pixel[0] = K::BITS == 16 ? sample[0] | sample[1] << 16
                             : sample[0] | sample[1] << 8 | sample[2] << 16 | sample[3] << 24;
    pixel[1] = K::BITS == 16 ? sample[2] | sample[3] << 16 : 0;
}

template <typename K> __device__ inline void pack_background(const Task &task, uint32_t (&pixel)[2])
{
    int32_t lifted[4];
#pragma unroll
    for (int c = 0; c < 4; c++)
        lifted[c] = task.warp->background[c];
    pack_lifted<K>(lifted, pixel);
}

} // namespace warp_tiles

#endif
