/* Private: estimates of the time that steps take on the CPU and on a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H

#include "kernels/core/op.h"

/* The estimates that the backend `auto` compares. */
typedef struct ImgCost {
    double cpu;  /* seconds for all steps on the CPU */
    double cuda; /* seconds for transfers and kernels on a GPU whose context is already open */
    /* seconds, included in `cuda`, for copies of pixels from and to host memory */
    double transfers;
    bool applicable; /* true: every step has a CUDA implementation */
} ImgCost;

/* Estimates the cost of the steps for a picture of shape `src`, with `threads` CPU threads. */
ImgCost img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads);

#endif
