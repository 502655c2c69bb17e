/* The variants of `coalescing`: ways to access elements of three components. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_COALESCING_H

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* one thread per element, component by component */
    LAB_STAGED,   /* copied in vectors to shared memory, and processed there */
    LAB_PACKED,   /* three vectors of 16 bytes per thread, exchanged in registers */
    LAB_PLANES,   /* the data in another layout, of three consecutive planes */
} LabCoalescing;

#endif
