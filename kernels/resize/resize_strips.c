/* Computes the widest strips that fit in the shared memory of a GPU (resize_strips.h). */
#include "kernels/resize/resize_strips.h"

/* Size in bytes of a source sample in shared memory, of a weight, of a vertical sum, and of a
 * sample of the result. */
typedef struct SampleBytes {
    int32_t sample, weight, middle, result;
} SampleBytes;

static SampleBytes bytes_of(const ImgResize *own)
{
    const SampleBytes narrow = {own->has_alpha ? 2 : 1, 2, 2, 1}, wide = {2, 3, 4, 2};
    return own->wide ? wide : narrow;
}

/* Returns an upper bound of the number of source samples that IMG_RESIZE_BAND adjacent new samples
 * need. It includes a margin of 4 samples, because positions are rounded. */
static int64_t most_window(const ImgResizeAxis *axis)
{
    return (int64_t)(IMG_RESIZE_BAND - 1) * axis->span.src / axis->span.full + axis->taps + 4;
}

/* Returns the layout of shared memory for strips of `groups` groups of columns. */
static ImgResizeStrips lay_strips(const ImgResize *own, int64_t down, int64_t across,
                                  int32_t groups)
{
    const SampleBytes size = bytes_of(own);
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

ImgResizeStrips img_resize_strips(const ImgResize *own, int64_t down, int64_t across, int32_t most)
{
    const ImgResizeStrips none = {.groups = 0};
    /* largest window in source samples; up to it, all sizes below fit in 32 bits */
    const int64_t longest = 4096;
    if (down > longest || across > longest)
        return none;
    for (int32_t groups = IMG_RESIZE_GROUPS; groups > 0; groups--) {
        if ((int64_t)IMG_RESIZE_BAND * groups * own->across.span.src / own->across.span.full >
            longest)
            continue;
        const ImgResizeStrips strips = lay_strips(own, down, across, groups);
        const int64_t units = strips.pitch / 16;
        if (strips.bytes <= most && strips.rows * units * units < IMG_RESIZE_DIVIDED)
            return strips;
    }
    return none;
}

static bool has_strips(const ImgResize *own, int32_t most)
{
    return img_resize_strips(own, most_window(&own->down), most_window(&own->across), most).groups >
           0;
}

bool img_resize_has_small_strips(const ImgResize *own)
{
    return has_strips(own, IMG_RESIZE_STRIP_BYTES);
}

bool img_resize_is_for_strips(const ImgResize *own)
{
    if (own->copies || own->linear || (own->wide && (own->has_alpha || own->bits < 16)))
        return false;
    if (own->wide &&
        (own->across.taps > IMG_RESIZE_WIDE_TAPS || own->down.taps > IMG_RESIZE_WIDE_TAPS))
        return false;
    return has_strips(own, IMG_RESIZE_STRIP_MOST);
}

int64_t img_resize_tile_columns(const ImgResize *own)
{
    const ImgResizeSpan *span = &own->across.span;
    return (int64_t)(IMG_RESIZE_TILE - 1) * span->src / span->full + own->across.taps + 4;
}

size_t img_resize_tile_bytes(const ImgResize *own)
{
    const size_t size = own->wide ? sizeof(int32_t) : sizeof(int16_t);
    return (size_t)img_resize_tile_columns(own) * 8 * (size_t)own->channels * size;
}
