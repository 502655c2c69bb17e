/* Rows copied or mirrored, 16 bytes per access: half turns, flips. */
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/turn/turn_cuda.cuh"

namespace
{

constexpr int THREADS = 256;

/* Rows are divided into runs of RUN bytes, one per thread; blocks are as wide as a row needs, up to
 * all their threads, and the rest of them lie below each other. */
struct RowGrid {
    uint32_t blocks_across;
    dim3 block;
    unsigned blocks;
};

ImgStatus row_grid_of(const ImgTurnPlan &plan, int run, RowGrid *grid, ImgError *err)
{
    int64_t row_bytes = (int64_t)plan.width * (int64_t)plan.pixel_size;
    int64_t runs = (row_bytes + run - 1) / run;
    unsigned across = 32;
    while (across < THREADS && across < runs)
        across *= 2;
    grid->block = dim3(across, THREADS / across);
    int64_t blocks_across = (runs + across - 1) / across;
    int64_t blocks_down = (plan.height + (int64_t)grid->block.y - 1) / grid->block.y;
    if (blocks_across > INT32_MAX / blocks_down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use --backend cpu");
    grid->blocks_across = (uint32_t)blocks_across;
    grid->blocks = (unsigned)(blocks_across * blocks_down);
    return IMG_OK;
}

/* The 16 bytes at `offset` of a row, zeros where that is outside. Rows end at multiples of 16. A
 * plain load: rows are read from end to end, and fetching ahead of them costs mirrored ones 8 %. */
__device__ uint4 load_guarded(const uint8_t *row, int64_t offset, int64_t row_bytes)
{
    if (offset < 0 || offset >= row_bytes)
        return make_uint4(0, 0, 0, 0);
    return *reinterpret_cast<const uint4 *>(row + offset);
}

__global__ void __launch_bounds__(THREADS)
    copy_vector_kernel(ImgTurnPlan plan, uint32_t blocks_across)
{
    int64_t row_bytes = (int64_t)plan.width * (int64_t)plan.pixel_size;
    int64_t run = (int64_t)(blockIdx.x % blocks_across) * blockDim.x + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / blocks_across) * blockDim.y + threadIdx.y;
    if (y < plan.height && run * WIDE_BYTES < row_bytes)
        store_wide(plan.dst + y * plan.dst_stride, run * WIDE_BYTES, row_bytes,
                   load_wide(plan.src + y * plan.src_stride + run * WIDE_BYTES));
}

/* The first COUNT words of `in`, pixels in reverse order. Pixels of 3 and 6 bytes are taken in
 * groups of three words, which four or two of them fill. */
template <int BYTES, int COUNT> __device__ void reverse_pixels(const uint32_t *in, uint32_t *out)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += BYTES % 3 == 0 ? 3 : (BYTES == 8 ? 2 : 1)) {
        if (BYTES == 1)
            out[i] = __byte_perm(in[COUNT - 1 - i], 0, 0x0123);
        if (BYTES == 2)
            out[i] = __byte_perm(in[COUNT - 1 - i], 0, 0x1032);
        if (BYTES == 4)
            out[i] = in[COUNT - 1 - i];
        if (BYTES == 8) {
            out[i] = in[COUNT - 2 - i];
            out[i + 1] = in[COUNT - 1 - i];
        }
        if (BYTES % 3 == 0) {
            uint32_t a = in[COUNT - 3 - i], b = in[COUNT - 2 - i], c = in[COUNT - 1 - i];
            if (BYTES == 3) {
                uint32_t middle_left = __byte_perm(b, c, 0x0043),
                         middle_right = __byte_perm(a, b, 0x0043);
                out[i] = __byte_perm(c, b, 0x6321);
                out[i + 1] = __byte_perm(middle_left, middle_right, 0x5410);
                out[i + 2] = __byte_perm(b, a, 0x6541);
            } else {
                out[i] = __byte_perm(b, c, 0x5432);
                out[i + 1] = __byte_perm(c, a, 0x5432);
                out[i + 2] = __byte_perm(a, b, 0x5432);
            }
        }
    }
}

/* A destination run of 16 bytes is a source run that ends where the row's bytes are counted from
 * the other end, so it starts anywhere: two aligned pieces hold it, `shift` bytes into the first.
 * The shift is the same for all, as all runs start a multiple of 16 from the end of the row. */
template <int BYTES>
__global__ void __launch_bounds__(THREADS)
    mirror_vector_kernel(ImgTurnPlan plan, uint32_t blocks_across, int shift)
{
    int64_t row_bytes = (int64_t)plan.width * BYTES;
    int64_t run = (int64_t)(blockIdx.x % blocks_across) * blockDim.x + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / blocks_across) * blockDim.y + threadIdx.y;
    if (y >= plan.height || run * WIDE_BYTES >= row_bytes)
        return;
    const uint8_t *src = plan.src + y * plan.src_stride;
    int64_t from = row_bytes - (run + 1) * WIDE_BYTES - shift;
    uint32_t words[8], out[4];
    take_piece(words, load_guarded(src, from, row_bytes));
    take_piece(words + 4, load_guarded(src, from + WIDE_BYTES, row_bytes));
    shift_bytes(words, shift);
    reverse_pixels<BYTES, 4>(words, out);
    store_wide(plan.dst + y * plan.dst_stride, run * WIDE_BYTES, row_bytes,
               make_uint4(out[0], out[1], out[2], out[3]));
}

/* 3 and 6 bytes: 16 pixels or 8, 48 bytes, are the least that a thread can mirror by itself.
 * Threads that touched 48 bytes each in memory would use half of every sector at a time, so a
 * warp's 1536 bytes pass through shared memory on both sides: in rows of 16 bytes per thread there,
 * in 48 here. Three pieces per thread are odd in number, and so without bank conflicts. */
constexpr int TRIPLE_PIECES = 3, TRIPLE_BYTES = TRIPLE_PIECES * WIDE_BYTES;
constexpr int WARP_PIECES = 32 * TRIPLE_PIECES;

template <int BYTES>
__global__ void __launch_bounds__(THREADS)
    mirror_triple_kernel(ImgTurnPlan plan, uint32_t blocks_across, int shift)
{
    IMG_SHARED(uint4, staged, [THREADS / 32][WARP_PIECES + 1]);
    int lane = threadIdx.x % 32;
    uint4 *own = staged[(threadIdx.y * blockDim.x + threadIdx.x) / 32];
    int64_t row_bytes = (int64_t)plan.width * BYTES;
    int64_t run = (int64_t)(blockIdx.x % blocks_across) * blockDim.x + threadIdx.x - lane;
    int64_t y = (int64_t)(blockIdx.x / blocks_across) * blockDim.y + threadIdx.y;
    if (y >= plan.height || run * TRIPLE_BYTES >= row_bytes) /* the same for a whole warp */
        return;
    const uint8_t *src = plan.src + y * plan.src_stride;
    int64_t from = row_bytes - run * TRIPLE_BYTES - WARP_PIECES * WIDE_BYTES - shift;
    for (int n = lane; n < WARP_PIECES + 1; n += 32)
        own[n] = load_guarded(src, from + WIDE_BYTES * n, row_bytes);
    __syncwarp();

    uint32_t words[16], out[12];
#pragma unroll
    for (int q = 0; q < 4; q++)
        take_piece(words + 4 * q, own[WARP_PIECES - TRIPLE_PIECES * (lane + 1) + q]);
    shift_bytes(words, shift);
    reverse_pixels<BYTES, 12>(words, out);
    __syncwarp();
#pragma unroll
    for (int q = 0; q < TRIPLE_PIECES; q++)
        own[TRIPLE_PIECES * lane + q] =
            make_uint4(out[4 * q], out[4 * q + 1], out[4 * q + 2], out[4 * q + 3]);
    __syncwarp();
#pragma unroll
    for (int q = 0; q < TRIPLE_PIECES; q++)
        store_wide(plan.dst + y * plan.dst_stride,
                   run * TRIPLE_BYTES + WIDE_BYTES * (lane + 32 * q), row_bytes,
                   own[lane + 32 * q]);
}

using MirrorKernel = void (*)(ImgTurnPlan, uint32_t, int);

MirrorKernel mirror_kernel(size_t pixel_size)
{
    switch (pixel_size) {
    case 1:
        return mirror_vector_kernel<1>;
    case 2:
        return mirror_vector_kernel<2>;
    case 3:
        return mirror_triple_kernel<3>;
    case 4:
        return mirror_vector_kernel<4>;
    case 6:
        return mirror_triple_kernel<6>;
    default:
        return mirror_vector_kernel<8>;
    }
}

} // namespace

ImgStatus img_turn_cuda_vector(const ImgCall *call, ImgError *err)
{
    ImgTurnPlan plan = img_turn_plan(call);
    cudaStream_t stream = (cudaStream_t)call->stream;
    bool triple = plan.mirrored && plan.pixel_size % 3 == 0;
    RowGrid grid = {};
    ImgStatus status = row_grid_of(plan, triple ? TRIPLE_BYTES : WIDE_BYTES, &grid, err);
    if (status != IMG_OK)
        return status;
    if (plan.mirrored) {
        int shift = (int)((size_t)plan.width * plan.pixel_size % WIDE_BYTES);
        IMG_LAUNCH(mirror_kernel(plan.pixel_size), grid.blocks, grid.block, 0, stream, plan,
                   grid.blocks_across, shift);
    } else {
        IMG_LAUNCH(copy_vector_kernel, grid.blocks, grid.block, 0, stream, plan,
                   grid.blocks_across);
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
