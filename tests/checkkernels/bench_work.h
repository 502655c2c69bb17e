/* One operation that is timed, with its pictures on the host or their copies on a device. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H

#include "tests/checkkernels/bench.h"
#include "tests/checkkernels/bench_source.h"
#include "tests/checkkernels/chain.h"

enum { BENCH_SAMPLES = 15 };

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
    BenchSource *source; /* replaced by the source picture */
} BenchWork;

typedef struct BenchTiming {
    /* median in seconds; noise: half the interquartile distance divided by the median */
    double median, noise;
    double copies; /* median of the time in units of copies (or reads) */
} BenchTiming;

typedef struct Bench {
    ImgCall call;
    const BenchSource *source;
    ImgImage dst, expected;
    ImgDevice *device;
    void *device_dst;
    size_t copied; /* bytes that a copy reads and writes, as many as the operation */
    void *room;    /* extra memory if that exceeds the smaller picture; on the device or the host */
    bool on_device, measures;
    /* sum of plain reads; unused, but it prevents the compiler from dropping them */
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

/* Times one run, in seconds. `impl` NULL: as for bench_time. */
ImgStatus bench_time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err);

/* Times an implementation; NULL: a copy of the same bytes, or a plain read for measurements. */
ImgStatus bench_time(Bench *bench, const ImgImpl *impl, BenchTiming *timing, ImgError *err);

#endif
