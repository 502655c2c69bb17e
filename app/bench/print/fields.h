/* Names of the enumerations and counts in a report. All output formats use them, and so does the
 * code that reads a report. */
#ifndef IMGTOOL_APP_BENCH_PRINT_FIELDS_H
#define IMGTOOL_APP_BENCH_PRINT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/report.h"

typedef struct BenchCountField {
    const char *key;     /* name in JSON, such as "shared_read_wavefronts"; NULL ends the list */
    const char *heading; /* column heading in two lines; NULL: tables do not show the count */
    size_t offset;       /* offset of the count in ImgLaunchCounts */
    bool optional;       /* true if tables show the count only if there is space */
} BenchCountField;

extern const BenchCountField bench_count_fields[];

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field);

/* Returns true if tables of the group have a column for this count: in some row it adds
 * information. */
bool bench_count_shown(const BenchGroup *group, const BenchCountField *field);

/* A counter that an experiment explains. It is one field of ImgLaunchCounts, or the sum of two. */
typedef struct BenchCounter {
    const char *key;   /* name in JSON, such as "shared_wavefronts" */
    const char *name;  /* name in texts, such as "wavefronts of shared memory" */
    const char *unit;  /* unit at the axis of a plot, such as "wavefronts" */
    bool zero_is_best; /* false: a variant with a count of 0 is not compared with the others */
    size_t offsets[2]; /* offsets of the fields in ImgLaunchCounts; equal if there is only one */
} BenchCounter;

const BenchCounter *bench_counter(LabCounter counter);
uint64_t bench_counter_get(const ImgLaunchCounts *counts, LabCounter counter);

/* Returns true if the experiment of the group explains the field. */
bool bench_is_lesson(const BenchGroup *group, const BenchCountField *field);

/* Returns how the rows were counted; BENCH_UNCOUNTED if none was. Sets *mixed to true if rows were
 * counted in different ways. */
BenchCounting bench_group_counting(const BenchGroup *group, bool *mixed);

/* Returns "modelled" or "measured". */
const char *bench_counting_name(BenchCounting counting);

/* Returns "verified", "limit", "failed" or "skipped". */
const char *bench_verdict_name(BenchVerdict verdict);

/* Returns "ops", "lab" or "codec". */
const char *bench_section_name(BenchSection section);

/* Returns the time from which the rates of a job are computed: the time of the whole job, or of the
 * command if only the command was timed. */
const BenchTiming *bench_job_whole(const BenchJob *job);

#endif
