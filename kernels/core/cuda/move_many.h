/* Moves the pixels of many small pictures in one launch, for crops and turns by quarters. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_MOVE_MANY_H
#define IMGTOOL_KERNELS_CORE_CUDA_MOVE_MANY_H

#include "kernels/core/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixel (x, y) of the result is at src + x * src_x + y * src_y, in bytes. A pixel of 2 or more
 * bytes is aligned as its samples are. */
typedef struct ImgMove {
    const uint8_t *src;
    int64_t src_x, src_y;
    uint8_t *dst;
    size_t dst_stride;
    int32_t width, height; /* of the result, in pixels */
    int32_t pixel_size, unused;
} ImgMove;

/* Size of the description of a call (ImgManyRun.call_bytes). */
enum { IMG_MOVE_BYTES = (sizeof(ImgMove) + 15) / 16 * 16 };

/* For ImgImpl.workspace of the implementations that move one picture. */
static inline size_t img_move_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    (void)src;
    (void)params;
    return IMG_MOVE_BYTES;
}

/* Queues the first `count` moves at room->host, which is an array of ImgMove. */
ImgStatus img_move_many(const ImgManyRoom *room, size_t count, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
