/* How the variants of `coalescing` access elements of three components. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* one thread per element, component by component */
    LAB_STAGED,   /* by way of shared memory */
    LAB_PACKED,   /* three vectors of 16 bytes per thread, exchanged in registers */
    LAB_PLANES,   /* other data: three planes, one after another */
} LabCoalescing;

#endif
