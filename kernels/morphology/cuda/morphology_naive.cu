/* erode, dilate, open and close on CUDA, textbook version. */
#include "kernels/morphology/cuda/morphology_cuda.cuh"

namespace
{

constexpr int WIDE = 32, LOW = 8;

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
