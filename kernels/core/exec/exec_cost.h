/* Private: estimates of how long steps take on the CPU and on a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H

#include "kernels/core/op.h"

/* The estimates that `auto` compares. */
typedef struct ImgCost {
    double cpu;       /* seconds of all steps on the CPU */
    double cuda;      /* seconds of transfers and kernels, with a context that is already open */
    double transfers; /* the part of `cuda` that copies pixels from and to host memory */
    bool applicable;  /* every step has a CUDA implementation */
} ImgCost;

/* Estimates the steps on a picture of that shape, with that many CPU threads. */
ImgCost img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads);

#endif
