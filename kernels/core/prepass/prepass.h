/* A pass over the source before the operation's own pass. It makes a copy in which hidden colours
 * are cleared, or samples of fewer than 8 bits are scaled to 8 bits. The loops and kernels of the
 * operation thus need no code for these cases. */
#ifndef IMGTOOL_KERNELS_CORE_PREPASS_PREPASS_H
#define IMGTOOL_KERNELS_CORE_PREPASS_PREPASS_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgPrepass {
    IMG_PREPASS_NONE,
    /* sets the colours of fully transparent pixels to 0; for operations that sort samples, where
     * hidden colours must not reach visible pixels */
    IMG_PREPASS_CLEAR,
    /* scales samples of fewer than 8 bits to 8 bits, which leaves space for values between them */
    IMG_PREPASS_WIDEN,
} ImgPrepass;

/* Returns true if pictures of this format need the pass. */
bool img_prepass_applies(ImgPrepass prepass, ImgFormat format);

/* Returns the shape that a picture of shape `src` has after the pass. */
ImgShape img_prepass_shape(ImgPrepass prepass, ImgShape src);

/* Returns the largest size of the changed copy in bytes, for ImgOp.cost.scratch. */
uint64_t img_prepass_scratch(ImgPrepass prepass, ImgShape src);

/* Performs the operation's own pass on the CPU. `variant` is data of the operation and may be
 * NULL. */
typedef ImgStatus ImgPrepassRun(const ImgCall *call, const void *variant, ImgError *err);

/* Runs both passes on the CPU. If the first pass would change no pixel, it makes no copy. Returns
 * IMG_E_MEMORY, or the result of `run`. */
ImgStatus img_prepass_cpu(ImgPrepass prepass, const ImgCall *call, ImgPrepassRun *run,
                          const void *variant, ImgError *err);

/* Returns the bytes that the changed copy takes at the start of the workspace, for
 * ImgImpl.workspace of CUDA implementations. */
size_t img_prepass_workspace(ImgPrepass prepass, ImgShape src);

/* Adds the pass to the stream of the call. *after becomes the call for the operation: its source is
 * the changed copy, and its workspace is the rest of the workspace. The next kernel must not be
 * launched early (programmatic dependent launch). */
ImgStatus img_prepass_cuda(ImgPrepass prepass, const ImgCall *call, ImgCall *after, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
