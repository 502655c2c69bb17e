/* A pass over the source before an operation's own, so that its loops and kernels need not know of
 * the case: they get a copy of the picture in which it does not occur. */
#ifndef IMGTOOL_KERNELS_CORE_PREPASS_H
#define IMGTOOL_KERNELS_CORE_PREPASS_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgPrepass {
    IMG_PREPASS_NONE,
    IMG_PREPASS_CLEAR, /* colours of fully transparent pixels become 0, for operations that order
                        * samples: hidden colours must not reach pixels that are visible */
    IMG_PREPASS_WIDEN, /* samples of fewer than 8 bits become those of 8, for new values */
} ImgPrepass;

/* Does a picture of this format need it? */
bool img_prepass_applies(ImgPrepass prepass, ImgFormat format);

/* The picture as the operation's own pass gets it. */
ImgShape img_prepass_shape(ImgPrepass prepass, ImgShape src);

/* For ImgOp.scratch: bytes that the copy takes at most. */
uint64_t img_prepass_scratch(ImgPrepass prepass, ImgShape src);

/* An operation's own pass on the CPU; `variant` is the operation's, or NULL. */
typedef ImgStatus ImgPrepassRun(const ImgCall *call, const void *variant, ImgError *err);

/* On the CPU: both passes. Where no pixel would change the first is left out, and no copy is made.
 * IMG_E_MEMORY, and what `run` returns. */
ImgStatus img_prepass_cpu(ImgPrepass prepass, const ImgCall *call, ImgPrepassRun *run,
                          const void *variant, ImgError *err);

/* For ImgImpl.workspace of CUDA implementations: bytes at its start that the copy takes. */
size_t img_prepass_workspace(ImgPrepass prepass, ImgShape src);

/* On a GPU: queues the pass on the call's stream. *after has the copy as its source and the rest of
 * the workspace. The kernel that is launched next must not be launched early. */
ImgStatus img_prepass_cuda(ImgPrepass prepass, const ImgCall *call, ImgCall *after, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
