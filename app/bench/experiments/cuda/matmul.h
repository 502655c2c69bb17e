/* Layout of the factors of `matmul`, and its variants. C = A x B, stored by rows: A has a x b
 * floats of the case, B has b x c. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H

#include "app/bench/experiments/experiment.h"

typedef enum LabMatmul {
    LAB_MATMUL_GLOBAL,
    LAB_MATMUL_TILES_16,
    LAB_MATMUL_TILES_32,
    LAB_MATMUL_REGISTERS,
} LabMatmul;

/* Returns the floats from A to B, so that B also starts at a multiple of 256 bytes. */
static inline size_t lab_matmul_second(const LabCase *which)
{
    return ((size_t)which->a * (size_t)which->b + 63) / 64 * 64;
}

#endif
