/* An operation that is timed, as a workload of the harness that imgtool bench uses too. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H

#include "app/bench/measure/workload.h"
#include "tests/checkkernels/bench.h"
#include "tests/checkkernels/chain.h"

/* An operation, or a chain of operations that run in one pass. All pointers are borrowed. */
typedef struct BenchWork {
    const ImgOp *op;
    const void *params;
    const Chain *chain; /* the chain; NULL if only `op` is timed */
    ImgBackend backend; /* CPU or CUDA */
    ImgShape src, dst;
    ImgConstants constants;
    uint64_t bytes; /* number of bytes that the operation must read and write */
    const char *title, *format;
    /* the source picture, which later works reuse; bench_open replaces it if its shape differs */
    ImgImage *source;
} BenchWork;

/* Returns true if the implementation can run the work on its backend. */
bool bench_applies(const BenchWork *work, const ImgImpl *impl);

/* Makes the pictures, fills the source, and computes the expected result if it is needed. The
 * caller must call workload_free, also after a failure. */
ImgStatus bench_open(Workload *workload, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err);

/* Times the choice of img_impl_fastest and all other variants of the backend that apply, with few
 * runs each. If another variant seems faster, both are timed again in alternating runs. If the
 * choice then takes longer by more than 5 % plus the noise, the tally counts a failure, and a
 * printed line names the faster variant and the difference. If no other variant applies, the tally
 * counts the choice as `alone`. */
void bench_choice(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                  CheckTally *tally);

void bench_choice_print_head(const BenchOptions *wanted);

/* Prints a summary such as "812 choices are the fastest, ..." */
void bench_choice_print_tally(const CheckTally *tally);

#endif
