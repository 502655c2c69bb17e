/* Measures the stages of whole jobs on each backend: reading, decoding, steps, encoding, writing.
 * Fills one BenchJob per backend; prints nothing. */
#ifndef IMGTOOL_APP_BENCH_JOBS_END_TO_END_H
#define IMGTOOL_APP_BENCH_JOBS_END_TO_END_H

#include "app/bench/report.h"
#include "app/cli/options.h"

typedef struct EndToEnd {
    /* Backend, device, threads, level, --strip and limits. `auto` means the CPU, and CUDA if there
     * is a device. Steps use the fastest implementation; --impl is ignored. */
    const Settings *settings;
    /* "rotate angle=90 | flip"; NULL: only decoding and encoding, without STAGE_COMMAND */
    const char *pipeline;
    const char *const *files;
    size_t count;        /* number of files, at least 1 */
    const char *subject; /* text for the report: "12 files" */
    /* seconds per backend, but at least 3 rounds; 0: 2 seconds */
    double seconds;
    double context;      /* result of bench_create_context; 0: it was not called */
    const char *program; /* path of imgtool, for STAGE_COMMAND; NULL: without it */
    /* Called before each file; true stops the work. NULL: never stop. */
    bool (*stopped)(void);
    /* Called before each file. `what` is "check", "cpu", "cuda", "cpu command" or "cuda command";
     * `share` is the finished part of it. NULL: not called. */
    void (*progress)(void *context, const char *what, double share);
    void *progress_context;
} EndToEnd;

/* Appends one job per backend to `report`. First each file runs once on each backend, untimed, and
 * the outputs are compared byte by byte. Files that fail or differ are excluded. Then each round
 * runs all other files and adds one sample per stage, the sum over the files. STAGE_COMMAND has up
 * to 3 rounds, and none for more than 20 files.
 *
 * Writes only to a temporary directory, which is removed at the end.
 *
 * A file that fails makes its job BENCH_FAILED, with its name in the message, and is not an error
 * of the call. If the backends wrote different files, the call returns IMG_E_MISMATCH, and the
 * report contains the results with the second job BENCH_FAILED. IMG_E_UNAVAILABLE if --backend cuda
 * is unavailable; with `auto`, a device that lacks an implementation makes the job BENCH_SKIPPED.
 * After any other error nothing is appended. If stopped, the report is marked as interrupted and
 * contains complete rounds only. */
ImgStatus bench_end_to_end(const EndToEnd *what, BenchReport *report, ImgError *err);

/* Creates the CUDA context of this process and measures the time in seconds. Only the first use of
 * a device creates it, so call this before any other. It exists until the process ends.
 * IMG_E_UNAVAILABLE without a device or CUDA. */
ImgStatus bench_create_context(const Settings *settings, double *seconds, ImgError *err);

#endif
