/* What two reports have in common. Groups and jobs are both "work" here: a group's rows are its
 * variants, a job's rows are its stages. Rows belong together that have the same name, in work of
 * the same section, title, subject and backend. */
#ifndef IMGTOOL_APP_BENCH_PRINT_MATCH_H
#define IMGTOOL_APP_BENCH_PRINT_MATCH_H

#include "app/bench/report.h"

typedef struct BenchWork {
    const char *section; /* "ops", "lab", "jobs" */
    const char *title, *subject;
    ImgBackend backend;
    const BenchGroup *group; /* one of the two, the other is NULL */
    const BenchJob *job;
} BenchWork;

size_t bench_work_count(const BenchReport *report);
BenchWork bench_work_at(const BenchReport *report, size_t index);

/* *found is the same work in that report. */
bool bench_work_find(const BenchReport *report, BenchWork like, BenchWork *found);

typedef struct BenchWorkRow {
    const char *name;
    BenchVerdict verdict;
    const BenchTiming *timing;
    const BenchRow *counted; /* NULL: has no counts */
} BenchWorkRow;

size_t bench_work_rows(BenchWork work);
BenchWorkRow bench_work_row(BenchWork work, size_t index);
bool bench_work_find_row(BenchWork work, const char *name, BenchWorkRow *found);

/* Does the row hold anything: a time, counts, or a verdict on itself? Not a stage without time. */
bool bench_work_row_exists(BenchWork work, BenchWorkRow row);

typedef struct BenchChange {
    bool timed;     /* in both: the next ones are known */
    double speed;   /* old median / new median: above 1 is faster */
    double noise;   /* of that, as a part of it */
    bool beyond;    /* it changed by more than the noise */
    bool counted;   /* in both */
    bool recounted; /* and the counts differ */
    BenchWorkRow old, new_;
} BenchChange;

/* Of row `index` of `new_`; false where it has nothing to compare in `old`. */
bool bench_change(BenchWork old, BenchWork new_, size_t index, BenchChange *change);

typedef struct BenchTotals {
    size_t compared, faster, slower; /* the latter two beyond the noise */
    size_t recounted;
} BenchTotals;

BenchTotals bench_totals(const BenchReport *old, const BenchReport *new_);

#endif
