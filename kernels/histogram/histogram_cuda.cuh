/* Shared by the CUDA rows of the histogram: what a kernel is told, and how threads walk over a
 * picture whose rows may have any width. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_CUDA_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_CUDA_CUH

#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/histogram/histogram.h"

using Count = unsigned long long;

struct HistogramTask {
    const uint8_t *src;
    size_t stride;
    int32_t width, height;
    int channels, bins;
    bool luma, skip;
    ImgLumaWeights weights;
    Count *counts; /* rows of a channel each, luma last */
    size_t row;    /* entries from one row to the next */
};

inline HistogramTask histogram_task(const ImgCall *call)
{
    const ImgHistogramParams *own = (const ImgHistogramParams *)call->params;
    ImgFormat format = call->src.format;
    HistogramTask task = {};
    task.src = call->src.data;
    task.stride = call->src.stride;
    task.width = call->src.width;
    task.height = call->src.height;
    task.channels = img_format_channels(format);
    task.bins = call->dst.width;
    task.luma = img_histogram_has_luma(format, own);
    task.skip = img_histogram_skips(format, own);
    task.weights = img_luma_weights((ImgLuma)own->luma);
    task.counts = (Count *)call->dst.data;
    task.row = call->dst.stride / sizeof(Count);
    return task;
}

inline ImgStatus device_attribute(cudaDeviceAttr attribute, int *value, ImgError *err)
{
    int device;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(value, attribute, device), err);
    return IMG_OK;
}

__device__ inline uint32_t luma_of(const ImgLumaWeights &weights, uint32_t red, uint32_t green,
                                   uint32_t blue)
{
    return (weights.red * red + weights.green * green + weights.blue * blue + IMG_LUMA_HALF) >>
           IMG_LUMA_SHIFT;
}

/* The place of one thread among the units (pixels, or groups of them) of a picture. Rows have the
 * same number of units each; a thread takes every `step`-th of all, and after the first no division
 * is needed. */
struct Walk {
    const uint8_t *at; /* the unit */
    uint32_t unit, y;  /* past the end, y is the height or more */

    __device__ Walk(const HistogramTask &task, uint32_t units_a_row, int unit_bytes, uint64_t first,
                    uint64_t step)
        : unit((uint32_t)(first % units_a_row)), y((uint32_t)(first / units_a_row)),
          units(units_a_row), step_unit((uint32_t)(step % units_a_row)),
          step_y((uint32_t)(step / units_a_row))
    {
        at = task.src + y * task.stride + (size_t)unit * unit_bytes;
        step_bytes = step_y * task.stride + (size_t)step_unit * unit_bytes;
        wrap_bytes = (ptrdiff_t)task.stride - (ptrdiff_t)units * unit_bytes;
    }
    __device__ void advance()
    {
        at += step_bytes;
        unit += step_unit;
        y += step_y;
        if (unit >= units) {
            unit -= units;
            y++;
            at += wrap_bytes;
        }
    }

  private:
    uint32_t units, step_unit, step_y;
    size_t step_bytes;
    ptrdiff_t wrap_bytes; /* groups may reach behind a row's end */
};

/* A group is what one thread takes at once: of 8-bit samples 16 bytes, or 48 of pixels of 3
 * samples; of 16-bit samples 8 pixels. */
template <typename Sample, int CHANNELS> struct Group {
    static constexpr int VECTORS = sizeof(Sample) == 2 || CHANNELS == 3 ? CHANNELS : 1;
    static constexpr int WORDS = 4 * VECTORS;
    static constexpr int BYTES = 16 * VECTORS;
    static constexpr int PIXELS = BYTES / (CHANNELS * (int)sizeof(Sample));
    uint32_t words[WORDS];

    /* Sample `i` of the group; `i` is known when the loops around are unrolled. */
    __device__ uint32_t sample(int i) const
    {
        if (sizeof(Sample) == 1)
            return words[i / 4] >> (8 * (i % 4)) & 0xff;
        return words[i / 2] >> (16 * (i % 2)) & 0xffff;
    }

    /* The vectors that hold some of the `bytes` that are inside the row; zeros for the others. No
     * branch, as the loads of several groups are to be under way at the same time. Rows start at
     * multiples of 16 bytes, and the vector that holds a row's end may be read. */
    __device__ void load(const uint8_t *at, int bytes)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            put(v, 16 * v < bytes ? fetch((const uint4 *)at + v) : make_uint4(0, 0, 0, 0));
    }

    /* What the last vector holds behind the row's end is to count as zeros. */
    __device__ void cut(int bytes)
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            int kept = bytes - 4 * i;
            if (kept <= 0)
                words[i] = 0;
            else if (kept < 4)
                words[i] &= (1u << (8 * kept)) - 1;
        }
    }

    /* Several blocks read 16-bit samples: these are to stay in the second-level cache. */
    static __device__ uint4 fetch(const uint4 *at)
    {
        return sizeof(Sample) == 1 ? __ldcs(at) : __ldg(at);
    }

    __device__ void put(int v, uint4 vector)
    {
        words[4 * v] = vector.x;
        words[4 * v + 1] = vector.y;
        words[4 * v + 2] = vector.z;
        words[4 * v + 3] = vector.w;
    }
};

/* How the rows of a picture are cut in groups. */
struct Groups {
    uint32_t a_row;
    int last_bytes;  /* of the last group of a row that are inside */
    uint64_t beyond; /* black pixels that groups find behind the ends of all rows together */
};

template <typename Group> Groups cut_in_groups(const HistogramTask &task)
{
    Groups groups;
    uint32_t width = (uint32_t)task.width;
    groups.a_row = (width - 1) / Group::PIXELS + 1;
    uint32_t last = width - (groups.a_row - 1) * Group::PIXELS;
    groups.last_bytes = (int)last * Group::BYTES / Group::PIXELS;
    groups.beyond = (uint64_t)(Group::PIXELS - last) * (uint64_t)task.height;
    return groups;
}

/* AHEAD groups of one thread, loaded together. */
template <typename Group, int AHEAD> struct Batch {
    Group group[AHEAD];
    int bytes[AHEAD]; /* inside the row; 0: there is no such group */

    /* Where `walk` stands; it goes on behind them. */
    __device__ void load(Walk &walk, const HistogramTask &task, const Groups &groups)
    {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            bytes[k] = walk.unit + 1 < groups.a_row ? Group::BYTES : groups.last_bytes;
            bytes[k] = walk.y < (uint32_t)task.height ? bytes[k] : 0;
            group[k].load(walk.at, bytes[k]);
            walk.advance();
        }
    }

    /* Calls `count(group)` for those that there are. */
    template <typename Count> __device__ void each(Count count)
    {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (bytes[k] == 0)
                break;
            if (bytes[k] < Group::BYTES)
                group[k].cut(bytes[k]);
            count(group[k]);
        }
    }
};

/* The table starts as zeros; kernels add to it. A block a row. */
static __global__ void clear_kernel(Count *counts, size_t row, int bins)
{
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        counts[blockIdx.x * row + i] = 0;
}

inline ImgStatus clear_counts(const HistogramTask &task, void *stream, ImgError *err)
{
    int tables = task.channels + (task.luma ? 1 : 0);
    IMG_LAUNCH(clear_kernel, tables, 1024, 0, stream, task.counts, task.row, task.bins);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

#endif
