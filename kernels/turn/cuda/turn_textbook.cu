/* The turn family on CUDA, textbook versions: transposes and moves with one pixel per thread, and
 * transposes with a tile in shared memory, which differ in the layout of the tile. */
#include "kernels/turn/cuda/turn_cuda.cuh"

namespace
{

/* A tile has 32 x 32 pixels. A block has 32 x 8 threads, so each thread copies four pixels. */
constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;
constexpr int ROWS_PER_THREAD = TILE / BLOCK_ROWS;
constexpr int BANK_BYTES = 4;

/* --- Without a tile ----------------------------------------------------------------------------
 */

template <typename P> __device__ void copy_pixel(uint8_t *dst, const uint8_t *src)
{
    using Unit = typename P::Unit;
#pragma unroll
    for (int i = 0; i < P::COUNT; i++)
        reinterpret_cast<Unit *>(dst)[i] = reinterpret_cast<const Unit *>(src)[i];
}

/* Neighbouring threads read neighbouring pixels of a source row, and write them to different rows.
 * A warp accesses 32 sectors of memory to write 32 pixels, and these accesses limit the kernel. */
template <typename P> __global__ void transpose_naive_read_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x % tiles.across) * TILE + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / tiles.across) * TILE + threadIdx.y;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, y += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + x * plan.dst_stride + y * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* The reverse of transpose_naive_read_kernel: neighbouring threads write neighbouring pixels, and
 * read them from different rows. Sectors that were read stay in the cache for the next row, so this
 * version is faster. */
template <typename P> __global__ void transpose_naive_write_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x / tiles.down) * TILE + threadIdx.y;
    int64_t y = (int64_t)(blockIdx.x % tiles.down) * TILE + threadIdx.x;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, x += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + x * plan.dst_stride + y * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* Copies or mirrors rows, one pixel at a time. Reads and writes are coalesced. The kernel is
 * limited because each thread has only a few bytes in flight. */
template <typename P, bool MIRRORED>
__global__ void move_element_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x % tiles.across) * TILE + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / tiles.across) * TILE + threadIdx.y;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, y += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + y * plan.dst_stride +
                          (MIRRORED ? plan.width - 1 - x : x) * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* Launches the kernel that `choose(pixel, plan)` returns for the pixel type. */
template <typename Choose> ImgStatus launch_plain(const ImgCall *call, ImgError *err, Choose choose)
{
    return launch_tiles(call, TILE, TILE, err,
                        [&](auto pixel, const ImgTurnPlan &plan, Tiles tiles, unsigned blocks) {
                            auto kernel = choose(pixel, plan);
                            IMG_LAUNCH(kernel, blocks, dim3(TILE, BLOCK_ROWS), 0, call->stream,
                                       plan, tiles);
                        });
}

/* --- With a tile in shared memory ------------------------------------------------------------- */

/* A layout has a function that returns the position of unit `k` of pixel (x, y) of a tile, in
 * units. A tile is written by rows and read by columns. The layouts differ in bank conflicts when
 * columns are read (kernels/turn/MEASUREMENTS.md has the wavefronts per request). */
template <typename P> struct PlainLayout {
    static constexpr int PITCH = TILE * P::COUNT;
    __device__ static int at(int x, int y, int k)
    {
        return y * PITCH + x * P::COUNT + k;
    }
};

/* Pads a row by one pixel. This avoids all conflicts of 4-byte pixels. Smaller pixels still
 * conflict in pairs. */
template <typename P> struct ElementPaddedLayout {
    static constexpr int PITCH = (TILE + 1) * P::COUNT;
    __device__ static int at(int x, int y, int k)
    {
        return y * PITCH + x * P::COUNT + k;
    }
};

/* Pads a row by one bank, which avoids conflicts for pixels of up to 6 bytes. Rows of 8-byte units
 * are padded by 8 bytes, because 4 bytes would misalign the units. The two halves of a warp then
 * access memory one after the other, as they always do for 8 bytes. */
template <typename P> struct BankPaddedLayout {
    static constexpr int UNIT_BYTES = (int)sizeof(typename P::Unit);
    static constexpr int PITCH =
        TILE * P::COUNT + (UNIT_BYTES < BANK_BYTES ? BANK_BYTES / UNIT_BYTES : 1);
    __device__ static int at(int x, int y, int k)
    {
        return y * PITCH + x * P::COUNT + k;
    }
};

/* Avoids conflicts without padding. The pixels of row y are permuted: pixel x is stored at x XOR y.
 * So a column uses every bank. */
template <typename P> struct SwizzledLayout {
    static constexpr int PITCH = TILE * P::COUNT;
    __device__ static int at(int x, int y, int k)
    {
        return y * PITCH + (x ^ y) * P::COUNT + k;
    }
};

/* Transposes one tile per block. A warp copies 32 neighbouring pixels of a source row to a row of
 * the tile. After a barrier, it copies a column of the tile to 32 neighbouring pixels of a
 * destination row. Both accesses are coalesced. With one pixel per thread and request, few bytes
 * are in flight. This limits the kernel for pixels of less than 4 bytes. */
template <typename P, typename Layout>
__device__ void transpose_tile(const ImgTurnPlan &plan, Tiles tiles, typename P::Unit *tile)
{
    using Unit = typename P::Unit;
    int64_t left = (int64_t)(blockIdx.x / tiles.down) * TILE;
    int64_t top = (int64_t)(blockIdx.x % tiles.down) * TILE;
    int tx = threadIdx.x;
    Unit held[ROWS_PER_THREAD][P::COUNT] = {}; /* all loads start before the first result is used */
#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; i++) {
        int ty = threadIdx.y + i * BLOCK_ROWS;
        if (left + tx < plan.width && top + ty < plan.height) {
            const uint8_t *row = plan.src + (top + ty) * plan.src_stride;
            const Unit *src = reinterpret_cast<const Unit *>(row) + (left + tx) * P::COUNT;
#pragma unroll
            for (int k = 0; k < P::COUNT; k++)
                held[i][k] = src[k];
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; i++) {
#pragma unroll
        for (int k = 0; k < P::COUNT; k++)
            tile[Layout::at(tx, threadIdx.y + i * BLOCK_ROWS, k)] = held[i][k];
    }
    __syncthreads();
#pragma unroll
    for (int ty = threadIdx.y; ty < TILE; ty += BLOCK_ROWS) {
        if (left + ty < plan.width && top + tx < plan.height) {
            uint8_t *row = plan.dst + (left + ty) * plan.dst_stride;
            Unit *dst = reinterpret_cast<Unit *>(row) + (top + tx) * P::COUNT;
#pragma unroll
            for (int k = 0; k < P::COUNT; k++)
                dst[k] = tile[Layout::at(ty, tx, k)];
        }
    }
}

template <typename P, typename Layout>
__global__ void transpose_tiled_kernel(ImgTurnPlan plan, Tiles tiles)
{
    IMG_SHARED(typename P::Unit, tile, [TILE * Layout::PITCH]);
    transpose_tile<P, Layout>(plan, tiles, tile);
}

/* Transposes one tile per block, in shared memory whose size is set at the launch. This does not
 * affect bank conflicts. */
template <typename P, typename Layout>
__global__ void transpose_tiled_dynamic_kernel(ImgTurnPlan plan, Tiles tiles)
{
    IMG_SHARED_DYNAMIC(uint4, dynamic);
    transpose_tile<P, Layout>(plan, tiles, reinterpret_cast<typename P::Unit *>(dynamic));
}

/* Size of the tiles of transpose_rectangle_kernel, in pixels: 32 columns and 16 rows, with one
 * pixel per thread. Rows are padded by two pixels. For writing, thread number i gets the position
 * (i / 16, i % 16), so that 16 threads write to the same destination row. */
constexpr int WIDE = 32, LOW = 16, WIDE_PADDING = 2;

template <typename P> __global__ void transpose_rectangle_kernel(ImgTurnPlan plan, Tiles tiles)
{
    using Unit = typename P::Unit;
    IMG_SHARED(Unit, tile, [LOW][(WIDE + WIDE_PADDING) * P::COUNT]);
    int64_t left = (int64_t)(blockIdx.x / tiles.down) * WIDE;
    int64_t top = (int64_t)(blockIdx.x % tiles.down) * LOW;
    int tx = threadIdx.x, ty = threadIdx.y;
    if (left + tx < plan.width && top + ty < plan.height) {
        const uint8_t *row = plan.src + (top + ty) * plan.src_stride;
        const Unit *src = reinterpret_cast<const Unit *>(row) + (left + tx) * P::COUNT;
#pragma unroll
        for (int k = 0; k < P::COUNT; k++)
            tile[ty][tx * P::COUNT + k] = src[k];
    }
    __syncthreads();
    int i = ty * WIDE + tx, from_x = i / LOW, from_y = i % LOW;
    if (left + from_x < plan.width && top + from_y < plan.height) {
        uint8_t *row = plan.dst + (left + from_x) * plan.dst_stride;
        Unit *dst = reinterpret_cast<Unit *>(row) + (top + from_y) * P::COUNT;
#pragma unroll
        for (int k = 0; k < P::COUNT; k++)
            dst[k] = tile[from_y][from_x * P::COUNT + k];
    }
}

template <template <typename> class Layout> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    return launch_tiles(call, TILE, TILE, err,
                        [&](auto pixel, const ImgTurnPlan &plan, Tiles tiles, unsigned blocks) {
                            using P = decltype(pixel);
                            IMG_LAUNCH((transpose_tiled_kernel<P, Layout<P>>), blocks,
                                       dim3(TILE, BLOCK_ROWS), 0, call->stream, plan, tiles);
                        });
}

template <template <typename> class Layout>
ImgStatus launch_dynamic(const ImgCall *call, ImgError *err)
{
    return launch_tiles(call, TILE, TILE, err,
                        [&](auto pixel, const ImgTurnPlan &plan, Tiles tiles, unsigned blocks) {
                            using P = decltype(pixel);
                            size_t bytes = sizeof(typename P::Unit) * TILE * Layout<P>::PITCH;
                            IMG_LAUNCH((transpose_tiled_dynamic_kernel<P, Layout<P>>), blocks,
                                       dim3(TILE, BLOCK_ROWS), bytes, call->stream, plan, tiles);
                        });
}

} // namespace

ImgStatus img_turn_cuda_naive_read(const ImgCall *call, ImgError *err)
{
    return launch_plain(call, err, [](auto pixel, const ImgTurnPlan &) {
        return transpose_naive_read_kernel<decltype(pixel)>;
    });
}

ImgStatus img_turn_cuda_naive_write(const ImgCall *call, ImgError *err)
{
    return launch_plain(call, err, [](auto pixel, const ImgTurnPlan &) {
        return transpose_naive_write_kernel<decltype(pixel)>;
    });
}

ImgStatus img_turn_cuda_element(const ImgCall *call, ImgError *err)
{
    return launch_plain(call, err, [](auto pixel, const ImgTurnPlan &plan) {
        using P = decltype(pixel);
        return plan.mirrored ? move_element_kernel<P, true> : move_element_kernel<P, false>;
    });
}

ImgStatus img_turn_cuda_tiled(const ImgCall *call, ImgError *err)
{
    return launch<PlainLayout>(call, err);
}

ImgStatus img_turn_cuda_tiled_dynamic(const ImgCall *call, ImgError *err)
{
    return launch_dynamic<PlainLayout>(call, err);
}

ImgStatus img_turn_cuda_padded_element(const ImgCall *call, ImgError *err)
{
    return launch<ElementPaddedLayout>(call, err);
}

ImgStatus img_turn_cuda_padded_bank(const ImgCall *call, ImgError *err)
{
    return launch<BankPaddedLayout>(call, err);
}

ImgStatus img_turn_cuda_padded_dynamic(const ImgCall *call, ImgError *err)
{
    return launch_dynamic<BankPaddedLayout>(call, err);
}

ImgStatus img_turn_cuda_swizzled(const ImgCall *call, ImgError *err)
{
    return launch<SwizzledLayout>(call, err);
}

ImgStatus img_turn_cuda_rectangle(const ImgCall *call, ImgError *err)
{
    return launch_tiles(call, WIDE, LOW, err,
                        [&](auto pixel, const ImgTurnPlan &plan, Tiles tiles, unsigned blocks) {
                            IMG_LAUNCH(transpose_rectangle_kernel<decltype(pixel)>, blocks,
                                       dim3(WIDE, LOW), 0, call->stream, plan, tiles);
                        });
}
