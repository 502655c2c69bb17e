/* Chooses how the stream kernel of resize on CUDA divides a picture (resize_stream_layout.h). */
#include "kernels/resize/cuda/resize_plan.cuh"
#include "kernels/resize/cuda/resize_stream.h"
#include "kernels/resize/cuda/resize_stream_weights.cuh"

namespace
{

using namespace resize;

constexpr int32_t MULTIPROCESSORS = 132, TILES_MOST = 64, AHEAD_LEAST = 32 * 1024, ROWS_MOST = 512;
constexpr int32_t WAVES_MOST = 12;
/* Time of a block that does not depend on its number of bands, in multiples of the time of one
 * band. */
constexpr double AROUND = 2;

/* The kernel's constants PLANES, BESIDE, COLUMN and TILE (resize_stream_rows.cuh), for use on the
 * host. */
struct Columns {
    int32_t planes, beside, bytes, tile;
};

Columns columns_of(const ImgResize *own)
{
    const int32_t source = own->bits / 8;
    if (own->has_alpha)
        return {own->channels, 1, own->channels * source, 8};
    return {1, own->channels, source, own->wide ? 8 : 16};
}

/* Largest and smallest number of source rows between the first rows of two successive bands. */
struct Advance {
    int32_t most, least;
};

Advance advance_of(const ImgResize *own)
{
    const int32_t *first = img_resize_first(own, &own->down);
    Advance advance = {0, own->down.span.count > BAND ? INT32_MAX : 0};
    for (int32_t i = BAND; i < own->down.span.count; i += BAND) {
        const int32_t rows = first[i] - first[i - BAND];
        advance.most = rows > advance.most ? rows : advance.most;
        advance.least = rows < advance.least ? rows : advance.least;
    }
    return advance;
}

/* Returns the largest number of source columns in the window of a tile. The start of a window is
 * rounded down to a multiple of 16. */
int64_t tile_window_most(const ImgResize *own, int32_t lead)
{
    const int32_t *first = img_resize_first(own, &own->across);
    const int64_t beside = columns_of(own).beside, tile = columns_of(own).tile;
    const int64_t count = own->across.span.count * beside;
    int64_t most = 0;
    for (int64_t i = -(int64_t)lead; i < count; i += tile) {
        const int64_t last = i + tile - 1 < count ? i + tile - 1 : count - 1;
        const int64_t begin = first[(i > 0 ? i : 0) / beside] * beside / 16 * 16;
        const int64_t end = (first[last / beside] + (int64_t)own->across.taps) * beside;
        most = end - begin > most ? end - begin : most;
    }
    return most;
}

/* Returns an upper bound of the distance, in source columns, between the starts of two windows. The
 * first result columns of these windows are `columns` apart. */
int64_t columns_between(const ImgResize *own, int64_t columns)
{
    const ImgResizeSpan *span = &own->across.span;
    const int64_t beside = columns_of(own).beside, pixels = (columns + beside - 1) / beside;
    return ((pixels * span->src + span->full - 1) / span->full + 2) * beside;
}

int32_t odd_pitch(int64_t bytes)
{
    return (int32_t)((bytes + 15) / 16 | 1) * 16;
}

/* Computes the layout of shared memory. Returns false if it does not fit in `most` bytes, or if a
 * strip needs too many warps. */
bool lay_out(ImgResizeStream *plan, const ImgResize *own, const Advance &advance, int32_t most)
{
    const Columns columns = columns_of(own);
    const int32_t weight = own->wide ? 3 : 2, numbers = columns.planes * (own->wide ? 4 : 2);
    const int64_t wide = (int64_t)plan->tiles * columns.tile;
    const int64_t between = columns_between(own, wide - columns.tile) + 15;
    const int64_t inside =
        columns_between(own, wide - 1) + 15 + (int64_t)own->across.taps * columns.beside;
    const int64_t warps = (inside * columns.bytes + SLICE - 1) / SLICE;
    if (warps > SUMMING_WARPS || wide * columns.bytes > OTHER_THREADS * WIDE_BYTES)
        return false;
    plan->warps = (int32_t)warps;
    const int64_t slices = warps * SLICE / columns.bytes;
    const int64_t reached = between + 32 * (int64_t)plan->chunks;
    plan->pitch = odd_pitch(warps * SLICE);
    plan->middle_pitch = odd_pitch(slices > reached ? slices : reached);
    plan->out_pitch = odd_pitch(wide * columns.bytes);
    plan->middle_bytes = numbers * BAND * plan->middle_pitch;
    const int32_t out = 2 * plan->middle_bytes, down = out + 2 * BAND * plan->out_pitch;
    const int32_t across = down + (plan->steps + 1) / 2 * weight * 1024;
    const int32_t windows = across + plan->tiles * plan->chunks * weight * (columns.tile * 32);
    const int32_t fixed = windows + plan->tiles * 4;
    const int32_t overlap = 16 * plan->steps - (own->has_alpha ? 0 : advance.least);
    const int32_t needed = (overlap > 32 ? overlap : 32) + GROUP_ROWS - 1;
    const int32_t fit = (most - fixed) / plan->pitch / GROUP_ROWS * GROUP_ROWS;
    plan->rows = fit < ROWS_MOST ? fit : ROWS_MOST;
    if (fixed > most || (plan->rows - needed) * plan->pitch < AHEAD_LEAST)
        return false;
    plan->middle_at = plan->rows * plan->pitch;
    plan->out_at = plan->middle_at + out;
    plan->down_at = plan->middle_at + down;
    plan->across_at = plan->middle_at + across;
    plan->windows_at = plan->middle_at + windows;
    plan->bytes = plan->middle_at + fixed;
    return true;
}

/* Chooses the number of bands per block for the shortest time, and sets the number of strips.
 * Returns an estimate of the time; its unit is the same for all plans. */
double divide(ImgResizeStream *plan, const ImgResize *own)
{
    const int64_t count = (int64_t)own->across.span.count * columns_of(own).beside + plan->lead;
    const int32_t bands = (own->down.span.count - 1) / BAND + 1;
    double best = 0;
    plan->strips = (int32_t)((count - 1) / (plan->tiles * columns_of(own).tile) + 1);
    plan->bands = 0;
    for (int32_t waves = 1; waves <= WAVES_MOST; waves++) {
        const int32_t blocks = MULTIPROCESSORS * waves / plan->strips;
        const int32_t own_bands = blocks == 0 ? bands : (bands - 1) / blocks + 1;
        const int64_t all = (int64_t)plan->strips * ((bands - 1) / own_bands + 1);
        const double time = (double)((all - 1) / MULTIPROCESSORS + 1) * (own_bands + AROUND) *
                            (plan->warps * SLICE + 128);
        if (plan->bands == 0 || time < best) {
            best = time;
            plan->bands = own_bands;
        }
        if (own_bands == 1)
            break;
    }
    return best;
}

} // namespace

ImgResizeStream img_resize_plan_stream(const ImgResize *own, int32_t most)
{
    const Columns columns = columns_of(own);
    ImgResizeStream best = {};
    ImgResizeStream plan = {};
    double least = 0;
    if (own->channels == 2 || own->linear || own->copies)
        return best;
    const Advance advance = advance_of(own);
    plan.lead = (int32_t)((int64_t)own->across.span.at * columns.beside * columns.bytes % 16 /
                          columns.bytes);
    plan.steps = (int32_t)((window_most(own, &own->down, 0, BAND, 1) + 15) / 16);
    /* the first product always combines two steps (2 * 16 source rows) */
    plan.steps = plan.steps < 2 ? 2 : plan.steps;
    plan.chunks = (int32_t)((tile_window_most(own, plan.lead) + 31) / 32);
    for (plan.tiles = 1; plan.tiles <= TILES_MOST; plan.tiles++) {
        if (!lay_out(&plan, own, advance, most))
            continue;
        const double time = divide(&plan, own);
        if (best.tiles == 0 || time < least) {
            least = time;
            best = plan;
        }
    }
    return best;
}
