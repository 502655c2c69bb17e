/* Declares the descriptors (.c) and launchers (.cu) of all experiments. The declarations are
 * generated from lab_list.h. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_LAB_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_LAB_H

#include "app/bench/experiments/experiment.h"
#include "kernels/core/op.h" /* defines IMG_CUDA_RUN, which the descriptors use */

#ifdef __cplusplus
extern "C" {
#endif

#define LAB_EXPERIMENT(name)                                                                       \
    extern const LabExperiment lab_##name;                                                         \
    ImgStatus lab_launch_##name(const LabVariant *variant, const LabCase *which, const void *in,   \
                                void *out, void *stream, ImgError *err);
#include "app/bench/experiments/lab_list.h"
#undef LAB_EXPERIMENT

#ifdef __cplusplus
}
#endif
#endif
