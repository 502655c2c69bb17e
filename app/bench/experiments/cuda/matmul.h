/* Where the factors of `matmul` lie and how its variants multiply. C = A x B by rows, A of a x b
 * floats of the case, B of b x c. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_MATMUL_H

#include "app/bench/experiments/experiment.h"

typedef enum LabMatmul {
    LAB_MATMUL_GLOBAL,
    LAB_MATMUL_TILES_16,
    LAB_MATMUL_TILES_32,
    LAB_MATMUL_REGISTERS,
} LabMatmul;

/* Floats from A to B, so that B too starts at a multiple of 256 bytes. */
static inline size_t lab_matmul_second(const LabCase *which)
{
    return ((size_t)which->a * (size_t)which->b + 63) / 64 * 64;
}

#endif
