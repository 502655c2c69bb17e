/* Matches the contents of two reports. Groups and jobs are both "entries" here: the rows of a group
 * are its variants, the rows of a job its stages. Rows match if they have the same name, in entries
 * with the same section, title, subject and backend. */
#ifndef IMGTOOL_APP_BENCH_PRINT_MATCH_H
#define IMGTOOL_APP_BENCH_PRINT_MATCH_H

#include "app/bench/report.h"

typedef struct BenchEntry {
    const char *section; /* "ops", "lab", "codec" or "jobs" */
    const char *title, *subject;
    ImgBackend backend;
    const BenchGroup *group; /* one of the two; the other is NULL */
    const BenchJob *job;
} BenchEntry;

size_t bench_entry_count(const BenchReport *report);
BenchEntry bench_entry_at(const BenchReport *report, size_t index);

/* Finds the matching entry in a report. */
bool bench_entry_find(const BenchReport *report, BenchEntry like, BenchEntry *found);

typedef struct BenchEntryRow {
    const char *name;
    BenchVerdict verdict;
    const BenchTiming *timing;
    const BenchRow *counted; /* NULL: no counts */
} BenchEntryRow;

size_t bench_entry_rows(BenchEntry entry);
BenchEntryRow bench_entry_row(BenchEntry entry, size_t index);
bool bench_entry_find_row(BenchEntry entry, const char *name, BenchEntryRow *found);

/* True if the row has a time, counts or a verdict; false for a stage without a time. */
bool bench_entry_row_exists(BenchEntry entry, BenchEntryRow row);

typedef struct BenchChange {
    bool timed;     /* both were timed: speed, noise and beyond are valid */
    double speed;   /* old median / new median: above 1 is faster */
    double noise;   /* noise of the ratio, as a part of 1 */
    bool beyond;    /* the change exceeds the noise */
    bool counted;   /* both have counts of the same data */
    bool recounted; /* the counts differ */
    BenchEntryRow old, new_;
} BenchChange;

/* Compares row `index` of `new_`; false if it has no counterpart in `old`. */
bool bench_change(BenchEntry old, BenchEntry new_, size_t index, BenchChange *change);

typedef struct BenchTotals {
    size_t compared, faster, slower; /* the latter two beyond the noise */
    size_t recounted;
} BenchTotals;

BenchTotals bench_totals(const BenchReport *old, const BenchReport *new_);

#endif
