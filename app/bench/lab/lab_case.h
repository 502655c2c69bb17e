/* Measures or profiles one case of an experiment, which is a group of the report. Private to
 * app/bench/lab. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_CASE_H
#define IMGTOOL_APP_BENCH_LAB_LAB_CASE_H

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"
#include "app/bench/timing/device.h"

/* --- Data of a case --------------------------------------------------------------------------- */
/* A LabData has the input and the expected output of a case. Variants of the experiment run on the
 * input, and their results are compared with the expected output. */

/* Input, expected output and output of one case, on the host and, if requested, on the GPU. */
typedef struct LabData {
    const LabExperiment *experiment;
    const LabCase *which;
    LabSize size;
    uint8_t *in, *expected, *got;
    void *device_in, *device_out;
} LabData;

/* Allocates the memory of the case and fills the input. Call lab_data_free even after a failure. */
ImgStatus lab_data_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabData *data, ImgError *err);
void lab_data_free(LabData *data);

/* Compares the output `got` of a variant with the expected output. Fails with IMG_E_MISMATCH if
 * they differ; the message names the first byte that differs. */
ImgStatus lab_data_compare(const LabData *data, const LabVariant *variant, ImgError *err);

/* Runs the variant once on the GPU and compares its output with the expected output. */
ImgStatus lab_data_check(LabData *data, const LabVariant *variant, ImgError *err);

enum { LAB_VARIANTS_MAX = 64 }; /* maximum number of rows (variants and the limit) in a group */

/* --- Cases ------------------------------------------------------------------------------------ */

bool lab_applies(const LabExperiment *experiment, const LabVariant *variant, const LabCase *which);

/* Adds a row to the group. `variant` is NULL for the row of the limit (a copy or a plain read).
 * Returns NULL if memory is short. */
BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name,
                      ImgError *err);

/* Adds the title of the experiment to `group`, which must be the last group of the report. The
 * first group of the experiment also gets the explanation `help`. */
void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help);

/* Sets the title, subject, number of bytes and counters of the group. */
void lab_describe(const Bench *bench, const LabData *data, bool on_device, BenchGroup *group);

/* Sets the text that describes the counted data, if these are only a part of the case, such as
 * "round 3 alone". Call it after lab_describe. */
void lab_describe_counts(const LabCase *which, BenchGroup *group);

/* --- lab_measure.c ---------------------------------------------------------------------------- */

/* Checks the variants on the case `which` and counts their events. Times them if there is a GPU.
 * With --small it runs the smaller case which->counted instead, if there is one. */
ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err);

/* --- lab_profile.c: for profilers, each launch once, in a named range ------------------------- */

/* Runs each variant once, on `which` and on the smaller cases that are counted in its place. With
 * --small runs only the smaller cases. */
ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err);

#endif
