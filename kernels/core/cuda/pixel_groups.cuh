/* Access to a whole picture with rows of any width. Each thread reads groups of pixels with 16
 * bytes per load, and several loads run at the same time. Bytes past the end of a row are replaced
 * by zeros. */
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

/* Calls `run` with the number of channels of `format` as a Constant, so that it is known at compile
 * time. Returns the result of `run`. */
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

/* Calls `run(sample, channels)`. The type of `sample` is the sample type of `format`; `channels` is
 * its number of channels as a Constant, so that both are known at compile time. Returns the result
 * of `run`. */
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

/* Position of one thread among the units of a picture: single pixels or groups of pixels. All rows
 * have the same number of units. A thread takes every `step`-th unit of the picture. Only the first
 * position needs a division. */
struct Walk {
    const uint8_t *at; /* address of the current unit */
    /* index of the unit in its row, and index of the row; past the end of the picture, `y` is at
     * least the height */
    uint32_t unit, y;

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
    /* bytes to add to `at` at the end of a row; negative if the last group extends past the stride
     */
    ptrdiff_t wrap_bytes;
};

/* The data that one thread processes at once. It has 16 bytes of 8-bit samples, or 48 bytes with 3
 * channels. With 16-bit samples it has 8 pixels. */
template <typename Sample, int CHANNELS> struct Group {
    static constexpr int VECTORS = sizeof(Sample) == 2 || CHANNELS == 3 ? CHANNELS : 1;
    static constexpr int WORDS = 4 * VECTORS;
    static constexpr int BYTES = 16 * VECTORS;
    static constexpr int PIXELS = BYTES / (CHANNELS * (int)sizeof(Sample));
    uint32_t words[WORDS];

    /* Returns sample `i` of the group. `i` must be a constant after the surrounding loops are
     * unrolled, so that the group stays in registers. */
    __device__ uint32_t sample(int i) const
    {
        if (sizeof(Sample) == 1)
            return words[i / 4] >> (8 * (i % 4)) & 0xff;
        return words[i / 2] >> (16 * (i % 2)) & 0xffff;
    }

    /* Loads the 16-byte vectors that contain any of the group's `bytes` bytes inside the row. The
     * other vectors become zero. There is no branch, so that loads of several groups can run at the
     * same time. Rows start at multiples of 16 bytes, so the whole last vector of a row may be
     * read. */
    __device__ void load(const uint8_t *at, int bytes)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            put(v, 16 * v < bytes ? fetch((const uint4 *)at + v) : make_uint4(0, 0, 0, 0));
    }

    /* Sets the bytes of the group from index `bytes` on to zero, because they are past the end of
     * the row. */
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

    /* Loads 16 bytes. Several blocks read the same 16-bit samples, so the load keeps them in the
     * second-level cache. 8-bit samples use a streaming load, whose data the cache evicts first. */
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

/* Division of the rows of a picture into groups. */
struct Groups {
    uint32_t a_row;
    int last_bytes; /* bytes of the last group of a row that are inside the picture */
    /* number of pixels past the ends of rows that the groups of the whole picture contain; these
     * pixels are 0 */
    uint64_t beyond;
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

/* The AHEAD groups that one thread loads together. */
template <typename Group, int AHEAD> struct Batch {
    Group group[AHEAD];
    int bytes[AHEAD]; /* bytes of each group inside the row; 0 if the group does not exist */

    /* Loads the next AHEAD groups, starting at `walk`, and moves `walk` past them. */
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

    /* Calls `count(group)` for each loaded group that lies in the picture. */
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
