/* Private to resize: how CUDA kernels divide a picture, as host code plans it.
 *
 * Of the fast one a block goes down a strip of the result, IMG_RESIZE_BAND columns per group and as
 * many rows per step. In shared memory it has the rows of the source that the step's rows are made
 * of, the middle, and both kinds of weights. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H

#include "kernels/resize/resize.h"

enum {
    IMG_RESIZE_BAND = 16,   /* rows, or columns, of the result whose sums are made together */
    IMG_RESIZE_CHUNK = 16,  /* columns that products across take at a time; of rows 32 */
    IMG_RESIZE_GROUPS = 16, /* of a strip, at most */
    IMG_RESIZE_PAST = 32,   /* bytes past the middle, which count 0 times */
    IMG_RESIZE_DIVIDED =
        1 << 20,                /* rows times units of 16 bytes in one, twice: the kernel divides */
    IMG_RESIZE_WIDE_TAPS = 128, /* at most, so that sums of bytes fit 32 bits */
    IMG_RESIZE_STRIP_BYTES = 65536, /* of shared memory, which all GPUs from sm_75 on have */
    IMG_RESIZE_STRIP_MOST = 232448, /* those from sm_90 on */
    IMG_RESIZE_TILE = 32,           /* columns of the textbook's tiles of 8 rows */
    IMG_RESIZE_TILE_BYTES = 49152,
};

typedef struct ImgResizeStrips {
    int32_t groups;        /* of a strip */
    int32_t rows, columns; /* of the source in shared memory; multiples of 32, of 32 bytes */
    int32_t chunks;        /* of columns of a group */
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, down_at, across_at, out_at, bytes;
} ImgResizeStrips;

/* Bytes of a sample in shared memory, of a weight, and of a sample of the middle. */
typedef struct ImgResizeBytes {
    int32_t sample, weight, middle, result;
} ImgResizeBytes;

static inline ImgResizeBytes img_resize_bytes(const ImgResize *own)
{
    const ImgResizeBytes narrow = {own->has_alpha ? 2 : 1, 2, 2, 1}, wide = {2, 3, 4, 2};
    return own->wide ? wide : narrow;
}

/* How many samples IMG_RESIZE_BAND new ones can be made of at most. */
static inline int64_t img_resize_most_window(const ImgResizeAxis *axis)
{
    return (int64_t)(IMG_RESIZE_BAND - 1) * axis->span.src / axis->span.full + axis->taps + 4;
}

/* Strips of `groups`. */
static inline ImgResizeStrips img_resize_lay_strips(const ImgResize *own, int64_t down,
                                                    int64_t across, int32_t groups)
{
    const ImgResizeBytes size = img_resize_bytes(own);
    const int32_t planes = own->channels, tiles = 32 / size.sample;
    const int64_t between =
        (int64_t)IMG_RESIZE_BAND * (groups - 1) * own->across.span.src / own->across.span.full;
    ImgResizeStrips strips = {.groups = groups, .rows = (int32_t)((down + 31) / 32 * 32)};
    strips.chunks = (int32_t)((across + 3 + IMG_RESIZE_CHUNK - 1) / IMG_RESIZE_CHUNK);
    strips.columns = (int32_t)((between + 3 + 15 + across + tiles - 1) / tiles * tiles);
    strips.pitch = (strips.columns * size.sample / 16 | 1) * 16;
    strips.middle_pitch = (strips.columns / 16 | 1) * 16;
    strips.out_pitch = groups * IMG_RESIZE_BAND * planes * size.result + 16;
    strips.middle_at = planes * strips.rows * strips.pitch;
    strips.down_at = strips.middle_at + IMG_RESIZE_PAST +
                     planes * size.middle * IMG_RESIZE_BAND * strips.middle_pitch;
    strips.across_at = strips.down_at + strips.rows / 32 * size.weight * 512;
    strips.out_at = strips.across_at + groups * ((strips.chunks + 1) / 2) * 2 * size.weight * 256;
    strips.bytes = strips.out_at + IMG_RESIZE_BAND * strips.out_pitch;
    return strips;
}

/* The widest strips that fit `most` bytes of shared memory, where windows of IMG_RESIZE_BAND new
 * samples have so many old ones; `groups` is 0: none do. */
static inline ImgResizeStrips img_resize_strips(const ImgResize *own, int64_t down, int64_t across,
                                                int32_t most)
{
    const ImgResizeStrips none = {.groups = 0};
    const int64_t longest = 4096; /* so that sizes fit 32 bits */
    if (down > longest || across > longest)
        return none;
    for (int32_t groups = IMG_RESIZE_GROUPS; groups > 0; groups--) {
        if ((int64_t)IMG_RESIZE_BAND * groups * own->across.span.src / own->across.span.full >
            longest)
            continue;
        const ImgResizeStrips strips = img_resize_lay_strips(own, down, across, groups);
        const int64_t units = strips.pitch / 16;
        if (strips.bytes <= most && strips.rows * units * units < IMG_RESIZE_DIVIDED)
            return strips;
    }
    return none;
}

static inline bool img_resize_has_strips(const ImgResize *own, int32_t most)
{
    return img_resize_strips(own, img_resize_most_window(&own->down),
                             img_resize_most_window(&own->across), most)
               .groups > 0;
}

/* Whether the fast kernel does it: sums in products of bytes, and windows that fit. */
static inline bool img_resize_is_for_strips(const ImgResize *own)
{
    if (own->copies || own->linear || (own->wide && (own->has_alpha || own->bits < 16)))
        return false;
    if (own->wide &&
        (own->across.taps > IMG_RESIZE_WIDE_TAPS || own->down.taps > IMG_RESIZE_WIDE_TAPS))
        return false;
    return img_resize_has_strips(own, IMG_RESIZE_STRIP_MOST);
}

/* Columns of the source that IMG_RESIZE_TILE new ones can be made of, and bytes of a tile. */
static inline int64_t img_resize_tile_columns(const ImgResize *own)
{
    const ImgResizeSpan *span = &own->across.span;
    return (int64_t)(IMG_RESIZE_TILE - 1) * span->src / span->full + own->across.taps + 4;
}

static inline size_t img_resize_tile_bytes(const ImgResize *own)
{
    const size_t size = own->wide ? sizeof(int32_t) : sizeof(int16_t);
    return (size_t)img_resize_tile_columns(own) * 8 * (size_t)own->channels * size;
}

#endif
