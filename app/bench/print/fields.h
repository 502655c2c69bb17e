/* What enumerations and counts of a report are called, listed once for every printer and for
 * reading them back. */
#ifndef IMGTOOL_APP_BENCH_PRINT_FIELDS_H
#define IMGTOOL_APP_BENCH_PRINT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/report.h"

typedef struct BenchCountField {
    const char *key;     /* "shared_read_wavefronts"; NULL ends the list */
    const char *heading; /* of a column, in two lines; NULL: tables do not show it */
    size_t offset;       /* in ImgLaunchCounts */
    bool optional;       /* where there is room */
} BenchCountField;

extern const BenchCountField bench_count_fields[];

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field);

/* Does a column of it say something about the group: is anything but 0 in it, and for how many
 * launches and warps, is it of use? */
bool bench_count_shown(const BenchGroup *group, const BenchCountField *field);

/* Counts that a lesson is about: one field, or the sum of two. */
typedef struct BenchCounter {
    const char *key;   /* "shared_wavefronts" */
    const char *name;  /* "wavefronts of shared memory" */
    const char *unit;  /* "wavefronts" */
    bool zero_is_best; /* else a variant without any does not take part */
    size_t offsets[2]; /* in ImgLaunchCounts; the second may be the first */
} BenchCounter;

const BenchCounter *bench_counter(LabCounter counter);
uint64_t bench_counter_get(const ImgLaunchCounts *counts, LabCounter counter);

/* Is the field one of those that the group's lesson is about? */
bool bench_is_lesson(const BenchGroup *group, const BenchCountField *field);

/* How all counted rows were counted; BENCH_UNCOUNTED where none was. *mixed: they differ. */
BenchCounting bench_group_counting(const BenchGroup *group, bool *mixed);

/* "modelled", "measured" */
const char *bench_counting_name(BenchCounting counting);

/* "verified", "limit", "failed", "skipped" */
const char *bench_verdict_name(BenchVerdict verdict);

/* "ops", "lab" */
const char *bench_section_name(BenchSection section);

/* That from which rates of a job are: the whole job or, where only that was timed, the command. */
const BenchTiming *bench_job_whole(const BenchJob *job);

#endif
