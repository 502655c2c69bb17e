/* erode, dilate, open and close on CUDA, fast version for rectangles of 3 x 3 and 5 x 5. It reads
 * and writes the picture once per step, in strips (strips.cuh). Other rectangles need two passes
 * (morphology_passes.cu). */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/cuda/morphology_cuda.cuh"
#include "kernels/window/cuda/strips.cuh"

namespace
{

/* The samples of some words as pairs of 16-bit numbers. A byte is paired with the byte two
 * positions later; so words with even and with odd bytes are separate. A 16-bit sample is paired
 * with the next one. */
template <typename Sample, int COUNT> struct Pairs {
    static constexpr int LANES = sizeof(Sample) == 1 ? 2 : 1;
    uint32_t lane[LANES][COUNT];

    __device__ Pairs(const uint32_t (&words)[COUNT], uint32_t inverted)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const uint32_t word = words[i] ^ inverted;
            lane[0][i] = LANES == 1 ? word : word & 0x00ff00ff;
            if (LANES == 2)
                lane[LANES - 1][i] = __byte_perm(word, 0, 0x4341);
        }
    }
    __device__ uint32_t at(int at) const
    {
        const uint32_t *own = lane[at % LANES];
        return at % WORD < 2 ? own[at / WORD]
                             : __byte_perm(own[at / WORD], own[at / WORD + 1], 0x5432);
    }
};

template <typename Sample, int CHANNELS, int REACH> struct Minima {
    using Span = strips::Span<Sample, CHANNELS, REACH>;
    using OwnPairs = Pairs<Sample, Span::ALL>;
    static constexpr int SIDE = 2 * REACH + 1, LANES = OwnPairs::LANES;
    struct Row {
        /* minima over the width of the rectangle, along the row */
        uint32_t lane[LANES][strips::UNIT_WORDS];
    };
    const MorphologyTask &task;
    const ImgView &src;
    uint32_t inverted;

    /* Returns the smallest of the SIDE numbers get(0), get(1) and so on. */
    template <typename Get> static __device__ uint32_t least(Get get)
    {
        uint32_t best = get(0);
#pragma unroll
        for (int i = 1; i < SIDE; i += 2)
            best = __vimin3_u16x2(best, get(i), get(i + 1));
        return best;
    }
    __device__ Row row(const Span &span) const
    {
        const OwnPairs pairs(span.word, inverted);
        Row row;
#pragma unroll
        for (int i = 0; i < LANES * strips::UNIT_WORDS; i++) {
            const int at = (Span::SIDE + i / LANES) * WORD + i % LANES - REACH * Span::PIXEL;
            row.lane[i % LANES][i / LANES] =
                least([&](int k) { return pairs.at(at + k * Span::PIXEL); });
        }
        return row;
    }
    __device__ uint4 result(Row (&rows)[SIDE - 1], int k, const Span &span) const
    {
        const Row below = row(span);
        uint32_t word[strips::UNIT_WORDS];
#pragma unroll
        for (int i = 0; i < strips::UNIT_WORDS; i++) {
            uint32_t best[2];
#pragma unroll
            for (int lane = 0; lane < LANES; lane++)
                best[lane] = least([&](int row) {
                    return row + 1 < SIDE ? rows[row].lane[lane][i] : below.lane[lane][i];
                });
            word[i] = inverted ^ (LANES == 1 ? best[0] : __byte_perm(best[0], best[1], 0x6240));
        }
        rows[k] = below;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }
    __device__ void edge(int32_t at, int32_t y) const
    {
        const uint32_t best = REACH == 1 ? best_of_nine(at, y) : best_around(at, y);
        reinterpret_cast<Sample *>(task.dst + (size_t)y * task.dst_stride)[at] = (Sample)best;
    }
    __device__ uint32_t best_of_nine(int32_t at, int32_t y) const
    {
        int32_t samples[9];
        strips::load_nine<Sample, CHANNELS>(
            src, task.step.border, morphology_background(task, at % CHANNELS), at, y, samples);
        uint32_t best = (uint32_t)samples[0];
#pragma unroll
        for (int i = 1; i < 9; i++)
            best = morphology_better(best, (uint32_t)samples[i], task.step.is_maximum);
        return best;
    }
    __device__ uint32_t best_around(int32_t at, int32_t y) const
    {
        const int32_t x = at / CHANNELS, c = at % CHANNELS;
        uint32_t best = morphology_sample<Sample>(task, x, y, c);
#pragma unroll 1
        for (int row = -REACH; row <= REACH; row++) {
            uint32_t samples[SIDE]; /* these loads run at the same time */
#pragma unroll
            for (int i = 0; i < SIDE; i++)
                samples[i] =
                    morphology_sample<Sample>(task, (int64_t)x + i - REACH, (int64_t)y + row, c);
#pragma unroll
            for (int i = 0; i < SIDE; i++)
                best = morphology_better(best, samples[i], task.step.is_maximum);
        }
        return best;
    }
};

template <typename Sample, int CHANNELS, int REACH>
/* limits the number of registers per thread to 64 for 3 x 3, and to 96 for 5 x 5 */
__global__ void __launch_bounds__(strips::THREADS, REACH == 1 ? 8 : 5)
    morphology_fast_kernel(MorphologyTask task, strips::Layout layout)
{
    strips::run(layout, Minima<Sample, CHANNELS, REACH>{task, layout.src, inversion(task.step)});
}

template <int REACH>
ImgStatus launch(const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst,
                 void *stream, ImgError *err)
{
    const strips::Layout layout = strips::layout_of(src, dst, REACH);
    return with_samples(src.format, [&](auto sample, auto channels) {
        IMG_LAUNCH((morphology_fast_kernel<decltype(sample), decltype(channels)::VALUE, REACH>),
                   layout.blocks, strips::THREADS, 0, stream, morphology_task(step, src, dst),
                   layout);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

bool is_square(const ImgMorphologyStep &step, int32_t side)
{
    return img_morphology_width(&step) == side && img_morphology_height(&step) == side;
}

} // namespace

ImgStatus img_morphology_cuda_fast(const ImgCall *call, ImgError *err)
{
    uint8_t *between = morphology_step_memory(call);
    return morphology_steps(
        call,
        [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            if (is_square(step, 3))
                return launch<1>(step, src, dst, call->stream, err);
            if (is_square(step, 5))
                return launch<2>(step, src, dst, call->stream, err);
            return morphology_two_passes(call, step, src, dst, between, err);
        },
        err);
}
