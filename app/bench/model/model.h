/* Runs CUDA kernels on the CPU, thread by thread, and counts their events (README.md). A machine
 * without a GPU thus gets the counts of a GPU.
 *
 * There is one model per process, for one device. It is not thread-safe. It has its own copies of
 * the kernels and of the operation table, so that it works in builds with and without CUDA. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_H

#include <stdbool.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns false if the build found no suitable C++ compiler. The functions below then fail with
 * IMG_E_UNAVAILABLE. */
bool img_model_in_build(void);

/* Sets the function to call if memory is short in the model. It must end the program, because
 * single threads of a kernel cannot fail. Without such a function the program is aborted. */
void img_model_on_no_memory(void (*handler)(void));

/* Runs the CUDA implementation `impl` of the operation `op` on a picture in host memory, and writes
 * the result to `dst`. The shape of `dst` must be the shape of the result. `params` are the
 * parameters of the operation. IMG_E_DEVICE for a fault that the emulator finds: an out-of-range
 * access or a race, for example. */
ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err);

/* Same for a variant and a case of an experiment (app/bench/experiments/experiment.h), given by
 * their names. `in` and `out` are host memory of the experiment's sizes. */
ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
