/* The "direct" kernel of resize on CUDA, for enlarging or moderate shrinking: both axes in one
 * kernel. Sums are products of matrices of bytes, as in resize_fast.cu.
 *
 * Each warp computes BAND rows of its columns independently of other warps. It first computes the
 * vertical sums of its source window, from rows in shared memory. These sums (the middle) are then
 * in exactly the registers from which the horizontal products read, so they never leave the
 * registers. Rows for the next step are loaded early, so that a step needs only one barrier. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/resize/cuda/resize_direct.h"
#include "kernels/resize/cuda/resize_direct_task.cuh"
#include "kernels/resize/cuda/resize_direct_write.cuh"
#include "kernels/resize/cuda/resize_plan.cuh"

namespace
{

using namespace resize;

/* --- Loading source rows to shared memory ----------------------------------------------------- */

/* Loads source rows of a block to shared memory. Each thread loads the same unit of columns in
 * every `step`-th row. Positions beyond the picture repeat the last unit of a row, and their
 * weights are 0. */
template <typename K, int THREADS> struct Loader {
    static constexpr int TOGETHER = K::VECTORS > 2 ? 2 : 3;
    const uint8_t *source; /* address of the first column of the block in row 0 */
    int offset[K::VECTORS], own_row, step;
    uint32_t readable; /* number of bytes that the block may read in a row, from `source` on */
    uint8_t *tile;

    /* Prepares to load rows from column `left` on, which must be a multiple of the pixels in a
     * unit. */
    __device__ Loader(const Task &task, uint8_t *memory, int32_t left)
    {
        constexpr int PIXEL = K::CHANNELS * K::SOURCE;
        const int units = (int)task.units.by;
        const int64_t start = (int64_t)left * PIXEL;
        const int64_t last = ((int64_t)task.src.width * PIXEL - 1) / WIDE_BYTES * WIDE_BYTES;
        own_row = (int)task.units.divide(threadIdx.x);
        step = (int)task.units.divide(THREADS);
        const int unit = (int)threadIdx.x - own_row * units;
        /* for a thread that loads nothing: 1 << 20, which is past all rows */
        own_row = own_row < step ? own_row : 1 << 20;
        source = task.src.data + start;
#pragma unroll
        for (int v = 0; v < K::VECTORS; v++)
            offset[v] = (int)min(last - start, (int64_t)(unit * K::UNIT_BYTES + v * WIDE_BYTES));
        tile = memory + unit * WIDE_BYTES;
        readable = (uint32_t)min(last - start + WIDE_BYTES, (int64_t)units * K::UNIT_BYTES);
    }

    /* Prefetches `count` source rows from row `from` on. */
    __device__ void announce(const Task &task, int32_t from, int32_t count) const
    {
        const int32_t y = from + (int32_t)threadIdx.x;
        if ((int32_t)threadIdx.x < count && y < task.src.height)
            announce_bytes(source + (size_t)y * task.src.stride, readable);
    }

    /* Loads rows `from` to `end` - 1 to a ring of slots. Row `from` goes to slot `at`; slot 0
     * follows the last slot. There must be at least as many slots as rows. */
    __device__ void load(const Task &task, int at, int32_t from, int32_t end) const
    {
        const int plane_bytes = task.layout.rows * task.layout.pitch;
        int slot = at + own_row;
        for (int32_t y = from + own_row; y < end; y += step * TOGETHER) {
            uint4 piece[TOGETHER][K::VECTORS];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                const int32_t own = min(y + i * step, task.src.height - 1);
#pragma unroll
                for (int v = 0; v < K::VECTORS; v++)
                    if (y + i * step < end)
                        piece[i][v] = __ldg(reinterpret_cast<const uint4 *>(
                            source + (size_t)own * task.src.stride + offset[v]));
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
                if (y + i * step < end) {
                    slot -= slot >= task.layout.rows ? task.layout.rows : 0;
                    put_unit<K>(task, piece[i], tile + slot * task.layout.pitch, plane_bytes);
                    slot += step;
                }
        }
    }
};

/* --- The work of a warp in one step ----------------------------------------------------------- */

/* Inputs, buffers and initial values of a warp. */
template <typename K> struct Part {
    const uint8_t *tile; /* position of the lane's columns in row 0 of shared memory */
    const uint32_t *across;
    uint8_t *out;
    int plane_bytes;
    Starts starts;
    Sums across_start;
};

/* Computes the middle (the vertical sums) of all channels. From it computes the result, for one
 * pair of column groups at a time (ImgResizeDirect.warp_pairs). */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_part(const DirectTask &task, const Part<K> &part,
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
            sum_columns<K>(part.across_start, sums, bytes[c],
                           part.across + pair * (2 * K::WEIGHT * 64));
            end_pair<K>(task, sums, results.value[c]);
        }
        put_pair<K>(task, results, places, pair);
    }
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

/* Returns how many blocks must fit on a multiprocessor at the same time. This limits the registers
 * of a thread. */
template <typename K> constexpr int blocks_of()
{
    if (K::ALPHA)
        return K::CHANNELS > 2 ? 3 : 4;
    return !K::WIDE && K::CHANNELS == 1 ? 3 : 2;
}

template <typename K> constexpr int BLOCKS = blocks_of<K>();
constexpr unsigned MULTIPROCESSORS = 132, STEPS_WANTED = 16;

template <typename K, int ROW_CHUNKS>
__global__ void __launch_bounds__(DIRECT_THREADS<K>, BLOCKS<K>) direct_kernel(DirectTask task)
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
    const Loader<K, DIRECT_THREADS<K>> loader(own, tile, left);
    Part<K> part;
    part.tile = tile + (window - left + (g / 2 + g % 2 * 4) * 4) * K::SAMPLE;
    part.across = across;
    part.out = tile + own.layout.out_at + warp * (BAND * own.layout.out_pitch);
    part.plane_bytes = slots * own.layout.pitch;
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
            make_part<K, ROW_CHUNKS>(task, part, rows, places);
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

/* Chooses the number of steps per block, of BAND rows each, so that all blocks run at the same
 * time. If a block would then have more than STEPS_WANTED steps, there are more blocks, which run
 * in several rounds. `resident` is the number of blocks that run at the same time. */
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

template <typename K, int ROW_CHUNKS>
ImgStatus launch(const ImgCall *call, const ImgResizeDirect *direct, DirectTask &task,
                 ImgError *err)
{
    constexpr int32_t ALL_SHARED = 233472, OF_A_BLOCK = 1024;
    const uint32_t rows = (uint32_t)((task.base.down.count - 1) / BAND + 1);
    const uint32_t fit = (uint32_t)(ALL_SHARED / (direct->bytes + OF_A_BLOCK));
    const uint32_t blocks = fit < (uint32_t)BLOCKS<K> ? fit : (uint32_t)BLOCKS<K>;
    divide(&task.base, direct->warp_pairs * BAND * DIRECT_WARPS<K>, blocks * MULTIPROCESSORS);
    CUDA_TRY(allow_shared_memory((direct_kernel<K, ROW_CHUNKS>)), err);
    IMG_LAUNCH((direct_kernel<K, ROW_CHUNKS>),
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
    task.advance = direct->rows - 16 * direct->row_chunks;
    while (WIDE_BYTES << task.piece_bits < direct->warp_pairs * BAND * K::CHANNELS * K::SOURCE)
        task.piece_bits++;
    task.down_words = direct->row_chunks * K::WEIGHT * 64;
    task.across_words = 2 * direct->warp_pairs * K::WEIGHT * 64;
    return task;
}

} // namespace

ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *direct, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return with_kind(own, [&](auto kind) {
        typedef decltype(kind) K;
        DirectTask task = direct_task<K>(call, direct);
        return direct->row_chunks == 1 ? launch<K, 1>(call, direct, task, err)
                                       : launch<K, 2>(call, direct, task, err);
    });
}

/* --- The plan --------------------------------------------------------------------------------- */

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
