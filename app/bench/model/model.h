/* CUDA kernels run on the CPU, thread by thread, and counted (README.md): what a GPU's counters
 * would say, on a machine that has none.
 *
 * One model per process, which stands for one device: not for several threads at once. It has its
 * own copies of the kernels and the operation table, so that it serves builds with and without
 * CUDA. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_H

#include <stdbool.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* False where no C++ compiler was found that can watch accesses; the functions below then fail with
 * IMG_E_UNAVAILABLE. */
bool img_model_in_build(void);

/* Sets what is called where there is no memory for the model, whose threads cannot fail one by one:
 * it ends the program. Without a handler the program is aborted. */
void img_model_on_no_memory(void (*handler)(void));

/* Runs the CUDA implementation `impl` of the operation `op` on a picture in host memory and writes
 * the result to `dst`, which has the shape that the operation gives. `params` are those of the
 * operation. A fault that the emulator finds (an out-of-range access, a race) is IMG_E_DEVICE. */
ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err);

/* The same for a variant of a case of an experiment (app/bench/experiments/lab.h), by their names;
 * `in` and `out` are host memory of the sizes that the experiment states. */
ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
