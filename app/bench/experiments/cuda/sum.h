/* Variants of `sum` and `sum-rounds`: steps from a simple to a fast parallel sum, in blocks of
 * LAB_SUM_THREADS threads. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_SUM_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_SUM_H

typedef enum LabSum {
    LAB_SUM_NEIGHBOURS, /* neighbouring pairs: warps diverge in every round */
    LAB_SUM_SEQUENTIAL, /* sequential addressing: only the last warp diverges */
    LAB_SUM_FIRST_ADD,  /* the same, two elements per thread on load */
    LAB_SUM_SHUFFLE,    /* two elements per thread; each warp adds with shuffles */
    LAB_SUM_VECTOR,     /* the same with 16 elements per thread, loaded 16 bytes at a time */
} LabSum;

/* Inputs per block, in multiples of LAB_SUM_THREADS. */
#define LAB_SUM_PARTS(variant)                                                                     \
    ((variant) == LAB_SUM_VECTOR ? 16 : (variant) >= LAB_SUM_FIRST_ADD ? 2 : 1)

enum { LAB_SUM_THREADS = 512, LAB_SUM_ROUNDS = 9 };

#endif
