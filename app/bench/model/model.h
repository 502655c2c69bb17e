/* Runs CUDA kernels on the CPU, thread by thread, and counts their memory accesses and branches
 * (README.md). A machine without a GPU can thus show the counts that a GPU would have.
 *
 * There is one model per process, for one device. It is not thread-safe. It has its own copies of
 * the kernels and of the table of operations, so that it works in builds with and without CUDA. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_H

#include <stdbool.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true if this build contains the model. If the build found no suitable C++ compiler, the
 * model is missing, and the functions below fail with IMG_E_UNAVAILABLE. */
bool img_model_in_build(void);

/* Sets the function that is called if the model has too little memory. It must end the program,
 * because a single thread of a kernel cannot fail. Without such a function the program aborts. */
void img_model_on_no_memory(void (*handler)(void));

/* Runs the CUDA implementation `impl` of the operation `op` on the picture `src`, and writes the
 * result to `dst`. Both pictures are in host memory, and `dst` must have the shape of the result.
 * `params` are the parameters of the operation. Sets *counts to the counts of all launches. Fails
 * with IMG_E_DEVICE if the emulator finds a fault, such as an out-of-range access or a race. */
ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err);

/* Same as img_model_op, but runs an experiment (app/bench/experiments/experiment.h). `experiment`,
 * `which` and `variant` are the names of the experiment, the case and the variant. `in` and `out`
 * are in host memory, and have the sizes that the experiment defines. */
ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
