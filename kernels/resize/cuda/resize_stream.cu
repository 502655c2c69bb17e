/* The "stream" kernel of resize on CUDA, for strong shrinking: both axes in one kernel. Sums are
 * products of matrices of bytes, as in resize_fast.cu.
 *
 * A block moves down a strip of the result, BAND rows at a time. Most of its warps compute sums.
 * Each of these warps loads its source columns as far ahead as shared memory allows, in the format
 * of the picture. It sums them vertically without waiting for other warps. The vertical sums (the
 * middle) go to shared memory, where all warps synchronise once per band. The warps then sum the
 * middle horizontally, tile by tile. Meanwhile the remaining warps compute the weights of the next
 * band and write the previous band.
 *
 * Channels stay interleaved, and the weights for samples of other channels are zero. Separating
 * channels would cost more instructions than these zeros cost the tensor cores. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/resize/cuda/resize_plan.cuh"
#include "kernels/resize/cuda/resize_stream.h"
#include "kernels/resize/cuda/resize_stream_across.cuh"
#include "kernels/resize/cuda/resize_stream_down.cuh"
#include "kernels/resize/cuda/resize_stream_rows.cuh"

namespace
{

using namespace resize;

/* --- Copying a strip of the result from shared memory to the picture -------------------------- */

/* Copies bands from shared memory to the strip that begins at result column `column`. The last
 * OTHER_THREADS threads of the block use it. Each thread copies 16 bytes of every `step`-th row,
 * always at the same offset in the row. Bytes outside the range `begin` to `end` are left out. */
template <typename K> struct BandWriter {
    const uint8_t *from;
    uint8_t *to; /* destination in the picture of the thread's bytes in the next band */
    /* range of bytes in a row to write, and offset of the thread's 16 bytes in the row */
    int64_t begin, end, offset;
    int own_row, step;

    /* Stores bytes `first` to `before` - 1 of `v` at the same positions of `to`. */
    __device__ static void store_bytes(uint8_t *to, uint4 v, int first, int before)
    {
        uint32_t word[4];
        take_piece(word, v);
#pragma unroll
        for (int i = 0; i < WIDE_BYTES; i++)
            if (i >= first && i < before)
                to[i] = (uint8_t)(word[i / 4] >> 8 * (i % 4));
    }

    __device__ BandWriter(const StreamTask &task, const uint8_t *out, int32_t column, int32_t row)
    {
        const Task &own = task.base;
        const int number = (int)threadIdx.x - task.plan.warps * 32;
        own_row = (int)task.pieces.divide((uint32_t)max(number, 0));
        step = (int)task.pieces.divide(OTHER_THREADS);
        const int at = (max(number, 0) - own_row * (int)task.pieces.by) * WIDE_BYTES;
        /* a thread that writes nothing gets the row number BAND, which is past all rows */
        own_row = own_row < step && number >= 0 ? own_row : BAND;
        begin = (int64_t)own.across.at * (K::CHANNELS * K::SOURCE);
        end = begin + (int64_t)task.columns * COLUMN<K>;
        offset = begin + (int64_t)column * COLUMN<K> + at;
        from = out + min(own_row, BAND - 1) * task.plan.out_pitch + at;
        to = own.dst.data + (int64_t)(own.down.at + row + own_row) * (int64_t)own.dst.stride +
             offset;
    }

    /* Writes the next `rows` rows, at most BAND, from the buffer of side `side` (0 or 1) in shared
     * memory. */
    __device__ void write(const StreamTask &task, int side, int rows)
    {
        const uint8_t *piece = from + side * (BAND * task.plan.out_pitch);
        uint8_t *place = to;
        const int32_t first = (int32_t)min(max(begin - offset, (int64_t)0), (int64_t)WIDE_BYTES);
        const int32_t before = (int32_t)min(end - offset, (int64_t)WIDE_BYTES);
#pragma unroll 1
        for (int y = own_row; y < rows && first < before; y += step) {
            const uint4 bytes = *reinterpret_cast<const uint4 *>(piece);
            if (first == 0 && before == WIDE_BYTES)
                *reinterpret_cast<uint4 *>(place) = bytes;
            else
                store_bytes(place, bytes, first, before);
            piece += step * task.plan.out_pitch;
            place += step * task.base.dst.stride;
        }
        to += BAND * task.base.dst.stride;
    }
};

/* Clears the vertical sums that no warp computes. Windows of tiles may extend to these sums, with
 * weights of 0. */
template <typename K>
__device__ void clear_past_middle(const ImgResizeStream &plan, uint8_t *middle)
{
    const int used = plan.warps * SLICE_COLUMNS<K>, rest = (plan.middle_pitch - used) / WIDE_BYTES;
    for (int i = (int)threadIdx.x; i < 2 * PLANES<K> * K::MIDDLE * BAND * rest;
         i += (int)blockDim.x)
        *reinterpret_cast<uint4 *>(middle + i / rest * plan.middle_pitch + used +
                                   i % rest * WIDE_BYTES) = make_uint4(0, 0, 0, 0);
}

/* Pointers into shared memory. The vertical sums, the result and the vertical weights have two
 * buffers each; the buffer of side 0 comes first. */
template <typename K> struct StreamMemory {
    uint8_t *rows, *across;
    int32_t *windows;

    __device__ StreamMemory(const ImgResizeStream &plan, void *memory)
        : rows(static_cast<uint8_t *>(memory)), across(rows + plan.across_at),
          windows(reinterpret_cast<int32_t *>(rows + plan.windows_at))
    {
    }

    __device__ uint8_t *middle(const ImgResizeStream &plan, int side) const
    {
        return rows + plan.middle_at + side * plan.middle_bytes;
    }

    __device__ uint8_t *out(const ImgResizeStream &plan, int side) const
    {
        return rows + plan.out_at + side * (BAND * plan.out_pitch);
    }

    __device__ uint32_t *down(const ImgResizeStream &plan, int side) const
    {
        return reinterpret_cast<uint32_t *>(rows + plan.down_at) +
               side * ((plan.steps + 1) / 2 * (K::WEIGHT * 128));
    }
};

/* The source rows that the bands of a block need, and the slots where they are. */
struct StreamBands {
    const int32_t *first; /* first source row of each result row, in device memory */
    /* first result row of the block, end of its rows, and first row of its last band */
    int32_t begin, end, last;
    /* first source rows of the current band, of the next band and of the band after next */
    int32_t base, next, after;
    int slot; /* slot in shared memory of source row `base` */

    __device__ StreamBands(const StreamTask &task, int32_t number)
        : first(task.base.first(task.base.down_first_at)), begin(number * task.plan.bands * BAND),
          end(min(begin + task.plan.bands * BAND, task.base.down.count)),
          last((end - 1) / BAND * BAND), base(__ldg(first + begin)),
          next(__ldg(first + min(begin + BAND, last))), slot(0)
    {
    }

    __device__ void look_ahead(int32_t row)
    {
        after = __ldg(first + min(row + 2 * BAND, last));
    }

    __device__ void advance(int slots)
    {
        slot += next - base;
        while (slot >= slots)
            slot -= slots;
        base = next;
        next = after;
    }
};

/* Starts to load the first source rows and computes the first weights. The few numbers from which
 * the weights are computed are loaded before these rows, so that they need not wait for the rows.
 * */
template <typename K>
__device__ void prepare(const StreamTask &task, const StreamMemory<K> &memory,
                        const StreamBands &bands, StreamRows &rows, StripWeights<K> &columns,
                        bool is_summing)
{
    const ImgResizeStream &plan = task.plan;
    const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
    const int32_t window = stream_window<K>(task, columns.column + thread * TILE<K>);
    RowWeights<K> weights;
    columns.load(task, 0);
    weights.find(task.base, bands.begin, thread);
    weights.load(task.base, bands.base, thread);
    if (is_summing)
        rows.ask(bands.base);
    if (thread < plan.tiles)
        memory.windows[thread] = window - columns.left;
    clear_words(reinterpret_cast<uint32_t *>(memory.across), plan.windows_at - plan.across_at,
                threads);
    clear_past_middle<K>(plan, memory.middle(plan, 0));
    if (thread < count_row_weights(task))
        weights.put(memory.down(plan, 0), thread);
    make_band_weights<K>(task, bands.begin, bands.base, memory.down(plan, 0), thread + threads,
                         threads);
    __syncthreads();
    columns.put_all(task, memory.windows, memory.across);
}

template <typename K>
__global__ void __launch_bounds__(STREAM_THREADS, 1) stream_kernel(StreamTask task)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    IMG_SHARED_DYNAMIC(uint4, all);
    const ImgResizeStream &plan = task.plan;
    const StreamMemory<K> memory(plan, all);
    const int32_t strip = (int32_t)blockIdx.x % plan.strips;
    const int warp = (int)threadIdx.x / 32;
    const bool is_summing = warp < plan.warps;
    StreamBands bands(task, (int32_t)blockIdx.x / plan.strips);
    StripWeights<K> columns(task, strip * (plan.tiles * TILE<K>)-plan.lead);
    StreamRows rows(task, memory.rows, (int64_t)columns.left * COLUMN<K>,
                    (int64_t)task.base.src.width * (K::CHANNELS * K::SOURCE), bands.base,
                    __ldg(bands.first + bands.last) + 16 * plan.steps);
    BandWriter<K> writer(task, memory.out(plan, 0), columns.column, bands.begin);
    int side = 0;
    prepare<K>(task, memory, bands, rows, columns, is_summing);
#pragma unroll 1
    for (int32_t row = bands.begin; row < bands.end; row += BAND, side ^= 1) {
        const bool is_last = row + BAND >= bands.end;
        bands.look_ahead(row);
        if (is_summing) {
            make_slice<K>(task, rows, memory.rows + warp * SLICE, memory.down(plan, side),
                          bands.base, bands.slot,
                          is_last ? bands.base + 16 * plan.steps : bands.next,
                          memory.middle(plan, side));
        } else {
            if (!is_last)
                make_band_weights<K>(task, row + BAND, bands.next, memory.down(plan, side ^ 1),
                                     (int)threadIdx.x - plan.warps * 32, OTHER_THREADS);
            if (row >= bands.begin + 2 * BAND)
                writer.write(task, side, BAND);
        }
        bands.advance(plan.rows);
        __syncthreads();
        if (is_summing)
            make_tiles<K>(task, memory.middle(plan, side),
                          reinterpret_cast<const uint32_t *>(memory.across), memory.windows,
                          memory.out(plan, side));
    }
    if (!is_summing && bands.last > bands.begin)
        writer.write(task, side, BAND);
    __syncthreads();
    if (!is_summing)
        writer.write(task, side ^ 1, bands.end - bands.last);
#else
    (void)task;
    (void)&StreamBands::look_ahead; /* this use avoids a warning of nvcc about unused functions */
    (void)&StreamBands::advance;
#endif
}

template <typename K>
ImgStatus launch(const ImgCall *call, const ImgResizeStream *plan, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    const uint32_t bands = (uint32_t)((own->down.span.count - 1) / BAND + 1);
    StreamTask task = {};
    task.base = task_of(call, own);
    /* samples of fewer than 8 bits stay as they are in shared memory, so the scale is applied to
     * their sums */
    task.base.down_factor *= own->scale;
    task.pieces = divisor(plan->tiles * TILE<K> * COLUMN<K> / WIDE_BYTES);
    task.pairs = divisor(own->across.taps / 2);
    task.plan = *plan;
    task.columns = own->across.span.count * BESIDE<K>;
    CUDA_TRY(allow_shared_memory(stream_kernel<K>), err);
    IMG_LAUNCH(stream_kernel<K>, (uint32_t)plan->strips * ((bands - 1) / (uint32_t)plan->bands + 1),
               (unsigned)plan->warps * 32 + OTHER_THREADS, (size_t)plan->bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_resize_cuda_stream(const ImgCall *call, const ImgResizeStream *plan, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    if (own->has_alpha)
        return launch<Kind<4, true, false>>(call, plan, err);
    if (own->wide)
        return own->channels == 3 ? launch<Kind<3, false, true>>(call, plan, err)
                                  : launch<Kind<1, false, true>>(call, plan, err);
    return own->channels == 3 ? launch<Kind<3, false, false>>(call, plan, err)
                              : launch<Kind<1, false, false>>(call, plan, err);
}
