/* The experiments of `imgtool bench lab`. One table drives listing, running, checking, counting and
 * timing, as the table of operations does for operations.
 *
 * An experiment is a kernel in several variants. Each variant runs on several cases, such as sizes
 * or element types.
 *
 * Launchers work on device memory of the caller, and return when the launch is queued. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_EXPERIMENT_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A case of an experiment: the data that its variants process. */
typedef struct LabCase {
    /* name of the case, such as "32 x 32" or "4 bytes, stride 2"; NULL ends the list */
    const char *name;
    /* parameters such as sides, bytes or strides. Their meaning depends on the experiment */
    int32_t a, b, c;
    /* Smaller case that is counted in place of this one, because counting takes far longer than
     * running. The output shows its name beside the counts. NULL: this case is counted. */
    const struct LabCase *counted;
    /* Case whose counts are subtracted from the counts of this case. The difference shows a single
     * part, such as one round of a sum. NULL: nothing is subtracted. */
    const struct LabCase *less;
} LabCase;

typedef struct LabVariant {
    const char *name; /* name of the variant, such as "padded"; NULL ends the list */
    const char *note; /* description of the difference from the other variants, in one line */
    int32_t value;    /* parameter such as a stride. Its meaning depends on the experiment */
} LabVariant;

typedef struct LabSize {
    /* bytes of input and of output in device memory; 0: there is no input or output */
    size_t in, out;
    /* bytes of global memory that every variant must move, from which GB/s are computed */
    uint64_t traffic;
    /* number of arithmetic operations, from which GFLOP/s are computed; 0: GFLOP/s are not
     * reported */
    uint64_t operations;
} LabSize;

/* Counters that can explain the results of an experiment. The tables of the experiment always show
 * its counters, and its plots draw them. */
typedef enum LabCounter {
    LAB_NO_COUNTER,
    /* wavefronts (passes through the banks) of reads and writes of shared memory */
    LAB_SHARED_WAVEFRONTS,
    LAB_SHARED_READ_WAVEFRONTS,
    LAB_GLOBAL_READS,   /* requests (memory instructions of a warp) that read global memory */
    LAB_GLOBAL_SECTORS, /* sectors (32 bytes of global memory) that are read or written */
    LAB_SPLIT_WARPS,
    LAB_SPLIT_BRANCHES,
    LAB_COUNTERS
} LabCounter;

/* Maximum number of counters that an experiment explains. Unused elements of `counters` are
 * LAB_NO_COUNTER. */
enum { LAB_LESSON_COUNTERS = 2 };

typedef struct LabExperiment {
    const char *name;    /* name for the command line, such as "square": lower case, no spaces */
    const char *title;   /* title, such as "Square shared memory, 32 x 32 ints, one block" */
    const char *help;    /* a paragraph that describes the experiment and the results to expect */
    const char *sources; /* paths of the kernels' source files, separated by blanks */
    const LabCase *cases;
    /* variants of the kernel. The speed-ups are relative to the first variant */
    const LabVariant *variants;
    LabCounter counters[LAB_LESSON_COUNTERS];
    LabSize (*size)(const LabCase *which);
    /* Returns true if the variant can run on this case. NULL: every variant can run on every
     * case. */
    bool (*applies)(const LabVariant *variant, const LabCase *which);
    /* Writes the input of the case. Every call writes the same bytes. Not called if the case has no
     * input. */
    void (*fill)(const LabCase *which, void *in);
    /* Computes the expected output in plain C. It may depend on the variant, for example on how
     * many inputs a block adds. A variant must write all bytes of `out`, and each must equal the
     * expected byte. */
    void (*reference)(const LabVariant *variant, const LabCase *which, const void *in, void *out);
    /* Launches a variant on a case. NULL if this build does not contain the kernel. */
    ImgStatus (*launch)(const LabVariant *variant, const LabCase *which, const void *in, void *out,
                        void *stream, ImgError *err);
} LabExperiment;

/* The table of all experiments. A NULL pointer ends it. */
extern const LabExperiment *const lab_experiments[];

const LabExperiment *lab_find(const char *name);
const LabCase *lab_find_case(const LabExperiment *experiment, const char *name);
const LabVariant *lab_find_variant(const LabExperiment *experiment, const char *name);

#ifdef __cplusplus
}
#endif
#endif
