/* Chooses how the direct kernel of resize on CUDA divides a picture (resize_direct.h). */
#include "kernels/resize/cuda/resize_direct.h"
#include "kernels/resize/cuda/resize_direct_task.cuh"
#include "kernels/resize/cuda/resize_plan.cuh"

namespace
{

using namespace resize;

/* Returns the largest number of source rows by which the window of a block advances from one step
 * (BAND result rows) to the next. */
int32_t advance_most(const ImgResize *own)
{
    const int32_t *first = img_resize_first(own, &own->down);
    int32_t most = 0;
    for (int32_t i = BAND; i < own->down.span.count; i += BAND) {
        const int32_t advance = first[i] - first[i - BAND];
        most = advance > most ? advance : most;
    }
    return most;
}

int32_t chunks_of(int64_t samples, int32_t chunk)
{
    return (int32_t)((samples + chunk - 1) / chunk);
}

/* Chooses how many pairs of column groups a warp computes; a group has 8 columns. It is the largest
 * number with which the source window of the warp is at most 32 columns wide. */
void set_pairs(ImgResizeDirect *direct, const ImgResize *own)
{
    const int32_t lead = own->across.span.at % BAND;
    direct->warp_pairs = PAIRS_MOST;
    while (direct->warp_pairs > 0 &&
           window_most(own, &own->across, lead, direct->warp_pairs * BAND, 4) > 32)
        direct->warp_pairs--;
}

/* Returns the largest number of source columns that a block needs, rounded up to whole units. */
template <typename K>
int32_t columns_of(const ImgResizeDirect *direct, const ImgResize *own, int32_t warps)
{
    constexpr int32_t unit = K::PIXELS;
    const int32_t wide = direct->warp_pairs * BAND, lead = own->across.span.at % BAND;
    const int32_t *first = img_resize_first(own, &own->across);
    const int64_t count = own->across.span.count;
    int32_t most = 0;
    for (int64_t i = -(int64_t)lead; i < count; i += (int64_t)wide * warps) {
        const int64_t last = i + (int64_t)wide * (warps - 1);
        const int32_t left = first[i > 0 ? i : 0] / unit * unit;
        const int32_t end = first[last < count ? last : count - 1] + 32;
        most = end - left > most ? end - left : most;
    }
    return (most + unit - 1) / unit * unit;
}

/* Returns the smallest pitch of at least `bytes` bytes that is `rest` more than a multiple of 128.
 * The banks of shared memory repeat after 128 bytes, so `rest` determines the banks of adjacent
 * rows. */
int32_t pitch_of(int32_t bytes, int32_t rest)
{
    return bytes <= rest ? rest : (bytes - rest + 127) / 128 * 128 + rest;
}

/* Computes the layout of shared memory. Returns false if a block has fewer threads than a row has
 * units to load. */
template <typename K> bool lay_out(ImgResizeDirect *direct, const ImgResize *own)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    constexpr int32_t warps = DIRECT_WARPS<K>;
    direct->rows = 16 * direct->row_chunks + advance_most(own);
    direct->columns = columns_of<K>(direct, own, warps);
    direct->pitch = pitch_of(direct->columns * K::SAMPLE, 32);
    direct->out_pitch = pitch_of(direct->warp_pairs * BAND * PIXEL, BAND * PIXEL % 128);
    direct->down_at = K::CHANNELS * direct->rows * direct->pitch;
    direct->across_at = direct->down_at + 2 * direct->row_chunks * K::WEIGHT * 256;
    direct->out_at = direct->across_at + warps * 2 * direct->warp_pairs * K::WEIGHT * 256;
    direct->bytes = direct->out_at + warps * BAND * direct->out_pitch;
    return direct->columns / K::PIXELS <= warps * 32;
}

} // namespace

ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most)
{
    const ImgResizeDirect none = {};
    ImgResizeDirect direct = {};
    bool fits = false;
    direct.row_chunks = chunks_of(window_most(own, &own->down, 0, BAND, 1), 16);
    if (direct.row_chunks > ROW_CHUNKS_MOST)
        return none;
    set_pairs(&direct, own);
    if (direct.warp_pairs == 0)
        return none;
    (void)with_kind(own, [&](auto kind) {
        fits = lay_out<decltype(kind)>(&direct, own);
        return IMG_OK;
    });
    const int64_t units = direct.pitch / WIDE_BYTES;
    return fits && direct.bytes <= most && direct.rows * units * units < IMG_RESIZE_DIVIDED ? direct
                                                                                            : none;
}
