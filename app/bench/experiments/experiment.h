/* The experiments of the benchmark's lab. One table of them drives listing, running, checking,
 * counting and timing, as the table of operations does for operations. An experiment is a kernel in
 * several variants. Each variant runs on several cases, such as sizes or element types.
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

/* A case: the data on which variants run. */
typedef struct LabCase {
    const char *name; /* name, such as "32 x 32" or "4 bytes, stride 2"; NULL ends the list */
    /* parameters whose meaning depends on the experiment: sides, bytes, strides */
    int32_t a, b, c;
    /* Smaller case from which the counts come, because counting takes far longer than running. Its
     * name describes it in the output. NULL: the counts come from the case itself. */
    const struct LabCase *counted;
    /* Case whose counts are subtracted from those of the case (of `counted`, if set). The
     * difference shows a single part, such as one round of a sum. NULL: nothing is subtracted. */
    const struct LabCase *less;
} LabCase;

typedef struct LabVariant {
    const char *name; /* name, such as "padded"; NULL ends the list */
    const char *note; /* difference to the other variants, in one line */
    int32_t value;    /* parameter whose meaning depends on the experiment */
} LabVariant;

typedef struct LabSize {
    size_t in, out; /* bytes of input and of output in device memory; 0: none */
    /* bytes of global memory that every variant must move; the basis of GB/s */
    uint64_t traffic;
    /* number of arithmetic operations, the basis of GFLOP/s; 0: not reported */
    uint64_t operations;
} LabSize;

/* The counters that an experiment can explain. Its tables always show them, and its plots draw
 * them. */
typedef enum LabCounter {
    LAB_NO_COUNTER,
    LAB_SHARED_WAVEFRONTS, /* wavefronts (passes through the banks) of reads and writes */
    LAB_SHARED_READ_WAVEFRONTS,
    LAB_GLOBAL_READS,   /* requests that read global memory */
    LAB_GLOBAL_SECTORS, /* sectors of 32 bytes, of reads and writes */
    LAB_SPLIT_WARPS,
    LAB_SPLIT_BRANCHES,
    LAB_COUNTERS
} LabCounter;

/* maximum number of counters per experiment; unused entries are LAB_NO_COUNTER */
enum { LAB_LESSON_COUNTERS = 2 };

typedef struct LabExperiment {
    const char *name;    /* name for the command line, such as "square": lower case, no spaces */
    const char *title;   /* title, such as "Square shared memory, 32 x 32 ints, one block" */
    const char *help;    /* a paragraph that describes the experiment and the expected figures */
    const char *sources; /* paths of the kernels' source files, separated by blanks */
    const LabCase *cases;
    const LabVariant *variants; /* the variants; the first one is the reference for speed-ups */
    LabCounter counters[LAB_LESSON_COUNTERS];
    LabSize (*size)(const LabCase *which);
    /* Returns true if the variant supports this case. NULL: every variant supports every case. */
    bool (*applies)(const LabVariant *variant, const LabCase *which);
    /* Writes the input, which is the same at every call. Not called if size.in is 0. */
    void (*fill)(const LabCase *which, void *in);
    /* Computes the expected output in plain C. The output may depend on the variant (sums by
     * block). Every variant must write all of `out`, and every byte must be equal. */
    void (*reference)(const LabVariant *variant, const LabCase *which, const void *in, void *out);
    /* Launches a variant. NULL if this build does not contain the kernel. */
    ImgStatus (*launch)(const LabVariant *variant, const LabCase *which, const void *in, void *out,
                        void *stream, ImgError *err);
} LabExperiment;

/* The table of experiments; NULL ends it. */
extern const LabExperiment *const lab_experiments[];

const LabExperiment *lab_find(const char *name);
const LabCase *lab_find_case(const LabExperiment *experiment, const char *name);
const LabVariant *lab_find_variant(const LabExperiment *experiment, const char *name);

#ifdef __cplusplus
}
#endif
#endif
