/* A run of `imgtool bench`: what its forms measure. cmd_bench.c checks what is asked for and
 * prints what is found. */
#ifndef IMGTOOL_APP_BENCH_RUN_H
#define IMGTOOL_APP_BENCH_RUN_H

#include "app/bench/bench.h"
#include "app/bench/output.h"
#include "app/cli/args.h"
#include "app/text/caret.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

typedef enum BenchMode {
    BENCH_MODE_OPS,
    BENCH_MODE_LAB,
    BENCH_MODE_FILES,
    BENCH_MODE_CODEC,
} BenchMode;

enum { BENCH_STEP_TEXT = 2 * IMG_PATH_SIZE }; /* a step as text, with its file */

typedef struct BenchRun {
    BenchMode mode;
    const Args *args;
    const Settings *settings;
    const char *const *names; /* the operands after "lab", "files" and "codec" */
    size_t count;
    Bench bench;
    ImgStepFiles files; /* of the operations */
    BenchOutput output;
    char pipeline[BENCH_STEP_TEXT * IMG_STEPS_MAX]; /* what --pipeline means */
    char mark[CARET_SIZE];                          /* a mistake in it, shown; or empty */
    double context;                                 /* seconds; 0: none was created */
    bool input_failed; /* a directory could not be used, which was reported */
} BenchRun;

/* Operations, then whole jobs of those that are named, or of the first. */
ImgStatus bench_run_ops(BenchRun *run, ImgError *err);

/* Experiments; with a GPU, its counters are asked first. */
ImgStatus bench_run_lab(BenchRun *run, ImgError *err);

/* Whole jobs on the user's files. */
ImgStatus bench_run_files(BenchRun *run, ImgError *err);

/* Files decoded and encoded again, and nothing else: the user's or, where none is named, one that
 * is made. */
ImgStatus bench_run_codec(BenchRun *run, ImgError *err);

#endif
