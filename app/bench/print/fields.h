/* Names of the enumerations and counts in a report. The code that prints reports and the code that
 * reads them use the same names. */
#ifndef IMGTOOL_APP_BENCH_PRINT_FIELDS_H
#define IMGTOOL_APP_BENCH_PRINT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/report.h"

typedef struct BenchCountField {
    const char *key; /* name in JSON, such as "shared_read_wavefronts"; NULL ends the list */
    /* column heading in two lines; NULL: the count is not in tables, only in JSON and CSV */
    const char *heading;
    size_t offset; /* byte offset of the count in ImgLaunchCounts */
    bool optional; /* true if tables omit the count when lines are too long */
} BenchCountField;

extern const BenchCountField bench_count_fields[];

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field);

/* Returns true if tables of the group have a column for this count, because at least one row has a
 * count that is worth showing. */
bool bench_count_shown(const BenchGroup *group, const BenchCountField *field);

/* A counter that an experiment explains. Its value is one field of ImgLaunchCounts, or the sum of
 * two. */
typedef struct BenchCounter {
    const char *key;  /* name in JSON, such as "shared_wavefronts" */
    const char *name; /* name in texts, such as "wavefronts of shared memory" */
    const char *unit; /* unit at the axis of a plot, such as "wavefronts" */
    /* true if 0 is the best count; false if 0 means that the counter does not apply to the
     * variant */
    bool zero_is_best;
    /* byte offsets of both fields in ImgLaunchCounts; equal if there is only one field */
    size_t offsets[2];
} BenchCounter;

const BenchCounter *bench_counter(LabCounter counter);
uint64_t bench_counter_get(const ImgLaunchCounts *counts, LabCounter counter);

/* Returns true if the experiment of the group explains a counter that contains the field. */
bool bench_is_lesson(const BenchGroup *group, const BenchCountField *field);

/* Returns how the rows were counted (by the emulator or by hardware); BENCH_UNCOUNTED if no row
 * was. Sets *mixed to true if the emulator counted some rows and hardware counted others. */
BenchCounting bench_group_counting(const BenchGroup *group, bool *mixed);

/* Returns how counts were made: "modelled", "measured", or "" for BENCH_UNCOUNTED. */
const char *bench_counting_name(BenchCounting counting);

/* Returns the name of a verdict: "verified", "limit", "failed" or "skipped". */
const char *bench_verdict_name(BenchVerdict verdict);

/* Returns the name of the kind of a group: "ops", "lab" or "codec". */
const char *bench_section_name(BenchSection section);

/* Returns the time from which the rates of a job are computed: the time of STAGE_JOB, or of
 * STAGE_COMMAND if only the command was timed. */
const BenchTiming *bench_job_whole(const BenchJob *job);

#endif
