/* What the operations of the turn family share: their implementations, shapes and signed strides.
 */
#include "kernels/turn/turn.h"

const ImgImpl img_turn_impls[] = {
    {"reference", IMG_BACKEND_CPU, IMG_CPU_PORTABLE,
     "plain C, pixel by pixel from the definition; every other row must give its bytes",
     img_turn_reference},
    {"cpu", IMG_BACKEND_CPU, IMG_CPU_PORTABLE,
     "threads over cache-sized tiles, transposed in 16-byte vectors", img_turn_cpu},
    {"cpu-avx2", IMG_BACKEND_CPU, IMG_CPU_AVX2,
     "threads over cache-sized tiles, AVX2; byte shuffles for pixels of 3 and 6 bytes",
     IMG_X86_RUN(img_turn_cpu_avx2)},
    {"cuda-naive", IMG_BACKEND_CUDA, IMG_CPU_PORTABLE,
     "one pixel a thread, reads coalesced, writes scattered", IMG_CUDA_RUN(img_turn_cuda_naive)},
    {"cuda-padded", IMG_BACKEND_CUDA, IMG_CPU_PORTABLE,
     "32 x 32 tiles in shared memory, rows padded by one bank; both sides coalesced",
     IMG_CUDA_RUN(img_turn_cuda_padded)},
    {NULL, IMG_BACKEND_CPU, IMG_CPU_PORTABLE, NULL, NULL},
};

ImgStatus img_turn_shape(ImgShape src, ImgTurn turn, ImgShape *dst)
{
    *dst = src;
    if (img_turn_swaps(turn)) {
        dst->width = src.height;
        dst->height = src.width;
    }
    return IMG_OK;
}

uint64_t img_turn_traffic(ImgShape src, const void *params)
{
    (void)params;
    uint64_t pixels = (uint64_t)src.width * (uint64_t)src.height;
    return 2 * pixels * img_format_pixel_size(src.format);
}

ImgTurn img_turn_of_call(const ImgCall *call)
{
    return call->op->effect(img_view_shape(&call->src), call->params).turn;
}

ImgTurnPlan img_turn_plan(const ImgCall *call)
{
    ImgTurn turn = img_turn_of_call(call);
    ImgTurnPlan plan = {
        .src = call->src.data,
        .dst = call->dst.data,
        .src_stride = (ptrdiff_t)call->src.stride,
        .dst_stride = (ptrdiff_t)call->dst.stride,
        .width = call->src.width,
        .height = call->src.height,
        .pixel_size = img_format_pixel_size(call->src.format),
        .transposed = img_turn_swaps(turn),
        .mirrored = !img_turn_swaps(turn) && img_turn_flips_x(turn),
    };
    if (img_turn_flips_y(turn)) {
        plan.src += (plan.height - 1) * plan.src_stride;
        plan.src_stride = -plan.src_stride;
    }
    /* Source column x becomes destination row x: flipping x is writing the rows in reverse. */
    if (plan.transposed && img_turn_flips_x(turn)) {
        plan.dst += (plan.width - 1) * plan.dst_stride;
        plan.dst_stride = -plan.dst_stride;
    }
    return plan;
}
