/* Private to the fast resize on CUDA: sums of columns, from rows of the source in shared memory to
 * bytes of the middle in registers, as products across take them. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_DOWN_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_DOWN_CUH

#include "kernels/resize/cuda/resize_direct_task.cuh"
#include "kernels/resize/cuda/resize_down.cuh"

namespace resize
{

/* Of a lane four columns: lane 4 g + q loads the columns of block g / 2 + g % 2 * 4, so that sums
 * of blocks q and q + 4 are in lane q. A word holds COLUMNS of them, PARTS words all. */
template <typename K> struct Block {
    static constexpr int COLUMNS = 4 / K::SAMPLE, PARTS = K::SAMPLE;
    static constexpr int WORTHS = K::WEIGHT + K::SAMPLE - 1;
};

/* Where rows of a chunk are that a lane loads, in bytes from the plane's start. */
struct Rows {
    int at[4];
};

__device__ inline Rows rows_of(const DirectTask &task, int slot, int chunk)
{
    Rows rows;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int own = slot + chunk * 16 + 4 * i + (int)threadIdx.x % 4;
        own -= own >= task.base.layout.rows ? task.base.layout.rows : 0;
        rows.at[i] = own * task.base.layout.pitch;
    }
    return rows;
}

/* Bytes of four rows become four columns of bytes. */
__device__ inline void turn_bytes(const uint8_t *from, const Rows &rows, int k,
                                  uint32_t (&column)[4][2])
{
    uint32_t word[4], upper[2], lower[2];
#pragma unroll
    for (int i = 0; i < 4; i++)
        word[i] = *reinterpret_cast<const uint32_t *>(from + rows.at[i]);
#pragma unroll
    for (int i = 0; i < 2; i++) {
        upper[i] = __byte_perm(word[0], word[1], i == 0 ? 0x5140 : 0x7362);
        lower[i] = __byte_perm(word[2], word[3], i == 0 ? 0x5140 : 0x7362);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        column[i][k] = __byte_perm(upper[i / 2], lower[i / 2], i % 2 == 0 ? 0x5410 : 0x7632);
}

/* What sums of each worth begin with, so that `number_of` need not add it. */
template <typename K> __device__ inline uint32_t start_of(const DirectTask &task, int worth)
{
    if (K::WIDE)
        return worth == 0 ? 1u << (WIDE_DOWN - 1) : worth == 2 ? WIDE_BIAS >> 6 : 0;
    return worth == 0 ? task.down_start : 0;
}

/* As `middle_of`, of sums that began with start_of. */
template <typename K, int WORTHS>
__device__ inline uint32_t number_of(const DirectTask &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE)
        return (sum[3 % WORTHS][i] << 14) +
               ((sum[2 % WORTHS][i] << 6) + (((sum[1][i] << 8) + sum[0][i]) >> WIDE_DOWN));
    const uint32_t factor = task.base.down_factor;
    const uint32_t lower = sum[1][i] * (factor << 8) + sum[0][i] * factor;
    return WORTHS == 3 ? sum[2 % WORTHS][i] * (factor << 16) + lower : lower;
}

/* One chunk of rows, or two. */
template <typename K, int DEPTH, bool FIRST>
__device__ inline void add_rows(const DirectTask &task,
                                Sums (&sum)[Block<K>::COLUMNS][Block<K>::WORTHS],
                                const uint8_t *from, const uint32_t *down, int slot, int chunk)
{
    const int lane = (int)threadIdx.x % 32;
    uint32_t weight[K::WEIGHT][4] = {}, column[4][2] = {};
    turn_bytes(from, rows_of(task, slot, chunk), 0, column);
    if (DEPTH == 32)
        turn_bytes(from, rows_of(task, slot, chunk + 1), 1, column);
#pragma unroll
    for (int i = 0; i < K::WEIGHT * DEPTH / 16; i++) {
        const int b = i % K::WEIGHT, k = i / K::WEIGHT;
        const uint2 two = *reinterpret_cast<const uint2 *>(
            down + (((chunk + k) * K::WEIGHT + b) * 32 + lane) * 2);
        weight[b][2 * k] = two.x;
        weight[b][2 * k + 1] = two.y;
    }
#pragma unroll
    for (int i = 0; i < 4 * K::WEIGHT; i++) {
        constexpr int COLUMNS = Block<K>::COLUMNS;
        const int s = i / COLUMNS / K::WEIGHT, b = i / COLUMNS % K::WEIGHT, x = i % COLUMNS;
        Sums &own = sum[x][s + b];
        const uint32_t begin = start_of<K>(task, s + b);
        const Sums start = {begin, begin, begin, begin};
        const Sums &now = own;
        const Sums &before = FIRST && (s == 0 || b + 1 == K::WEIGHT) ? start : now;
        if (b + 1 < K::WEIGHT)
            multiply<DEPTH, false, false>(own, before, weight[b], column[x * K::SAMPLE + s]);
        else
            multiply<DEPTH, true, false>(own, before, weight[b], column[x * K::SAMPLE + s]);
    }
}

/* Numbers of the middle of four columns in two blocks, rows g and g + 8. */
template <typename K>
__device__ inline void sum_rows(const DirectTask &task, const uint8_t *from, const uint32_t *down,
                                int slot, uint32_t (&number)[4][4])
{
    constexpr int COLUMNS = Block<K>::COLUMNS, WORTHS = Block<K>::WORTHS;
#pragma unroll
    for (int part = 0; part < Block<K>::PARTS; part++) {
        Sums sum[COLUMNS][WORTHS];
        int chunk = 2;
        if (task.row_chunks == 1)
            add_rows<K, 16, true>(task, sum, from + 4 * part, down, slot, 0);
        else
            add_rows<K, 32, true>(task, sum, from + 4 * part, down, slot, 0);
        if (chunk + 1 < task.row_chunks) {
            add_rows<K, 32, false>(task, sum, from + 4 * part, down, slot, chunk);
            chunk += 2;
        }
        if (chunk < task.row_chunks)
            add_rows<K, 16, false>(task, sum, from + 4 * part, down, slot, chunk);
#pragma unroll
        for (int i = 0; i < COLUMNS * 4; i++)
            number[part * COLUMNS + i / 4][i % 4] = number_of<K, WORTHS>(task, sum[i / 4], i % 4);
    }
}

/* Of a chunk of 32 columns: bytes of the middle, by worth. */
template <typename K> struct MiddleBytes {
    uint32_t word[K::MIDDLE][4];
};

template <typename K>
__device__ inline void make_bytes(const DirectTask &task, const uint8_t *from, const uint32_t *down,
                                  int slot, MiddleBytes<K> &bytes)
{
    const int g = (int)threadIdx.x % 32 / 4;
    uint32_t number[4][4];
    sum_rows<K>(task, from + (g / 2 + g % 2 * 4) * 4 * K::SAMPLE, down, slot, number);
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

#endif
