/* `imgtool bench lab`: runs the experiments of app/bench/experiments, and experiments that compare
 * implementations of an operation. Checks the results of the variants, counts their events, and
 * times them if there is a GPU. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_H
#define IMGTOOL_APP_BENCH_LAB_LAB_H

#include <stdio.h>

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"

/* An experiment whose variants are implementations of an operation. */
typedef struct LabOps {
    const char *name, *title, *help;
    /* paths of the kernels' source files, separated by blanks, as in LabExperiment */
    const char *sources;
    /* paragraphs to print after the table, which explain the results; a NULL pointer ends them.
     * NULL: there are none */
    const char *const *look;
    /* names of the implementations to compare, separated by blanks, such as "cuda-naive-read
     * cuda-tiled"; NULL: all implementations of the operation */
    const char *impls;
    /* true if the experiment runs only if the user names it; 'lab all' leaves it out */
    bool only_named;
    int32_t width, height;    /* width and height in pixels of the picture for counting */
    const char *const *steps; /* steps such as "rotate angle=90"; a NULL pointer ends the list */
    /* formats to measure, by their names in bench_formats; a NULL pointer ends the list */
    const char *const *formats;
    LabCounter counters[LAB_LESSON_COUNTERS];
} LabOps;

/* The table of experiments that compare implementations. An entry whose name is NULL ends it. */
extern const LabOps lab_ops[];

/* Name of the experiment that runs if the user names none. */
#define LAB_FIRST "first"

/* Name that stands for all experiments on the command line. */
#define LAB_ALL "all"

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err);

/* Checks that each of the `count` names is an experiment. Otherwise fails with IMG_E_USAGE, and the
 * message suggests the most similar name. */
ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err);

/* Prints the source files of the kernels in the named experiments. If experiments have a file in
 * common, it is printed once. */
void bench_lab_show(FILE *out, const char *const *names, size_t count);

/* Runs the named experiments on the GPU, or in the emulator if there is no GPU. Fails with
 * IMG_E_UNAVAILABLE if there is no GPU and the build does not contain the emulator. */
ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err);

/* --- Cases: lab_case.c ------------------------------------------------------------------------ */

/* Adds the title of the experiment to `group`, which must be the last group of the report. The
 * first group of the experiment also gets the explanation `help`. */
void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help);

/* Checks the variants on the case `which` and counts their events. Times them if there is a GPU.
 * With --small it runs the smaller case which->counted instead, if there is one. */
ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err);

/* Runs each variant once, on `which` and on the smaller cases that are counted in its place. With
 * --small runs only the smaller cases. */
ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err);

/* --- Sources of the kernels ------------------------------------------------------------------- */

typedef struct LabSource {
    /* path of the file, such as "app/bench/experiments/cuda/square.cu"; NULL ends the list */
    const char *path;
    const char *text;
} LabSource;

extern const LabSource lab_sources[];

#endif
