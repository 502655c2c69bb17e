/* Transposes on CUDA, fast version, which `auto` selects. Threads access 16 bytes at a time, with
 * several accesses in flight. Pixels are transposed in registers and exchanged through shared
 * memory, whose layout is swizzled against bank conflicts. */
#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/turn/cuda/turn_cuda.cuh"

/* --- Cells ------------------------------------------------------------------------------------ */

/* Transposes pixels in registers, for the fast CUDA version of transposes.
 *
 * A cell is the part of a destination row that comes from one source column in a few neighbouring
 * rows. It has 4 bytes for 4 rows of 1-byte pixels, 2 rows of 2-byte pixels or 1 row of 4-byte
 * pixels. It has 8 bytes for 1 row of 8-byte pixels, and 12 bytes for 4 rows of 3-byte pixels or 2
 * rows of 6-byte pixels. A thread reads ROWS rows of PIECES times 16 bytes, and converts them to
 * COLUMNS cells of WORDS words. */

template <int BYTES> struct Cell {
    static constexpr bool TRIPLE = BYTES % 3 == 0;
    static constexpr int WORDS = TRIPLE ? 3 : (BYTES == 8 ? 2 : 1);
    static constexpr int ROWS = 4 * WORDS / BYTES;
    static constexpr int PIECES = TRIPLE ? 3 : 1;
    static constexpr int COLUMNS = 16 * PIECES / BYTES;
    using Rows = uint32_t[ROWS][4 * PIECES];
    using Columns = uint32_t[COLUMNS][WORDS];
};

/* Converts rows to cells. It is specialised below for every pixel size. */
template <int BYTES>
__device__ void turn_cells(const typename Cell<BYTES>::Rows &in,
                           typename Cell<BYTES>::Columns &out);

/* Transposes 4 x 4 bytes at a time. It first interleaves pairs of rows, and then pairs of these
 * pairs. */
template <> __device__ inline void turn_cells<1>(const Cell<1>::Rows &in, Cell<1>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t top_low = __byte_perm(in[0][k], in[1][k], 0x5140);
        uint32_t top_high = __byte_perm(in[0][k], in[1][k], 0x7362);
        uint32_t bottom_low = __byte_perm(in[2][k], in[3][k], 0x5140);
        uint32_t bottom_high = __byte_perm(in[2][k], in[3][k], 0x7362);
        out[4 * k][0] = __byte_perm(top_low, bottom_low, 0x5410);
        out[4 * k + 1][0] = __byte_perm(top_low, bottom_low, 0x7632);
        out[4 * k + 2][0] = __byte_perm(top_high, bottom_high, 0x5410);
        out[4 * k + 3][0] = __byte_perm(top_high, bottom_high, 0x7632);
    }
}

template <> __device__ inline void turn_cells<2>(const Cell<2>::Rows &in, Cell<2>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        out[2 * k][0] = __byte_perm(in[0][k], in[1][k], 0x5410);
        out[2 * k + 1][0] = __byte_perm(in[0][k], in[1][k], 0x7632);
    }
}

template <> __device__ inline void turn_cells<4>(const Cell<4>::Rows &in, Cell<4>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[k][0] = in[0][k];
}

template <> __device__ inline void turn_cells<8>(const Cell<8>::Rows &in, Cell<8>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        out[k][0] = in[0][2 * k];
        out[k][1] = in[0][2 * k + 1];
    }
}

/* Transposes four 3-byte pixels of each row, which are in three words. Each pixel is moved to the
 * low end of a word, whose top byte still belongs to its neighbour. Four such words are combined to
 * a cell. */
template <> __device__ inline void turn_cells<3>(const Cell<3>::Rows &in, Cell<3>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t pixel[4][4];
#pragma unroll
        for (int y = 0; y < 4; y++) {
            uint32_t a = in[y][3 * k], b = in[y][3 * k + 1], c = in[y][3 * k + 2];
            pixel[y][0] = a;
            pixel[y][1] = __byte_perm(a, b, 0x0543);
            pixel[y][2] = __byte_perm(b, c, 0x0432);
            pixel[y][3] = c >> 8;
        }
#pragma unroll
        for (int x = 0; x < 4; x++) {
            out[4 * k + x][0] = __byte_perm(pixel[0][x], pixel[1][x], 0x4210);
            out[4 * k + x][1] = __byte_perm(pixel[1][x], pixel[2][x], 0x5421);
            out[4 * k + x][2] = __byte_perm(pixel[2][x], pixel[3][x], 0x6542);
        }
    }
}

/* Transposes two 6-byte pixels of each row, which are in three words. */
template <> __device__ inline void turn_cells<6>(const Cell<6>::Rows &in, Cell<6>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uint32_t *p = &in[0][3 * k], *q = &in[1][3 * k];
        out[2 * k][0] = p[0];
        out[2 * k][1] = __byte_perm(p[1], q[0], 0x5410);
        out[2 * k][2] = __byte_perm(q[0], q[1], 0x5432);
        out[2 * k + 1][0] = __byte_perm(p[1], p[2], 0x5432);
        out[2 * k + 1][1] = __byte_perm(p[2], q[1], 0x7632);
        out[2 * k + 1][2] = q[2];
    }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

namespace
{

/* Tiling for a pixel size: number of source rows per tile, number of warps side by side, and number
 * of warps per block. The values were measured on an H200. Reads and writes should both access at
 * least 128 adjacent bytes. Many threads with few loads each are better than the reverse
 * (kernels/turn/MEASUREMENTS.md). */
template <int BYTES_, int TILE_ROWS_, int WARPS_ACROSS_, int WARPS_> struct Tiling {
    static constexpr int BYTES = BYTES_, TILE_ROWS = TILE_ROWS_;
    static constexpr int WARPS_ACROSS = WARPS_ACROSS_, WARPS = WARPS_, THREADS = 32 * WARPS_;

    using C = Cell<BYTES>;
    /* Rows are first copied to shared memory, from which threads read their 48 bytes. If each
     * thread read 48 bytes directly from a row, each access would use only half of a 32-byte
     * sector. */
    static constexpr bool STAGED = C::TRIPLE;
    /* Minimum number of blocks per multiprocessor, which limits registers. 0 leaves the choice to
     * the compiler. */
    static constexpr int MIN_BLOCKS = STAGED ? 3 : 0;
    /* A warp has 8 threads across and 4 down. In each pass, a thread has C::COLUMNS cells side by
     * side (turn_cells.cuh). */
    static constexpr int TILE_COLUMNS = 8 * C::COLUMNS * WARPS_ACROSS;
    static constexpr int CELLS_DOWN = TILE_ROWS / C::ROWS;
    static constexpr int PASS_DOWN = 4 * WARPS / WARPS_ACROSS;
    static constexpr int PASSES = CELLS_DOWN / PASS_DOWN;
    /* Number of words per row of the transposed tile. It has one row for each source column. */
    static constexpr int ROW_WORDS = CELLS_DOWN * C::WORDS;
    static constexpr int ROW_PIECES = ROW_WORDS / 4;
    static constexpr size_t SHARED_BYTES = (size_t)TILE_COLUMNS * ROW_WORDS * 4;
    static_assert(CELLS_DOWN % PASS_DOWN == 0, "every pass is full");
    static_assert(ROW_PIECES % 8 == 0, "the swizzle exchanges pieces among eight");
    static_assert(TILE_COLUMNS * ROW_PIECES % THREADS == 0, "threads write equal shares");
    static_assert(SHARED_BYTES <= 48 << 10, "more would have to be asked for");
    static_assert(!STAGED || WARPS_ACROSS == 1, "a warp stages whole rows of its tile");
};

/* From this number of 1-byte pixels on, a tiling with more threads and fewer loads per thread is
 * faster. */
constexpr int64_t LARGE_PIXELS = 32 << 20;

template <typename T> struct TileRegisters {
    typename T::C::Rows pass[T::PASSES];
};

struct Place {
    int64_t left, top; /* position of the tile in the source, in pixels */
};

/* Returns the position of a block's tile. Successive blocks have tiles one below another in the
 * source. So blocks that run at the same time write the same rows of the result. */
template <typename T> __device__ Place place_of(Tiles tiles)
{
    return {(int64_t)(blockIdx.x / tiles.down) * T::TILE_COLUMNS,
            (int64_t)(blockIdx.x % tiles.down) * T::TILE_ROWS};
}

/* Returns the 16 bytes at byte `offset` of row `y`. For positions outside the picture it returns
 * zeros, which the kernel does not write to the result. */
__device__ uint4 load_guarded(const ImgTurnPlan &plan, int64_t y, int64_t offset, int64_t row_bytes)
{
    if (y >= plan.height || offset >= row_bytes)
        return make_uint4(0, 0, 0, 0);
    return load_wide(plan.src + y * plan.src_stride + offset);
}

/* Loads the rows of the cells directly from the source, one cell per pass. (`across`, `down`) is
 * the position of the thread in a pass. */
template <typename T>
__device__ void load_direct(const ImgTurnPlan &plan, Place place, int across, int down,
                            TileRegisters<T> &tile)
{
    using C = typename T::C;
    int64_t row_bytes = (int64_t)plan.width * T::BYTES;
    int64_t offset = place.left * T::BYTES + across * (WIDE_BYTES * C::PIECES);
#pragma unroll
    for (int pass = 0; pass < T::PASSES; pass++) {
#pragma unroll
        for (int r = 0; r < C::ROWS; r++) {
            int64_t y = place.top + (pass * T::PASS_DOWN + down) * C::ROWS + r;
#pragma unroll
            for (int q = 0; q < C::PIECES; q++)
                take_piece(&tile.pass[pass][r][4 * q],
                           load_guarded(plan, y, offset + WIDE_BYTES * q, row_bytes));
        }
    }
}

/* Starts copying 16 bytes from global to shared memory, or zeros if not `inside`. If the GPU
 * supports it, the copy does not use registers. */
__device__ void copy_to_shared(uint4 *to, const uint8_t *from, bool inside)
{
#if __CUDA_ARCH__ >= 800
    uint32_t address = (uint32_t)__cvta_generic_to_shared(to);
    int bytes = inside ? WIDE_BYTES : 0; /* cp.async fills the rest of the 16 bytes with zeros */
    asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;"
                 :
                 : "r"(address), "l"(from), "r"(bytes));
#else
    *to = inside ? load_wide(from) : make_uint4(0, 0, 0, 0);
#endif
}

__device__ void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;");
#endif
    __syncwarp();
}

/* Loads cells through shared memory. Each warp copies the rows of its own cells to its own part of
 * the memory; adjacent threads copy adjacent pieces of 16 bytes. Then the threads read their cells.
 * So warps need not synchronise with each other. */
template <typename T>
__device__ void load_staged(const ImgTurnPlan &plan, Place place, int warp, int lane, uint4 *shared,
                            TileRegisters<T> &tile)
{
    using C = typename T::C;
    constexpr int PIECES = 8 * C::PIECES;  /* number of 16-byte pieces per row of the tile */
    constexpr int PASS_ROWS = 4 * C::ROWS; /* number of rows that a warp copies in one pass */
    uint4 *own = shared + warp * (T::PASSES * PASS_ROWS * PIECES);
    int64_t row_bytes = (int64_t)plan.width * T::BYTES;
#pragma unroll
    for (int i = 0; i < T::PASSES * PASS_ROWS * PIECES / 32; i++) {
        int n = lane + 32 * i, row = n / PIECES, pass = row / PASS_ROWS;
        int64_t y = place.top + (pass * T::PASS_DOWN + warp * 4) * C::ROWS + row % PASS_ROWS;
        int64_t offset = place.left * T::BYTES + WIDE_BYTES * (n % PIECES);
        bool inside = y < plan.height && offset < row_bytes;
        const uint8_t *from = inside ? plan.src + y * plan.src_stride + offset : plan.src;
        copy_to_shared(own + n, from, inside);
    }
    wait_for_copies();
#pragma unroll
    for (int pass = 0; pass < T::PASSES; pass++) {
#pragma unroll
        for (int r = 0; r < C::ROWS; r++) {
            int row = pass * PASS_ROWS + lane / 8 * C::ROWS + r;
#pragma unroll
            for (int q = 0; q < C::PIECES; q++)
                take_piece(&tile.pass[pass][r][4 * q],
                           own[row * PIECES + lane % 8 * C::PIECES + q]);
        }
    }
}

/* Stores cells in shared memory, in the transposed rows to which they belong. The 16-byte pieces of
 * a row are permuted: the index of a piece is XORed with the thread's horizontal position. So the
 * 32 threads of a store use 32 different banks. So do the eight threads that later read eight
 * pieces of one row. */
template <typename T>
__device__ void store_cells(uint32_t *shared, int across, int down, const TileRegisters<T> &tile)
{
    using C = typename T::C;
#pragma unroll
    for (int pass = 0; pass < T::PASSES; pass++) {
        typename C::Columns cell;
        turn_cells<T::BYTES>(tile.pass[pass], cell);
#pragma unroll
        for (int c = 0; c < C::COLUMNS; c++) {
            uint32_t *row = shared + (across * C::COLUMNS + c) * T::ROW_WORDS;
            int word = (pass * T::PASS_DOWN + down) * C::WORDS;
            if (C::WORDS == 2) {
                int at = (word / 4 ^ across % 8) * 4 + word % 4;
                *reinterpret_cast<uint2 *>(row + at) =
                    make_uint2(cell[c][0], cell[c][C::WORDS - 1]);
            } else {
#pragma unroll
                for (int m = 0; m < C::WORDS; m++)
                    row[((word + m) / 4 ^ across % 8) * 4 + (word + m) % 4] = cell[c][m];
            }
        }
    }
}

/* Writes the rows of the transposed tile to the result, in pieces of 16 bytes. Adjacent threads
 * write adjacent pieces. */
template <typename T>
__device__ void write_tile(const ImgTurnPlan &plan, Place place, const uint4 *shared)
{
    int64_t row_bytes = (int64_t)plan.height * T::BYTES;
#pragma unroll
    for (int i = 0; i < T::TILE_COLUMNS * T::ROW_PIECES / T::THREADS; i++) {
        int n = threadIdx.x + T::THREADS * i;
        int column = n / T::ROW_PIECES, piece = n % T::ROW_PIECES;
        int swapped = piece ^ column / T::C::COLUMNS % 8;
        uint4 v = shared[column * T::ROW_PIECES + swapped];
        int64_t row = place.left + column;
        if (row < plan.width)
            store_wide(plan.dst + row * plan.dst_stride, place.top * T::BYTES + WIDE_BYTES * piece,
                       row_bytes, v);
    }
}

/* Transposes one tile per block. The kernel is limited by memory bandwidth, which depends on how
 * reads and writes of different rows interfere. */
template <typename T>
__global__ void __launch_bounds__(T::THREADS, T::MIN_BLOCKS)
    transpose_fast_kernel(ImgTurnPlan plan, Tiles tiles)
{
    IMG_SHARED_DYNAMIC(uint4, turn_tile);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int across = warp % T::WARPS_ACROSS * 8 + lane % 8;
    int down = warp / T::WARPS_ACROSS * 4 + lane / 8;
    Place place = place_of<T>(tiles);
    TileRegisters<T> tile;
    if (T::STAGED) {
        load_staged<T>(plan, place, warp, lane, turn_tile, tile);
        __syncthreads();
    } else {
        load_direct<T>(plan, place, across, down, tile);
    }
    store_cells<T>(reinterpret_cast<uint32_t *>(turn_tile), across, down, tile);
    __syncthreads();
    write_tile<T>(plan, place, turn_tile);
}

template <typename T> ImgStatus launch(const ImgTurnPlan &plan, cudaStream_t stream, ImgError *err)
{
    Tiles tiles = tiles_of(plan, T::TILE_COLUMNS, T::TILE_ROWS);
    unsigned blocks = 0;
    ImgStatus status = grid_of(tiles, &blocks, err);
    if (status != IMG_OK)
        return status;
    IMG_LAUNCH(transpose_fast_kernel<T>, blocks, T::THREADS, T::SHARED_BYTES, stream, plan, tiles);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_turn_cuda_fast(const ImgCall *call, ImgError *err)
{
    ImgTurnPlan plan = img_turn_plan(call);
    cudaStream_t stream = (cudaStream_t)call->stream;
    switch (plan.pixel_size) {
    case 1:
        if ((int64_t)plan.width * plan.height < LARGE_PIXELS)
            return launch<Tiling<1, 128, 1, 4>>(plan, stream, err);
        return launch<Tiling<1, 256, 1, 16>>(plan, stream, err);
    case 2:
        return launch<Tiling<2, 128, 1, 8>>(plan, stream, err);
    case 3:
        return launch<Tiling<3, 128, 1, 8>>(plan, stream, err);
    case 4:
        return launch<Tiling<4, 64, 2, 16>>(plan, stream, err);
    case 6:
        return launch<Tiling<6, 128, 1, 8>>(plan, stream, err);
    case 8:
        return launch<Tiling<8, 32, 2, 8>>(plan, stream, err);
    default:
        return img_fail(err, IMG_E_UNSUPPORTED, "no CUDA kernel for pixels of %zu bytes",
                        plan.pixel_size);
    }
}
