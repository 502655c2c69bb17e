/* Last of three kernels of the "far" boxblur on CUDA, which is for large radii: computes rows of
 * means from the sums that the other kernels have stored. */
#include <math.h>
#include <string.h>

#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"

/* --- A row of means --------------------------------------------------------------------------- */

/* Computes a row of means from the differences of column sums. */

/* --- The samples of a lane -------------------------------------------------------------------- */

/* Format of samples and alignment of squares. PHASE is the radius modulo 8 (16-bit samples: modulo
 * 4). It determines the alignment, because 8 (or 4) pixels fill a multiple of 8 bytes. */
template <typename Group, int PHASE> struct Kind {
    typedef Group G;
    typedef typename BoxSums<typename G::Sample>::Total Total; /* type of the sum over a square */
    /* pairs of rows, one to add and one to subtract, that are in shared memory at the same time */
    static constexpr int STAGES = G::BYTES > 32 ? 2 : 3;
    /* Bytes from a multiple of 8 to the first sample that a lane reads: RIGHT in the columns at the
     * right edge of its squares, LEFT in the columns before their left edge. */
    static constexpr int RIGHT = PHASE * G::PIXEL % 8;
    static constexpr int LEFT = (8 - (PHASE + 1) * G::PIXEL % 8) % 8;
};

/* --- Rows ------------------------------------------------------------------------------------- */

/* The samples of a lane in a row. In shared memory they begin SHIFT bytes after a multiple of 8. */
template <typename G, int SHIFT> struct Words {
    static constexpr int FIRST = SHIFT / 4, COUNT = G::WORDS + (SHIFT % 4 > 0 ? 1 : 0);
    uint32_t word[COUNT];
};

template <typename G, int SHIFT>
__device__ inline void load(const uint8_t *at, Words<G, SHIFT> &words)
{
    constexpr int FIRST = Words<G, SHIFT>::FIRST, COUNT = Words<G, SHIFT>::COUNT;
    const uint32_t *from = reinterpret_cast<const uint32_t *>(at);
    if (FIRST == 1)
        words.word[0] = from[FIRST];
#pragma unroll
    for (int i = FIRST; i < COUNT; i += 2)
        if (i + 1 < COUNT) {
            const uint2 pair = *reinterpret_cast<const uint2 *>(from + FIRST + i);
            words.word[i] = pair.x;
            words.word[(i + 1) % COUNT] = pair.y;
        } else {
            words.word[i] = from[FIRST + i];
        }
}

/* Returns `sum` plus sample `i` of the row `in`, which enters the square, minus sample `i` of the
 * row `out`, which leaves it. Adds with a dot product instruction, which does not occupy the
 * execution units for byte selection and additions. */
template <typename G, int SHIFT>
__device__ inline uint32_t change(uint32_t sum, const Words<G, SHIFT> &in,
                                  const Words<G, SHIFT> &out, int i)
{
    const int at = i + SHIFT % 4 / G::SIZE, word = at / G::PER_WORD % Words<G, SHIFT>::COUNT;
    const int place = at % G::PER_WORD;
#if __CUDA_ARCH__ >= 610
    const uint32_t both =
        __byte_perm(in.word[word], out.word[word], place * G::SIZE < 2 ? 0x5410 : 0x7632);
    const uint32_t factors = G::SIZE == 2 ? 0xff01 : place % 2 == 0 ? 0x00ff0001 : 0xff000100;
    if (G::SIZE == 1)
        asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(both), "r"(factors));
    else
        asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(both), "r"(factors));
    return sum;
#else
    const int shift = place * 8 * G::SIZE;
    const uint32_t mask = G::SIZE == 1 ? 0xff : 0xffff;
    return sum + (in.word[word] >> shift & mask) - (out.word[word] >> shift & mask);
#endif
}

/* Converts `sum`, a signed number in two's complement, to the type of sums over a square. The
 * second argument only selects this type. */
__device__ inline uint32_t widened(uint32_t sum, uint32_t)
{
    return sum;
}
__device__ inline uint64_t widened(uint32_t sum, uint64_t)
{
    return (uint64_t)(int64_t)(int32_t)sum;
}

/* For each channel, the sum of the square around the pixel left of a strip. */
template <typename Total, int CHANNELS>
struct alignas(box_base_places(CHANNELS) * sizeof(Total)) Bases {
    Total sum[box_base_places(CHANNELS)];
};

/* Returns the sum of `value` over this lane and all lanes before it. */
__device__ inline uint32_t scan_warp(uint32_t value)
{
#pragma unroll
    for (int step = 1; step < BOX_LANES; step *= 2) {
#if __CUDA_ARCH__ >= 700
        asm volatile("{\n"
                     " .reg .pred has;\n"
                     " .reg .u32 more;\n"
                     " shfl.sync.up.b32 more|has, %0, %1, 0, -1;\n"
                     " @has add.u32 %0, %0, more;\n"
                     "}"
                     : "+r"(value)
                     : "r"(step));
#else
        const uint32_t more = __shfl_up_sync(~0u, value, step);
        value += (int)threadIdx.x % BOX_LANES >= step ? more : 0;
#endif
    }
    return value;
}

__device__ inline uint64_t scan_warp(uint64_t value)
{
#pragma unroll
    for (int step = 1; step < BOX_LANES; step *= 2) {
        const uint64_t more = __shfl_up_sync(~0u, value, step);
        value += (int)threadIdx.x % BOX_LANES >= step ? more : 0;
    }
    return value;
}

/* Computes, for each lane and channel, the sum of the square around the pixel before the lane's
 * first pixel. */
template <typename K>
__device__ inline void scan(const uint32_t (&sums)[K::G::SAMPLES], const typename K::Total *bases,
                            typename K::Total (&before)[K::G::CHANNELS])
{
    typedef typename K::Total Total;
    constexpr int CHANNELS = K::G::CHANNELS;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        uint32_t own = 0;
#pragma unroll
        for (int i = K::G::SAMPLES - CHANNELS + c; i >= 0; i -= CHANNELS)
            own += sums[i];
        const Total alone = widened(own, Total());
        before[c] = scan_warp(alone) - alone + bases[c];
    }
}

__device__ inline uint32_t mean_of(const BoxFarTask &task, uint32_t sum)
{
    return (uint32_t)((uint64_t)sum * task.box.multiplier >> 32) >> (task.box.shift - 32);
}

/* Returns sum / area, rounded to nearest. `sum` has the bits of the double 2^52 + sum. The result
 * of fma is also at least 2^52, so its last bits are the rounded mean. The area is odd, so there
 * are no ties. */
__device__ inline uint32_t mean_of(const BoxFarTask &task, uint64_t sum)
{
    const double zero = 4503599627370496.0; /* 2^52 as a double, whose bits are BOX_DOUBLE */
    double value;
    uint64_t bits;
    memcpy(&value, &sum, sizeof value);
    value = fma(value - zero, task.inverse, zero);
    memcpy(&bits, &value, sizeof bits);
    return (uint32_t)bits;
}

template <typename K>
__device__ inline void make_words(const BoxFarTask &task, const uint32_t (&sums)[K::G::SAMPLES],
                                  const typename K::Total (&before)[K::G::CHANNELS],
                                  uint32_t (&words)[K::G::WORDS])
{
    typedef typename K::G G;
    typename K::Total up_to[G::CHANNELS];
    uint32_t mean[G::SAMPLES];
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++) {
        const int c = i % G::CHANNELS;
        up_to[c] = (i < G::CHANNELS ? before[c] : up_to[c]) + widened(sums[i], typename K::Total());
        mean[i] = mean_of(task, up_to[c]);
    }
#pragma unroll
    for (int i = 0; i < G::WORDS; i++) {
        const int at = i * G::PER_WORD;
        words[i] = mean[at] | mean[at + 1] << 8 * G::SIZE;
        if (G::SIZE == 1)
            words[i] = __byte_perm(
                __byte_perm(mean[at], mean[at + 1], 0x0040),
                __byte_perm(mean[(at + 2) % G::SAMPLES], mean[(at + 3) % G::SAMPLES], 0x0040),
                0x5410);
    }
}

/* Stores the first `count` samples of a lane at `to`. */
template <typename G>
__device__ inline void put(uint8_t *to, const uint32_t (&words)[G::WORDS], int32_t count)
{
    if (count >= G::SAMPLES) {
        uint2 *pairs = reinterpret_cast<uint2 *>(to);
#pragma unroll
        for (int i = 0; i < G::WORDS / 2; i++)
            pairs[i] = make_uint2(words[2 * i], words[2 * i + 1]);
        return;
    }
    typename G::Sample *samples = reinterpret_cast<typename G::Sample *>(to);
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++)
        if (i < count)
            samples[i] =
                (typename G::Sample)(words[i / G::PER_WORD] >> i % G::PER_WORD * 8 * G::SIZE);
}

/* --- The kernel ------------------------------------------------------------------------------- */

namespace
{

/* BLOCKS: blocks that a multiprocessor runs at the same time */
constexpr int THREADS = 128, WARPS = THREADS / BOX_LANES, BLOCKS = 5;

/* Computes `sums` for the row above the band. For each sample, this is the sum of the last column
 * of its square, minus the sum of the column before the square. */
template <typename G>
__device__ inline void begin(const BoxFarTask &task, int32_t strip, int32_t band, int32_t lane,
                             uint32_t (&sums)[G::SAMPLES])
{
    const uint32_t *right =
        task.starts + (size_t)band * task.plan.samples +
        (size_t)((strip + task.plan.across.back) * BOX_LANES + lane) * G::SAMPLES;
    const uint32_t *left = right - (2 * task.box.radius + 1) * G::CHANNELS;
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i += 4)
        take_piece(sums + i, __ldg(reinterpret_cast<const uint4 *>(right + i)));
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++)
        sums[i] -= __ldg(left + i);
}

template <typename K>
__global__ void __launch_bounds__(THREADS, BLOCKS) means_kernel(BoxFarTask task)
{
    typedef typename K::G G;
    typedef Bases<typename K::Total, G::CHANNELS> Base;
    IMG_SHARED_DYNAMIC(uint4, memory);
    const BoxFarPlan &plan = task.plan;
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / BOX_LANES;
    const int32_t lane = (int32_t)threadIdx.x % BOX_LANES, radius = task.box.radius;
    const int32_t strip = (int32_t)(warp % (uint32_t)plan.across.count);
    const int32_t band = (int32_t)(warp / (uint32_t)plan.across.count);
    const int32_t top = band * plan.down.size, group = strip * BOX_LANES + lane;
    const int32_t end = min(top + plan.down.size, task.src.height);
    if (band >= plan.down.count)
        return;
    IMG_AWAIT_PREVIOUS();
    const BoxRange<G> right(task, box_right_column(strip * BOX_LANES, G::PIXELS, radius));
    const BoxRange<G> left(task, box_left_column(strip * BOX_LANES, G::PIXELS, radius));
    const int64_t samples_left =
        ((int64_t)task.src.width - (int64_t)group * G::PIXELS) * G::CHANNELS;
    const int32_t count = (int32_t)min(max(samples_left, (int64_t)0), (int64_t)G::SAMPLES);
    const Base *bases =
        static_cast<const Base *>(task.bases) + (size_t)strip * task.src.height + top;
    uint8_t *to = task.dst.data + (size_t)top * task.dst.stride + (size_t)group * G::BYTES;
    const int32_t *outs = task.lines + top, *ins = outs + 2 * radius + 1;
    uint8_t *own = reinterpret_cast<uint8_t *>(memory) +
                   threadIdx.x / BOX_LANES * (K::STAGES * 4 * BoxRange<G>::BYTES);
    const int32_t right_at =
        (box_right_column(0, G::PIXELS, radius) * G::PIXEL & 8) + lane * G::BYTES;
    const int32_t left_at =
        (box_left_column(0, G::PIXELS, radius) * G::PIXEL & 8) + lane * G::BYTES;
    const bool is_constant = task.box.border == IMG_BORDER_CONSTANT;
    const auto copy_row = [&](int32_t line, uint8_t *at) {
        if (is_constant && line < 0) {
            right.copy_background(task, at);
            left.copy_background(task, at + 2 * BoxRange<G>::BYTES);
        } else {
            right.copy(line, at);
            left.copy(line, at + 2 * BoxRange<G>::BYTES);
        }
    };
    const auto copy = [&](int32_t row, int32_t stage) {
        uint8_t *at = own + stage * (4 * BoxRange<G>::BYTES);
        if (row < end - top) {
            copy_row(__ldg(ins + row), at);
            copy_row(__ldg(outs + row), at + BoxRange<G>::BYTES);
        }
        end_copy_group();
    };
    uint32_t sums[G::SAMPLES];
#pragma unroll
    for (int i = 0; i + 1 < K::STAGES; i++)
        copy(i, i);
    begin<G>(task, strip, band, lane, sums);
    int32_t stage = 0, filled = K::STAGES - 1;
    for (int32_t row = 0; row < end - top; row++) {
        const Base base = *bases++;
        Words<G, K::RIGHT> right_in, right_out;
        Words<G, K::LEFT> left_in, left_out;
        const uint8_t *at = own + stage * (4 * BoxRange<G>::BYTES);
        await_all_but<K::STAGES - 2>();
        __syncwarp();
        copy(row + K::STAGES - 1, filled);
        load<G, K::RIGHT>(at + right_at, right_in);
        load<G, K::RIGHT>(at + right_at + BoxRange<G>::BYTES, right_out);
        load<G, K::LEFT>(at + left_at + 2 * BoxRange<G>::BYTES, left_in);
        load<G, K::LEFT>(at + left_at + 3 * BoxRange<G>::BYTES, left_out);
#pragma unroll
        for (int i = 0; i < G::SAMPLES; i++)
            sums[i] = change<G, K::LEFT>(change<G, K::RIGHT>(sums[i], right_in, right_out, i),
                                         left_out, left_in, i);
        typename K::Total before[G::CHANNELS];
        uint32_t words[G::WORDS];
        scan<K>(sums, base.sum, before);
        make_words<K>(task, sums, before, words);
        put<G>(to, words, count);
        to += task.dst.stride;
        stage = stage + 1 == K::STAGES ? 0 : stage + 1;
        filled = filled + 1 == K::STAGES ? 0 : filled + 1;
    }
}

template <typename K> ImgStatus launch(const BoxFarTask &task, void *stream, ImgError *err)
{
    const uint64_t warps = (uint64_t)task.plan.across.count * (uint64_t)task.plan.down.count;
    const int bytes = WARPS * K::STAGES * 4 * BoxRange<typename K::G>::BYTES;
    auto *kernel = means_kernel<K>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), err);
    IMG_LAUNCH_EARLY(kernel, (uint32_t)((warps - 1) / WARPS + 1), THREADS, (size_t)bytes, stream,
                     task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename G, int PHASE = 0>
ImgStatus launch_group(const BoxFarTask &task, void *stream, ImgError *err)
{
    constexpr int PHASES = 8 / G::SIZE;
    if constexpr (PHASE + 1 < PHASES)
        if (task.box.radius % PHASES != PHASE)
            return launch_group<G, PHASE + 1>(task, stream, err);
    return launch<Kind<G, PHASE>>(task, stream, err);
}

} // namespace

ImgStatus far_box_means(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format, [&](auto group) {
        return launch_group<decltype(group)>(task, stream, err);
    });
}
