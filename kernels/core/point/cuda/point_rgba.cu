/* RGBA of bytes through a matrix, between tables: four pixels per lane, 16 bytes in, 16 bytes out.
 * Limited by memory and by the sixteen products of a pixel. */
#include "kernels/core/point/cuda/point_matrix.cuh"

namespace
{

#ifndef RGBA_THREADS
#define RGBA_THREADS 512
#define RGBA_BLOCKS  2
#define RGBA_AHEAD   2
#endif
constexpr int THREADS = RGBA_THREADS, BLOCKS = RGBA_BLOCKS, AHEAD = RGBA_AHEAD, CHANNELS = 4;

template <PointTables BEFORE, PointTables AFTER>
struct Change : PointMatrix<CHANNELS, CHANNELS, BEFORE, AFTER> {
    static constexpr int FROM_BYTES = WIDE_BYTES, TO_BYTES = WIDE_BYTES;
    typedef uint4 In;

    __device__ uint4 load(const uint8_t *at, uint32_t, int) const
    {
        return POINT_LD(at);
    }

    __device__ uint32_t changed(uint32_t pixel) const
    {
        int32_t sum[CHANNELS];
        this->template sums<0>(&pixel, sum);
        return this->joined(sum);
    }

    __device__ void store(uint4 in, uint32_t unit, uint8_t *at, int left) const
    {
        const uint4 result = make_uint4(changed(in.x), changed(in.y), changed(in.z), changed(in.w));
        point_put(at, left, this->finished(result, unit));
    }
};

template <PointTables BEFORE, PointTables AFTER>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    point_rgba_kernel(PointStream stream, Change<BEFORE, AFTER> change)
{
    point_stream<Change<BEFORE, AFTER>, AHEAD>(stream, change);
}

} // namespace

ImgStatus img_point_cuda_rgba(const ImgCall *call, const ImgPointBetween *stages,
                              const uint16_t *tables, ImgError *err)
{
    return point_with_both_tables(stages, [&](auto before, auto after) {
        typedef Change<decltype(before)::VALUE, decltype(after)::VALUE> Own;
        const Own change = {
            point_matrix_of<CHANNELS, CHANNELS, decltype(before)::VALUE, decltype(after)::VALUE>(
                stages, tables)};
        return point_launch(call,
                            point_rgba_kernel<decltype(before)::VALUE, decltype(after)::VALUE>,
                            change, THREADS, BLOCKS, AHEAD, Own::SHARED_BYTES, err);
    });
}
