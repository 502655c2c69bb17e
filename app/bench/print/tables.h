/* The tables of a report, for a terminal as for Markdown: what their columns, rows and headings
 * are.
 */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLES_H
#define IMGTOOL_APP_BENCH_PRINT_TABLES_H

#include "app/bench/print/match.h"
#include "app/bench/print/table.h"
#include "app/bench/report.h"

enum { BENCH_HEADING = 800 };

/* "rotate angle=90, rgb8 4001x3001, CUDA: 72.0 MB per run"; clean. */
void bench_group_heading(const BenchGroup *group, char text[BENCH_HEADING]);
void bench_job_heading(const BenchJob *job, char text[BENCH_HEADING]);

/* "CPU", "CUDA" */
const char *bench_backend_label(ImgBackend backend);

bool bench_timed(const BenchTiming *timing);

/* What a table of a group is asked for with. */
typedef struct BenchGroupView {
    const BenchGroup *group;
    const BenchRow *best; /* the fastest one, where several do the same; or NULL */
    bool utf8;
    bool timed, counted; /* some row is */
    bool mixed_counting; /* some modelled, some measured */
} BenchGroupView;

BenchGroupView bench_group_view(const BenchGroup *group, bool utf8);

/* The view has to last as long as the table. */
BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result);

/* Jobs that stand side by side in a table: the same work on different backends. */
typedef struct BenchJobsView {
    const BenchJob *jobs;
    size_t count;
    bool utf8;
} BenchJobsView;

enum { BENCH_JOBS_ABREAST = 3 };

/* The first ones of `count` jobs that belong in one table: at least one. */
BenchJobsView bench_jobs_view(const BenchJob *jobs, size_t count, bool utf8);

/* A row for each stage, and for images and bytes per second. */
BenchTable bench_jobs_table(const BenchJobsView *view);

/* The same work in two reports. */
typedef struct BenchPair {
    BenchWork old, new_;
    bool utf8;
} BenchPair;

BenchTable bench_pair_table(const BenchPair *pair);

#endif
