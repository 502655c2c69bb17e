/* What the operations of the turn family share: their implementations, shapes and signed strides.
 */
#include "kernels/turn/turn.h"

static bool is_transposing(const ImgOp *op, ImgShape src, const void *params)
{
    return img_turn_swaps(op->effect(src, params).turn);
}

static bool is_moving(const ImgOp *op, ImgShape src, const void *params)
{
    return !img_turn_swaps(op->effect(src, params).turn);
}

#define CPU_IMPL(impl_name, level, run_function, impl_note)                                        \
    {                                                                                              \
        .name = (impl_name), .backend = IMG_BACKEND_CPU, .cpu_level = (level),                     \
        .note = (impl_note), .run = (run_function)                                                 \
    }

#define CUDA_IMPL(impl_name, kind, function, impl_note)                                            \
    {                                                                                              \
        .name = (impl_name), .backend = IMG_BACKEND_CUDA, .note = (impl_note),                     \
        .run = IMG_CUDA_RUN(function), .applies = (kind)                                           \
    }

#define CPU_IMPLS                                                                                  \
    CPU_IMPL("reference", IMG_CPU_PORTABLE, img_turn_reference,                                    \
             "plain C, pixel by pixel from the definition; all others must give its bytes"),       \
        CPU_IMPL("cpu", IMG_CPU_PORTABLE, img_turn_cpu,                                            \
                 "threads over cache-sized tiles, transposed in 16-byte registers"),               \
        CPU_IMPL(                                                                                  \
            "cpu-avx2", IMG_CPU_AVX2, IMG_X86_RUN(img_turn_cpu_avx2),                              \
            "threads over cache-sized tiles, AVX2; byte shuffles for pixels of 3 and 6 bytes"),    \
        CPU_IMPL("cpu-avx512", IMG_CPU_AVX512, IMG_X86_RUN(img_turn_cpu_avx512),                   \
                 "threads over cache-sized tiles, AVX-512: whole cache lines out of one register")

#define TRANSPOSE_IMPLS                                                                            \
    CUDA_IMPL("cuda-naive-read", is_transposing, img_turn_cuda_naive_read,                         \
              "one pixel per thread; reads coalesced, writes scattered"),                          \
        CUDA_IMPL("cuda-naive-write", is_transposing, img_turn_cuda_naive_write,                   \
                  "one pixel per thread; writes coalesced, reads scattered but cached"),           \
        CUDA_IMPL("cuda-tiled", is_transposing, img_turn_cuda_tiled,                               \
                  "32 x 32 tile in shared memory; both sides coalesced, columns conflict"),        \
        CUDA_IMPL("cuda-tiled-dynamic", is_transposing, img_turn_cuda_tiled_dynamic,               \
                  "the tile sized at launch: the same conflicts"),                                 \
        CUDA_IMPL("cuda-rectangle", is_transposing, img_turn_cuda_rectangle,                       \
                  "32 x 16 tile, one pixel per thread, rows padded by two pixels"),                \
        CUDA_IMPL("cuda-padded-element", is_transposing, img_turn_cuda_padded_element,             \
                  "rows of the tile padded by one pixel: free of conflicts at 4 bytes only"),      \
        CUDA_IMPL("cuda-padded-bank", is_transposing, img_turn_cuda_padded_bank,                   \
                  "rows of the tile padded by one bank: free of conflicts up to 6 bytes"),         \
        CUDA_IMPL("cuda-padded-dynamic", is_transposing, img_turn_cuda_padded_dynamic,             \
                  "padded by one bank, the tile sized at launch"),                                 \
        CUDA_IMPL("cuda-swizzled", is_transposing, img_turn_cuda_swizzled,                         \
                  "no padding: pixels of a row change places by XOR with its number"),             \
        CUDA_IMPL("cuda-fast", is_transposing, img_turn_cuda_fast,                                 \
                  "16 bytes per access, turned in registers, swizzled, tiles sized for the pixel")

#define MOVE_IMPLS                                                                                 \
    CUDA_IMPL("cuda-element", is_moving, img_turn_cuda_element, "one pixel per thread"),           \
        CUDA_IMPL("cuda-vector", is_moving, img_turn_cuda_vector,                                  \
                  "16 bytes per access, shifted and reversed in registers")

const ImgImpl img_turn_impls[] = {CPU_IMPLS, TRANSPOSE_IMPLS, MOVE_IMPLS, {.name = NULL}};
const ImgImpl img_transpose_impls[] = {CPU_IMPLS, TRANSPOSE_IMPLS, {.name = NULL}};
const ImgImpl img_flip_impls[] = {CPU_IMPLS, MOVE_IMPLS, {.name = NULL}};

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
