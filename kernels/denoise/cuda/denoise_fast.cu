/* Non-local means on CUDA, fast version, for 8-bit gray and RGB and for 16-bit gray. A thread keeps
 * the sums of OWN columns of ROWS pixels in registers. It processes two offsets at a time; an
 * offset is the distance between two patches that are compared. It sums squared differences down
 * its columns and exchanges partial sums with neighbouring lanes. Then it looks up the weights of
 * the patches in a table, and adds two weighted pixels with each dot product. Warps share only the
 * tile of pixels. The kernel is limited equally by arithmetic and by shared memory
 * (kernels/denoise/MEASUREMENTS.md). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/denoise/cuda/denoise_parts.cuh"

namespace
{

constexpr int OWN = DENOISE_OWN, ROWS = DENOISE_ROWS, PITCH = DENOISE_PITCH;
constexpr unsigned ALL = 0xffffffff;

/* Sets sums[i], for each column i of this thread, to the sum over this column and PATCH
 * neighbouring columns on either side. `column` has the values of this thread's columns; the values
 * of neighbouring columns come from the neighbouring lanes. */
template <int PATCH>
__device__ void sum_across(const uint32_t (&column)[OWN], uint32_t (&sums)[OWN])
{
    /* Element k of `left` is the total of the k nearest columns that the neighbouring lane on the
     * left has. Element k of `right` is the same for the lane on the right. */
    uint32_t left[PATCH + 1], right[PATCH + 1];
    uint32_t last = 0, first = 0;
    left[0] = right[0] = 0;
    IMG_DENOISE_UNROLL
    for (int k = 1; k <= PATCH; k++) {
        last += column[OWN - k];
        first += column[k - 1];
        left[k] = __shfl_up_sync(ALL, last, 1);
        right[k] = __shfl_down_sync(ALL, first, 1);
    }
    IMG_DENOISE_UNROLL
    for (int j = 0; j < OWN; j++) {
        const int from = max(0, j - PATCH), to = min(OWN - 1, j + PATCH);
        uint32_t own = 0;
        IMG_DENOISE_UNROLL
        for (int i = 0; i < OWN; i++)
            if (i >= from && i <= to)
                own += column[i];
        sums[j] = own + left[max(0, PATCH - j)] + right[max(0, j + PATCH - (OWN - 1))];
    }
}

/* Adds to the sums the pixels at offset (`u`, `v`), times their weights. If OFFSETS is 2, it also
 * adds the pixels at offset (`u`, `v` + 1). `first` is the position in the tile of the thread's
 * first patch row. */
template <int PATCH, int OFFSETS, bool MASKED, bool WIDE, int COLORS, typename Word>
__device__ void add_offsets(const DenoiseTile<Word> &tile, const DenoiseScale &scale, int32_t first,
                            int32_t u, int32_t v, PairSums<WIDE, COLORS> (&sums)[ROWS][OWN])
{
    constexpr int SIDE = 2 * PATCH + 1;
    const Word *own = tile.compared + first + denoise_place(DENOISE_MARGIN);
    const Word *other[OWN], *weighed[OWN];
    uint32_t compared[OWN], pixel[OWN], columns[OFFSETS][OWN];
    /* A ring with a running sum for each of the last SIDE rows: squared differences from the first
     * row down to this row. */
    uint32_t sums_down[OFFSETS][SIDE][OWN];
    IMG_DENOISE_UNROLL
    for (int j = 0; j < OWN; j++) {
        const int32_t at = first + v * PITCH + denoise_place(DENOISE_MARGIN + u + j);
        other[j] = tile.compared + at;
        weighed[j] = tile.weighed + at + PATCH * PITCH;
        compared[j] = other[j][0];
        pixel[j] = weighed[j][0];
    }
    IMG_DENOISE_UNROLL
    for (int line = 0; line < ROWS + 2 * PATCH; line++) {
        IMG_DENOISE_UNROLL
        for (int j = 0; j < OWN; j++) {
            const uint32_t center = own[line * PITCH + j * DENOISE_PLANE];
            const uint32_t below = other[j][(line + 1) * PITCH];
            IMG_DENOISE_UNROLL
            for (int o = 0; o < OFFSETS; o++) {
                /* The element of the ring with the running sum for the row SIDE rows above. The new
                 * sum replaces it. */
                uint32_t &turn = sums_down[o][line % SIDE][j];
                const uint32_t sum = denoise_add_square<WIDE>(
                    center, o == 0 ? compared[j] : below,
                    line == 0 ? 0 : sums_down[o][(line + SIDE - 1) % SIDE][j]);
                columns[o][j] = line < SIDE ? sum : sum - turn;
                turn = sum;
            }
            compared[j] = below;
        }
        if (line < 2 * PATCH)
            continue;
        const int row = line - 2 * PATCH;
        uint32_t patches[2][OWN], weights[2][OWN];
        IMG_DENOISE_UNROLL
        for (int o = 0; o < OFFSETS; o++)
            sum_across<PATCH>(columns[o], patches[o]);
        IMG_DENOISE_UNROLL
        for (int j = 0; j < OWN; j++) {
            weights[1][j] = 0;
            IMG_DENOISE_UNROLL
            for (int o = 0; o < OFFSETS; o++)
                weights[o][j] = tile.template weight<MASKED>(scale, patches[o][j]);
            const uint32_t below = weighed[j][(row + 1) * PITCH];
            sums[row][j].add(weights[0][j] | weights[1][j] << 16, pixel[j], below);
            pixel[j] = below;
        }
    }
}

/* Adds the pixels at all offsets of the search to the sums of a thread. */
template <int PATCH, bool MASKED, bool WIDE, int COLORS, typename Word>
__device__ void add_all(const DenoiseTile<Word> &tile, const DenoiseScale &scale,
                        const DenoisePart &part, int32_t search,
                        PairSums<WIDE, COLORS> (&sums)[ROWS][OWN])
{
    const int32_t at = (part.line + search) * PITCH + (int32_t)threadIdx.x % DENOISE_LANES;
    IMG_DENOISE_UNROLL
    for (int k = 0; k < ROWS * OWN; k++)
        sums[k / OWN][k % OWN].clear();
    for (int32_t u = part.first; u <= search; u += part.step) {
        for (int32_t v = -search; v < search; v += 2)
            add_offsets<PATCH, 2, MASKED, WIDE, COLORS>(tile, scale, at, u, v, sums);
        add_offsets<PATCH, 1, MASKED, WIDE, COLORS>(tile, scale, at, u, search, sums);
    }
}

template <int PATCH, bool MASKED, bool WIDE, int COLORS>
__global__ void __launch_bounds__(DENOISE_THREADS, 1)
    fast_kernel(ImgDenoise own, DenoiseScale scale, ImgView src, ImgView dst, uint32_t tiles_across,
                uint32_t whole, uint32_t parts)
{
    typedef typename DenoisePixel<COLORS>::Word Word;
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    uint32_t *pixels = memory + denoise_table_bytes(&scale) / 4;
    DenoiseTile<Word> tile;
    /* The table is at the start of shared memory, so that its address is a compile-time
     * constant. */
    tile.weights = reinterpret_cast<uint8_t *>(memory);
    tile.weighed = reinterpret_cast<Word *>(pixels);
    tile.compared = tile.weighed + (WIDE ? denoise_rows(&own, DENOISE_DOWN) * PITCH : 0);
    denoise_fill_weights(tile.weights, scale);
    for (uint32_t number = blockIdx.x; number < parts; number += gridDim.x) {
        const DenoisePart part(number, whole, tiles_across, own.search);
        __syncthreads(); /* waits until all threads have read the previous tile */
        denoise_fill<WIDE, COLORS>(tile, own, src, part.left, part.top, part.rows);
        __syncthreads();
        if (part.top + part.line >= src.height)
            continue;
        PairSums<WIDE, COLORS> sums[ROWS][OWN];
        add_all<PATCH, MASKED>(tile, scale, part, own.search, sums);
        if (part.is_shared) {
            denoise_join(pixels, dst, part, sums);
            continue;
        }
        IMG_DENOISE_UNROLL
        for (int k = 0; k < ROWS * OWN; k++)
            denoise_store(dst, part.left, part.top + part.line + k / OWN, k % OWN,
                          sums[k / OWN][k % OWN]);
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

typedef void Kernel(ImgDenoise own, DenoiseScale scale, ImgView src, ImgView dst,
                    uint32_t tiles_across, uint32_t whole, uint32_t parts);

template <int PATCH> Kernel *kernel_of(const ImgWeighed &weighed, bool is_masked)
{
    if (weighed.bits == 16)
        return fast_kernel<PATCH, false, true, 1>;
    if (weighed.colors == 1)
        return fast_kernel<PATCH, false, false, 1>;
    return is_masked ? fast_kernel<PATCH, true, false, 3> : fast_kernel<PATCH, false, false, 3>;
}

Kernel *kernel_for(const ImgDenoise &own, bool is_masked)
{
    if (own.weighed.has_alpha != 0 || (own.weighed.bits == 16 && own.weighed.colors != 1))
        return nullptr;
    switch (own.patch) {
    case 1:
        return kernel_of<1>(own.weighed, is_masked);
    case 2:
        return kernel_of<2>(own.weighed, is_masked);
    case 3:
        return kernel_of<3>(own.weighed, is_masked);
    case 4:
        return kernel_of<4>(own.weighed, is_masked);
    default:
        return nullptr;
    }
}

/* Returns true if a sum of squares with its last bits cleared can be the byte offset of its weight
 * (denoise_scale), which saves a shift. The table then needs more memory, which must fit `most`
 * bytes of shared memory. */
bool is_masked(const ImgDenoise &own, size_t most)
{
    const DenoiseScale scale = denoise_scale(&own, true);
    return own.weighed.colors == 3 && own.down > 0 && own.down < 8 &&
           denoise_bytes(&own, &scale) <= most;
}

} // namespace

/* Implements the fast version. It calls the version with tiles for alpha, 16-bit RGB, the largest
 * patches, and GPUs with too little shared memory (before compute capability 8.0). */
ImgStatus img_denoise_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgDenoise *own = static_cast<const ImgDenoise *>(call->constants.bytes);
    int device = 0, most = 0, multiprocessors = 0;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    const bool masked = is_masked(*own, (size_t)most);
    const DenoiseScale scale = denoise_scale(own, masked);
    const size_t bytes = denoise_bytes(own, &scale);
    Kernel *kernel = kernel_for(*own, masked);
    if (kernel == nullptr || bytes > (size_t)most)
        return img_denoise_cuda_tiled(call, err);
    const uint32_t across = (uint32_t)((call->src.width - 1) / DENOISE_ACROSS + 1);
    const uint32_t tiles = across * (uint32_t)((call->src.height - 1) / DENOISE_DOWN + 1);
    const uint32_t fitting = (uint32_t)multiprocessors, rest = tiles % fitting;
    const uint32_t whole = rest <= fitting / 2 ? tiles - rest : tiles;
    const uint32_t parts = whole + (tiles - whole) * DENOISE_WARPS;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH(kernel, parts < fitting ? parts : fitting, DENOISE_THREADS, bytes, call->stream,
               *own, scale, call->src, call->dst, across, whole, parts);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
