/* The forms of `imgtool bench`. They measure operations, experiments, whole jobs on files, and the
 * codec. command.c checks the options and prints the results. */
#ifndef IMGTOOL_APP_BENCH_MODES_H
#define IMGTOOL_APP_BENCH_MODES_H

#include <stdbool.h>
#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/output.h"
#include "app/cli/args.h"
#include "app/cli/command.h"
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

/* size in bytes of the text of a step, which may contain the path of a file */
enum { BENCH_STEP_TEXT = 2 * IMG_PATH_SIZE };

typedef struct BenchRun {
    BenchMode mode;
    const Args *args;
    const Settings *settings;
    const char *const *names; /* operands of the command, without "lab", "files" or "codec" */
    size_t count;
    Bench bench;
    ImgStepFiles files; /* contents of the files that are parameters of operations */
    BenchOutput output;
    char pipeline[BENCH_STEP_TEXT * IMG_STEPS_MAX]; /* the steps of --pipeline as text */
    /* text of --pipeline with a mark below the mistake, for a message; "" if there is no mistake */
    char mark[CARET_SIZE];
    /* seconds that the creation of the CUDA context took; 0: no context was created */
    double context;
    bool input_failed; /* true if a directory could not be read. The error was reported already */
} BenchRun;

/* Measures operations, and then whole jobs of the operations that the user named. If the user named
 * none, whole jobs are measured for the first operation only. */
ImgStatus bench_run_ops(BenchRun *run, ImgError *err);

/* Runs experiments. If there is a GPU, hardware counters are measured first. */
ImgStatus bench_run_lab(BenchRun *run, ImgError *err);

/* Measures whole jobs on the user's files, with the steps of --pipeline or a rotation by 90
 * degrees. */
ImgStatus bench_run_files(BenchRun *run, ImgError *err);

/* Measures decoding and encoding, without steps, for the user's files or for a generated
 * picture. */
ImgStatus bench_run_codec(BenchRun *run, ImgError *err);

/* --- Lists for --list: list.c ----------------------------------------------------------------- */

/* Prints the operations, their implementations and the formats. */
void bench_list_ops(FILE *out);

/* Prints the experiments with their cases and variants. If `help` is set, also prints their
 * explanations. */
void bench_list_lab(FILE *out, bool help);

/* --- The command ------------------------------------------------------------------------------ */

/* The command `imgtool bench`, in its forms `imgtool bench [OP...]`, `imgtool bench lab
 * [EXPERIMENT...]`, `imgtool bench files INPUT...` and `imgtool bench codec`. */

CommandFunction bench_command;

#endif
