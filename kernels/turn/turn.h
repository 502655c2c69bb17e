/* The turn family. The operations rotate, flip, transpose, transverse and autorotate each perform
 * one of eight turns (kernels/core/turn.h), with the same implementations.
 *
 * One scheme of addressing serves all eight turns. A negative source stride reads rows in reverse,
 * and a negative destination stride writes them in reverse. What remains is a plain transpose, for
 * turns that swap the axes, or rows that are copied or mirrored. */
#ifndef IMGTOOL_KERNELS_TURN_TURN_H
#define IMGTOOL_KERNELS_TURN_TURN_H

#include "kernels/core/cuda/move_many.h"
#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lists of implementations. The first one is for operations that may perform any turn. The second
 * is for operations that always swap the axes, and the third is for operations that never swap
 * them. */
extern const ImgImpl img_turn_impls[];
extern const ImgImpl img_transpose_impls[];
extern const ImgImpl img_flip_impls[];

/* Functions that the descriptors of several operations use. */
ImgStatus img_turn_shape(ImgShape src, ImgTurn turn, ImgShape *dst);
uint64_t img_turn_traffic(ImgShape src, const void *params);

/* Implements ImgOp.bands.part for an operation that performs `turn`. Returns true. If the turn
 * swaps the axes, the part has only some columns of the source. */
bool img_turn_part(ImgShape src, ImgTurn turn, ImgRows wanted, ImgPart *part);

/* Returns the turn that the operation of `call` performs with its parameters. */
ImgTurn img_turn_of_call(const ImgCall *call);

/* A turn as signed strides. `mirrored` is used only if the axes are not swapped: rows are mirrored
 * instead of copied. */
typedef struct ImgTurnPlan {
    const uint8_t *src; /* first source row to read */
    uint8_t *dst;       /* first destination row to write */
    ptrdiff_t src_stride, dst_stride;
    int32_t width, height; /* size of the source, in pixels */
    size_t pixel_size;
    bool transposed, mirrored;
} ImgTurnPlan;

ImgTurnPlan img_turn_plan(const ImgCall *call);

ImgStatus img_turn_reference(const ImgCall *call, ImgError *err);
IMG_CPU_RUNS(img_turn_cpu);
ImgStatus img_turn_cuda_fast(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cuda_vector(const ImgCall *call, ImgError *err);
/* For many small pictures; img_turn_cuda_run_many is for ImgManyRun.run. */
ImgStatus img_turn_cuda_many(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                 ImgError *err);
IMG_TEXTBOOK ImgRunFunction img_turn_cuda_naive_read, img_turn_cuda_naive_write,
    img_turn_cuda_tiled, img_turn_cuda_tiled_dynamic, img_turn_cuda_rectangle,
    img_turn_cuda_padded_element, img_turn_cuda_padded_bank, img_turn_cuda_padded_dynamic,
    img_turn_cuda_swizzled, img_turn_cuda_element;

/* --- CUDA implementations, as elements of lists ----------------------------------------------- */

/* The argument `applies_to` of the macros is the function that decides to which calls the
 * implementations apply: calls that swap the axes, or all others. */
#define IMG_TURN_CUDA_IMPL(impl_name, kind, function, impl_note)                                   \
    {                                                                                              \
        .name = (impl_name), .backend = IMG_BACKEND_CUDA, .note = (impl_note),                     \
        .run = IMG_CUDA_RUN(function), .applies = (kind)                                           \
    }

/* For many small pictures. The parameter is NULL if it applies to all calls. */
extern const ImgManyRun img_turn_many;
#define IMG_TURN_MANY_IMPL(applies_to)                                                             \
    {                                                                                              \
        .name = "cuda-many", .backend = IMG_BACKEND_CUDA,                                          \
        .note = "one pixel per thread, for many small pictures in one launch",                     \
        .run = IMG_CUDA_RUN(img_turn_cuda_many), .applies = (applies_to),                          \
        .workspace = img_move_workspace, .many = &img_turn_many                                    \
    }

#define IMG_TURN_TRANSPOSE_IMPLS(applies_to)                                                       \
    IMG_TURN_CUDA_IMPL("cuda-naive-read", applies_to, img_turn_cuda_naive_read,                    \
                       "one pixel per thread; reads coalesced, writes scattered"),                 \
        IMG_TURN_CUDA_IMPL("cuda-naive-write", applies_to, img_turn_cuda_naive_write,              \
                           "one pixel per thread; writes coalesced, reads scattered but cached"),  \
        IMG_TURN_CUDA_IMPL("cuda-tiled", applies_to, img_turn_cuda_tiled,                          \
                           "32 x 32 tile in shared memory; all coalesced, bank conflicts"),        \
        IMG_TURN_CUDA_IMPL("cuda-tiled-dynamic", applies_to, img_turn_cuda_tiled_dynamic,          \
                           "cuda-tiled in dynamic shared memory, sized at launch"),                \
        IMG_TURN_CUDA_IMPL("cuda-rectangle", applies_to, img_turn_cuda_rectangle,                  \
                           "32 x 16 tile, one pixel per thread, rows padded by two pixels"),       \
        IMG_TURN_CUDA_IMPL("cuda-padded-element", applies_to, img_turn_cuda_padded_element,        \
                           "tile rows padded by one pixel: no conflicts at 4 bytes per pixel"),    \
        IMG_TURN_CUDA_IMPL("cuda-padded-bank", applies_to, img_turn_cuda_padded_bank,              \
                           "tile rows padded by one bank: no conflicts up to 6 bytes per pixel"),  \
        IMG_TURN_CUDA_IMPL("cuda-padded-dynamic", applies_to, img_turn_cuda_padded_dynamic,        \
                           "cuda-padded-bank in dynamic shared memory"),                           \
        IMG_TURN_CUDA_IMPL("cuda-swizzled", applies_to, img_turn_cuda_swizzled,                    \
                           "no padding: positions in a row are XORed with the row number"),        \
        IMG_TURN_CUDA_IMPL(                                                                        \
            "cuda-fast", applies_to, img_turn_cuda_fast,                                           \
            "16 bytes per access, transposed in registers, swizzled; tile size by pixel size")

#define IMG_TURN_MOVE_IMPLS(applies_to)                                                            \
    IMG_TURN_CUDA_IMPL("cuda-element", applies_to, img_turn_cuda_element, "one pixel per thread"), \
        IMG_TURN_CUDA_IMPL("cuda-vector", applies_to, img_turn_cuda_vector,                        \
                           "16 bytes per access, shifted and reversed in registers")

#ifdef __cplusplus
}
#endif
#endif
