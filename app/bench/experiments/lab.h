/* Declarations shared by the descriptors (.c) and kernels (.cu) of experiments, generated from the
 * list. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_LAB_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_LAB_H

#include "app/bench/experiments/experiment.h"
#include "kernels/core/op.h" /* IMG_CUDA_RUN */

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
