/* erode, dilate, open and close on CUDA, textbook versions. The naive version reads all samples
 * from global memory. The versions with tiles in shared memory read a sample that several
 * rectangles of a block contain only once. */
#include "kernels/morphology/cuda/morphology_cuda.cuh"

namespace
{

constexpr int WIDE = 32, LOW = 8, THREADS = WIDE * LOW;

/* --- From global memory ----------------------------------------------------------------------- */

/* Computes one pixel per thread. A thread reads its whole rectangle from global memory. Rectangles
 * of neighbouring pixels overlap, so the kernel is limited by the caches. */
template <typename Sample>
__global__ void __launch_bounds__(WIDE *LOW) morphology_naive_kernel(MorphologyTask task)
{
    const ImgMorphologyStep &step = task.step;
    const int64_t x = (int64_t)blockIdx.x * WIDE + threadIdx.x;
    if (x >= task.width)
        return;
    for (int64_t y = (int64_t)blockIdx.y * LOW + threadIdx.y; y < task.height;
         y += (int64_t)gridDim.y * LOW) {
        Sample *to = reinterpret_cast<Sample *>(task.dst + (size_t)y * task.dst_stride) +
                     (size_t)x * task.channels;
        for (int32_t c = 0; c < task.channels; c++) {
            uint32_t best = morphology_sample<Sample>(task, x, y, c);
            for (int64_t v = y - step.up; v <= y + step.down; v++)
                for (int64_t u = x - step.left; u <= x + step.right; u++)
                    best = morphology_better(best, morphology_sample<Sample>(task, u, v, c),
                                             step.is_maximum);
            to[c] = (Sample)best;
        }
    }
}

/* --- Through shared memory -------------------------------------------------------------------- */

/* Size of a tile of 32 x 8 pixels with its halo, the pixels around it that its rectangles contain.
 * Rows are padded to an odd number of words, so that columns cause no bank conflicts. */
struct Halo {
    int32_t pixels, rows; /* number of pixels per row and number of rows, including the halo */
    int32_t pitch;        /* number of samples per row, including the padding */
};

template <typename Sample>
__device__ void load_tile(const MorphologyTask &task, const Halo &halo, int64_t left, int64_t top,
                          Sample *tile)
{
    const int32_t samples = halo.pixels * task.channels;
    for (int32_t i = (int32_t)(threadIdx.y * WIDE + threadIdx.x); i < samples * halo.rows;
         i += THREADS) {
        const int32_t row = i / samples, at = i % samples;
        tile[row * halo.pitch + at] =
            (Sample)morphology_sample<Sample>(task, left - task.step.left + at / task.channels,
                                              top - task.step.up + row, at % task.channels);
    }
}

/* Computes the minima (or maxima) over the width of the rectangle, for all rows of the tile and its
 * halo. They are stored in a second array. */
template <typename Sample>
__device__ void slide_rows(const MorphologyTask &task, const Halo &halo, const Sample *tile,
                           Sample *rows)
{
    const int32_t samples = WIDE * task.channels, window = img_morphology_width(&task.step);
    for (int32_t i = (int32_t)(threadIdx.y * WIDE + threadIdx.x); i < samples * halo.rows;
         i += THREADS) {
        const int32_t place = i / samples * halo.pitch + i % samples;
        uint32_t best = tile[place];
        for (int32_t k = 1; k < window; k++)
            best = morphology_better(best, tile[place + k * task.channels], task.step.is_maximum);
        rows[place] = (Sample)best;
    }
}

/* Returns the minimum (or maximum) of `width` x `height` samples of an array in shared memory; `at`
 * is the first of them. */
template <typename Sample>
__device__ uint32_t best_of(const MorphologyTask &task, const Halo &halo, const Sample *at,
                            int32_t width, int32_t height)
{
    uint32_t best = at[0];
    for (int32_t v = 0; v < height; v++)
        for (int32_t u = 0; u < width; u++)
            best = morphology_better(best, at[v * halo.pitch + u * task.channels],
                                     task.step.is_maximum);
    return best;
}

/* Processes one tile per block. The grid has at most MORPHOLOGY_GRID_ROWS rows of blocks, so a loop
 * processes the remaining tiles. */
template <typename Sample, bool SEPARABLE>
__global__ void __launch_bounds__(THREADS) morphology_tiled_kernel(MorphologyTask task, Halo halo)
{
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    Sample *tile = reinterpret_cast<Sample *>(memory), *rows = tile + halo.pitch * halo.rows;
    const int64_t left = (int64_t)blockIdx.x * WIDE, x = left + threadIdx.x;
    const int32_t width = SEPARABLE ? 1 : img_morphology_width(&task.step);
    const int32_t height = img_morphology_height(&task.step);
    for (int64_t top = (int64_t)blockIdx.y * LOW; top < task.height;
         top += (int64_t)gridDim.y * LOW) {
        const int64_t y = top + threadIdx.y;
        load_tile<Sample>(task, halo, left, top, tile);
        __syncthreads();
        if (SEPARABLE) {
            slide_rows<Sample>(task, halo, tile, rows);
            __syncthreads();
        }
        const Sample *from = (SEPARABLE ? rows : tile) + (int32_t)threadIdx.y * halo.pitch +
                             (int32_t)threadIdx.x * task.channels;
        for (int32_t c = 0; x < task.width && y < task.height && c < task.channels; c++)
            reinterpret_cast<Sample *>(task.dst +
                                       (size_t)y * task.dst_stride)[x * task.channels + c] =
                (Sample)best_of<Sample>(task, halo, from + c, width, height);
        __syncthreads();
    }
}

Halo halo_of(const ImgMorphologyStep &step, ImgFormat format)
{
    Halo halo;
    const int32_t channels = img_format_channels(format), a_word = format.bits == 16 ? 2 : 4;
    halo.pixels = WIDE + img_morphology_width(&step) - 1;
    halo.rows = LOW + img_morphology_height(&step) - 1;
    halo.pitch = ((halo.pixels * channels + a_word - 1) / a_word | 1) * a_word;
    return halo;
}

template <bool SEPARABLE> ImgStatus run(const ImgCall *call, ImgError *err)
{
    const bool wide = call->src.format.bits == 16;
    const int64_t across = ((int64_t)call->src.width + WIDE - 1) / WIDE;
    const int64_t down = ((int64_t)call->src.height + LOW - 1) / LOW;
    const dim3 grid((unsigned)across,
                    (unsigned)(down < MORPHOLOGY_GRID_ROWS ? down : MORPHOLOGY_GRID_ROWS));
    auto *kernel = wide ? morphology_tiled_kernel<uint16_t, SEPARABLE>
                        : morphology_tiled_kernel<uint8_t, SEPARABLE>;
    return morphology_steps(
        call,
        [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            const Halo halo = halo_of(step, src.format);
            const size_t bytes = (size_t)halo.pitch * (size_t)halo.rows * (wide ? 2 : 1);
            IMG_LAUNCH(kernel, grid, dim3(WIDE, LOW), bytes * (SEPARABLE ? 2 : 1), call->stream,
                       morphology_task(step, src, dst), halo);
            CUDA_TRY(cudaGetLastError(), err);
            return IMG_OK;
        },
        err);
}

} // namespace

ImgStatus img_morphology_cuda_naive(const ImgCall *call, ImgError *err)
{
    const int64_t across = ((int64_t)call->src.width + WIDE - 1) / WIDE;
    const int64_t down = ((int64_t)call->src.height + LOW - 1) / LOW;
    const dim3 grid((unsigned)across,
                    (unsigned)(down < MORPHOLOGY_GRID_ROWS ? down : MORPHOLOGY_GRID_ROWS));
    auto *kernel = call->src.format.bits == 16 ? morphology_naive_kernel<uint16_t>
                                               : morphology_naive_kernel<uint8_t>;
    return morphology_steps(
        call,
        [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            IMG_LAUNCH(kernel, grid, dim3(WIDE, LOW), 0, call->stream,
                       morphology_task(step, src, dst));
            CUDA_TRY(cudaGetLastError(), err);
            return IMG_OK;
        },
        err);
}

ImgStatus img_morphology_cuda_tiled(const ImgCall *call, ImgError *err)
{
    return run<false>(call, err);
}

ImgStatus img_morphology_cuda_separable(const ImgCall *call, ImgError *err)
{
    return run<true>(call, err);
}
