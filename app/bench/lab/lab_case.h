/* Private to the lab: measures or profiles a case of an experiment as a group of the report. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_CASE_H
#define IMGTOOL_APP_BENCH_LAB_LAB_CASE_H

#include "app/bench/bench.h"
#include "app/bench/lab/lab_data.h"

enum { LAB_VARIANTS_MAX = 64 }; /* maximum number of rows of a group */

/* --- lab_case.c ------------------------------------------------------------------------------- */

bool lab_applies(const LabExperiment *experiment, const LabVariant *variant, const LabCase *which);

/* Adds a row. NULL as `variant` stands for the limit. NULL if memory is short. */
BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name,
                      ImgError *err);

/* Adds the explanation of the experiment to the first of its groups. `group` is the last group of
 * the report. */
void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help);

/* Fills the title, subject and size of the group. */
void lab_describe(const Bench *bench, const LabData *data, bool on_device, BenchGroup *group);

/* Describes the counts if they cover only a part, such as "round 3 alone". Call it after
 * lab_describe. */
void lab_describe_counts(const LabCase *which, BenchGroup *group);

/* --- lab_measure.c ---------------------------------------------------------------------------- */

/* Checks and counts a case, and times it if there is a GPU. With --small, times the smaller case
 * that is counted. */
ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err);

/* --- lab_profile.c: for profilers, each launch once, in a named range ------------------------- */

/* Runs the case and those that are counted for it, each once; with --small only the latter. */
ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err);

#endif
