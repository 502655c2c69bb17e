/* The forms of `imgtool bench`, which measure different things: operations, experiments, files and
 * the codec. command.c checks the options and prints the results. */
#ifndef IMGTOOL_APP_BENCH_MODES_H
#define IMGTOOL_APP_BENCH_MODES_H

#include <stdbool.h>
#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/output.h"
#include "app/cli/args.h"
#include "app/text/caret.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

/* --- Forms of the command --------------------------------------------------------------------- */

typedef enum BenchMode {
    BENCH_MODE_OPS,
    BENCH_MODE_LAB,
    BENCH_MODE_FILES,
    BENCH_MODE_CODEC,
} BenchMode;

/* size of a step as text, with the path of its file */
enum { BENCH_STEP_TEXT = 2 * IMG_PATH_SIZE };

typedef struct BenchRun {
    BenchMode mode;
    const Args *args;
    const Settings *settings;
    const char *const *names; /* operands after "lab", "files" or "codec" */
    size_t count;
    Bench bench;
    ImgStepFiles files; /* files that are parameters of operations */
    BenchOutput output;
    char pipeline[BENCH_STEP_TEXT * IMG_STEPS_MAX]; /* the steps of --pipeline as text */
    /* the text of --pipeline with the mistake marked, for a message; "" if there is none */
    char mark[CARET_SIZE];
    double context;    /* seconds that the creation of the CUDA context took; 0: none was created */
    bool input_failed; /* true if a directory could not be used, which was reported */
} BenchRun;

/* Measures operations, then whole jobs of the operations that the user named, or of the first
 * one. */
ImgStatus bench_run_ops(BenchRun *run, ImgError *err);

/* Runs experiments. If there is a GPU, it first collects hardware counters. */
ImgStatus bench_run_lab(BenchRun *run, ImgError *err);

/* Measures whole jobs on the user's files. */
ImgStatus bench_run_files(BenchRun *run, ImgError *err);

/* Measures decoding and encoding only, of the user's files or of a generated picture. */
ImgStatus bench_run_codec(BenchRun *run, ImgError *err);

/* --- Lists for --list: list.c ----------------------------------------------------------------- */

/* Prints the operations, their implementations and the formats. */
void bench_list_ops(FILE *out);

/* Prints the experiments with their cases and variants. With `help` it also prints their
 * explanations. */
void bench_list_lab(FILE *out, bool help);

#endif
