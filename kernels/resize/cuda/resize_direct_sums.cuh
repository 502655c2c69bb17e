/* Private to the direct kernel of resize on CUDA: functions that compute vertical sums and
 * horizontal sums. The input of the latter is the vertical sums of a lane, split into bytes, in
 * registers (MiddleBytes). Their output is samples of the result that are not yet clamped. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_SUMS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_SUMS_CUH

#include "kernels/resize/cuda/resize_across.cuh"
#include "kernels/resize/cuda/resize_direct_task.cuh"
#include "kernels/resize/cuda/resize_down.cuh"

/* --- Vertical sums ---------------------------------------------------------------------------- */

/* Functions that compute vertical sums. They read source rows from shared memory and leave the
 * middle (the vertical sums) as bytes in registers, in the order that horizontal products need. */

namespace resize
{

/* A block is four adjacent source columns, which a lane loads. A word holds COLUMNS columns, and
 * PARTS words hold all four. Lane 4 g + q loads the columns of block g / 2 + g % 2 * 4. The
 * products then give lane 4 g + q the sums of blocks q and q + 4. */
template <typename K> struct Block {
    static constexpr int COLUMNS = 4 / K::SAMPLE, PARTS = K::SAMPLE;
    static constexpr int WORTHS = K::WEIGHT + K::SAMPLE - 1;
};

/* Input of a lane for the vertical sums of BAND result rows. `at` has the byte offsets of source
 * rows within the rows of one channel in shared memory, for each chunk of 16 rows. `weight` has the
 * weights, for two chunks per element. */
template <typename K, int ROW_CHUNKS> struct StepRows {
    int at[ROW_CHUNKS][4];
    uint32_t weight[(ROW_CHUNKS + 1) / 2][K::WEIGHT][4];

    __device__ void load(const DirectTask &task, const uint32_t *down, int slot)
    {
        const int lane = (int)threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < ROW_CHUNKS * 4; i++) {
            int own = slot + 4 * i + lane % 4;
            own -= own >= task.base.layout.rows ? task.base.layout.rows : 0;
            at[i / 4][i % 4] = own * task.base.layout.pitch;
        }
#pragma unroll
        for (int i = 0; i < ROW_CHUNKS * K::WEIGHT; i++) {
            const uint2 two = *reinterpret_cast<const uint2 *>(down + (i * 32 + lane) * 2);
            const int chunk = i / K::WEIGHT;
            weight[chunk / 2][i % K::WEIGHT][chunk % 2 * 2] = two.x;
            weight[chunk / 2][i % K::WEIGHT][chunk % 2 * 2 + 1] = two.y;
        }
    }
};

/* Loads four bytes of each of four rows and transposes them: column[i][k] gets byte i of each
 * row. */
__device__ inline void turn_bytes(const uint8_t *from, const int (&at)[4], int k,
                                  uint32_t (&column)[4][2])
{
    uint32_t word[4], turned[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        word[i] = *reinterpret_cast<const uint32_t *>(from + at[i]);
    turn_words(word, turned);
#pragma unroll
    for (int i = 0; i < 4; i++)
        column[i][k] = turned[i];
}

/* Initial values of vertical sums: `none` is 0; `first` and `second` are for wide sums of byte
 * weights 0 and 2. They stay in registers, because a product needs its initial value in four
 * registers. */
struct Starts {
    Sums none, first, second;
};

__device__ inline void set_start(Sums &start, uint32_t value)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
#if defined(__CUDA_ARCH__)
        asm volatile("mov.u32 %0, %1;" : "=r"(start[i]) : "r"(value));
#else
        start[i] = value;
#endif
}

/* Returns the same rounded vertical sum as `middle_of`. For wide sums it adds neither the rounding
 * term nor WIDE_BIAS: the sums of byte weights 0 and 2 already began with them (`Starts`). */
template <typename K, int WORTHS>
__device__ inline uint32_t number_of(const DirectTask &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE)
        return (sum[3 % WORTHS][i] << 14) +
               ((sum[2 % WORTHS][i] << 6) + (((sum[1][i] << 8) + sum[0][i]) >> WIDE_DOWN));
    return middle_of<K, WORTHS>(task.base, sum, i);
}

constexpr uint32_t WIDE_FIRST = 1u << (WIDE_DOWN - 1), WIDE_THIRD = WIDE_BIAS >> 6;

/* Adds the products of one chunk of 16 rows (DEPTH is 16) or of two chunks (DEPTH is 32) to the
 * sums. */
template <typename K, int DEPTH, bool FIRST>
__device__ inline void
add_rows(const Starts &starts, Sums (&sum)[Block<K>::COLUMNS][Block<K>::WORTHS],
         const uint32_t (&weight)[K::WEIGHT][4], const uint32_t (&column)[4][2])
{
    constexpr int COLUMNS = Block<K>::COLUMNS;
#pragma unroll
    for (int i = 0; i < 4 * K::WEIGHT; i++) {
        const int s = i / COLUMNS / K::WEIGHT, b = i / COLUMNS % K::WEIGHT, x = i % COLUMNS;
        Sums &own = sum[x][s + b];
        const Sums &now = own;
        const Sums &start = K::WIDE && s + b == 0   ? starts.first
                            : K::WIDE && s + b == 2 ? starts.second
                                                    : starts.none;
        const Sums &before = FIRST && (s == 0 || b + 1 == K::WEIGHT) ? start : now;
        if (b + 1 < K::WEIGHT)
            multiply<DEPTH, false, false>(own, before, weight[b], column[x * K::SAMPLE + s]);
        else
            multiply<DEPTH, true, false>(own, before, weight[b], column[x * K::SAMPLE + s]);
    }
}

/* Computes vertical sums in rows g and g + 8 (g is lane / 4), for two blocks of four columns. */
template <typename K, int ROW_CHUNKS>
__device__ inline void sum_rows(const DirectTask &task, const Starts &starts, const uint8_t *from,
                                const StepRows<K, ROW_CHUNKS> &rows, uint32_t (&number)[4][4])
{
    constexpr int COLUMNS = Block<K>::COLUMNS, WORTHS = Block<K>::WORTHS;
#pragma unroll
    for (int part = 0; part < Block<K>::PARTS; part++) {
        Sums sum[COLUMNS][WORTHS];
#pragma unroll
        for (int chunk = 0; chunk < ROW_CHUNKS; chunk += 2) {
            constexpr int LAST = ROW_CHUNKS - 1;
            uint32_t column[4][2] = {};
            turn_bytes(from + 4 * part, rows.at[chunk], 0, column);
            if (chunk < LAST)
                turn_bytes(from + 4 * part, rows.at[chunk < LAST ? chunk + 1 : LAST], 1, column);
            if (chunk == 0 && chunk < LAST)
                add_rows<K, 32, true>(starts, sum, rows.weight[0], column);
            else if (chunk == 0)
                add_rows<K, 16, true>(starts, sum, rows.weight[0], column);
            else if (chunk < LAST)
                add_rows<K, 32, false>(starts, sum, rows.weight[chunk / 2], column);
            else
                add_rows<K, 16, false>(starts, sum, rows.weight[chunk / 2], column);
        }
#pragma unroll
        for (int i = 0; i < COLUMNS * 4; i++)
            number[part * COLUMNS + i / 4][i % 4] = number_of<K, WORTHS>(task, sum[i / 4], i % 4);
    }
}

/* Vertical sums of 32 columns in a lane, split into bytes: four words for each byte weight. */
template <typename K> struct MiddleBytes {
    uint32_t word[K::MIDDLE][4];
};

/* Computes the bytes of the vertical sums. `from` is the position of the lane's columns in shared
 * memory. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_bytes(const DirectTask &task, const Starts &starts, const uint8_t *from,
                                  const StepRows<K, ROW_CHUNKS> &rows, MiddleBytes<K> &bytes)
{
    uint32_t number[4][4];
    sum_rows<K, ROW_CHUNKS>(task, starts, from, rows, number);
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b += 2) {
            const int low = LOWEST<K> + b;
            const uint32_t two =
                (uint32_t)(low | (low + 4) << 4 | (low + 1) << 8 | (low + 5) << 12);
            const uint32_t left = __byte_perm(number[0][i], number[1][i], two);
            const uint32_t right = __byte_perm(number[2][i], number[3][i], two);
            bytes.word[b][i / 2 + i % 2 * 2] = __byte_perm(left, right, 0x5410);
            bytes.word[b + 1][i / 2 + i % 2 * 2] = __byte_perm(left, right, 0x7632);
        }
}

} // namespace resize

/* --- Horizontal sums -------------------------------------------------------------------------- */

namespace resize
{

/* Sums of a lane for a pair, which is two groups of 8 columns of the result. The first index is the
 * group, the second index is the byte weight: sum k counts multiples of 256^k. */
template <typename K> struct PairSums {
    Sums half[2][ACROSS_WORTHS<K>];
};

/* Initial value of the wide sum of byte weight 4, which counts multiples of 256^4 = 2^32. It rounds
 * the result and subtracts the contribution of WIDE_BIAS. */
constexpr uint32_t WIDE_START_OF_4 =
    (uint32_t)((int64_t)(WIDE_END_START & ~(uint64_t)0xffffffff) / ((int64_t)1 << 32));

/* Byte weight (power of 256) of the sum whose initial value rounds the result. All other sums begin
 * with 0. */
template <typename K> constexpr int START = K::WIDE ? 4 : 0;

/* Computes the horizontal sums of a pair (two groups of 8 columns) from the vertical sums `bytes`
 * and the weights `across`. */
template <typename K>
__device__ inline void sum_columns(const Sums &start, PairSums<K> &sums,
                                   const MiddleBytes<K> &bytes, const uint32_t *across)
{
    const int lane = (int)threadIdx.x % 32;
    const Sums none = {0, 0, 0, 0};
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const uint32_t *own_words = across + half * (K::WEIGHT * 64);
        uint32_t column[K::WEIGHT][2];
#pragma unroll
        for (int w = 0; w < K::WEIGHT; w++) {
            const uint2 two = *reinterpret_cast<const uint2 *>(own_words + (w * 32 + lane) * 2);
            column[w][0] = two.x;
            column[w][1] = two.y;
        }
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b++)
#pragma unroll
            for (int w = 0; w < K::WEIGHT; w++) {
                Sums &own = sums.half[half][w + b];
                const Sums &now = own, &begin = w + b == START<K> ? start : none;
                const Sums &before = b == 0 || w + 1 == K::WEIGHT ? begin : now;
                if (w + 1 < K::WEIGHT)
                    multiply<32, false, false>(own, before, bytes.word[b], column[w]);
                else
                    multiply<32, false, true>(own, before, bytes.word[b], column[w]);
            }
    }
}

/* Returns a sample of the result, not yet clamped. From the lowest byte weight up, each sum is
 * divided by 256, rounded down, and added to the next sum. */
template <typename K, int WORTHS>
__device__ inline int32_t result_of(const DirectTask &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE) {
        int32_t lower = (int32_t)sum[0][i];
#pragma unroll
        for (int w = 1; w < 5; w++)
            lower = (lower >> 8) + (int32_t)sum[w % WORTHS][i];
        return ((int32_t)(sum[5 % WORTHS][i] << 8) + lower) >> (WIDE_END - 32);
    }
    return (int32_t)((sum[2][i] << 16) + ((sum[1][i] << 8) + sum[0][i])) >> task.base.end_shift;
}

template <typename K>
__device__ inline void end_pair(const DirectTask &task, const PairSums<K> &sums,
                                int32_t (&value)[2][4])
{
#pragma unroll
    for (int i = 0; i < 8; i++)
        value[i / 4][i % 4] =
            result_of<K, ACROSS_WORTHS<K>>(task, sums.half[i / 2 % 2], i / 4 * 2 + i % 2);
}

} // namespace resize

#endif
