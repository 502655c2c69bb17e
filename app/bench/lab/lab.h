/* `imgtool bench lab`: runs the experiments of app/bench/experiments, and others that compare
 * implementations of operations. Checks and counts the variants, and times them if there is a
 * GPU. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_H
#define IMGTOOL_APP_BENCH_LAB_LAB_H

#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"

/* An experiment whose variants are implementations of an operation. */
typedef struct LabOps {
    const char *name, *title, *help;
    const char *sources; /* paths of the kernels' source files, as in LabExperiment */
    /* paragraphs to print after the table, which point out the results to look at; NULL: none */
    const char *const *look;
    /* names of the implementations to compare, separated by blanks, such as "cuda-naive-read
     * cuda-tiled"; NULL: all */
    const char *impls;
    bool only_named;            /* true if 'lab all' does not include the experiment */
    int32_t width, height;      /* size of the pictures for counting */
    const char *const *steps;   /* steps such as "rotate angle=90"; NULL ends the list */
    const char *const *formats; /* names from bench_formats; NULL ends the list */
    LabCounter counters[LAB_LESSON_COUNTERS];
} LabOps;

/* The table of these experiments. An entry whose name is NULL ends it. */
extern const LabOps lab_ops[];

/* Name of the experiment that runs by default. */
#define LAB_FIRST "first"

/* The name that stands for all experiments. */
#define LAB_ALL "all"

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err);

/* Checks the names. IMG_E_USAGE for a name that is not an experiment; the message has the most
 * similar name. */
ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err);

/* Prints the source files of the experiments' kernels. A file that several experiments use is
 * printed once. */
void bench_lab_show(FILE *out, const char *const *names, size_t count);

/* Runs the named experiments. Without a GPU they run in the emulator. IMG_E_UNAVAILABLE if the
 * build does not contain the emulator either. */
ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err);

#endif
