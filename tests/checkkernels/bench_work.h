/* An operation that is timed, with its pictures on the host and their copies on a device. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H

#include "tests/checkkernels/bench.h"
#include "tests/checkkernels/chain.h"

enum { BENCH_SAMPLES = 15 };

/* The source picture of a benchmark, which later benchmarks reuse. Initialise with zeros and free
 * with bench_source_free. */
typedef struct BenchSource {
    ImgBackend backend;
    ImgImage image;  /* the picture on the host */
    void *on_device; /* copy of the picture on the device; only for IMG_BACKEND_CUDA */
} BenchSource;

/* Makes a picture with this shape, backend and content, unless `source` already holds one. */
ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err);
void bench_source_free(BenchSource *source);

/* An operation, or a chain of operations that run in one pass. All pointers are borrowed. */
typedef struct BenchWork {
    const ImgOp *op;
    const void *params;
    const Chain *chain; /* the chain; NULL if only `op` is timed */
    ImgBackend backend; /* CPU or CUDA */
    ImgShape src, dst;
    ImgConstants constants;
    double bytes; /* number of bytes that the operation must read and write */
    const char *title, *format;
    /* bench_open replaces the picture in it if that has another shape or backend than this
     * operation needs */
    BenchSource *source;
} BenchWork;

typedef struct BenchTiming {
    /* median in seconds, and noise: half the interquartile range divided by the median */
    double median, noise;
    /* median of the times, each divided by the time of the copy or read before it */
    double copies;
} BenchTiming;

typedef struct Bench {
    ImgCall call;
    const BenchSource *source;
    ImgImage dst, expected;
    ImgDevice *device;
    void *device_dst;
    /* number of bytes that the copy reads and then writes: half of BenchWork.bytes, so that it
     * moves as many bytes as the operation */
    size_t copied;
    /* memory of `copied` bytes, on the device or the host, if the smaller picture is too small for
     * the copy; otherwise NULL */
    void *room;
    bool on_device, measures;
    /* sum of the bytes of plain reads; without it the compiler would remove the reads */
    volatile uint64_t sum;
} Bench;

/* Makes the pictures, fills them, and computes the expected result if it is needed. The caller must
 * call bench_free, also after a failure. */
ImgStatus bench_open(Bench *bench, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err);
void bench_free(Bench *bench);

/* Runs an implementation once. Returns IMG_E_MISMATCH if its result is not the expected one. */
ImgStatus bench_check(Bench *bench, const ImgImpl *impl, ImgError *err);

/* Summarises `count` times in seconds, and sorts them. `copies` of the result is 0. */
BenchTiming bench_summarise(double *samples, size_t count);

/* Times one run, in seconds. If `impl` is NULL, times a copy or read as bench_time does. */
ImgStatus bench_time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err);

/* Times an implementation. If `impl` is NULL, times a copy of the same number of bytes, or a plain
 * read for an operation that only measures. */
ImgStatus bench_time(Bench *bench, const ImgImpl *impl, BenchTiming *timing, ImgError *err);

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
