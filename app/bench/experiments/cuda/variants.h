/* The variants of the experiments, and constants that descriptors and kernels share. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_VARIANTS_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_VARIANTS_H

#include "app/bench/experiments/experiment.h"

/* --- square, rectangle ------------------------------------------------------------------------ */
/* Ways to write and read a tile of shared memory. By rows a warp accesses 32 banks. By columns of a
 * square it accesses a single bank. */

typedef enum LabTile {
    LAB_ROW_ROW,       /* write by rows, read by rows */
    LAB_COLUMN_COLUMN, /* write by columns, read by columns */
    LAB_ROW_COLUMN,    /* write by rows, read by columns: a transpose */
    LAB_ROW_COLUMN_DYNAMIC,
    LAB_ROW_COLUMN_PADDED,
    LAB_ROW_COLUMN_PADDED_DYNAMIC,
} LabTile;

/* --- coalescing ------------------------------------------------------------------------------- */
/* Ways to access elements of three components. */

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* one thread per element, component by component */
    LAB_STAGED,   /* copied in vectors to shared memory, and processed there */
    LAB_PACKED,   /* three vectors of 16 bytes per thread, exchanged in registers */
    LAB_PLANES,   /* the data in another layout, of three consecutive planes */
} LabCoalescing;

/* --- sum, sum-rounds -------------------------------------------------------------------------- */
/* Steps from a simple to a fast parallel sum, in blocks of LAB_SUM_THREADS threads. */

typedef enum LabSum {
    LAB_SUM_NEIGHBOURS, /* neighbouring pairs: warps diverge in every round */
    LAB_SUM_SEQUENTIAL, /* sequential addressing: only the last warp diverges */
    LAB_SUM_FIRST_ADD,  /* same, but each thread adds two elements when it loads them */
    LAB_SUM_SHUFFLE,    /* two elements per thread; each warp adds with shuffles */
    /* same as the previous variant with 16 elements per thread, loaded 16 bytes at a time */
    LAB_SUM_VECTOR,
} LabSum;

/* Number of inputs per thread, so that a block adds LAB_SUM_PARTS x LAB_SUM_THREADS inputs. */
#define LAB_SUM_PARTS(variant)                                                                     \
    ((variant) == LAB_SUM_VECTOR ? 16 : (variant) >= LAB_SUM_FIRST_ADD ? 2 : 1)

enum { LAB_SUM_THREADS = 512, LAB_SUM_ROUNDS = 9 };

/* --- matmul ----------------------------------------------------------------------------------- */
/* The product is C = A x B, and all matrices are stored by rows. With the parameters a, b and c of
 * the case, A has a x b floats and B has b x c. */

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
