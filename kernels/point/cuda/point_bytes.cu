/* Kernels for tables of bytes and for plain copies. A thread reads and writes 16 bytes at a time,
 * independent of the borders between pixels. The kernels are limited by memory bandwidth. A sample
 * takes one read of shared memory and four other instructions. */
#include "kernels/point/cuda/point_columns.cuh"
#include "kernels/point/cuda/point_fast.h"

namespace
{

struct CopyChange {
    static constexpr int FROM_BYTES = WIDE_BYTES, TO_BYTES = WIDE_BYTES, AHEAD = 2;
    typedef uint4 In;

    __device__ uint4 load(const uint8_t *at, uint32_t, int) const
    {
        return point_get(at);
    }
    __device__ void fill() const
    {
    }
    __device__ void store(uint4 in, uint32_t, uint8_t *at, int left) const
    {
        point_put(at, left, in);
    }
};

template <bool ONE> struct TableChange {
    static constexpr int FROM_BYTES = WIDE_BYTES, TO_BYTES = WIDE_BYTES, AHEAD = 2;
    typedef uint4 In;
    PointColumns columns;
    uint32_t channels;

    __device__ uint4 load(const uint8_t *at, uint32_t, int) const
    {
        return point_get(at);
    }
    __device__ void fill() const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        point_fill_columns<ONE>(columns, 0, shared);
    }
    __device__ void store(uint4 in, uint32_t unit, uint8_t *at, int left) const
    {
        IMG_SHARED_DYNAMIC(uint32_t, shared);
        point_put(at, left,
                  point_look_up_piece<ONE>(shared, point_own_column(0), in, unit, channels));
    }
};

template <bool ONE>
ImgStatus launch(const ImgCall *call, const ImgPointStage *stage, const uint16_t *tables,
                 ImgError *err)
{
    TableChange<ONE> change;
    change.columns = point_columns_of(stage, tables);
    change.channels = (uint32_t)stage->from;
    return point_launch(call, change, POINT_COLUMNS_BYTES, err);
}

} // namespace

ImgStatus img_point_cuda_bytes(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err)
{
    return point_is_one_table(stage) ? launch<true>(call, stage, tables, err)
                                     : launch<false>(call, stage, tables, err);
}

ImgStatus img_point_cuda_copy(const ImgCall *call, ImgError *err)
{
    return point_launch(call, CopyChange(), 0, err);
}
