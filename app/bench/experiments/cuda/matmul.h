/* Layout of the matrices of `matmul`, and its variants. The product is C = A x B, and all are
 * stored by rows. With the parameters a, b and c of the case, A has a x b floats and B has b x
 * c. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H

#include "app/bench/experiments/experiment.h"

typedef enum LabMatmul {
    LAB_MATMUL_GLOBAL,
    LAB_MATMUL_TILES_16,
    LAB_MATMUL_TILES_32,
    LAB_MATMUL_REGISTERS,
} LabMatmul;

/* Returns the offset of B from A in floats. It is rounded up so that B also starts at a multiple of
 * 256 bytes. */
static inline size_t lab_matmul_second(const LabCase *which)
{
    return ((size_t)which->a * (size_t)which->b + 63) / 64 * 64;
}

#endif
