/* One thing that is timed, with its pictures: on the host, or their twins on a device. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_WORK_H

#include "tests/checkkernels/bench.h"
#include "tests/checkkernels/bench_source.h"
#include "tests/checkkernels/chain.h"

enum { BENCH_SAMPLES = 15 };

/* An operation, or a chain of them in one pass. All is borrowed. */
typedef struct BenchWork {
    const ImgOp *op;
    const void *params;
    const Chain *chain; /* NULL: `op` alone */
    ImgBackend backend; /* CPU or CUDA */
    ImgShape src, dst;
    ImgConstants constants;
    double bytes; /* that the operation has to read and write */
    const char *title, *format;
    BenchSource *source; /* becomes what is read */
} BenchWork;

typedef struct BenchTiming {
    double median, noise; /* seconds; half the distance of the quartiles over the median */
    double copies;        /* median of how many copies (or reads) one run takes */
} BenchTiming;

typedef struct Bench {
    ImgCall call;
    const BenchSource *source;
    ImgImage dst, expected;
    ImgDevice *device;
    void *device_dst;
    size_t copied; /* bytes that a copy reads and writes: as many as the operation */
    void *room;    /* where that is more than the smaller picture has; of the device or the host */
    bool on_device, measures;
    volatile uint64_t sum; /* of plain reads: nobody asks for it, but it must be worked out */
} Bench;

/* Pictures, their contents, and what must come out, if that is wanted. Ends with bench_free, also
 * on failure. */
ImgStatus bench_open(Bench *bench, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err);
void bench_free(Bench *bench);

/* Runs an implementation once. IMG_E_MISMATCH: something else came out. */
ImgStatus bench_check(Bench *bench, const ImgImpl *impl, ImgError *err);

/* Of `count` samples in seconds, which it sorts; `copies` is 0. */
BenchTiming bench_summarise(double *samples, size_t count);

/* One run, in seconds. NULL: as for bench_time. */
ImgStatus bench_time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err);

/* Times an implementation; NULL: a copy of the same bytes (of measurements: a plain read). */
ImgStatus bench_time(Bench *bench, const ImgImpl *impl, BenchTiming *timing, ImgError *err);

#endif
