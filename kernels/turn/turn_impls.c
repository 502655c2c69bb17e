/* Functions that the operations of the turn family have in common: lists of implementations, shapes
 * and signed strides. */
#include "kernels/turn/turn.h"

static bool is_transposing(const ImgOp *op, ImgShape src, const void *params)
{
    return img_turn_swaps(op->effect.get(src, params).turn);
}

static bool is_moving(const ImgOp *op, ImgShape src, const void *params)
{
    return !img_turn_swaps(op->effect.get(src, params).turn);
}

#define CPU_IMPL(impl_name, level, run_function, impl_note)                                        \
    {                                                                                              \
        .name = (impl_name), .backend = IMG_BACKEND_CPU, .cpu_level = (level),                     \
        .note = (impl_note), .run = (run_function)                                                 \
    }

#define CPU_IMPLS                                                                                  \
    CPU_IMPL("reference", IMG_CPU_PORTABLE, img_turn_reference,                                    \
             "plain C, pixel by pixel from the definition; all others must give the same bytes"),  \
        CPU_IMPL("cpu", IMG_CPU_PORTABLE, img_turn_cpu,                                            \
                 "threads over cache-sized tiles, transposed in 16-byte registers"),               \
        CPU_IMPL(                                                                                  \
            "cpu-avx2", IMG_CPU_AVX2, IMG_X86_RUN(img_turn_cpu_avx2),                              \
            "threads over cache-sized tiles, AVX2; byte shuffles for pixels of 3 and 6 bytes"),    \
        CPU_IMPL(                                                                                  \
            "cpu-avx512", IMG_CPU_AVX512, IMG_X86_RUN(img_turn_cpu_avx512),                        \
            "threads over cache-sized tiles, AVX-512: one register writes a whole cache line")

const ImgManyRun img_turn_many = {IMG_MOVE_BYTES, IMG_CUDA_RUN(img_turn_cuda_run_many)};

const ImgImpl img_turn_impls[] = {CPU_IMPLS,
                                  IMG_TURN_MANY_IMPL(NULL),
                                  IMG_TURN_TRANSPOSE_IMPLS(is_transposing),
                                  IMG_TURN_MOVE_IMPLS(is_moving),
                                  {.name = NULL}};
const ImgImpl img_transpose_impls[] = {
    CPU_IMPLS, IMG_TURN_MANY_IMPL(NULL), IMG_TURN_TRANSPOSE_IMPLS(is_transposing), {.name = NULL}};
const ImgImpl img_flip_impls[] = {
    CPU_IMPLS, IMG_TURN_MANY_IMPL(NULL), IMG_TURN_MOVE_IMPLS(is_moving), {.name = NULL}};

ImgStatus img_turn_shape(ImgShape src, ImgTurn turn, ImgShape *dst)
{
    *dst = src;
    if (img_turn_swaps(turn)) {
        dst->width = src.height;
        dst->height = src.width;
    }
    return IMG_OK;
}

bool img_turn_part(ImgShape src, ImgTurn turn, ImgRows wanted, ImgPart *part)
{
    const bool swaps = img_turn_swaps(turn);
    const bool flips = swaps ? img_turn_flips_x(turn) : img_turn_flips_y(turn);
    const int32_t side = swaps ? src.width : src.height, count = wanted.end - wanted.first;
    *(swaps ? &part->src.x : &part->src.y) = flips ? side - wanted.end : wanted.first;
    *(swaps ? &part->src.width : &part->src.height) = count;
    part->skip = 0;
    return true;
}

uint64_t img_turn_traffic(ImgShape src, const void *params)
{
    (void)params;
    uint64_t pixels = (uint64_t)src.width * (uint64_t)src.height;
    return 2 * pixels * img_format_pixel_size(src.format);
}

ImgTurn img_turn_of_call(const ImgCall *call)
{
    return call->op->effect.get(img_view_shape(&call->src), call->params).turn;
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
    /* Source column x becomes destination row x. So mirroring x means that rows are written in
     * reverse. */
    if (plan.transposed && img_turn_flips_x(turn)) {
        plan.dst += (plan.width - 1) * plan.dst_stride;
        plan.dst_stride = -plan.dst_stride;
    }
    return plan;
}
