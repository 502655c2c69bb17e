/* RGB of bytes through a matrix to one channel, between tables: 16 pixels per thread, 48 bytes in,
 * 16 bytes out. The three loads of a thread lie beside each other, those of a warp 48 bytes apart:
 * what a load leaves of a sector the next one finds in the first-level cache. Limited by memory. */
#include "kernels/core/point/cuda/point_fast.h"
#include "kernels/core/point/cuda/point_matrix.cuh"

namespace
{

#ifndef GRAY_THREADS
#define GRAY_THREADS 1024
#define GRAY_BLOCKS  1
#define GRAY_AHEAD   1
#endif
constexpr int THREADS = GRAY_THREADS, BLOCKS = GRAY_BLOCKS, AHEAD = GRAY_AHEAD;
constexpr int PIECES = 3, PIXELS = 16, WORDS = 12;

struct Pieces {
    uint32_t words[WORDS];
};

template <PointBefore BEFORE, bool AFTER> struct Change {
    static constexpr int FROM_BYTES = PIECES * WIDE_BYTES;
    typedef Pieces In;
    PointColumns before, after;
    PointWeights<1> weights;

    __device__ Pieces load(const uint8_t *row, uint32_t unit, const PointStream &stream) const
    {
        Pieces pieces;
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            const int64_t offset = ((int64_t)unit * PIECES + i) * WIDE_BYTES;
            take_piece(pieces.words + 4 * i, offset < stream.src_bytes ? load_wide(row + offset)
                                                                       : make_uint4(0, 0, 0, 0));
        }
        return pieces;
    }

    __device__ void fill() const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        if (BEFORE != POINT_NO_TABLE)
            point_fill_columns<BEFORE == POINT_ONE_TABLE>(before, shared);
        if (AFTER)
            point_fill_columns<true>(after, shared + point_after_at<BEFORE>());
    }

    /* Four pixels of three words. */
    __device__ uint32_t change_four(const uint32_t *words) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        const uint32_t own = threadIdx.x % POINT_LANES * 4;
        uint32_t a[3], b[3], c[3], d[3];
        point_pixel<BEFORE, 0>(words, shared, own, a);
        point_pixel<BEFORE, 1>(words, shared, own, b);
        point_pixel<BEFORE, 2>(words, shared, own, c);
        point_pixel<BEFORE, 3>(words, shared, own, d);
        const uint32_t low = point_clamped(weights.sum(0, a), weights.sum(0, b));
        const uint32_t high = point_clamped(weights.sum(0, c), weights.sum(0, d));
        return __byte_perm(low, high, 0x6420);
    }

    __device__ void store(const Pieces &in, uint32_t unit, uint8_t *row, int64_t row_bytes,
                          bool is_there) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        const uint32_t own = threadIdx.x % POINT_LANES * 4;
        uint4 result = make_uint4(change_four(in.words), change_four(in.words + 3),
                                  change_four(in.words + 6), change_four(in.words + 9));
        if (AFTER)
            result =
                point_look_up_piece<true>(shared + point_after_at<BEFORE>(), own, result, unit, 1);
        if (is_there)
            store_wide(row, (int64_t)unit * PIXELS, row_bytes, result);
    }
};

template <PointBefore BEFORE, bool AFTER>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    point_gray_kernel(PointStream stream, Change<BEFORE, AFTER> change)
{
    point_stream<Change<BEFORE, AFTER>, AHEAD>(stream, change);
}

template <PointBefore BEFORE, bool AFTER>
ImgStatus launch(const ImgCall *call, const ImgPointRgb *stages, const uint16_t *tables,
                 ImgError *err)
{
    constexpr size_t SHARED =
        ((BEFORE != POINT_NO_TABLE ? 1 : 0) + (AFTER ? 1 : 0)) * POINT_COLUMN_BYTES;
    Change<BEFORE, AFTER> change;
    change.before = point_columns_of(stages->before, tables);
    change.after = point_columns_of(stages->after, tables);
    change.weights = point_weights_of<1>(stages->matrix);
    return point_launch(call, point_gray_kernel<BEFORE, AFTER>, change, THREADS, BLOCKS, AHEAD,
                        SHARED, err);
}

} // namespace

ImgStatus img_point_cuda_gray(const ImgCall *call, const ImgPointRgb *stages,
                              const uint16_t *tables, ImgError *err)
{
    return point_with_tables(stages->before, stages->after, [&](auto before, auto after) {
        return launch<(PointBefore) decltype(before)::VALUE, decltype(after)::VALUE == 1>(
            call, stages, tables, err);
    });
}
