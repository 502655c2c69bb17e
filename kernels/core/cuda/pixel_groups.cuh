/* How threads read a whole picture whose rows may have any width: in groups of pixels, 16 bytes per
 * load, several loads under way, nothing past the end of a row counted. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_PIXEL_GROUPS_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_PIXEL_GROUPS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/image.h"

struct PixelRows {
    const uint8_t *src;
    size_t stride;
    int32_t width, height;
};

inline PixelRows pixel_rows(const ImgView &view)
{
    PixelRows rows;
    rows.src = view.data;
    rows.stride = view.stride;
    rows.width = view.width;
    rows.height = view.height;
    return rows;
}

template <int VALUE_> struct Constant {
    static constexpr int VALUE = VALUE_;
};

/* Calls `run(channels)` with a Constant. */
template <typename Run> ImgStatus with_channels(ImgFormat format, Run run)
{
    switch (img_format_channels(format)) {
    case 1:
        return run(Constant<1>());
    case 2:
        return run(Constant<2>());
    case 3:
        return run(Constant<3>());
    default:
        return run(Constant<4>());
    }
}

/* Calls `run(sample, channels)` with a value of the type of samples and a Constant. */
template <typename Run> ImgStatus with_samples(ImgFormat format, Run run)
{
    return with_channels(format, [&](auto channels) {
        return format.bits == 16 ? run(uint16_t(), channels) : run(uint8_t(), channels);
    });
}

inline ImgStatus device_attribute(cudaDeviceAttr attribute, int *value, ImgError *err)
{
    int device;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(value, attribute, device), err);
    return IMG_OK;
}

/* The place of one thread among the units (pixels, or groups of them) of a picture. Rows have the
 * same number of units each; a thread takes every `step`-th of all, and after the first no division
 * is needed. */
struct Walk {
    const uint8_t *at; /* the unit */
    uint32_t unit, y;  /* past the end, y is the height or more */

    __device__ Walk(const PixelRows &rows, uint32_t units_a_row, int unit_bytes, uint64_t first,
                    uint64_t step)
        : unit((uint32_t)(first % units_a_row)), y((uint32_t)(first / units_a_row)),
          units(units_a_row), step_unit((uint32_t)(step % units_a_row)),
          step_y((uint32_t)(step / units_a_row))
    {
        at = rows.src + y * rows.stride + (size_t)unit * unit_bytes;
        step_bytes = step_y * rows.stride + (size_t)step_unit * unit_bytes;
        wrap_bytes = (ptrdiff_t)rows.stride - (ptrdiff_t)units * unit_bytes;
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
    ptrdiff_t wrap_bytes; /* groups may reach past a row's end */
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

    /* What the last vector holds past the row's end is to count as zeros. */
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

/* How the rows of a picture are divided into groups. */
struct Groups {
    uint32_t a_row;
    int last_bytes;  /* of the last group of a row that are inside */
    uint64_t beyond; /* black pixels that groups find past the ends of all rows together */
};

template <typename Group> Groups cut_in_groups(const PixelRows &rows)
{
    Groups groups;
    uint32_t width = (uint32_t)rows.width;
    groups.a_row = (width - 1) / Group::PIXELS + 1;
    uint32_t last = width - (groups.a_row - 1) * Group::PIXELS;
    groups.last_bytes = (int)last * Group::BYTES / Group::PIXELS;
    groups.beyond = (uint64_t)(Group::PIXELS - last) * (uint64_t)rows.height;
    return groups;
}

/* AHEAD groups of one thread, loaded together. */
template <typename Group, int AHEAD> struct Batch {
    Group group[AHEAD];
    int bytes[AHEAD]; /* inside the row; 0: there is no such group */

    /* Where `walk` stands; it goes on after them. */
    __device__ void load(Walk &walk, const PixelRows &rows, const Groups &groups)
    {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            bytes[k] = walk.unit + 1 < groups.a_row ? Group::BYTES : groups.last_bytes;
            bytes[k] = walk.y < (uint32_t)rows.height ? bytes[k] : 0;
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

#endif
