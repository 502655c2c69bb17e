/* `imgtool bench lab`: the experiments of app/bench/experiments and those that are operations,
 * checked, timed where there is a GPU, and counted. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_H
#define IMGTOOL_APP_BENCH_LAB_LAB_H

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"

/* An experiment whose kernels are rows of operations. */
typedef struct LabOps {
    const char *name, *title, *help;
    const char *const *steps;   /* "rotate angle=90"; NULL ends */
    const char *const *formats; /* names of bench_formats; NULL ends */
    LabCounter counters[LAB_LESSON_COUNTERS];
} LabOps;

/* Ends with a NULL name. The size of the pictures whose launches are counted: odd, and larger than
 * any tile; the emulator takes a microsecond for what a GPU does in a nanosecond. */
enum { LAB_OPS_WIDTH = 131, LAB_OPS_HEIGHT = 97 };
extern const LabOps lab_ops[];

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err);

/* IMG_E_USAGE, naming the nearest, if one of the names is not an experiment. */
ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err);

/* Those that are named, or all. Without a GPU they run in the emulator; where that is not in the
 * build either, IMG_E_UNAVAILABLE. */
ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err);

#endif
