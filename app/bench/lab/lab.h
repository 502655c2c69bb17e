/* `imgtool bench lab`: runs the experiments of app/bench/experiments, and experiments that are
 * operations. It checks and counts them, and times them if there is a GPU. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_H
#define IMGTOOL_APP_BENCH_LAB_LAB_H

#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"

/* An experiment whose variants are implementations of operations. */
typedef struct LabOps {
    const char *name, *title, *help;
    const char *sources;      /* as in LabExperiment */
    const char *const *look;  /* paragraphs after the table: what to look at; NULL: none */
    const char *impls;        /* implementations, such as "cuda-naive-read cuda-tiled"; NULL: all */
    bool only_named;          /* excluded from 'lab all' */
    int32_t width, height;    /* size of the pictures whose launches are counted */
    const char *const *steps; /* "rotate angle=90"; ends with NULL */
    const char *const *formats; /* names of bench_formats; ends with NULL */
    LabCounter counters[LAB_LESSON_COUNTERS];
} LabOps;

/* Ends with a NULL name. */
extern const LabOps lab_ops[];

/* The default experiment. */
#define LAB_FIRST "first"

/* Name that stands for all experiments. */
#define LAB_ALL "all"

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err);

/* IMG_E_USAGE, with the most similar name, if a name is not an experiment. */
ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err);

/* Prints the source files of the kernels, each once. */
void bench_lab_show(FILE *out, const char *const *names, size_t count);

/* Runs the named experiments. Without a GPU they run in the emulator. IMG_E_UNAVAILABLE if the
 * build does not contain that either. */
ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err);

#endif
