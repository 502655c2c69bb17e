/* The fast CUDA kernels of 3 x 3 filters. They work in vertical strips (strips.cuh). The filter is
 * a function of nine samples, or has a faster form that works row by row. */
#ifndef IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_STRIPS_CUH
#define IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_STRIPS_CUH

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/window/cuda/stencil_numbers.cuh"
#include "kernels/window/cuda/strips.cuh"
#include "kernels/window/stencil.h"

namespace stencil
{

template <typename Sample, int CHANNELS> using Span = strips::Span<Sample, CHANNELS, 1>;

/* Data and functions that the kernels with and without a faster form share. */
template <typename Filter, typename Sample, int CHANNELS> struct Plain {
    const typename Filter::Constants &own;
    const ImgView &src, &dst;
    uint32_t maximum;

    __device__ Plain(const typename Filter::Constants &constants, const strips::Layout &layout)
        : own(constants), src(layout.src), dst(layout.dst),
          maximum(img_stencil_maximum(&constants.stencil))
    {
    }
    __device__ void edge(int32_t at, int32_t y) const
    {
        const uint16_t *background = own.stencil.background;
        /* the array has only constant indices: with a variable index the compiler would move it to
         * local memory */
        const int32_t c = at % CHANNELS;
        int32_t samples[IMG_STENCIL_SAMPLES];
        strips::load_nine<Sample, CHANNELS>(src, own.stencil.border,
                                            c == 0   ? background[0]
                                            : c == 1 ? background[1]
                                                     : background[2],
                                            at, y, samples);
        reinterpret_cast<Sample *>(dst.data + (size_t)y * dst.stride)[at] =
            (Sample)Filter::value(&own, samples, maximum);
    }
};

/* --- By a function of nine samples ------------------------------------------------------------ */

template <typename Filter, typename Sample, int CHANNELS>
struct Nine : Plain<Filter, Sample, CHANNELS> {
    using Span = stencil::Span<Sample, CHANNELS>;
    using Row = Span; /* rows are kept as they were loaded, without conversion */
    static constexpr int BLOCKS = 1;
    using Plain<Filter, Sample, CHANNELS>::Plain;

    static __device__ int32_t sample(const Span &span, int i)
    {
        constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 8 * (int)sizeof(Sample);
        return (int32_t)(span.word[i / EACH] >> i % EACH * BITS & (Sample)-1);
    }
    __device__ Row row(const Span &span) const
    {
        return span;
    }
    __device__ uint4 result(Row (&rows)[2], int k, const Span &below) const
    {
        const Row *const lines[3] = {&rows[k], &rows[1 - k], &below};
        constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 8 * (int)sizeof(Sample);
        uint32_t words[strips::UNIT_WORDS] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < strips::UNIT_WORDS * EACH; i++) {
            int32_t samples[IMG_STENCIL_SAMPLES];
#pragma unroll
            for (int n = 0; n < IMG_STENCIL_SAMPLES; n++)
                samples[n] = sample(*lines[n / 3], Span::SIDE * EACH + i + (n % 3 - 1) * CHANNELS);
            words[i / EACH] |= Filter::value(&this->own, samples, this->maximum) << i % EACH * BITS;
        }
        rows[k] = below;
        return make_uint4(words[0], words[1], words[2], words[3]);
    }
};

/* --- By rows of numbers ----------------------------------------------------------------------- */

/* Bytes expanded to 16 bits: each word has two numbers, the byte at a position and the byte two
 * positions later. So even and odd bytes are in separate words. */
template <int COUNT> struct Halves {
    Pair even[COUNT], odd[COUNT];

    __device__ explicit Halves(const uint32_t (&words)[COUNT])
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            even[i] = pair(words[i] & 0x00ff00ff);
            odd[i] = pair(__byte_perm(words[i], 0, 0x4341));
        }
    }
    __device__ Pair at(int at) const
    {
        const Pair *own = at % 2 == 0 ? even : odd;
        return at % 4 < 2 ? own[at / 4] : after(own[at / 4], own[at / 4 + 1]);
    }
};

/* Values that a filter keeps of a row in registers: a number (Pair) per two samples of 8 bits, or a
 * float per sample of 16 bits. */
template <typename Filter, typename Rows, typename Factor, typename Sample, int CHANNELS>
struct Numbers;

template <typename Filter, typename Rows, typename Factor, int CHANNELS>
struct Numbers<Filter, Rows, Factor, uint8_t, CHANNELS> : Plain<Filter, uint8_t, CHANNELS> {
    using Span = stencil::Span<uint8_t, CHANNELS>;
    using Plain<Filter, uint8_t, CHANNELS>::Plain;
    static constexpr int PAIRS = WIDE_BYTES / 2;
    /* blocks per multiprocessor, which allows 80 registers per thread */
    static constexpr int BLOCKS = 6;
    struct Row {
        typename Rows::template Row<Pair> pair[PAIRS];
    };

    __device__ typename Rows::template Row<Pair> one(const Halves<Span::ALL> &halves, int i) const
    {
        /* position of the sample: even samples of a word come first, then odd ones */
        const int at = (Span::SIDE + i / 2) * 4 + i % 2;
        return Rows::template row<Factor>(this->own, halves.at(at - CHANNELS), halves.at(at),
                                          halves.at(at + CHANNELS));
    }
    __device__ Row row(const Span &span) const
    {
        const Halves<Span::ALL> halves(span.word);
        Row row;
#pragma unroll
        for (int i = 0; i < PAIRS; i++)
            row.pair[i] = one(halves, i);
        return row;
    }
    __device__ uint4 result(Row (&rows)[2], int k, const Span &span) const
    {
        const Halves<Span::ALL> halves(span.word);
        uint32_t two[PAIRS], words[strips::UNIT_WORDS];
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            const auto below = one(halves, i);
            two[i] = Rows::template value<Factor>(this->own, rows[k].pair[i], rows[1 - k].pair[i],
                                                  below);
            rows[k].pair[i] = below;
        }
#pragma unroll
        for (int i = 0; i < strips::UNIT_WORDS; i++)
            words[i] = __byte_perm(two[2 * i], two[2 * i + 1], 0x6240);
        return make_uint4(words[0], words[1], words[2], words[3]);
    }
};

template <typename Filter, typename Rows, typename Factor, int CHANNELS>
struct Numbers<Filter, Rows, Factor, uint16_t, CHANNELS> : Plain<Filter, uint16_t, CHANNELS> {
    using Span = stencil::Span<uint16_t, CHANNELS>;
    using Plain<Filter, uint16_t, CHANNELS>::Plain;
    static constexpr int SAMPLES = WIDE_BYTES / 2;
    /* blocks per multiprocessor, which allows 96 registers per thread */
    static constexpr int BLOCKS = 5;
    struct Row {
        typename Rows::template Row<float> sample[SAMPLES];
    };

    __device__ typename Rows::template Row<float> one(const Span &span, int i) const
    {
        const int at = 2 * Span::SIDE + i;
        return Rows::template row<Factor>(this->own, number(span, at - CHANNELS), number(span, at),
                                          number(span, at + CHANNELS));
    }
    static __device__ float number(const Span &span, int i)
    {
        return stencil::number(span.word[i / 2], i % 2 != 0);
    }
    __device__ Row row(const Span &span) const
    {
        Row row;
#pragma unroll
        for (int i = 0; i < SAMPLES; i++)
            row.sample[i] = one(span, i);
        return row;
    }
    __device__ uint4 result(Row (&rows)[2], int k, const Span &span) const
    {
        uint32_t words[strips::UNIT_WORDS], samples[SAMPLES];
#pragma unroll
        for (int i = 0; i < SAMPLES; i++) {
            const auto below = one(span, i);
            samples[i] = Rows::template value<Factor>(this->own, rows[k].sample[i],
                                                      rows[1 - k].sample[i], below);
            rows[k].sample[i] = below;
        }
#pragma unroll
        for (int i = 0; i < strips::UNIT_WORDS; i++)
            words[i] = __byte_perm(samples[2 * i], samples[2 * i + 1], 0x5410);
        return make_uint4(words[0], words[1], words[2], words[3]);
    }
};

/* --- Launches --------------------------------------------------------------------------------- */

template <typename Constants, typename Work>
__global__ void __launch_bounds__(strips::THREADS, Work::BLOCKS)
    strip_kernel(Constants own, strips::Layout layout)
{
    strips::run(layout, Work(own, layout));
}

template <typename Filter> struct ByNine {
    static constexpr bool IS_SLOW = false;
    template <typename Sample, int CHANNELS> using Work = Nine<Filter, Sample, CHANNELS>;
};
template <typename Filter, typename Rows, typename Factor> struct ByRows {
    static constexpr bool IS_SLOW = true;
    template <typename Sample, int CHANNELS>
    using Work = Numbers<Filter, Rows, Factor, Sample, CHANNELS>;
};

template <typename Constants, typename By> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    const bool wide = call->src.format.bits == 16, gray = call->src.format.color == IMG_COLOR_GRAY;
    const strips::Layout layout = strips::layout_of(call->src, call->dst, 1, By::IS_SLOW && !wide);
    auto *kernel = gray ? (wide ? strip_kernel<Constants, typename By::template Work<uint16_t, 1>>
                                : strip_kernel<Constants, typename By::template Work<uint8_t, 1>>)
                        : (wide ? strip_kernel<Constants, typename By::template Work<uint16_t, 3>>
                                : strip_kernel<Constants, typename By::template Work<uint8_t, 3>>);
    IMG_LAUNCH(kernel, layout.blocks, strips::THREADS, 0, call->stream,
               *static_cast<const Constants *>(call->constants.bytes), layout);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Filter> ImgStatus launch_nine(const ImgCall *call, ImgError *err)
{
    return launch<typename Filter::Constants, ByNine<Filter>>(call, err);
}

template <typename Filter, typename Rows> ImgStatus launch_rows(const ImgCall *call, ImgError *err)
{
    using Constants = typename Filter::Constants;
    return Rows::is_one(*static_cast<const Constants *>(call->constants.bytes))
               ? launch<Constants, ByRows<Filter, Rows, One>>(call, err)
               : launch<Constants, ByRows<Filter, Rows, float>>(call, err);
}

} // namespace stencil

#endif
