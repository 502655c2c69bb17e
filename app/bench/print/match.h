/* Finds the parts of two reports that correspond. An entry is a group, whose rows are variants, or
 * a job, whose rows are stages. Two entries match if they have the same section, title, subject and
 * backend. Two of their rows match if they have the same name. */
#ifndef IMGTOOL_APP_BENCH_PRINT_MATCH_H
#define IMGTOOL_APP_BENCH_PRINT_MATCH_H

#include "app/bench/report.h"

typedef struct BenchEntry {
    const char *section; /* kind of the entry: "ops", "lab", "codec" or "jobs" */
    const char *title, *subject;
    ImgBackend backend;
    const BenchGroup *group; /* `group` or `job` is the entry; the other one is NULL */
    const BenchJob *job;
} BenchEntry;

size_t bench_entry_count(const BenchReport *report);
BenchEntry bench_entry_at(const BenchReport *report, size_t index);

/* Finds the entry in `report` that matches `like`. Returns false if there is none. */
bool bench_entry_find(const BenchReport *report, BenchEntry like, BenchEntry *found);

typedef struct BenchEntryRow {
    const char *name;
    BenchVerdict verdict;
    const BenchTiming *timing;
    const BenchRow *counted; /* row that has counts; NULL: the row was not counted */
} BenchEntryRow;

size_t bench_entry_rows(BenchEntry entry);
BenchEntryRow bench_entry_row(BenchEntry entry, size_t index);
bool bench_entry_find_row(BenchEntry entry, const char *name, BenchEntryRow *found);

/* Returns true if the row has a result. Every row of a group has a result, but a stage has a result
 * only if it was timed. */
bool bench_entry_row_exists(BenchEntry entry, BenchEntryRow row);

typedef struct BenchChange {
    bool timed;     /* true if both rows were timed; speed, noise and beyond are valid only then */
    double speed;   /* old median divided by new median; above 1 if the new run is faster */
    double noise;   /* noise of `speed`, relative to it */
    bool beyond;    /* true if the change of the time exceeds the noise */
    bool counted;   /* true if both rows have counts of the same data */
    bool recounted; /* true if the counts of the two rows differ */
    BenchEntryRow old, new_;
} BenchChange;

/* Compares row `index` of the entry `new_` with the matching row of `old`. Returns false if the
 * rows cannot be compared, because one is missing or has neither a time nor comparable counts. */
bool bench_change(BenchEntry old, BenchEntry new_, size_t index, BenchChange *change);

typedef struct BenchTotals {
    /* number of rows that were compared, became faster, and became slower. A change within the
     * noise does not count */
    size_t compared, faster, slower;
    size_t recounted;
} BenchTotals;

BenchTotals bench_totals(const BenchReport *old, const BenchReport *new_);

#endif
