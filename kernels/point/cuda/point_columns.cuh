/* Tables of bytes in shared memory. For every value of a sample there is a word with the results of
 * all channels. Each lane has its own copy of all words, a column, in its own bank. So there are no
 * bank conflicts. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_COLUMNS_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_COLUMNS_CUH

#include "kernels/point/cuda/point_stream.cuh"
#include "kernels/point/points.h"

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
