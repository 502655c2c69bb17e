/* Names of the enumerations and counts of a report, for all output formats and for reading them
 * back. */
#ifndef IMGTOOL_APP_BENCH_PRINT_FIELDS_H
#define IMGTOOL_APP_BENCH_PRINT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/report.h"

typedef struct BenchCountField {
    const char *key;     /* "shared_read_wavefronts"; NULL ends the list */
    const char *heading; /* column heading in two lines; NULL: not shown in tables */
    size_t offset;       /* offset in ImgLaunchCounts */
    bool optional;       /* shown only if there is space */
} BenchCountField;

extern const BenchCountField bench_count_fields[];

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field);

/* True if a column of this count is useful for the group: some count is not 0, or, for launches and
 * warps, adds information. */
bool bench_count_shown(const BenchGroup *group, const BenchCountField *field);

/* A counter that a lesson explains: one field, or the sum of two. */
typedef struct BenchCounter {
    const char *key;   /* "shared_wavefronts" */
    const char *name;  /* "wavefronts of shared memory" */
    const char *unit;  /* "wavefronts" */
    bool zero_is_best; /* false: a variant with zero is not compared */
    size_t offsets[2]; /* offsets in ImgLaunchCounts; equal if there is one field */
} BenchCounter;

const BenchCounter *bench_counter(LabCounter counter);
uint64_t bench_counter_get(const ImgLaunchCounts *counts, LabCounter counter);

/* True if the lesson of the group explains the field. */
bool bench_is_lesson(const BenchGroup *group, const BenchCountField *field);

/* Returns how the rows were counted; BENCH_UNCOUNTED if none was. *mixed is set if they differ. */
BenchCounting bench_group_counting(const BenchGroup *group, bool *mixed);

/* Returns "modelled" or "measured". */
const char *bench_counting_name(BenchCounting counting);

/* Returns "verified", "limit", "failed" or "skipped". */
const char *bench_verdict_name(BenchVerdict verdict);

/* Returns "ops", "lab" or "codec". */
const char *bench_section_name(BenchSection section);

/* Returns the time from which the rates of a job are computed: the whole job or, if only that was
 * timed, the command. */
const BenchTiming *bench_job_whole(const BenchJob *job);

#endif
