/* The experiments of the benchmark's lab: one table, from which listing, running, checking,
 * counting and timing are driven, as operations are from theirs. An experiment is a kernel in
 * several variants, each run on several cases (sizes, element types).
 *
 * Launchers work on device memory of the caller and return when the launch is queued. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_EXPERIMENT_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a variant runs on. */
typedef struct LabCase {
    const char *name; /* "32 x 32", "4 bytes, stride 2"; NULL ends the list */
    int32_t a, b, c;  /* for the experiment: sides, bytes, strides */
    /* Counting takes far longer than running: counts are those of this smaller case (its name says
     * what it is). NULL: of the case itself. */
    const struct LabCase *counted;
    /* Counts of this case are subtracted from those of the case (of `counted`, where there is one),
     * so that a part shows alone (one round of a sum). NULL: nothing is subtracted. */
    const struct LabCase *less;
} LabCase;

typedef struct LabVariant {
    const char *name; /* "padded"; NULL ends the list */
    const char *note; /* what it does differently, one line */
    int32_t value;    /* for the experiment */
} LabVariant;

typedef struct LabSize {
    size_t in, out;      /* bytes of device memory; 0: none */
    uint64_t traffic;    /* bytes of global memory that any variant has to move, for GB/s */
    uint64_t operations; /* arithmetic, for GFLOP/s; 0: not reported */
} LabSize;

/* Counts that a lesson is about. Tables always show them and plots draw them. */
typedef enum LabCounter {
    LAB_NO_COUNTER,
    LAB_SHARED_WAVEFRONTS, /* of reads and writes */
    LAB_SHARED_READ_WAVEFRONTS,
    LAB_GLOBAL_READS,   /* requests */
    LAB_GLOBAL_SECTORS, /* read and written */
    LAB_SPLIT_WARPS,
    LAB_SPLIT_BRANCHES,
    LAB_COUNTERS
} LabCounter;

enum { LAB_LESSON_COUNTERS = 2 }; /* of a lesson, at most; the rest is LAB_NO_COUNTER */

typedef struct LabExperiment {
    const char *name;    /* "square", for the command line: lower case, no spaces */
    const char *title;   /* "Square shared memory, 32 x 32 ints, one block" */
    const char *help;    /* a paragraph: what is tried, and what the figures should show */
    const char *sources; /* files of its kernels, separated by blanks */
    const LabCase *cases;
    const LabVariant *variants; /* the one to which others are compared first */
    LabCounter counters[LAB_LESSON_COUNTERS];
    LabSize (*size)(const LabCase *which);
    /* Does the variant support this case? NULL: every variant supports every case. */
    bool (*applies)(const LabVariant *variant, const LabCase *which);
    /* The input, always the same; not called where size.in is 0. */
    void (*fill)(const LabCase *which, void *in);
    /* What `out` must hold afterwards, in plain C; it may differ by variant (sums by block). Equal
     * to the byte; every variant writes all of `out`. */
    void (*reference)(const LabVariant *variant, const LabCase *which, const void *in, void *out);
    /* NULL where this build does not contain it. */
    ImgStatus (*launch)(const LabVariant *variant, const LabCase *which, const void *in, void *out,
                        void *stream, ImgError *err);
} LabExperiment;

/* NULL ends it. */
extern const LabExperiment *const lab_experiments[];

const LabExperiment *lab_find(const char *name);
const LabCase *lab_find_case(const LabExperiment *experiment, const char *name);
const LabVariant *lab_find_variant(const LabExperiment *experiment, const char *name);

#ifdef __cplusplus
}
#endif
#endif
