/* Private to the fast histogram of up to 8 bits: reads the pixels of a warp's tiles. It loads the
 * next tile while it counts the current one. The loop body exists only once, and moves the next
 * tile's registers to those of the current tile. A second copy of the body would avoid this, but
 * its instruction cache misses cost more. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_READER_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_READER_CUH

#include "kernels/histogram/cuda/columns_pixels.cuh"

/* Addresses of a lane's pixels in a column of tiles. If pixels may cross the boundary of a vector,
 * the vectors of a lane are adjacent. Otherwise the vectors of all lanes are interleaved. */
template <int CHANNELS> struct LaneColumn {
    const uint8_t *at;
    int apart, rest;

    __device__ LaneColumn(const PixelRows &rows, const Tiles &tiles, uint32_t column, uint32_t row)
    {
        uint32_t lane = threadIdx.x & (tiles.lanes - 1);
        apart = CHANNELS == 3 ? 16 : 16 * (int)tiles.lanes;
        uint64_t left = (uint64_t)column * tiles.lanes * LANE_BYTES<CHANNELS> +
                        lane * (CHANNELS == 3 ? LANE_BYTES<3> : 16);
        at = rows.src + row * rows.stride + left;
        rest = left < tiles.row_bytes ? (int)min(tiles.row_bytes - left, (uint64_t)1 << 16) : 0;
    }

    __device__ bool inside() const
    {
        return rest >= (LanePixels<CHANNELS>::VECTORS - 1) * apart + 16;
    }
};

template <int CHANNELS> class TileReader
{
  public:
    __device__ TileReader(const PixelRows &rows_, const Tiles &tiles_, uint32_t warps_,
                          TilePlace place_)
        : rows(rows_), tiles(tiles_), warps(warps_), place(place_), lane(rows_, tiles_, 0, 0)
    {
        enter();
    }

    /* Calls `count(pixels)` for each tile in which this lane has pixels. */
    template <typename Count> __device__ void each(Count count)
    {
        while (place.column < tiles.across) {
#pragma unroll 1
            while (row < (uint32_t)rows.height) {
                Pixels pixels = coming;
                row += tiles.every * tiles.rows;
                load();
                if (!lane.inside())
                    pixels.cut(lane.apart, lane.rest);
                count(pixels);
            }
            place.column += warps;
            place.tile = 0;
            enter();
        }
    }

  private:
    using Pixels = LanePixels<CHANNELS>;
    const PixelRows &rows;
    const Tiles &tiles;
    const uint32_t warps;
    TilePlace place;
    LaneColumn<CHANNELS> lane;
    uint32_t row; /* row of the picture whose pixels are being loaded */
    Pixels coming;

    __device__ void enter()
    {
        row = place.column < tiles.across
                  ? place.tile * tiles.rows + (threadIdx.x % LANES >> tiles.lanes_shift)
                  : (uint32_t)rows.height;
        lane = LaneColumn<CHANNELS>(rows, tiles, place.column, row);
        load();
    }
    __device__ void load()
    {
        coming.load(lane.at, lane.apart, row < (uint32_t)rows.height ? lane.rest : 0);
        lane.at += tiles.step;
    }
};

#endif
