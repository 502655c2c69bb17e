/* Makes the tables of a report, for terminal and Markdown: their columns, rows and headings. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLES_H
#define IMGTOOL_APP_BENCH_PRINT_TABLES_H

#include "app/bench/print/match.h"
#include "app/bench/print/table.h"
#include "app/bench/report.h"

enum { BENCH_HEADING = 800 };

/* Write clean headings such as "rotate angle=90, rgb8 4001x3001, CUDA: 72.0 MB per run". */
void bench_group_heading(const BenchGroup *group, char text[BENCH_HEADING]);
void bench_job_heading(const BenchJob *job, char text[BENCH_HEADING]);

/* Returns "CPU" or "CUDA". */
const char *bench_backend_label(ImgBackend backend);

bool bench_timed(const BenchTiming *timing);

/* A group as a table sees it; context of the table. */
typedef struct BenchGroupView {
    const BenchGroup *group;
    const BenchRow *best; /* the fastest row; NULL if fewer than two rows can be compared */
    bool utf8;
    bool timed, counted; /* true if any row was timed, and if any row was counted */
    bool mixed_counting; /* true if some rows have modelled counts and others measured ones */
} BenchGroupView;

BenchGroupView bench_group_view(const BenchGroup *group, bool utf8);

/* Makes the table of a group, with or without columns of times, counts and results. The view must
 * exist as long as the table. */
BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result);

/* Jobs that do the same work on different backends, for one table side by side. */
typedef struct BenchJobsView {
    const BenchJob *jobs;
    size_t count;
    bool utf8;
} BenchJobsView;

enum { BENCH_JOBS_SIDE_BY_SIDE = 3 };

/* Returns a view of the first jobs, of `count`, that belong in one table. It has at least one
 * job. */
BenchJobsView bench_jobs_view(const BenchJob *jobs, size_t count, bool utf8);

/* Makes a table with one row per stage, and further rows for images and for bytes per second. */
BenchTable bench_jobs_table(const BenchJobsView *view);

/* The matching entries of two reports. */
typedef struct BenchPair {
    BenchEntry old, new_;
    bool utf8;
} BenchPair;

BenchTable bench_pair_table(const BenchPair *pair);

#endif
