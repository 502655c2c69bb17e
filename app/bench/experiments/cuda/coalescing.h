/* Variants of `coalescing`: how elements of three components are accessed. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* one thread per element, component by component */
    LAB_STAGED,   /* through shared memory */
    LAB_PACKED,   /* three vectors of 16 bytes per thread, exchanged in registers */
    LAB_PLANES,   /* another layout: three consecutive planes */
} LabCoalescing;

#endif
