/* One operation that is timed, with its pictures on the host or their copies on a device. */
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
    void *on_device; /* its copy on the device for IMG_BACKEND_CUDA */
} BenchSource;

/* Makes a picture of this shape and content, unless `source` already holds one. */
ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err);
void bench_source_free(BenchSource *source);

/* An operation, or a chain of them in one pass. All pointers are borrowed. */
typedef struct BenchWork {
    const ImgOp *op;
    const void *params;
    const Chain *chain; /* NULL: only `op` */
    ImgBackend backend; /* CPU or CUDA */
    ImgShape src, dst;
    ImgConstants constants;
    double bytes; /* bytes that the operation must read and write */
    const char *title, *format;
    BenchSource *source; /* its picture is replaced if another is needed */
} BenchWork;

typedef struct BenchTiming {
    /* median in seconds; noise: half the interquartile distance divided by the median */
    double median, noise;
    double copies; /* median of the times, each divided by the time of a copy (or read) */
} BenchTiming;

typedef struct Bench {
    ImgCall call;
    const BenchSource *source;
    ImgImage dst, expected;
    ImgDevice *device;
    void *device_dst;
    /* number of bytes that a copy reads and writes, which equals that of the operation */
    size_t copied;
    /* extra memory for the copy if the smaller picture is too small; on the device or the host */
    void *room;
    bool on_device, measures;
    /* sum of the bytes of plain reads; it only prevents the compiler from removing the reads */
    volatile uint64_t sum;
} Bench;

/* Makes the pictures, their content, and the expected result if it is needed. Call bench_free
 * afterwards, also on failure. */
ImgStatus bench_open(Bench *bench, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err);
void bench_free(Bench *bench);

/* Runs an implementation once. Returns IMG_E_MISMATCH if the result differs. */
ImgStatus bench_check(Bench *bench, const ImgImpl *impl, ImgError *err);

/* Summarises `count` samples in seconds and sorts them; `copies` is 0. */
BenchTiming bench_summarise(double *samples, size_t count);

/* Times one run, in seconds. If `impl` is NULL, times a copy or read as bench_time does. */
ImgStatus bench_time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err);

/* Times an implementation. If `impl` is NULL, times a copy of the same number of bytes, or for
 * measurements a plain read. */
ImgStatus bench_time(Bench *bench, const ImgImpl *impl, BenchTiming *timing, ImgError *err);

/* Times the choice of img_impl_fastest and all other variants of the backend that apply, with few
 * runs each. The reference is included only if there is nothing else to compare. If another variant
 * seems faster, both are timed again with alternating runs. If the choice takes longer by more than
 * 5 % and the noise of both, the tally counts a failure and a line names the variant and the
 * difference. */
void bench_choice(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                  CheckTally *tally);

void bench_choice_print_head(const BenchOptions *wanted);

/* Prints a line such as "812 choices are the fastest, ..." */
void bench_choice_print_tally(const CheckTally *tally);

#endif
