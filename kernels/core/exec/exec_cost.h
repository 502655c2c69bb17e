/* Private: how long steps take on the CPU and on a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_COST_H

#include "kernels/core/op.h"

/* What `auto` weighs. */
typedef struct ImgCost {
    double cpu;       /* seconds of all steps on the CPU */
    double cuda;      /* seconds of transfers and kernels, once a context is there */
    double transfers; /* of which those of pixels */
    bool applicable;  /* every step has a CUDA implementation */
} ImgCost;

/* Of steps on a picture of that shape, with so many CPU threads. */
ImgCost img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads);

#endif
