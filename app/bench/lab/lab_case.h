/* Private to the lab: measures or profiles one case of an experiment. A case is a group of the
 * report. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_CASE_H
#define IMGTOOL_APP_BENCH_LAB_LAB_CASE_H

#include "app/bench/bench.h"
#include "app/bench/experiments/experiment.h"
#include "app/bench/timing/device.h"

/* --- Data of a case: lab_data.c --------------------------------------------------------------- */
/* Variants run on the data and are checked against it. */

/* Input and results of one case, on the host and, if requested, on the device. */
typedef struct LabData {
    const LabExperiment *experiment;
    const LabCase *which;
    LabSize size;
    uint8_t *in, *expected, *got;
    void *device_in, *device_out;
} LabData;

/* Allocates the data and fills the input. Call lab_data_free even after a failure. */
ImgStatus lab_data_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabData *data, ImgError *err);
void lab_data_free(LabData *data);

/* Compares the result `got` with the reference. IMG_E_MISMATCH, with the first byte that
 * differs. */
ImgStatus lab_data_compare(const LabData *data, const LabVariant *variant, ImgError *err);

/* Runs the variant once on the device and compares its result. */
ImgStatus lab_data_check(LabData *data, const LabVariant *variant, ImgError *err);

enum { LAB_VARIANTS_MAX = 64 }; /* maximum number of rows of a group */

/* --- lab_case.c ------------------------------------------------------------------------------- */

bool lab_applies(const LabExperiment *experiment, const LabVariant *variant, const LabCase *which);

/* Adds a row for a variant; `variant` NULL stands for the limit. Returns NULL if memory is
 * short. */
BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name,
                      ImgError *err);

/* Adds the explanation of the experiment to the first of its groups. `group` must be the last group
 * of the report. */
void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help);

/* Fills the title, the subject and the sizes of the group. */
void lab_describe(const Bench *bench, const LabData *data, bool on_device, BenchGroup *group);

/* Describes the data of the counts if they cover only a part of the case, such as "round 3 alone".
 * Call it after lab_describe. */
void lab_describe_counts(const LabCase *which, BenchGroup *group);

/* --- lab_measure.c ---------------------------------------------------------------------------- */

/* Checks and counts a case, and times it if there is a GPU. With --small it times the smaller case
 * from which the counts come. */
ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err);

/* --- lab_profile.c: for profilers, each launch once, in a named range ------------------------- */

/* Runs the case, and the cases that are counted in its place, each once. With --small only the
 * latter run. */
ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err);

#endif
