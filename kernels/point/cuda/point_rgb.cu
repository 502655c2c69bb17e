/* Kernel that converts RGB bytes to RGB with a matrix and optional tables. A lane reads and writes
 * 16 bytes, so that loads and stores are coalesced. These bytes belong to six pixels; the first and
 * the last pixel are shared with the neighbouring lanes. Each lane gets the missing bytes from its
 * neighbours and computes all six pixels. So shared pixels are computed twice, an eighth more work
 * than necessary. The kernel is limited by memory bandwidth. Most instructions are the nine
 * products of a pixel and the unpacking of bytes. */
#include "kernels/point/cuda/point_matrix.cuh"

namespace
{

constexpr int PIXELS = 6, CHANNELS = 3, SAMPLES = CHANNELS * PIXELS, WORDS = (SAMPLES + 3) / 4;
constexpr unsigned ALL_LANES = 0xFFFFFFFF;

/* The 16 bytes of a lane. In the first lane of a warp, `edge` is the word before these bytes; in
 * the last lane, it is the word after them. */
struct Piece {
    uint4 own;
    uint32_t edge;
};

/* Computes words that begin with the first byte of the lane's first pixel. `first` bytes of this
 * pixel are before the lane's own 16 bytes. */
__device__ void align(const Piece &piece, uint32_t first, uint32_t (&words)[WORDS])
{
    const uint32_t lane = threadIdx.x % POINT_LANES, selector = 0x7654 - first * 0x1111;
    uint32_t before = __shfl_up_sync(ALL_LANES, piece.own.w, 1);
    uint32_t after = __shfl_down_sync(ALL_LANES, piece.own.x, 1);
    before = lane == 0 ? piece.edge : before;
    after = lane == POINT_LANES - 1 ? piece.edge : after;
    words[0] = __byte_perm(before, piece.own.x, selector);
    words[1] = __byte_perm(piece.own.x, piece.own.y, selector);
    words[2] = __byte_perm(piece.own.y, piece.own.z, selector);
    words[3] = __byte_perm(piece.own.z, piece.own.w, selector);
    words[4] = __byte_perm(piece.own.w, after, selector);
}

__device__ uint4 align_back(const uint32_t (&words)[WORDS], uint32_t first)
{
    const uint32_t selector = 0x3210 + first * 0x1111;
    return make_uint4(
        __byte_perm(words[0], words[1], selector), __byte_perm(words[1], words[2], selector),
        __byte_perm(words[2], words[3], selector), __byte_perm(words[3], words[4], selector));
}

template <PointTables BEFORE, PointTables AFTER>
struct Change : PointMatrix<CHANNELS, CHANNELS, BEFORE, AFTER> {
    static constexpr int FROM_BYTES = WIDE_BYTES, TO_BYTES = WIDE_BYTES;
    static constexpr int AHEAD = AFTER == POINT_NO_TABLE ? 2 : 3;
    typedef Piece In;

    __device__ Piece load(const uint8_t *at, uint32_t unit, int left) const
    {
        const uint32_t lane = threadIdx.x % POINT_LANES;
        Piece piece;
        piece.own = point_get(at);
        piece.edge = 0;
        if (lane == 0 ? unit > 0 : lane == POINT_LANES - 1 && left > WIDE_BYTES)
            piece.edge =
                __ldg(reinterpret_cast<const uint32_t *>(lane == 0 ? at - 4 : at + WIDE_BYTES));
        return piece;
    }

    __device__ void store(const Piece &in, uint32_t unit, uint8_t *at, int left) const
    {
        /* number of bytes of the first pixel that precede the 16 bytes. These begin at byte 16 *
         * unit of the row, and 16 * unit modulo 3, the size of a pixel, equals unit modulo 3. */
        const uint32_t first = unit % 3;
        uint32_t words[WORDS];
        int32_t sum[4 * WORDS] = {};
        align(in, first, words);
        this->template sums<0>(words, sum);
        this->template sums<1>(words, sum + 3);
        this->template sums<2>(words, sum + 6);
        this->template sums<3>(words, sum + 9);
        this->template sums<4>(words, sum + 12);
        this->template sums<5>(words, sum + 15);
#pragma unroll
        for (int k = 0; k < WORDS; k++)
            words[k] = this->joined(sum + 4 * k);
        point_put(at, left, this->finished(align_back(words, first), unit));
    }
};

} // namespace

ImgStatus img_point_cuda_rgb(const ImgCall *call, const ImgPointBetween *stages,
                             const uint16_t *tables, ImgError *err)
{
    return point_run_matrix<Change, CHANNELS, CHANNELS>(call, stages, tables, err);
}
