/* The tables of a report for terminal and Markdown: their columns, rows and headings. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLES_H
#define IMGTOOL_APP_BENCH_PRINT_TABLES_H

#include "app/bench/print/match.h"
#include "app/bench/print/table.h"
#include "app/bench/report.h"

enum { BENCH_HEADING = 800 };

/* Write clean headings: "rotate angle=90, rgb8 4001x3001, CUDA: 72.0 MB per run". */
void bench_group_heading(const BenchGroup *group, char text[BENCH_HEADING]);
void bench_job_heading(const BenchJob *job, char text[BENCH_HEADING]);

/* Returns "CPU" or "CUDA". */
const char *bench_backend_label(ImgBackend backend);

bool bench_timed(const BenchTiming *timing);

/* Context of a group's table. */
typedef struct BenchGroupView {
    const BenchGroup *group;
    const BenchRow *best; /* the fastest of several comparable rows; or NULL */
    bool utf8;
    bool timed, counted; /* true if any row is */
    bool mixed_counting; /* some rows are modelled, some measured */
} BenchGroupView;

BenchGroupView bench_group_view(const BenchGroup *group, bool utf8);

/* The view must outlive the table. */
BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result);

/* Jobs side by side in one table: the same work on different backends. */
typedef struct BenchJobsView {
    const BenchJob *jobs;
    size_t count;
    bool utf8;
} BenchJobsView;

enum { BENCH_JOBS_SIDE_BY_SIDE = 3 };

/* Returns the first of `count` jobs that belong in one table, at least one. */
BenchJobsView bench_jobs_view(const BenchJob *jobs, size_t count, bool utf8);

/* Has one row per stage, and rows for images and bytes per second. */
BenchTable bench_jobs_table(const BenchJobsView *view);

/* The same entry in two reports. */
typedef struct BenchPair {
    BenchEntry old, new_;
    bool utf8;
} BenchPair;

BenchTable bench_pair_table(const BenchPair *pair);

#endif
