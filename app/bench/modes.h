/* The forms of `imgtool bench`: what each measures. command.c checks the options and prints
 * results. */
#ifndef IMGTOOL_APP_BENCH_MODES_H
#define IMGTOOL_APP_BENCH_MODES_H

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
    const char *const *names; /* operands after "lab", "files" or "codec" */
    size_t count;
    Bench bench;
    ImgStepFiles files; /* files that the operations read */
    BenchOutput output;
    char pipeline[BENCH_STEP_TEXT * IMG_STEPS_MAX]; /* steps of --pipeline */
    char mark[CARET_SIZE];                          /* marked mistake in --pipeline; or empty */
    double context;    /* seconds to create the CUDA context; 0: none */
    bool input_failed; /* a directory was unusable, which was reported */
} BenchRun;

/* Measures operations, then whole jobs of the named operations, or of the first one. */
ImgStatus bench_run_ops(BenchRun *run, ImgError *err);

/* Runs experiments. With a GPU, hardware counters are collected first. */
ImgStatus bench_run_lab(BenchRun *run, ImgError *err);

/* Measures whole jobs on the user's files. */
ImgStatus bench_run_files(BenchRun *run, ImgError *err);

/* Measures decoding and encoding only, of the user's files or of a generated picture. */
ImgStatus bench_run_codec(BenchRun *run, ImgError *err);

#endif
