/* The variants of `sum` and `sum-rounds`: steps from a simple to a fast parallel sum, in blocks of
 * LAB_SUM_THREADS threads. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_SUM_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_SUM_H

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

#endif
