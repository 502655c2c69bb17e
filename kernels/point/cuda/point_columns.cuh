/* Tables of bytes in shared memory. For every value of a sample there is a word with the results of
 * all channels. Each lane has its own copy of all words, a column, in its own bank. So there are no
 * bank conflicts. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_COLUMNS_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_COLUMNS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/op.h"
#include "kernels/point/points.h"

/* --- The loop over a picture ------------------------------------------------------------------ */

/* The loop of point operations over a picture. Rows are divided into units of one or a few pieces
 * of 16 bytes; neighbouring lanes take neighbouring units. A warp takes AHEAD units per lane at
 * once, all in one row: a run. It loads the next run before it processes the current one. The
 * `Change` of a kernel defines the work on a unit:
 *
 *     In                           registers that contain a unit of the source
 *     FROM_BYTES, TO_BYTES         bytes of a unit in the source and in the result
 *     AHEAD                        number of units that a lane processes at once
 *     load(at, unit, left) -> In   loads a unit inside the row, of which `left` bytes remain
 *     fill()                       fills tables in shared memory; all threads of a block call it
 *     store(in, unit, at, left)    processes and stores a unit, or nothing if left <= 0; all lanes
 *                                  of a warp call it
 *
 * Tables are filled while the first loads run. */

constexpr int POINT_LANES = 32, POINT_THREADS = 1024; /* lanes per warp, and threads per block */

struct PointStream {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int64_t src_bytes, dst_bytes; /* bytes per row */
    /* number of rows, and number of runs in each row; a run is the data that a warp processes at
     * once */
    uint32_t height, runs;
    /* a warp's next run is `step_run` runs and `step_y` rows after its current one */
    uint32_t step_run, step_y;
    /* number of runs that each warp processes, one after another; some may lie past the last row */
    uint32_t rounds;
};

/* Position of a run. Past the last run, `y` is at least the height of the picture. */
struct PointPlace {
    uint32_t run, y;

    __device__ void advance(const PointStream &stream)
    {
        run += stream.step_run;
        y += stream.step_y;
        if (run >= stream.runs) {
            run -= stream.runs;
            y++;
        }
    }
};

/* Returns the number of bytes from the start of unit `unit` to the end of the row, at most MOST, so
 * that it fits an int. It is 0 or less if the row ends before the unit. It is 0 if `is_there` is
 * false, which means that the row is past the last one. */
template <int BYTES> __device__ int point_left(int64_t row_bytes, uint32_t unit, bool is_there)
{
    constexpr int64_t MOST = 1 << 30;
    const int64_t left = row_bytes - (int64_t)unit * BYTES;
    return is_there ? (int)min(left, MOST) : 0;
}

template <typename Change> using PointUnits = typename Change::In[Change::AHEAD];

template <typename Change>
__device__ void point_load(const PointStream &stream, const Change &change, const PointPlace &place,
                           PointUnits<Change> &in)
{
    constexpr int STEP = POINT_LANES * Change::FROM_BYTES;
    const uint32_t unit = place.run * (Change::AHEAD * POINT_LANES) + threadIdx.x % POINT_LANES;
    const int left =
        point_left<Change::FROM_BYTES>(stream.src_bytes, unit, place.y < stream.height);
    const uint8_t *at =
        stream.src + place.y * stream.src_stride + (size_t)unit * Change::FROM_BYTES;
#pragma unroll
    for (int k = 0; k < Change::AHEAD; k++)
        if (left > k * STEP)
            in[k] = change.load(at + k * STEP, unit + k * POINT_LANES, left - k * STEP);
}

template <typename Change>
__device__ void point_store(const PointStream &stream, const Change &change,
                            const PointPlace &place, const PointUnits<Change> &in)
{
    constexpr int STEP = POINT_LANES * Change::TO_BYTES;
    const uint32_t unit = place.run * (Change::AHEAD * POINT_LANES) + threadIdx.x % POINT_LANES;
    const int left = point_left<Change::TO_BYTES>(stream.dst_bytes, unit, place.y < stream.height);
    uint8_t *at = stream.dst + place.y * stream.dst_stride + (size_t)unit * Change::TO_BYTES;
#pragma unroll
    for (int k = 0; k < Change::AHEAD; k++)
        change.store(in[k], unit + k * POINT_LANES, at + k * STEP, left - k * STEP);
}

template <typename Change>
__global__ void __launch_bounds__(POINT_THREADS) point_kernel(PointStream stream, Change change)
{
    const uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) / POINT_LANES;
    PointPlace here = {first % stream.runs, first / stream.runs}, ahead = here;
    PointUnits<Change> next = {}, in;
    point_load<Change>(stream, change, ahead, next);
    change.fill();
    __syncthreads();
    for (uint32_t round = 1; round <= stream.rounds; round++) {
#pragma unroll
        for (int k = 0; k < Change::AHEAD; k++)
            in[k] = next[k];
        ahead.advance(stream);
        if (round < stream.rounds)
            point_load<Change>(stream, change, ahead, next);
        point_store<Change>(stream, change, here, in);
        here = ahead;
    }
}

/* Loads 16 bytes without the prefetch of load_wide. Kernels that read whole rows do not need the
 * prefetch, and were 1 % slower with it. */
__device__ inline uint4 point_get(const uint8_t *at)
{
    return __ldg(reinterpret_cast<const uint4 *>(at));
}

/* Stores the bytes of `v` that are inside the row, of which `left` bytes remain. */
__device__ inline void point_put(uint8_t *at, int left, uint4 v)
{
    if (left >= WIDE_BYTES)
        *reinterpret_cast<uint4 *>(at) = v;
    else if (left > 0)
        store_part(at, v, left);
}

__device__ inline void point_put_half(uint8_t *at, int left, uint2 v)
{
    if (left >= WIDE_BYTES / 2)
        *reinterpret_cast<uint2 *>(at) = v;
    else if (left > 0)
        store_part(at, make_uint4(v.x, v.y, 0, 0), left);
}

/* --- On the host ------------------------------------------------------------------------------ */

/* Divides the source into runs of `run_bytes` bytes, and the runs among `warps` warps. */
inline PointStream point_stream_of(const ImgCall *call, int64_t run_bytes, uint64_t warps)
{
    PointStream stream;
    stream.src = call->src.data;
    stream.dst = call->dst.data;
    stream.src_stride = call->src.stride;
    stream.dst_stride = call->dst.stride;
    stream.src_bytes = (int64_t)call->src.width * (int64_t)img_format_pixel_size(call->src.format);
    stream.dst_bytes = (int64_t)call->dst.width * (int64_t)img_format_pixel_size(call->dst.format);
    stream.height = (uint32_t)call->src.height;
    stream.runs = (uint32_t)((stream.src_bytes + run_bytes - 1) / run_bytes);
    stream.step_run = (uint32_t)(warps % stream.runs);
    stream.step_y = (uint32_t)(warps / stream.runs);
    stream.rounds = (uint32_t)(((uint64_t)stream.runs * stream.height + warps - 1) / warps);
    return stream;
}

/* Launches the kernel with one block per multiprocessor, or with fewer blocks if there are fewer
 * runs. `shared` is the number of bytes of shared memory for tables. */
template <typename Change>
ImgStatus point_launch(const ImgCall *call, const Change &change, size_t shared, ImgError *err)
{
    constexpr uint64_t WARPS = POINT_THREADS / POINT_LANES;
    constexpr int64_t RUN_BYTES = Change::AHEAD * POINT_LANES * Change::FROM_BYTES;
    int device, multiprocessors;
    auto *kernel = point_kernel<Change>;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    CUDA_TRY(allow_shared_memory(kernel), err);
    /* computed for one warp: only the number of runs is used, which does not depend on the number
     * of warps */
    const PointStream whole = point_stream_of(call, RUN_BYTES, 1);
    const uint64_t needed = ((uint64_t)whole.runs * whole.height + WARPS - 1) / WARPS;
    const uint64_t blocks = needed < (uint64_t)multiprocessors ? needed : (uint64_t)multiprocessors;
    const PointStream stream = point_stream_of(call, RUN_BYTES, blocks * WARPS);
    IMG_LAUNCH(kernel, (unsigned)blocks, POINT_THREADS, shared, call->stream, stream, change);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* --- Tables of bytes -------------------------------------------------------------------------- */

/* Layout of shared memory: row v contains the word of value v, once for each lane. Rows are 256
 * bytes apart, so that one byte permutation computes an address from a sample and the column of the
 * lane. A row has two halves of 32 words each, for two stages of tables, such as those before and
 * after a matrix. */
constexpr int POINT_VALUES = 256, POINT_ROW_BYTES = 256, POINT_HALF_BYTES = 128;
constexpr int POINT_COLUMNS_BYTES = POINT_VALUES * POINT_ROW_BYTES;

/* A stage of tables, in the form that kernels read. */
struct PointColumns {
    /* tables of the channels, in device memory; NULL for a channel that does not change */
    const uint16_t *table[IMG_POINT_CHANNELS];
    int32_t entries;
};

inline PointColumns point_columns_of(const ImgPointStage *stage, const uint16_t *tables)
{
    PointColumns columns = {{nullptr, nullptr, nullptr, nullptr}, 0};
    for (int c = 0; stage != nullptr && c < stage->from; c++)
        columns.table[c] = stage->table[c] >= 0 ? tables + stage->table[c] : nullptr;
    columns.entries = stage != nullptr ? 1 << stage->from_bits : 0;
    return columns;
}

/* Returns true if all channels, including alpha, are changed by the same table. */
inline bool point_is_one_table(const ImgPointStage *stage)
{
    bool one = true;
    for (int c = 1; c < stage->from; c++)
        one &= stage->table[c] == stage->table[0];
    return one && stage->table[0] >= 0;
}

/* Returns the word with the results of all channels for `value`. If there is only ONE table, all
 * bytes of the word are equal. */
template <bool ONE>
__device__ uint32_t point_column_word(const PointColumns &columns, int32_t value)
{
    const bool known = value < columns.entries;
    if (ONE)
        return known ? __ldg(columns.table[0] + value) : (uint32_t)value;
    uint32_t word = 0;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
        const bool changes = known && columns.table[c] != nullptr;
        word |= (changes ? __ldg(columns.table[c] + value) : (uint32_t)value) << 8 * c;
    }
    return word;
}

/* Fills half `half` (0 or 1) of all rows with the tables. All threads of a block must call it. */
template <bool ONE>
__device__ void point_fill_columns(const PointColumns &columns, int half, uint32_t *shared)
{
    /* pieces of 16 bytes in a half of a row */
    constexpr int PIECES = POINT_HALF_BYTES / WIDE_BYTES;
    uint4 *pieces = reinterpret_cast<uint4 *>(shared);
    for (int i = (int)threadIdx.x; i < POINT_VALUES * PIECES; i += (int)blockDim.x) {
        const int value = i / PIECES;
        const uint32_t word = point_column_word<ONE>(columns, value);
        pieces[(2 * value + half) * PIECES + i % PIECES] = make_uint4(word, word, word, word);
    }
}

/* Returns the offset, in bytes, of the calling lane's column in a half (0 or 1) of a row. */
__device__ inline uint32_t point_own_column(int half)
{
    return threadIdx.x % POINT_LANES * 4 + (uint32_t)half * POINT_HALF_BYTES;
}

/* Returns the entry for byte I of `word`, a word of samples. `own` is the offset of the lane's
 * column. */
template <int I>
__device__ uint32_t point_entry(const uint32_t *shared, uint32_t own, uint32_t word)
{
    /* 256 * byte I of the word, which selects the row, plus `own`, which selects the column */
    const uint32_t at = __byte_perm(word, own, 0x5504 | I << 4);
    return *reinterpret_cast<const uint32_t *>(reinterpret_cast<const char *>(shared) + at);
}

/* Selectors of __byte_perm that pick the entry of the correct channel for each byte of a word, for
 * two bytes at a time. */
struct PointSelectors {
    uint32_t low, high;
};

/* Returns the selectors for a word of samples whose first byte belongs to channel `first` of
 * `channels`. */
__device__ inline PointSelectors point_selectors(uint32_t first, uint32_t channels)
{
    uint32_t channel[4] = {first, 0, 0, 0};
    for (int i = 1; i < 4; i++)
        channel[i] = channel[i - 1] + 1 == channels ? 0 : channel[i - 1] + 1;
    PointSelectors selectors;
    selectors.low = channel[0] | (4 + channel[1]) << 4;
    selectors.high = channel[2] | (4 + channel[3]) << 4;
    return selectors;
}

__device__ inline uint32_t point_looked_up(const uint32_t *shared, uint32_t own, uint32_t word,
                                           PointSelectors selectors)
{
    const uint32_t low = __byte_perm(point_entry<0>(shared, own, word),
                                     point_entry<1>(shared, own, word), selectors.low);
    const uint32_t high = __byte_perm(point_entry<2>(shared, own, word),
                                      point_entry<3>(shared, own, word), selectors.high);
    return __byte_perm(low, high, 0x5410);
}

/* Looks up 16 bytes of samples. They are the piece with index `unit` in their row. ONE means that
 * all channels have the same table. */
template <bool ONE>
__device__ uint4 point_look_up_piece(const uint32_t *shared, uint32_t own, uint4 piece,
                                     uint32_t unit, uint32_t channels)
{
    const uint32_t word[4] = {piece.x, piece.y, piece.z, piece.w};
    uint32_t result[4];
    PointSelectors selectors[3];
    if (!ONE) {
        const uint32_t first = channels == 3 ? unit % 3 : 0;
        selectors[0] = point_selectors(first, channels);
        selectors[1] =
            channels == 3 ? point_selectors(first == 2 ? 0 : first + 1, 3) : selectors[0];
        selectors[2] =
            channels == 3 ? point_selectors(first == 0 ? 2 : first - 1, 3) : selectors[0];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const PointSelectors all_first = {0x40, 0x40};
        result[k] = point_looked_up(shared, own, word[k], ONE ? all_first : selectors[k % 3]);
    }
    return make_uint4(result[0], result[1], result[2], result[3]);
}

#endif
