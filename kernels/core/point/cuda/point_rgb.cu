/* RGB of bytes through a matrix, between tables: 16 bytes in, 16 bytes out, so that loads and
 * stores lie side by side. Those bytes belong to six pixels, the first and last of which a lane
 * shares with its neighbours: it gets their missing bytes from them and computes all six, and both
 * neighbours compute the shared ones, an eighth more work than there is. Limited by memory; of
 * instructions, by the nine products of a pixel and by those that take its bytes apart. */
#include "kernels/core/point/cuda/point_fast.h"
#include "kernels/core/point/cuda/point_matrix.cuh"

namespace
{

#ifndef RGB_THREADS
#define RGB_THREADS 1024
#define RGB_BLOCKS  1
#define RGB_AHEAD   1
#endif
constexpr int THREADS = RGB_THREADS, BLOCKS = RGB_BLOCKS, AHEAD = RGB_AHEAD;
constexpr int PIXELS = 6, SAMPLES = 3 * PIXELS, WORDS = (SAMPLES + 3) / 4;
constexpr unsigned ALL_LANES = 0xFFFFFFFF;

/* A lane's bytes; of the first lane also the word before, of the last the word after. */
struct Piece {
    uint4 own;
    uint32_t edge;
};

/* The words that begin with the first byte of the pixel that the piece begins in: `first` of its
 * bytes are in the word before. */
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

template <PointBefore BEFORE, bool AFTER> struct Change {
    static constexpr int FROM_BYTES = WIDE_BYTES;
    typedef Piece In;
    PointColumns before, after;
    PointWeights<3> weights;

    __device__ Piece load(const uint8_t *row, uint32_t unit, const PointStream &stream) const
    {
        const uint32_t lane = threadIdx.x % POINT_LANES;
        const uint8_t *at = row + (size_t)unit * WIDE_BYTES;
        Piece piece;
        piece.own = load_wide(at);
        piece.edge = 0;
        if (lane == 0 ? unit > 0 : lane == POINT_LANES - 1 && unit + 1 < stream.units)
            piece.edge =
                __ldg(reinterpret_cast<const uint32_t *>(lane == 0 ? at - 4 : at + WIDE_BYTES));
        return piece;
    }

    __device__ void fill() const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        if (BEFORE != POINT_NO_TABLE)
            point_fill_columns<BEFORE == POINT_ONE_TABLE>(before, shared);
        if (AFTER)
            point_fill_columns<false>(after, shared + point_after_at<BEFORE>());
    }

    /* Two pixels of six bytes, which are three pairs. */
    template <int P>
    __device__ void change_two(const uint32_t (&words)[WORDS], uint32_t *pairs) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        const uint32_t own = threadIdx.x % POINT_LANES * 4;
        uint32_t a[3], b[3];
        point_pixel<BEFORE, P>(words, shared, own, a);
        point_pixel<BEFORE, P + 1>(words, shared, own, b);
        pairs[0] = point_clamped(weights.sum(0, a), weights.sum(1, a));
        pairs[1] = point_clamped(weights.sum(2, a), weights.sum(0, b));
        pairs[2] = point_clamped(weights.sum(1, b), weights.sum(2, b));
    }

    __device__ void store(const Piece &in, uint32_t unit, uint8_t *row, int64_t row_bytes,
                          bool is_there) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        const uint32_t first = unit % 3; /* byte of a pixel: 16 is one more than a multiple of 3 */
        uint32_t words[WORDS], pairs[2 * WORDS] = {};
        align(in, first, words);
        change_two<0>(words, pairs);
        change_two<2>(words, pairs + 3);
        change_two<4>(words, pairs + 6);
#pragma unroll
        for (int k = 0; k < WORDS; k++)
            words[k] = __byte_perm(pairs[2 * k], pairs[2 * k + 1], 0x6420);
        uint4 result = align_back(words, first);
        if (AFTER)
            result = point_look_up_piece<false>(shared + point_after_at<BEFORE>(),
                                                threadIdx.x % POINT_LANES * 4, result, unit, 3);
        if (is_there)
            store_wide(row, (int64_t)unit * WIDE_BYTES, row_bytes, result);
    }
};

template <PointBefore BEFORE, bool AFTER>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    point_rgb_kernel(PointStream stream, Change<BEFORE, AFTER> change)
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
    change.weights = point_weights_of<3>(stages->matrix);
    return point_launch(call, point_rgb_kernel<BEFORE, AFTER>, change, THREADS, BLOCKS, AHEAD,
                        SHARED, err);
}

} // namespace

ImgStatus img_point_cuda_rgb(const ImgCall *call, const ImgPointRgb *stages, const uint16_t *tables,
                             ImgError *err)
{
    return point_with_tables(stages->before, stages->after, [&](auto before, auto after) {
        return launch<(PointBefore) decltype(before)::VALUE, decltype(after)::VALUE == 1>(
            call, stages, tables, err);
    });
}
