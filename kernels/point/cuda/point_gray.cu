/* Kernel that converts RGB bytes to one channel with a matrix and optional tables. A thread
 * processes 16 pixels: it reads 48 bytes and writes 16. Its three loads are adjacent; the loads of
 * neighbouring lanes are 48 bytes apart. Each load uses only a part of its sectors; the next load
 * finds the rest in the first-level cache. The kernel is limited by memory bandwidth. */
#include "kernels/point/cuda/point_matrix.cuh"

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

    /* Converts four pixels, which are three words, to a word of four gray samples. */
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
