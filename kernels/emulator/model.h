/* CUDA kernels run on the CPU, thread by thread, and counted (README.md): what a GPU's counters
 * would say, on a machine that has none.
 *
 * One model a process, which stands for one device: not for several threads at once. It works on
 * copies of its own of kernels and operation table, so that it serves builds with and without
 * CUDA. */
#ifndef IMGTOOL_KERNELS_EMULATOR_MODEL_H
#define IMGTOOL_KERNELS_EMULATOR_MODEL_H

#include <stdbool.h>

#include "kernels/core/launch_counts.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* False where no C++ compiler was found that can watch accesses; the functions below then fail with
 * IMG_E_UNAVAILABLE. */
bool img_model_in_build(void);

/* Runs the CUDA row `impl` of the operation `op` on a picture in host memory and writes the result
 * to `dst`, which has the shape that the operation gives. `params` are those of the operation. A
 * fault that the emulator finds (an access outside of memory, a race) is IMG_E_DEVICE. */
ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err);

/* The same for a variant of a case of an experiment (kernels/lab/lab.h), by their names; `in` and
 * `out` are host memory of the sizes that the experiment tells. */
ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
