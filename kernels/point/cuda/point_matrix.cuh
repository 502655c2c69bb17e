/* A colour matrix for 8-bit samples, in the form that kernels read. Its sums fit 32 bits. Tables of
 * bytes may be applied before and after it. The arithmetic is the same as in img_point_sum, but for
 * two results at a time. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_MATRIX_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_MATRIX_CUH

#include "kernels/point/cuda/point_columns.cuh"
#include "kernels/point/cuda/point_fast.h"

/* Tables before or after a matrix: none, one for all channels, or one per channel. */
enum PointTables { POINT_NO_TABLE, POINT_ONE_TABLE, POINT_TABLES };

/* Removes the 16 fractional bits of two sums and clamps them to 0..255. Returns them in the halves
 * of a word. */
__device__ inline uint32_t point_clamped(int32_t low, int32_t high)
{
#if __CUDA_ARCH__ >= 900
    const uint32_t both = __byte_perm((uint32_t)low, (uint32_t)high, 0x7632);
    return __vimin_s16x2_relu(both, 0x00FF00FF);
#else
    return (uint32_t)min(max(low >> 16, 0), 255) | (uint32_t)min(max(high >> 16, 0), 255) << 16;
#endif
}

/* Converts pixels of FROM channels to TO channels. Shared memory has a row for each sample value.
 * The first half of a row has entries of the table before the matrix, the second half entries of
 * the table after it. */
template <int FROM, int TO, PointTables BEFORE, PointTables AFTER> struct PointMatrix {
    PointColumns before, after;
    int32_t weight[TO][FROM], offset[TO];

    static constexpr size_t SHARED_BYTES =
        BEFORE != POINT_NO_TABLE || AFTER != POINT_NO_TABLE ? POINT_COLUMNS_BYTES : 0;

    __device__ void fill() const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        if (BEFORE != POINT_NO_TABLE)
            point_fill_columns<BEFORE == POINT_ONE_TABLE>(before, 0, shared);
        if (AFTER != POINT_NO_TABLE)
            point_fill_columns<AFTER == POINT_ONE_TABLE>(after, 1, shared);
    }

    /* Returns sample number I of the pixels in `words`. If there is a table before the matrix, the
     * sample is looked up in it. `own` is the offset of the lane's column of the table in shared
     * memory. */
    template <int I> __device__ uint32_t sample(const uint32_t *words, uint32_t own) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        const uint32_t word = words[I / 4];
        if (BEFORE == POINT_NO_TABLE)
            return __byte_perm(word, 0, 0x4440 | I % 4);
        const uint32_t entry = point_entry<I % 4>(shared, own, word);
        return BEFORE == POINT_ONE_TABLE ? entry : entry >> I % FROM * 8 & 0xFF;
    }

    /* Multiplies pixel number P of `words` by the matrix. Stores one sum per result channel in
     * `sum`, TO sums with 16 fractional bits. */
    template <int P> __device__ void sums(const uint32_t *words, int32_t *sum) const
    {
        const uint32_t own = point_own_column(0);
        const uint32_t s[4] = {sample<FROM * P>(words, own), sample<FROM * P + 1>(words, own),
                               sample<FROM * P + 2>(words, own),
                               FROM > 3 ? sample<FROM * P + FROM - 1>(words, own) : 0};
#pragma unroll
        for (int c = 0; c < TO; c++) {
            sum[c] = offset[c];
#pragma unroll
            for (int i = 0; i < FROM; i++)
                sum[c] += weight[c][i] * (int32_t)s[i];
        }
    }

    /* Returns the four sums as bytes of a word, without fractional bits and clamped to 0..255. */
    static __device__ uint32_t joined(const int32_t *sum)
    {
        return __byte_perm(point_clamped(sum[0], sum[1]), point_clamped(sum[2], sum[3]), 0x6420);
    }

    /* Applies the table after the matrix to `piece`, 16 bytes of the result, and returns the new
     * bytes. `unit` is the index of the piece in its row. */
    __device__ uint4 finished(uint4 piece, uint32_t unit) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        if (AFTER == POINT_NO_TABLE)
            return piece;
        return point_look_up_piece<AFTER == POINT_ONE_TABLE>(shared, point_own_column(1), piece,
                                                             unit, TO);
    }
};

template <int FROM, int TO, PointTables BEFORE, PointTables AFTER>
PointMatrix<FROM, TO, BEFORE, AFTER> point_matrix_of(const ImgPointBetween *stages,
                                                     const uint16_t *tables)
{
    PointMatrix<FROM, TO, BEFORE, AFTER> matrix;
    matrix.before = point_columns_of(stages->before, tables);
    matrix.after = point_columns_of(stages->after, tables);
    for (int i = 0; i < TO; i++) {
        for (int c = 0; c < FROM; c++)
            matrix.weight[i][c] = stages->matrix->sum[i].weight[c];
        matrix.offset[i] = (int32_t)stages->matrix->sum[i].offset;
    }
    return matrix;
}

/* --- Selection of the kernel ------------------------------------------------------------------ */

template <PointTables VALUE_> struct PointTablesAre {
    static constexpr PointTables VALUE = VALUE_;
};

/* Calls `launch` with the kind of the stage's tables as a compile-time constant
 * (PointTablesAre). */
template <typename Launch> ImgStatus point_with_tables(const ImgPointStage *stage, Launch launch)
{
    if (stage == nullptr)
        return launch(PointTablesAre<POINT_NO_TABLE>());
    return point_is_one_table(stage) ? launch(PointTablesAre<POINT_ONE_TABLE>())
                                     : launch(PointTablesAre<POINT_TABLES>());
}

/* Launches the kernel of a `Change` whose only data is a PointMatrix, for the kinds of tables that
 * the program has. */
template <template <PointTables, PointTables> class Change, int FROM, int TO>
ImgStatus point_run_matrix(const ImgCall *call, const ImgPointBetween *stages,
                           const uint16_t *tables, ImgError *err)
{
    return point_with_tables(stages->before, [&](auto before) {
        return point_with_tables(stages->after, [&](auto after) {
            constexpr PointTables BEFORE = decltype(before)::VALUE, AFTER = decltype(after)::VALUE;
            const Change<BEFORE, AFTER> change = {
                point_matrix_of<FROM, TO, BEFORE, AFTER>(stages, tables)};
            return point_launch(call, change, Change<BEFORE, AFTER>::SHARED_BYTES, err);
        });
    });
}

#endif
