/* Private to the fast resize on CUDA: functions that compute vertical sums. They read source rows
 * from shared memory and write the middle (the picture after vertical sums) to shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DOWN_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DOWN_CUH

#include "kernels/resize/cuda/resize_rows.cuh"

namespace resize
{

/* number of fractional bits that are shifted out of a complete vertical wide sum; weights have 22
 * fractional bits */
constexpr int WIDE_DOWN = 10;
/* added to vertical wide sums to make them positive */
constexpr uint32_t WIDE_BIAS = 1u << 29;

/* The byte of a word from `middle_of` that is the lowest byte of the vertical sum. Narrow sums have
 * fractional bits below it. */
template <typename K> constexpr int LOWEST = K::WIDE ? 0 : K::ALPHA ? 2 : 1;

/* Returns a rounded vertical sum plus a constant, so that the result is never negative: WIDE_BIAS
 * for wide sums, 32768 for narrow sums (set_narrow). resize.h defines narrow and wide. sum[k] is
 * the sum of the products of bytes that have the weight 256^k. A narrow sum is multiplied by
 * task.down_factor, a power of two that moves its lowest byte to byte LOWEST of the word. So no
 * shift is needed before the sum is split into bytes. */
template <typename K, int WORTHS>
__device__ inline uint32_t middle_of(const Task &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE) /* sum[0] and sum[1] are never negative, so an unsigned shift is correct */
        return (sum[3 % WORTHS][i] << 14) + (sum[2 % WORTHS][i] << 6) +
               (((sum[1][i] << 8) + sum[0][i] + (1u << (WIDE_DOWN - 1))) >> WIDE_DOWN) + WIDE_BIAS;
    const uint32_t factor = task.down_factor;
    const uint32_t lower = sum[1][i] * (factor << 8) + (sum[0][i] * factor + task.down_start);
    return WORTHS == 3 ? sum[2 % WORTHS][i] * (factor << 16) + lower : lower;
}

/* two_bytes returns byte `b` of two numbers as the low half of a word. four_bytes returns byte `b`
 * of four numbers as a word. */
__device__ inline uint32_t two_bytes(uint32_t first, uint32_t second, int b)
{
    return __byte_perm(first, second, (uint32_t)(b | (b + 4) << 4));
}

__device__ inline uint32_t four_bytes(const uint32_t (&number)[4], int b)
{
    return __byte_perm(two_bytes(number[0], number[1], b), two_bytes(number[2], number[3], b),
                       0x5410);
}

/* Transposes 4 x 4 bytes: column[i] gets byte i of each of the four words. */
__device__ inline void turn_words(const uint32_t (&word)[4], uint32_t (&column)[4])
{
    uint32_t upper[2], lower[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        upper[i] = __byte_perm(word[0], word[1], i == 0 ? 0x5140 : 0x7362);
        lower[i] = __byte_perm(word[2], word[3], i == 0 ? 0x5140 : 0x7362);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        column[i] = __byte_perm(upper[i / 2], lower[i / 2], i % 2 == 0 ? 0x5410 : 0x7632);
}

/* Vertical weights of a lane for a chunk of 32 source rows: four words for each byte of a
 * weight. */
template <typename K> struct DownWeights {
    uint32_t word[K::WEIGHT][4];

    __device__ void load(const uint32_t *down, int chunk)
    {
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            take_piece(word[b],
                       *reinterpret_cast<const uint4 *>(
                           down + ((chunk * K::WEIGHT + b) * 32 + (int)threadIdx.x % 32) * 4));
    }
};

/* Multiplies weights by columns of bytes and adds the products to the sums. WORTH says which byte
 * of the samples the columns have: 0 the low byte, 1 the high byte. FIRST is true for the first
 * chunk of source rows, before which the sums have no values. The sums then begin with 0. The low
 * bytes (WORTH 0) come first and set all sums except the last, so with WORTH 1 only the last sum
 * begins with 0. */
template <typename K, int WORTHS, bool FIRST, int WORTH>
__device__ inline void add_down(Sums (&sum)[WORTHS], const DownWeights<K> &weights,
                                const uint32_t (&column)[2])
{
    const Sums none = {0, 0, 0, 0};
#pragma unroll
    for (int b = 0; b < K::WEIGHT; b++) {
        Sums &own = sum[(b + WORTH) % WORTHS];
        const Sums &now = own;
        const Sums &from = FIRST && (WORTH == 0 || b + 1 == K::WEIGHT) ? none : now;
        if (b + 1 < K::WEIGHT)
            multiply<32, false, false>(own, from, weights.word[b], column);
        else
            multiply<32, true, false>(own, from, weights.word[b], column);
    }
}

/* Number of groups of 16 columns of bytes for which a warp computes vertical sums together. For
 * 8-bit samples a group is 16 columns of one plane; even and odd columns have separate sums. For
 * 16-bit samples a group is 8 columns; lower and upper bytes have separate products. */
constexpr int TILES = 2;

template <typename K> struct Number {
    uint32_t part[2][4];
};

template <typename K> struct DownSums {
    static constexpr bool PAIRS = K::SAMPLE == 2;
    static constexpr int WORTHS = PAIRS ? K::WEIGHT + 1 : K::WEIGHT;
    Sums sum[TILES][PAIRS ? 1 : 2][WORTHS];
};

/* Adds the products of a chunk of 32 source rows to the sums. The first of these rows is in slot
 * `slot`. */
template <typename K, bool FIRST>
__device__ inline void add_chunk(const Task &task, DownSums<K> &sums, const uint8_t *columns,
                                 const uint32_t *down, int chunk, int slot)
{
    constexpr bool PAIRS = DownSums<K>::PAIRS;
    constexpr int WORTHS = DownSums<K>::WORTHS;
    DownWeights<K> weights;
    weights.load(down, chunk);
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) {
        uint32_t pair[4], column[2][2];
        load_columns(pair, columns + tile * 16, task.layout.pitch, slot, task.layout.rows);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            column[0][half] = __byte_perm(pair[2 * half], pair[2 * half + 1], 0x6420);
            column[1][half] = __byte_perm(pair[2 * half], pair[2 * half + 1], 0x7531);
        }
        add_down<K, WORTHS, FIRST, 0>(sums.sum[tile][0], weights, column[0]);
        add_down<K, WORTHS, FIRST, PAIRS ? 1 : 0>(sums.sum[tile][PAIRS ? 0 : 1], weights,
                                                  column[1]);
    }
}

template <typename K>
__device__ inline void sum_down(const Task &task, const uint8_t *columns, const uint32_t *down,
                                int slot, Number<K> (&number)[TILES])
{
    constexpr bool PAIRS = DownSums<K>::PAIRS;
    constexpr int WORTHS = DownSums<K>::WORTHS;
    DownSums<K> sums;
    add_chunk<K, true>(task, sums, columns, down, 0, slot);
    for (int chunk = 1; chunk * 32 < task.layout.rows; chunk++) {
        slot += 32;
        slot -= slot >= task.layout.rows ? task.layout.rows : 0;
        add_chunk<K, false>(task, sums, columns, down, chunk, slot);
    }
#pragma unroll
    for (int i = 0; i < TILES * (PAIRS ? 1 : 2) * 4; i++) {
        const int tile = i % TILES, part = i / TILES / 4;
        number[tile].part[part][i / TILES % 4] =
            middle_of<K, WORTHS>(task, sums.sum[tile][part], i / TILES % 4);
    }
}

/* Stores the vertical sums of a tile in shared memory. Each byte of the sums has its own plane of
 * BAND rows. */
template <typename K>
__device__ inline void put_middle(const Number<K> &number, uint8_t *to, int pitch)
{
#pragma unroll
    for (int b = 0; b < K::MIDDLE; b++)
#pragma unroll
        for (int row = 0; row < 2; row++) {
            uint8_t *at = to + (b * BAND + row * 8) * pitch;
            const uint32_t four[4] = {number.part[0][2 * row], number.part[1][2 * row],
                                      number.part[0][2 * row + 1], number.part[1][2 * row + 1]};
            if (K::SAMPLE == 1)
                *reinterpret_cast<uint32_t *>(at) = four_bytes(four, b + LOWEST<K>);
            else
                *reinterpret_cast<uint16_t *>(at) =
                    (uint16_t)two_bytes(four[0], four[2], b + LOWEST<K>);
        }
}

template <typename K>
__device__ inline void make_middle(const Task &task, const uint8_t *tile, const uint32_t *down,
                                   uint8_t *middle, int slot)
{
    constexpr int COLUMNS = 16 / K::SAMPLE;
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const int count = task.layout.columns / (COLUMNS * TILES), pitch = task.layout.middle_pitch;
    int plane = 0, group = (int)threadIdx.x / 32;
    while (true) {
        for (; group >= count && plane < K::CHANNELS; plane++)
            group -= count;
        if (plane >= K::CHANNELS)
            break;
        Number<K> number[TILES] = {};
        sum_down<K>(task,
                    tile + plane * task.layout.rows * task.layout.pitch + group * (16 * TILES),
                    down, slot, number);
        uint8_t *to = middle + (plane * K::MIDDLE * BAND + g) * pitch + group * (COLUMNS * TILES) +
                      q * (COLUMNS / 4);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            put_middle<K>(number[i], to + i * COLUMNS, pitch);
        group += WARPS;
    }
}

} // namespace resize

#endif
