/* Makes the tables of a report for terminals and for Markdown: their columns, rows and headings. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLES_H
#define IMGTOOL_APP_BENCH_PRINT_TABLES_H

#include "app/bench/print/match.h"
#include "app/bench/print/table.h"
#include "app/bench/report.h"

enum { BENCH_HEADING = 800 };

/* Write the heading of a group or of a job, such as "rotate angle=90, rgb8 4001x3001, CUDA: 72.0 MB
 * per run". Control characters in the names become '?'. */
void bench_group_heading(const BenchGroup *group, char text[BENCH_HEADING]);
void bench_job_heading(const BenchJob *job, char text[BENCH_HEADING]);

/* Returns the name of a backend for headings: "CPU" or "CUDA". */
const char *bench_backend_label(ImgBackend backend);

bool bench_timed(const BenchTiming *timing);

/* A group, and properties of its rows that the functions for the table's cells use. */
typedef struct BenchGroupView {
    const BenchGroup *group;
    /* fastest row, which is printed in colour; NULL if fewer than two rows can be compared */
    const BenchRow *best;
    bool utf8;
    /* true if at least one row was timed; true if at least one row was counted */
    bool timed, counted;
    bool mixed_counting; /* true if some rows were counted by the emulator and others by hardware */
} BenchGroupView;

BenchGroupView bench_group_view(const BenchGroup *group, bool utf8);

/* Makes the table of a group. `times`, `counts` and `result` select its columns. The view must
 * exist as long as the table. */
BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result);

/* Jobs that do the same work on different backends. They are the columns of one table. */
typedef struct BenchJobsView {
    const BenchJob *jobs;
    size_t count;
    bool utf8;
} BenchJobsView;

/* Largest number of jobs in one table: one per backend (auto, CPU and CUDA). */
enum { BENCH_JOBS_SIDE_BY_SIDE = 3 };

/* Returns a view of the first of the `count` jobs: as many as belong in one table, and at least
 * one. */
BenchJobsView bench_jobs_view(const BenchJob *jobs, size_t count, bool utf8);

/* Makes a table with one row per stage, and rows for images per second and bytes per second. */
BenchTable bench_jobs_table(const BenchJobsView *view);

/* Two matching entries, from an old and a new report. */
typedef struct BenchPair {
    BenchEntry old, new_;
    bool utf8;
} BenchPair;

BenchTable bench_pair_table(const BenchPair *pair);

#endif
