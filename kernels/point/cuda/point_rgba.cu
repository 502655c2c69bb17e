/* Kernel that converts RGBA bytes to RGBA with a matrix and optional tables before and after it. A
 * lane reads and writes four pixels, 16 bytes. The kernel is limited by memory bandwidth and by the
 * sixteen products of a pixel. */
#include "kernels/point/cuda/point_matrix.cuh"

namespace
{

constexpr int CHANNELS = 4;

template <PointTables BEFORE, PointTables AFTER>
struct Change : PointMatrix<CHANNELS, CHANNELS, BEFORE, AFTER> {
    static constexpr int FROM_BYTES = WIDE_BYTES, TO_BYTES = WIDE_BYTES, AHEAD = 2;
    typedef uint4 In;

    __device__ uint4 load(const uint8_t *at, uint32_t, int) const
    {
        return point_get(at);
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

} // namespace

ImgStatus img_point_cuda_rgba(const ImgCall *call, const ImgPointBetween *stages,
                              const uint16_t *tables, ImgError *err)
{
    return point_run_matrix<Change, CHANNELS, CHANNELS>(call, stages, tables, err);
}
