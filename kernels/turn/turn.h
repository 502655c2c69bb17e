/* The turn family. The operations rotate, flip, transpose, transverse and autorotate each perform
 * one of eight turns (kernels/core/turn.h), with the same implementations.
 *
 * One scheme of addressing serves all eight turns. A negative source stride reads rows in reverse,
 * and a negative destination stride writes them in reverse. What remains is a plain transpose, for
 * turns that swap the axes, or rows that are copied or mirrored. */
#ifndef IMGTOOL_KERNELS_TURN_TURN_H
#define IMGTOOL_KERNELS_TURN_TURN_H

#include "kernels/core/op.h"
#include "kernels/core/textbook.h"

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
ImgStatus img_turn_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cuda_fast(const ImgCall *call, ImgError *err);
ImgStatus img_turn_cuda_vector(const ImgCall *call, ImgError *err);
IMG_TEXTBOOK ImgRunFunction img_turn_cuda_naive_read, img_turn_cuda_naive_write,
    img_turn_cuda_tiled, img_turn_cuda_tiled_dynamic, img_turn_cuda_rectangle,
    img_turn_cuda_padded_element, img_turn_cuda_padded_bank, img_turn_cuda_padded_dynamic,
    img_turn_cuda_swizzled, img_turn_cuda_element;

#ifdef __cplusplus
}
#endif
#endif
