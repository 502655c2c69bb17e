/* Matches the contents of two reports. An "entry" is a group or a job: the rows of a group are its
 * variants, the rows of a job its stages. Two rows match if they have the same name and their
 * entries have the same section, title, subject and backend. */
#ifndef IMGTOOL_APP_BENCH_PRINT_MATCH_H
#define IMGTOOL_APP_BENCH_PRINT_MATCH_H

#include "app/bench/report.h"

typedef struct BenchEntry {
    const char *section; /* section of the entry: "ops", "lab", "codec" or "jobs" */
    const char *title, *subject;
    ImgBackend backend;
    const BenchGroup *group; /* one of these two is the entry; the other is NULL */
    const BenchJob *job;
} BenchEntry;

size_t bench_entry_count(const BenchReport *report);
BenchEntry bench_entry_at(const BenchReport *report, size_t index);

/* Finds the entry in a report that matches `like`. Returns false if there is none. */
bool bench_entry_find(const BenchReport *report, BenchEntry like, BenchEntry *found);

typedef struct BenchEntryRow {
    const char *name;
    BenchVerdict verdict;
    const BenchTiming *timing;
    const BenchRow *counted; /* the row if it has counts; NULL: it has none */
} BenchEntryRow;

size_t bench_entry_rows(BenchEntry entry);
BenchEntryRow bench_entry_row(BenchEntry entry, size_t index);
bool bench_entry_find_row(BenchEntry entry, const char *name, BenchEntryRow *found);

/* Returns true if the row has a time, counts or a verdict. A stage without a time does not
 * exist. */
bool bench_entry_row_exists(BenchEntry entry, BenchEntryRow row);

typedef struct BenchChange {
    bool timed;     /* true if both rows were timed: speed, noise and beyond are valid */
    double speed;   /* old median / new median; a value above 1 means that the new run is faster */
    double noise;   /* noise of the ratio, as a part of 1 */
    bool beyond;    /* true if the change exceeds the noise */
    bool counted;   /* true if both rows have counts of the same data */
    bool recounted; /* true if the counts differ */
    BenchEntryRow old, new_;
} BenchChange;

/* Compares row `index` of the entry `new_` with the matching row of `old`. Returns false if `old`
 * has no such row. */
bool bench_change(BenchEntry old, BenchEntry new_, size_t index, BenchChange *change);

typedef struct BenchTotals {
    /* number of compared rows, and of rows that became faster or slower beyond the noise */
    size_t compared, faster, slower;
    size_t recounted;
} BenchTotals;

BenchTotals bench_totals(const BenchReport *old, const BenchReport *new_);

#endif
