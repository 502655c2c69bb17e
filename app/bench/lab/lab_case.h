/* Private to the lab: a case of an experiment as a group of the report, measured or profiled. */
#ifndef IMGTOOL_APP_BENCH_LAB_LAB_CASE_H
#define IMGTOOL_APP_BENCH_LAB_LAB_CASE_H

#include "app/bench/bench.h"
#include "app/bench/lab/lab_work.h"

enum { LAB_VARIANTS_MAX = 64 }; /* rows of a group */

/* --- lab_case.c ------------------------------------------------------------------------------- */

bool lab_applies(const LabExperiment *experiment, const LabVariant *variant, const LabCase *which);

/* Where no variant is given, the row is the limit. NULL without memory. */
BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name,
                      ImgError *err);

/* Explains the experiment with the first of its groups; `group` is the last of the report. */
void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help);

/* What the group is about. */
void lab_describe(const Bench *bench, const LabWork *work, bool on_device, BenchGroup *group);

/* Describes what was counted where that is only a part, such as "round 3 alone". Call it after
 * lab_describe. */
void lab_describe_counts(const LabCase *which, BenchGroup *group);

/* --- lab_measure.c ---------------------------------------------------------------------------- */

/* Checked, counted and, where there is a GPU, timed; with --small the case that is counted. */
ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err);

/* --- lab_profile.c: for profilers, each launch once, in a range of its name ------------------- */

/* The case and those that are counted for it, each once; with --small only the latter. */
ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err);

#endif
