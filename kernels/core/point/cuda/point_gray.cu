/* RGB of bytes through a matrix to one channel, with optional tables: 16 pixels per thread, 48
 * bytes in, 16 bytes out. The three loads of a thread are adjacent, those of a warp 48 bytes apart.
 * The rest of a sector that a load does not use is found by the next one in the first-level cache.
 * Limited by memory. */
#include "kernels/core/point/cuda/point_matrix.cuh"

namespace
{

constexpr int CHANNELS = 3, PIECES = 3, WORDS = 12;

struct Pieces {
    uint32_t words[WORDS];
};

template <PointTables BEFORE, PointTables AFTER>
struct Change : PointMatrix<CHANNELS, 1, BEFORE, AFTER> {
    static constexpr int FROM_BYTES = PIECES * WIDE_BYTES, TO_BYTES = WIDE_BYTES, AHEAD = 1;
    typedef Pieces In;

    __device__ Pieces load(const uint8_t *at, uint32_t, int left) const
    {
        Pieces pieces;
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            take_piece(pieces.words + 4 * i, left > i * WIDE_BYTES ? point_get(at + i * WIDE_BYTES)
                                                                   : make_uint4(0, 0, 0, 0));
        return pieces;
    }

    /* Converts four pixels in three words. */
    __device__ uint32_t changed(const uint32_t *words) const
    {
        int32_t sum[4];
        this->template sums<0>(words, sum);
        this->template sums<1>(words, sum + 1);
        this->template sums<2>(words, sum + 2);
        this->template sums<3>(words, sum + 3);
        return this->joined(sum);
    }

    __device__ void store(const Pieces &in, uint32_t unit, uint8_t *at, int left) const
    {
        const uint4 result = make_uint4(changed(in.words), changed(in.words + 3),
                                        changed(in.words + 6), changed(in.words + 9));
        point_put(at, left, this->finished(result, unit));
    }
};

} // namespace

ImgStatus img_point_cuda_gray(const ImgCall *call, const ImgPointBetween *stages,
                              const uint16_t *tables, ImgError *err)
{
    return point_run_matrix<Change, CHANNELS, 1>(call, stages, tables, err);
}
