/* `imgtool bench lab`: the experiments of app/bench/experiments and those that are operations,
 * checked, timed where there is a GPU, and counted. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_H
#define IMGTOOL_APP_BENCH_LAB_LAB_H

#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"

/* An experiment whose kernels are rows of operations. */
typedef struct LabOps {
    const char *name, *title, *help;
    const char *sources;        /* as of LabExperiment */
    const char *const *look;    /* paragraphs after the table: what is to be seen; NULL: none */
    const char *impls;          /* "cuda-naive-read cuda-tiled", in place of all; or NULL */
    bool only_named;            /* is it left out where all experiments run? */
    int32_t width, height;      /* of the pictures whose launches are counted */
    const char *const *steps;   /* "rotate angle=90"; NULL ends */
    const char *const *formats; /* names of bench_formats; NULL ends */
    LabCounter counters[LAB_LESSON_COUNTERS];
} LabOps;

/* Ends with a NULL name. */
extern const LabOps lab_ops[];

/* The experiment that runs where none is named. */
#define LAB_FIRST "first"

/* All of them, in the place of a name. */
#define LAB_ALL "all"

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err);

/* IMG_E_USAGE, naming the nearest, if one of the names is not an experiment. */
ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err);

/* Prints the source files of their kernels, each once. */
void bench_lab_show(FILE *out, const char *const *names, size_t count);

/* Those that are named. Without a GPU they run in the emulator; where that is not in the
 * build either, IMG_E_UNAVAILABLE. */
ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err);

#endif
