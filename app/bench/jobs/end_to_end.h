/* Where the time of whole jobs goes: files read, decoded, run through the steps, encoded and
 * written, on each backend. Fills a BenchJob a backend; prints nothing. */
#ifndef IMGTOOL_APP_BENCH_JOBS_END_TO_END_H
#define IMGTOOL_APP_BENCH_JOBS_END_TO_END_H

#include "app/bench/report.h"
#include "app/cli/options.h"

typedef struct EndToEnd {
    /* Backend, device, threads, level, --strip and limits. `auto` is the CPU, and CUDA where there
     * is a device. Steps run by the fastest implementation: --impl is not looked at. */
    const Settings *settings;
    const char *pipeline; /* "rotate angle=90 | flip"; NULL: nothing is done between decoding and
                           * encoding, and there is no STAGE_COMMAND */
    const char *const *files;
    size_t count;        /* of files, at least 1 */
    const char *subject; /* for the report: "12 files" */
    double seconds;      /* to spend on each backend, at least 3 rounds in any case; 0: 2 seconds */
    double context;      /* what bench_create_context took; 0: it was not called */
    const char *program; /* imgtool's file, for STAGE_COMMAND; NULL: that is left out */
    /* Asked before each file; true ends the work. NULL: never. */
    bool (*stopped)(void);
    /* Told before each file; `what` is "check", "cpu", "cuda", "cpu command" or "cuda command",
     * `share` the part of it that is done. NULL: nobody asks. */
    void (*progress)(void *context, const char *what, double share);
    void *progress_context;
} EndToEnd;

/* Appends a job a backend to `report`. First each file goes through each backend once, untimed, and
 * what they wrote is compared byte by byte; those that fail, or differ, are left out of the rounds.
 * Each round takes all the others, and gives one sample to each stage: the sum over its files.
 * STAGE_COMMAND has up to 3 rounds, and none where there are more than 20 files.
 *
 * Writes into a scratch directory only, which is gone in the end; nothing beside the inputs.
 *
 * A file that fails makes its job FAILED, with the name in the message, and does not fail the call.
 * IMG_E_MISMATCH where the backends wrote different files: the report is filled nevertheless, and
 * the later job is FAILED. Where --backend cuda is unavailable, IMG_E_UNAVAILABLE; where `auto` has
 * a device that lacks an implementation, the job is SKIPPED. After any other failure nothing was
 * appended. When stopped, the report is `interrupted`, and holds what has whole rounds. */
ImgStatus bench_end_to_end(const EndToEnd *what, BenchReport *report, ImgError *err);

/* Creates the CUDA context of this process, and reports how long that took: only the first use of a
 * device pays it, so call this before any other. It stays until the process ends.
 * IMG_E_UNAVAILABLE without a device or a CUDA build. */
ImgStatus bench_create_context(const Settings *settings, double *seconds, ImgError *err);

#endif
