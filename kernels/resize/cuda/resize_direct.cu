/* resize on CUDA where a picture is enlarged, or becomes not much smaller, both axes in one kernel:
 * sums are products of matrices of bytes, as in resize_fast.cu.
 *
 * A warp makes BAND rows of its columns by itself: it sums columns of its window of the source,
 * whose rows lie in shared memory; sums come out in the registers in which products across take
 * them, so that the middle never leaves registers. Rows for the next step are loaded before: a step
 * has one barrier. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/resize/cuda/resize_direct.h"
#include "kernels/resize/cuda/resize_direct_across.cuh"
#include "kernels/resize/cuda/resize_direct_load.cuh"
#include "kernels/resize/cuda/resize_plan.cuh"

namespace
{

using namespace resize;

/* Blocks at a time on a multiprocessor, at least. */
template <typename K, bool SINGLE>
constexpr int BLOCKS = K::WIDE    ? (K::CHANNELS > 1 ? 2
                                     : SINGLE        ? 4
                                                     : 3)
                       : K::ALPHA ? (K::CHANNELS > 2 ? 3 : 4)
                                  : (SINGLE &&K::CHANNELS == 1 ? 3 : 2);
constexpr unsigned MULTIPROCESSORS = 132, STEPS_WANTED = 16;
/* Of rows: kernels for windows of one chunk of columns, and of more; and of columns. */
constexpr int32_t SINGLE_CHUNKS = 2, ROW_CHUNKS_MOST = 3, CHUNKS_MOST = 4, PAIRS_MOST = 4;

/* Of a warp. */
template <typename K> struct Part {
    const uint8_t *tile; /* a lane's block of columns in row 0 */
    const uint32_t *across;
    uint8_t *out;
    int plane_bytes;
    uint32_t overlaps; /* of windows of several chunks */
    Starts starts;
    Sums across_start;
};

/* Of windows of one chunk: all channels of the middle, then pair by pair. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_single(const DirectTask &task, const Part<K> &part,
                                   const StepRows<K, ROW_CHUNKS> &rows, const Places &places)
{
    MiddleBytes<K> bytes[K::CHANNELS];
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        make_bytes<K, ROW_CHUNKS>(task, part.starts, part.tile + c * part.plane_bytes, rows,
                                  bytes[c]);
#pragma unroll 1
    for (int pair = 0; pair < task.pairs; pair++) {
        Results<K::CHANNELS> results;
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            PairSums<K> sums;
            add_columns<K, true>(task, part.across_start, sums, bytes[c],
                                 part.across + pair * (2 * K::WEIGHT * 64), 0);
            end_pair<K>(task, sums, results.value[c]);
        }
        put_pair<K>(task, results, places, pair);
    }
}

/* Of more: the middle chunk by chunk, for all pairs. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_pairs(const DirectTask &task, const Part<K> &part,
                                  const StepRows<K, ROW_CHUNKS> &rows, const Places &places)
{
    Packed<K> packed[PAIRS<K>];
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++) {
        PairSums<K> sums[PAIRS<K>];
#pragma unroll
        for (int i = 0; i < PAIRS<K>; i++)
            begin_pair<K>(sums[i], part.across_start);
#pragma unroll 1
        for (int chunk = 0; chunk < task.chunks; chunk++) {
            MiddleBytes<K> bytes;
            make_bytes<K, ROW_CHUNKS>(task, part.starts,
                                      part.tile + c * part.plane_bytes + chunk * (32 * K::SAMPLE),
                                      rows, bytes);
#pragma unroll
            for (int i = 0; i < PAIRS<K>; i++)
                if (part.overlaps >> (CHUNKS_MOST * i + chunk) & 1)
                    add_columns<K, false>(task, part.across_start, sums[i], bytes,
                                          part.across + i * task.chunks * (2 * K::WEIGHT * 64),
                                          chunk);
        }
#pragma unroll
        for (int i = 0; i < PAIRS<K>; i++) {
            int32_t value[2][4];
            end_pair<K>(task, sums[i], value);
            packed[i].take(c, value);
        }
    }
#pragma unroll
    for (int i = 0; i < PAIRS<K>; i++)
        put_packed<K>(task, packed[i], places, i);
}

/* Which chunks of columns count in which pairs, a bit each. */
template <typename K>
__device__ inline uint32_t overlaps_of(const DirectTask &task, int32_t column, int32_t window)
{
    const Task &own = task.base;
    const int32_t *first = own.first(own.across_first_at);
    uint32_t overlaps = 0;
    for (int i = 0; i < task.pairs * task.chunks; i++) {
        const int pair = i / task.chunks, chunk = i % task.chunks;
        const int32_t begin = column + pair * BAND, end = begin + BAND - 1;
        const int32_t from = __ldg(first + min(max(begin, 0), own.across.count - 1)) - window;
        const int32_t to =
            __ldg(first + min(max(end, 0), own.across.count - 1)) - window + own.across_taps;
        if (to > 32 * chunk && from < 32 * chunk + 32)
            overlaps |= 1u << (CHUNKS_MOST * pair + chunk);
    }
    return overlaps;
}

template <typename K> __device__ inline void set_starts(const DirectTask &task, Part<K> &part)
{
    const uint32_t start = K::WIDE ? WIDE_START_OF_4 : task.base.end_start;
#pragma unroll
    for (int i = 0; i < 4; i++)
        part.starts.none[i] = 0;
    if (K::WIDE) {
        set_start(part.starts.first, WIDE_FIRST);
        set_start(part.starts.second, WIDE_THIRD);
    }
    set_start(part.across_start, start);
}

template <typename K, bool SINGLE, int ROW_CHUNKS>
__global__ void __launch_bounds__(DIRECT_THREADS<K>, (BLOCKS<K, SINGLE>))
    direct_kernel(DirectTask task)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    IMG_SHARED_DYNAMIC(uint4, memory);
    const Task &own = task.base;
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    uint32_t *down = reinterpret_cast<uint32_t *>(tile + own.layout.down_at);
    const int warp = (int)threadIdx.x / 32, g = (int)threadIdx.x % 32 / 4;
    const int wide = task.pairs * BAND;
    const int32_t begin = (int32_t)(blockIdx.x % own.strips) * DIRECT_WARPS<K> * wide - own.lead;
    const int32_t column = begin + warp * wide, slots = own.layout.rows;
    const int32_t left = window_of(own, begin) / K::PIXELS * K::PIXELS;
    const int32_t window = window_of(own, column);
    const int32_t *first = own.first(own.down_first_at);
    int32_t row = (int32_t)(blockIdx.x / own.strips * own.steps) * BAND, slot = 0;
    int32_t base = __ldg(first + row), end = base + 16 * ROW_CHUNKS;
    int32_t next = __ldg(first + min(row + BAND, own.down.count - 1));
    uint32_t *across =
        reinterpret_cast<uint32_t *>(tile + own.layout.across_at) + warp * task.across_words;
    const Loader<K> loader(own, tile, left);
    Part<K> part;
    part.tile = tile + (window - left + (g / 2 + g % 2 * 4) * 4) * K::SAMPLE;
    part.across = across;
    part.out = tile + own.layout.out_at + warp * (BAND * own.layout.out_pitch);
    part.plane_bytes = slots * own.layout.pitch;
    part.overlaps = SINGLE ? 0 : overlaps_of<K>(task, column, window);
    set_starts<K>(task, part);
    Writer<K> writer(task, part.out, column, row);
    loader.load(own, slot, base, end);
    make_row_weights<K, ROW_CHUNKS>(task, row, base, down);
    make_column_weights<K>(task, column, window, across);
    for (uint32_t step = 0; step < own.steps && row < own.down.count; step++, row += BAND) {
        StepRows<K, ROW_CHUNKS> rows;
        __syncthreads();
        rows.load(task, down + step % 2 * task.down_words, slot);
        if (row + BAND < own.down.count && step + 1 < own.steps) {
            slot += next - base;
            slot -= slot >= slots ? slots : 0;
            base = next;
            next = __ldg(first + min(row + 2 * BAND, own.down.count - 1));
            const int32_t from = max(base, end), at = slot + from - base;
            end = base + 16 * ROW_CHUNKS;
            loader.announce(own, end, task.advance);
            loader.load(own, at - (at >= slots ? slots : 0), from, end);
            make_row_weights<K, ROW_CHUNKS>(task, row + BAND, base,
                                            down + (step + 1) % 2 * task.down_words);
        }
        if (column < own.across.count) {
            const Places places = places_of<K>(task, part.out, column, row);
            if (SINGLE)
                make_single<K, ROW_CHUNKS>(task, part, rows, places);
            else
                make_pairs<K, ROW_CHUNKS>(task, part, rows, places);
            __syncwarp();
            if (places.whole == nullptr)
                writer.write(task, column, min(BAND, own.down.count - row));
            __syncwarp();
        }
        writer.to += (size_t)BAND * own.dst.stride;
    }
#else
    (void)task;
#endif
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* The most source rows that a step needs more than the one before. */
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

/* As many columns of a warp as have windows of one chunk, or few that have larger ones. */
void set_chunks(ImgResizeDirect *direct, const ImgResize *own)
{
    const int32_t lead = own->across.span.at % BAND;
    int32_t pairs = direct->row_chunks <= SINGLE_CHUNKS ? PAIRS_MOST : 0;
    for (; pairs > 0; pairs--)
        if (window_most(own, &own->across, lead, pairs * BAND, 4) <= 32)
            break;
    direct->warp_pairs = pairs > 0 ? pairs : own->wide || own->has_alpha ? 1 : 2;
    direct->chunks =
        chunks_of(window_most(own, &own->across, lead, direct->warp_pairs * BAND, 4), 32);
    if (pairs == 0 && direct->row_chunks < ROW_CHUNKS_MOST)
        direct->row_chunks = ROW_CHUNKS_MOST;
}

/* Source columns of a block. */
template <typename K> int32_t columns_of(const ImgResizeDirect *direct, const ImgResize *own)
{
    constexpr int32_t unit = K::PIXELS;
    const int32_t wide = direct->warp_pairs * BAND, lead = own->across.span.at % BAND;
    const int32_t *first = img_resize_first(own, &own->across);
    const int64_t count = own->across.span.count;
    int32_t most = 0;
    for (int64_t i = -(int64_t)lead; i < count; i += (int64_t)wide * DIRECT_WARPS<K>) {
        const int64_t last = i + (int64_t)wide * (DIRECT_WARPS<K> - 1);
        const int32_t left = first[i > 0 ? i : 0] / unit * unit;
        const int32_t end = first[last < count ? last : count - 1] + 32 * direct->chunks;
        most = end - left > most ? end - left : most;
    }
    return (most + unit - 1) / unit * unit;
}

/* At least `bytes`, and `rest` more than a multiple of 128, where shared memory repeats. */
int32_t pitch_of(int32_t bytes, int32_t rest)
{
    return bytes <= rest ? rest : (bytes - rest + 127) / 128 * 128 + rest;
}

template <typename K> void lay_out(ImgResizeDirect *direct, const ImgResize *own)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    direct->rows = 16 * direct->row_chunks + advance_most(own);
    direct->columns = columns_of<K>(direct, own);
    direct->pitch = pitch_of(direct->columns * K::SAMPLE, 32);
    direct->out_pitch = pitch_of(direct->warp_pairs * BAND * PIXEL, BAND * PIXEL % 128);
    direct->down_at = K::CHANNELS * direct->rows * direct->pitch;
    direct->across_at = direct->down_at + 2 * direct->row_chunks * K::WEIGHT * 256;
    direct->out_at = direct->across_at +
                     DIRECT_WARPS<K> * 2 * direct->warp_pairs * direct->chunks * K::WEIGHT * 256;
    direct->bytes = direct->out_at + DIRECT_WARPS<K> * BAND * direct->out_pitch;
}

/* As many steps as leave one wave of blocks, or a few. */
void divide(Task *task, int32_t wide, uint32_t resident)
{
    const uint32_t rows = (uint32_t)((task->down.count - 1) / BAND + 1);
    const uint64_t columns = (uint64_t)task->across.count + (uint64_t)task->lead;
    task->strips = (uint32_t)((columns - 1) / (uint32_t)wide + 1);
    task->steps = 1;
    for (uint32_t waves = 1; waves < 1000; waves++) {
        const uint32_t blocks = resident * waves / task->strips;
        task->steps = blocks == 0 ? rows : (rows - 1) / blocks + 1;
        if (blocks > 0 && task->steps <= STEPS_WANTED)
            break;
    }
}

template <typename K, bool SINGLE, int ROW_CHUNKS>
ImgStatus launch(const ImgCall *call, const ImgResizeDirect *direct, DirectTask &task,
                 ImgError *err)
{
    constexpr int32_t ALL_SHARED = 233472, OF_A_BLOCK = 1024;
    const uint32_t rows = (uint32_t)((task.base.down.count - 1) / BAND + 1);
    const uint32_t fit = (uint32_t)(ALL_SHARED / (direct->bytes + OF_A_BLOCK));
    const uint32_t blocks = fit < (uint32_t)BLOCKS<K, SINGLE> ? fit : (uint32_t)BLOCKS<K, SINGLE>;
    divide(&task.base, direct->warp_pairs * BAND * DIRECT_WARPS<K>, blocks * MULTIPROCESSORS);
    CUDA_TRY(cudaFuncSetAttribute((direct_kernel<K, SINGLE, ROW_CHUNKS>),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, direct->bytes),
             err);
    IMG_LAUNCH((direct_kernel<K, SINGLE, ROW_CHUNKS>),
               task.base.strips * ((rows - 1) / task.base.steps + 1), DIRECT_THREADS<K>,
               (size_t)direct->bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename K> DirectTask direct_task(const ImgCall *call, const ImgResizeDirect *direct)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    DirectTask task = {};
    task.base = task_of(call, own);
    task.base.layout.rows = direct->rows;
    task.base.layout.columns = direct->columns;
    task.base.layout.pitch = direct->pitch;
    task.base.layout.out_pitch = direct->out_pitch;
    task.base.layout.down_at = direct->down_at;
    task.base.layout.across_at = direct->across_at;
    task.base.layout.out_at = direct->out_at;
    task.base.units = divisor(direct->columns / K::PIXELS);
    task.pairs = direct->warp_pairs;
    task.chunks = direct->chunks;
    task.advance = direct->rows - 16 * direct->row_chunks;
    while (WIDE_BYTES << task.piece_bits < direct->warp_pairs * BAND * K::CHANNELS * K::SOURCE)
        task.piece_bits++;
    task.down_words = direct->row_chunks * K::WEIGHT * 64;
    task.across_words = 2 * direct->warp_pairs * direct->chunks * K::WEIGHT * 64;
    return task;
}

} // namespace

ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most)
{
    const ImgResizeDirect none = {};
    ImgResizeDirect direct = {};
    direct.row_chunks = chunks_of(window_most(own, &own->down, 0, BAND, 1), 16);
    set_chunks(&direct, own);
    if (direct.row_chunks > ROW_CHUNKS_MOST || direct.chunks > CHUNKS_MOST)
        return none;
    (void)with_kind(own, [&](auto kind) {
        lay_out<decltype(kind)>(&direct, own);
        return IMG_OK;
    });
    const int64_t units = direct.pitch / WIDE_BYTES;
    return direct.bytes <= most && direct.rows * units * units < IMG_RESIZE_DIVIDED ? direct : none;
}

ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *direct, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return with_kind(own, [&](auto kind) {
        typedef decltype(kind) K;
        DirectTask task = direct_task<K>(call, direct);
        if (direct->row_chunks == ROW_CHUNKS_MOST)
            return launch<K, false, ROW_CHUNKS_MOST>(call, direct, task, err);
        return direct->row_chunks == 1 ? launch<K, true, 1>(call, direct, task, err)
                                       : launch<K, true, 2>(call, direct, task, err);
    });
}
