/* Runs CUDA kernels on the CPU, thread by thread, and counts their events (README.md): the counts
 * of a GPU on a machine without one.
 *
 * There is one model per process, for one device; it is not thread-safe. It has its own copies of
 * the kernels and the operation table, so that it works in builds with and without CUDA. */
#ifndef IMGTOOL_APP_BENCH_MODEL_MODEL_H
#define IMGTOOL_APP_BENCH_MODEL_MODEL_H

#include <stdbool.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* False if no suitable C++ compiler was found; the functions below then fail with
 * IMG_E_UNAVAILABLE. */
bool img_model_in_build(void);

/* Sets the handler for a lack of memory in the model, which must end the program, because single
 * threads cannot fail. Without a handler the program is aborted. */
void img_model_on_no_memory(void (*handler)(void));

/* Runs the CUDA implementation `impl` of the operation `op` on a picture in host memory and writes
 * the result to `dst`, which must have the operation's result shape. `params` are those of the
 * operation. A fault that the emulator finds (an out-of-range access, a race) is IMG_E_DEVICE. */
ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err);

/* The same for a variant and case of an experiment (app/bench/experiments/lab.h), by name. `in` and
 * `out` are host memory of the sizes of the experiment. */
ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
