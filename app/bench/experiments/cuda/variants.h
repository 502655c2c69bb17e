/* The variants of the experiments, and constants that the descriptors (.c) and the kernels (.cu)
 * have in common. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_VARIANTS_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_VARIANTS_H

#include "app/bench/experiments/experiment.h"

/* --- square, rectangle ------------------------------------------------------------------------ */
/* Ways to write and read a tile of shared memory, one word per thread. By rows, the threads of a
 * warp access 32 banks. By columns of a square, they all access one bank. */

typedef enum LabTile {
    LAB_ROW_ROW,       /* The threads write the tile by rows and read it by rows. */
    LAB_COLUMN_COLUMN, /* The threads write the tile by columns and read it by columns. */
    /* The threads write the tile by rows and read it by columns, which transposes it. */
    LAB_ROW_COLUMN,
    LAB_ROW_COLUMN_DYNAMIC,
    LAB_ROW_COLUMN_PADDED,
    LAB_ROW_COLUMN_PADDED_DYNAMIC,
} LabTile;

/* --- coalescing ------------------------------------------------------------------------------- */
/* Ways to access elements of three components, such as the red, green and blue of a pixel. */

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* A thread processes one element, one component at a time. */
    /* A block copies its data to shared memory in vectors, and processes them there. */
    LAB_STAGED,
    /* A thread holds three vectors of 16 bytes in registers. Lanes exchange components by
     * shuffles. */
    LAB_PACKED,
    LAB_PLANES, /* The data are stored as three consecutive planes, one per component. */
} LabCoalescing;

/* --- sum, sum-rounds -------------------------------------------------------------------------- */
/* Steps from a simple to a fast parallel sum. All of them use blocks of LAB_SUM_THREADS threads. */

typedef enum LabSum {
    LAB_SUM_NEIGHBOURS, /* neighbouring pairs of elements are added; warps diverge in every round */
    /* the first half of the threads adds the elements of the second half; only the last warp
     * diverges */
    LAB_SUM_SEQUENTIAL,
    /* same as LAB_SUM_SEQUENTIAL, but each thread first adds two elements when it loads them */
    LAB_SUM_FIRST_ADD,
    /* each thread adds two elements when it loads them; then each warp adds by shuffles */
    LAB_SUM_SHUFFLE,
    /* same as LAB_SUM_SHUFFLE, but each thread adds 16 elements, loaded 16 bytes at a time */
    LAB_SUM_VECTOR,
} LabSum;

/* Number of inputs that one thread adds. A block adds LAB_SUM_PARTS * LAB_SUM_THREADS inputs. */
#define LAB_SUM_PARTS(variant)                                                                     \
    ((variant) == LAB_SUM_VECTOR ? 16 : (variant) >= LAB_SUM_FIRST_ADD ? 2 : 1)

enum { LAB_SUM_THREADS = 512, LAB_SUM_ROUNDS = 9 };

/* --- matmul ----------------------------------------------------------------------------------- */
/* Ways to compute the product C = A x B of matrices that are stored by rows. A has `a` x `b` floats
 * and B has `b` x `c`, where `a`, `b` and `c` are the parameters of the case. */

typedef enum LabMatmul {
    LAB_MATMUL_GLOBAL,
    LAB_MATMUL_TILES_16,
    LAB_MATMUL_TILES_32,
    LAB_MATMUL_REGISTERS,
} LabMatmul;

/* Returns the distance in floats from the start of A to the start of B. It is rounded up so that B
 * also starts at a multiple of 256 bytes. */
static inline size_t lab_matmul_second(const LabCase *which)
{
    return ((size_t)which->a * (size_t)which->b + 63) / 64 * 64;
}

#endif
