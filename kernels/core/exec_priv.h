/* Private to the executor: what exec.c asks of the two backends. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_PRIV_H

#include "kernels/core/exec.h"

/* Steps with the implementation of each. */
typedef struct ImgPlan {
    const ImgStep *steps;
    const ImgImpl *impls[IMG_STEPS_MAX];
    size_t count;
} ImgPlan;

/* Replaces `image` by the result. On failure `image` is still the source, or what became of it, and
 * the caller frees it. */
ImgStatus img_run_on_cpu(const ImgPlan *plan, int threads, ImgImage *image, ImgRunReport *report,
                         ImgError *err);

/* An open CUDA device: context, stream, pinned staging and device buffers, kept between images. */
typedef struct ImgCuda ImgCuda;

/* Takes 190 to 400 ms: it creates the context, and runs a self-test, since a build without code for
 * the GPU at hand would otherwise hand out empty pictures. */
ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err);

/* Harmless on NULL. */
void img_cuda_close(ImgCuda *cuda);

const char *img_cuda_name(const ImgCuda *cuda);

/* Starts the opener if nobody has, and waits for it. Fails as the opening failed. */
ImgStatus img_opener_wait(ImgOpener *opener, ImgError *err);

/* Can it be had, if what is being opened is waited for up to `patience` seconds? If not, *why_not
 * says why. */
bool img_opener_is_ready(ImgOpener *opener, double patience, const char **why_not);

/* A device that failed at work is not used again. */
void img_opener_lose(ImgOpener *opener, const ImgError *failure);

/* Replaces `image` by the result; on failure `image` is the untouched source. */
ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgPlan *plan, int threads, ImgImage *image,
                          ImgRunReport *report, ImgError *err);

#endif
