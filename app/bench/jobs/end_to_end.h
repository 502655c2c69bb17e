/* Measures whole jobs on each backend, divided into stages: reading, decoding, steps, encoding and
 * writing. Appends one BenchJob per backend to a report. Prints nothing. */
#ifndef IMGTOOL_APP_BENCH_JOBS_END_TO_END_H
#define IMGTOOL_APP_BENCH_JOBS_END_TO_END_H

#include "app/bench/report.h"
#include "app/cli/options.h"

typedef struct EndToEnd {
    /* Backend, device, threads, level, --strip and limits of the jobs. With --backend auto the jobs
     * run on the CPU, and also on CUDA if there is a device. Steps use the fastest implementation;
     * --impl is ignored. */
    const Settings *settings;
    /* steps, such as "rotate angle=90 | flip". NULL: files are only decoded and encoded, and
     * STAGE_COMMAND is not measured */
    const char *pipeline;
    const char *const *files;
    size_t count;        /* number of input files, at least 1 */
    const char *subject; /* short description of the files for the report, such as "12 files" */
    /* seconds to spend per backend; 0: 2 seconds. At least 3 rounds run in any case */
    double seconds;
    double context; /* seconds that bench_create_context measured; 0: it was not called */
    /* path of imgtool, which is run for STAGE_COMMAND; NULL: this stage is not measured */
    const char *program;
    /* Called before each file. Returns true if the work must stop. NULL: the work is never
     * stopped. */
    bool (*stopped)(void);
    /* Called before each file. `what` is the phase: "check", "cpu", "cuda", "cpu command" or "cuda
     * command". `share` is the part of the phase that is done, from 0 to 1. NULL: not called. */
    void (*progress)(void *context, const char *what, double share);
    void *progress_context;
} EndToEnd;

/* Measures the files, and appends one job per backend to `report`.
 *
 * First each file runs once on each backend, untimed, and the outputs are compared byte by byte.
 * Files that fail or differ are excluded. Then each round runs all other files, and adds one sample
 * per stage: the sum over the files. STAGE_COMMAND has up to 3 rounds, and none for more than 20
 * files.
 *
 * Writes only to a temporary directory, which is removed at the end.
 *
 * If a file fails on a backend, the job of the backend is BENCH_FAILED, its message names the file,
 * and the call continues. If the backends wrote different files, the second job is BENCH_FAILED,
 * and the call returns IMG_E_MISMATCH with all results in the report. Fails with IMG_E_UNAVAILABLE
 * if --backend cuda is unavailable. With --backend auto, a job is BENCH_SKIPPED if its device lacks
 * an implementation of a step. After any other error nothing is appended. If the work is stopped,
 * the report is marked as interrupted and contains complete rounds only. */
ImgStatus bench_end_to_end(const EndToEnd *what, BenchReport *report, ImgError *err);

/* Creates the CUDA context of this process, and sets *seconds to the time that this takes. Call it
 * before any other use of the device, because the first use creates the context. The context exists
 * until the process ends. Fails with IMG_E_UNAVAILABLE without a device or CUDA. */
ImgStatus bench_create_context(const Settings *settings, double *seconds, ImgError *err);

#endif
