/* Estimates of the time that steps take on the CPU and on a GPU, which the backend `auto`
 * compares. */
#include "kernels/core/exec/exec_cost.h"

#include "kernels/core/select.h"

/* Rough estimate for copies between host memory and a GPU. Copies through pinned staging buffers
 * reached about this speed. Many machines are faster, so the estimate favours the CPU. */
static const double TRANSFER_BYTES_PER_SECOND = 10e9;

/* Largest number of CPU threads that makes steps faster. With more threads, memory bandwidth is the
 * limit. */
enum { CPU_THREADS_MAX = 8 };

static double transfer_seconds(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return (double)bytes / TRANSFER_BYTES_PER_SECOND;
}

ImgCost img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgCost cost = {.transfers = transfer_seconds(src), .applicable = true};
    double cpu_threads = threads < CPU_THREADS_MAX ? threads : CPU_THREADS_MAX;
    for (size_t i = 0; i < count; i++) {
        const ImgOp *op = steps[i].op;
        const void *params = steps[i].params.bytes;
        const ImgImpl *impl;
        cost.cpu += img_op_cpu_seconds(op, src, params) / cpu_threads;
        cost.cuda += img_op_cuda_seconds(op, src, params);
        cost.applicable &=
            img_impl_fastest(op, IMG_BACKEND_CUDA, src, params, &impl, NULL) == IMG_OK;
        ImgShape dst;
        if (op->shape(src, params, &dst, NULL) != IMG_OK)
            break;
        src = dst;
    }
    cost.transfers += transfer_seconds(src);
    cost.cuda += cost.transfers;
    return cost;
}
