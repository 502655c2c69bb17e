/* convolve on CUDA for kernels of at most 3 x 3 weights, on pictures without alpha. It works in
 * strips of rows (strips.cuh) and passes weights as launch parameters. A kernel that changes
 * nothing becomes a copy. All other kernels use tiles (convolve.cu). */
#include "kernels/convolve/convolve.h"
#include "kernels/core/cuda/byte_pairs.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/row_copy.h"
#include "kernels/window/cuda/strips.cuh"

namespace
{

/* SIDE is the number of rows and columns of weights. PLACES_LEFT is the number of fractional bits
 * that a weighted sum of 8-bit samples keeps in addition to the 6 of a lifted sample. */
constexpr int SIDE = 3, PLACES_LEFT = 2;

/* A kernel in the form that strips use. A sample of the result is ((start + sum of weight * sample)
 * >> shift) + zero, clamped to 0..65535. This number has 16 bits; for 8-bit samples, only its upper
 * byte is stored. Intermediate sums may overflow, because they wrap around. */
struct Weights {
    int32_t weight[SIDE][SIDE];
    uint32_t start;
    int32_t shift, zero;
    int32_t border;
    /* Samples of the background: 16 bits per channel, packed in one number, because the compiler
     * would place an array in local memory. */
    uint64_t background;
};

Weights weights_of(const ImgConvolve &own)
{
    const ImgConvolveSum &sum = own.color;
    Weights weights = {};
    uint32_t all = 0;
    for (int32_t k = 0; k < own.taps; k++) {
        weights.weight[own.y[k] + 1][own.x[k] + 1] = sum.weights[k];
        all += (uint32_t)(int32_t)sum.weights[k];
    }
    weights.start = (uint32_t)sum.offset + (1u << (sum.shift - 1));
    weights.shift = sum.shift;
    weights.zero = IMG_LIFT_ZERO;
    weights.border = own.border;
    for (int32_t c = 0; c < own.lift.channels; c++)
        weights.background |=
            (uint64_t)(own.background[c] + (own.is_bytes != 0 ? 0 : IMG_LIFT_ZERO)) << 16 * c;
    /* For bytes the shift leaves 8 fractional bits: the 6 of lifted samples and PLACES_LEFT more.
     * So the upper byte of the result is the sample; `zero` is a half, which rounds it to nearest.
     */
    if (own.is_bytes != 0) {
        weights.shift -= PLACES_LEFT;
        weights.zero = 1 << (IMG_LIFT_PLACES - 1 + PLACES_LEFT);
    } else {
        /* strips do not lift samples, so the offset of lifted samples is removed from the sum */
        weights.start -= all * (uint32_t)IMG_LIFT_ZERO;
    }
    return weights;
}

bool is_small(const ImgConvolve &own)
{
    return own.way == IMG_CONVOLVE_PLAIN && own.lift.scale == 1 && own.width <= SIDE &&
           own.height <= SIDE && own.color.shift > PLACES_LEFT;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Converts a sum to a 16-bit sample, clamped to 0..65535. */
__device__ uint32_t end_sum(const Weights &weights, uint32_t sum)
{
    return (uint32_t)__viaddmin_s32_relu((int32_t)sum >> weights.shift, weights.zero, 65535);
}

/* Base of Sums, with the function `edge`, which computes one sample near an edge of the picture. */
template <typename Sample, int CHANNELS> struct Plain {
    using Span = strips::Span<Sample, CHANNELS, 1>;
    const Weights &weights;
    const ImgView &src, &dst;

    __device__ Plain(const Weights &small, const strips::Layout &layout)
        : weights(small), src(layout.src), dst(layout.dst)
    {
    }
    __device__ void edge(int32_t at, int32_t y) const
    {
        const uint32_t background = (uint32_t)(weights.background >> 16 * (at % CHANNELS)) & 0xffff;
        int32_t samples[SIDE * SIDE];
        strips::load_nine<Sample, CHANNELS>(src, weights.border, background, at, y, samples);
        uint32_t sum = weights.start;
#pragma unroll
        for (int i = 0; i < SIDE * SIDE; i++)
            sum += (uint32_t)weights.weight[i / SIDE][i % SIDE] * (uint32_t)samples[i];
        const uint32_t value = end_sum(weights, sum);
        reinterpret_cast<Sample *>(dst.data + (size_t)y * dst.stride)[at] =
            (Sample)(sizeof(Sample) == 1 ? value >> 8 : value);
    }
};

template <typename Sample, int CHANNELS> struct Sums;

/* Computes each sum of bytes without alpha with five dot products. Three of them multiply the two
 * upper samples of a column. The other two multiply the three samples of the lowest row. */
template <int CHANNELS> struct Sums<uint8_t, CHANNELS> : Plain<uint8_t, CHANNELS> {
    using Plain<uint8_t, CHANNELS>::Plain;
    using Span = typename Plain<uint8_t, CHANNELS>::Span;
    using Row = Span;
    /* offset, in a span, of the unit that the thread computes (strips.cuh); in bytes */
    static constexpr int UNIT = Span::SIDE * 4;

    /* Pairs of bytes for dot products. Each word of a row gives two words, because a pair has twice
     * the bytes of a sample. */
    struct Pairs {
        uint32_t upper[2][Span::ALL]; /* pairs of bytes that lie one above another */
        /* pairs of a byte and its left neighbour in the row below */
        uint32_t below[2][strips::UNIT_WORDS];

        __device__ Pairs(const Row &above, const Row &middle, const Row &last)
        {
#pragma unroll
            for (int i = 0; i < Span::ALL; i++) {
                upper[0][i] = __byte_perm(above.word[i], middle.word[i], 0x5140);
                upper[1][i] = __byte_perm(above.word[i], middle.word[i], 0x7362);
            }
#pragma unroll
            for (int i = 0; i < strips::UNIT_WORDS; i++) {
                const uint32_t own = last.word[Span::SIDE + i],
                               left = last.word[Span::SIDE + i - 1];
                below[0][i] = __byte_perm(left, own, CHANNELS == 1 ? 0x5443 : 0x5241);
                below[1][i] = __byte_perm(left, own, CHANNELS == 1 ? 0x7665 : 0x7463);
            }
        }
    };

    __device__ Row row(const Span &span) const
    {
        return span;
    }
    __device__ uint32_t two(int32_t low, int32_t high) const
    {
        return ((uint32_t)low & 0xffff) | (uint32_t)high << 16;
    }
    /* Returns the result for sample number `at` of the unit, as a 16-bit number (see end_sum). */
    __device__ uint32_t sum(const Pairs &pairs, const Row &below, int at) const
    {
        const auto &weight = this->weights.weight;
        uint32_t sum = this->weights.start;
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            const int byte = UNIT + at + (i - 1) * CHANNELS;
            sum = add_two(byte, two(weight[0][i], weight[1][i]),
                          pairs.upper[byte % 4 / 2][byte / 4], sum);
        }
        sum = add_two(at, two(weight[2][0], weight[2][1]), pairs.below[at % 4 / 2][at / 4], sum);
        const int right = UNIT + at + CHANNELS;
        const uint32_t last = right % 2 == 0 ? two(weight[2][2], 0) : two(0, weight[2][2]);
        sum = add_two(right / 2, last, below.word[right / 4], sum);
        return end_sum(this->weights, sum);
    }
    __device__ uint4 result(Row (&rows)[SIDE - 1], int k, const Span &below) const
    {
        const Pairs pairs(rows[k], rows[1 - k], below);
        uint32_t word[strips::UNIT_WORDS];
#pragma unroll
        for (int i = 0; i < strips::UNIT_WORDS; i++) {
            uint32_t value[4];
#pragma unroll
            for (int b = 0; b < 4; b++)
                value[b] = sum(pairs, below, i * 4 + b);
            word[i] = __byte_perm(__byte_perm(value[0], value[1], 0x0051),
                                  __byte_perm(value[2], value[3], 0x0051), 0x5410);
        }
        rows[k] = below;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }

  private:
    /* Adds the dot product of two bytes of `word` and their weights to `sum`. If `which` is odd,
     * these are the upper two bytes, otherwise the lower two. */
    static __device__ uint32_t add_two(int which, uint32_t weights, uint32_t word, uint32_t sum)
    {
        return which % 2 == 0 ? ::add_two<false>(weights, word, sum)
                              : ::add_two<true>(weights, word, sum);
    }
};

/* Computes each sum of 16-bit samples with nine products. */
template <int CHANNELS> struct Sums<uint16_t, CHANNELS> : Plain<uint16_t, CHANNELS> {
    using Plain<uint16_t, CHANNELS>::Plain;
    using Span = typename Plain<uint16_t, CHANNELS>::Span;
    struct Row {
        uint32_t sample[2 * Span::ALL];
    };

    __device__ Row row(const Span &span) const
    {
        Row row;
#pragma unroll
        for (int i = 0; i < 2 * Span::ALL; i++)
            row.sample[i] = i % 2 == 0 ? span.word[i / 2] & 0xffff : span.word[i / 2] >> 16;
        return row;
    }
    __device__ uint4 result(Row (&rows)[SIDE - 1], int k, const Span &span) const
    {
        const Row below = row(span), *const lines[SIDE] = {&rows[k], &rows[1 - k], &below};
        uint32_t value[2 * strips::UNIT_WORDS];
#pragma unroll
        for (int i = 0; i < 2 * strips::UNIT_WORDS; i++) {
            uint32_t sum = this->weights.start;
#pragma unroll
            for (int n = 0; n < SIDE * SIDE; n++)
                sum += (uint32_t)this->weights.weight[n / SIDE][n % SIDE] *
                       lines[n / SIDE]->sample[2 * Span::SIDE + i + (n % SIDE - 1) * CHANNELS];
            value[i] = end_sum(this->weights, sum);
        }
        rows[k] = below;
        return make_uint4(
            __byte_perm(value[0], value[1], 0x5410), __byte_perm(value[2], value[3], 0x5410),
            __byte_perm(value[4], value[5], 0x5410), __byte_perm(value[6], value[7], 0x5410));
    }
};

template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(strips::THREADS)
    strip_kernel(Weights weights, strips::Layout layout)
{
    strips::run(layout, Sums<Sample, CHANNELS>(weights, layout));
}

} // namespace

ImgStatus img_convolve_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgConvolve &own = *static_cast<const ImgConvolve *>(call->constants.bytes);
    if (own.way == IMG_CONVOLVE_COPY && own.lift.scale == 1)
        return img_row_copy_view(&call->src, &call->dst, call->stream, err);
    if (!is_small(own)) /* with a single weight each sample is read once, so tiles save nothing */
        return own.taps > 1 ? img_convolve_cuda_tiled(call, err)
                            : img_convolve_cuda_naive(call, err);
    const bool wide = call->src.format.bits == 16, gray = own.lift.channels == 1;
    const strips::Layout layout = strips::layout_of(call->src, call->dst, 1);
    auto *kernel = gray ? (wide ? strip_kernel<uint16_t, 1> : strip_kernel<uint8_t, 1>)
                        : (wide ? strip_kernel<uint16_t, 3> : strip_kernel<uint8_t, 3>);
    IMG_LAUNCH(kernel, layout.blocks, strips::THREADS, 0, call->stream, weights_of(own), layout);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
