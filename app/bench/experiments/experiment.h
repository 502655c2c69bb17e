/* The experiments of the benchmark's lab. One table drives listing, running, checking, counting and
 * timing, as the table of operations does. An experiment is a kernel in several variants, each run
 * on several cases (sizes, element types).
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

/* Data that a variant runs on. */
typedef struct LabCase {
    const char *name; /* "32 x 32", "4 bytes, stride 2"; NULL ends the list */
    int32_t a, b, c;  /* parameters with a meaning per experiment: sides, bytes, strides */
    /* Counting takes far longer than running: counts come from this smaller case, whose name
     * describes it. NULL: from the case itself. */
    const struct LabCase *counted;
    /* Counts of this case are subtracted from those of the case (of `counted`, if set), so that a
     * part shows alone, such as one round of a sum. NULL: nothing is subtracted. */
    const struct LabCase *less;
} LabCase;

typedef struct LabVariant {
    const char *name; /* "padded"; NULL ends the list */
    const char *note; /* the difference to other variants, one line */
    int32_t value;    /* parameter with a meaning per experiment */
} LabVariant;

typedef struct LabSize {
    size_t in, out;      /* bytes of device memory; 0: none */
    uint64_t traffic;    /* bytes of global memory that every variant must move, for GB/s */
    uint64_t operations; /* arithmetic operations, for GFLOP/s; 0: not reported */
} LabSize;

/* Counters that a lesson explains. Tables always show them and plots draw them. */
typedef enum LabCounter {
    LAB_NO_COUNTER,
    LAB_SHARED_WAVEFRONTS, /* reads and writes */
    LAB_SHARED_READ_WAVEFRONTS,
    LAB_GLOBAL_READS,   /* requests */
    LAB_GLOBAL_SECTORS, /* reads and writes */
    LAB_SPLIT_WARPS,
    LAB_SPLIT_BRANCHES,
    LAB_COUNTERS
} LabCounter;

enum { LAB_LESSON_COUNTERS = 2 }; /* maximum per lesson; unused entries are LAB_NO_COUNTER */

typedef struct LabExperiment {
    const char *name;    /* "square", for the command line: lower case, no spaces */
    const char *title;   /* "Square shared memory, 32 x 32 ints, one block" */
    const char *help;    /* a paragraph: the experiment, and the expected figures */
    const char *sources; /* source files of the kernels, separated by blanks */
    const LabCase *cases;
    const LabVariant *variants; /* the first one is the reference for speed-ups */
    LabCounter counters[LAB_LESSON_COUNTERS];
    LabSize (*size)(const LabCase *which);
    /* True if the variant supports this case. NULL: every variant supports every case. */
    bool (*applies)(const LabVariant *variant, const LabCase *which);
    /* Writes the input, always the same. Not called if size.in is 0. */
    void (*fill)(const LabCase *which, void *in);
    /* Writes the expected output, in plain C. It may depend on the variant (sums by block). Every
     * variant must write all of `out`, equal to the byte. */
    void (*reference)(const LabVariant *variant, const LabCase *which, const void *in, void *out);
    /* NULL if this build does not contain it. */
    ImgStatus (*launch)(const LabVariant *variant, const LabCase *which, const void *in, void *out,
                        void *stream, ImgError *err);
} LabExperiment;

/* Ends with NULL. */
extern const LabExperiment *const lab_experiments[];

const LabExperiment *lab_find(const char *name);
const LabCase *lab_find_case(const LabExperiment *experiment, const char *name);
const LabVariant *lab_find_variant(const LabExperiment *experiment, const char *name);

#ifdef __cplusplus
}
#endif
#endif
