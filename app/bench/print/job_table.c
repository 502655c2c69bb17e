/* Makes the table of whole jobs, with one row per stage and one column per backend. */
#include <stdio.h>
#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"

/* Largest number of jobs in a table with the column "GB/s". With more jobs the table would be too
 * wide. */
enum { JOBS_WITH_RATE = 2 };

/* Rows of the table below the rows of the stages. */
enum { ROW_IMAGES = STAGE_COUNT, ROW_PIXELS, ROW_RESULT, ROW_COUNT };

static const BenchJob *job_of(const void *context, size_t index)
{
    const BenchJobsView *view = context;
    return &view->jobs[index];
}

static void stage_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)context, (void)index;
    static const char *const others[] = {"images/s", "MB/s of pixels", "result"};
    const char *name =
        row < STAGE_COUNT ? bench_stage_name((BenchStage)row) : others[row - STAGE_COUNT];
    if (row == STAGE_JOB)
        name = "whole job";
    if (row == STAGE_COMMAND)
        name = "whole command";
    snprintf(text, BENCH_CLEAN, "%s", name);
}

/* Writes the result of a job, such as "verified". If only some of its files failed, writes both
 * numbers, such as "12 verified, 3 FAIL". */
static void result_text(const BenchJob *job, char text[BENCH_CLEAN])
{
    if (job->verdict == BENCH_SKIPPED)
        snprintf(text, BENCH_CLEAN, "skipped");
    else if (job->verdict != BENCH_FAILED)
        snprintf(text, BENCH_CLEAN, "verified");
    else if (job->images > 0 && job->failures > 0)
        snprintf(text, BENCH_CLEAN, "%zu verified, %zu FAIL", job->images, job->failures);
    else
        snprintf(text, BENCH_CLEAN, "FAIL");
}

static void median_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    const BenchJob *job = job_of(context, index);
    const BenchTiming *all = bench_job_whole(job);
    if (row < STAGE_COUNT && bench_timed(&job->stages[row]))
        bench_time_text(job->stages[row].median, text);
    else if (row == ROW_IMAGES && bench_timed(all))
        bench_number_text((double)job->images / all->median, text);
    else if (row == ROW_PIXELS && bench_timed(all))
        bench_number_text((double)job->pixel_bytes / 1e6 / all->median, text);
    else if (row == ROW_RESULT)
        result_text(job, text);
}

static void noise_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    const BenchJobsView *view = context;
    if (row < STAGE_COUNT && view->jobs[index].stages[row].samples > 1)
        bench_noise_text(view->jobs[index].stages[row].noise, view->utf8, text);
}

/* Returns the number of bytes that a stage processes. Reading and writing process the files; other
 * stages process the pixels. */
static uint64_t bytes_of(const BenchJob *job, size_t row)
{
    switch (row) {
    case STAGE_READ:
        return job->bytes_in;
    case STAGE_WRITE:
        return job->bytes_out;
    case STAGE_DECODE:
    case STAGE_KERNEL:
    case STAGE_ENCODE:
    case STAGE_JOB:
        return job->pixel_bytes;
    default:
        return 0; /* The number of transferred bytes depends on the data, so it is unknown. */
    }
}

static void rate_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    const BenchJob *job = job_of(context, index);
    if (row < STAGE_COUNT && bytes_of(job, row) > 0 && bench_timed(&job->stages[row]) &&
        job->stages[row].median > 0)
        bench_number_text((double)bytes_of(job, row) / 1e9 / job->stages[row].median, text);
}

/* Writes the time of a stage as a percentage of the time of the whole job. */
static void share_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    const BenchJob *job = job_of(context, index);
    const BenchTiming *all = &job->stages[STAGE_JOB];
    if (row == STAGE_CONTEXT || row >= STAGE_JOB || !bench_timed(all) || all->median <= 0)
        return;
    if (bench_timed(&job->stages[row]))
        bench_share_text(job->stages[row].median / all->median, text);
}

static BenchTint tint(const void *context, size_t row)
{
    const BenchJobsView *view = context;
    if (row == STAGE_JOB || row == STAGE_COMMAND)
        return BENCH_BOLD;
    for (size_t j = 0; row == ROW_RESULT && j < view->count; j++)
        if (view->jobs[j].verdict == BENCH_FAILED)
            return BENCH_BAD;
    return BENCH_PLAIN;
}

BenchJobsView bench_jobs_view(const BenchJob *jobs, size_t count, bool utf8)
{
    BenchJobsView view = {jobs, 1, utf8};
    while (view.count < count && view.count < BENCH_JOBS_SIDE_BY_SIDE &&
           strcmp(jobs[view.count].title, jobs->title) == 0 &&
           strcmp(jobs[view.count].subject, jobs->subject) == 0)
        view.count++;
    return view;
}

BenchTable bench_jobs_table(const BenchJobsView *view)
{
    static const char *const headings[] = {[IMG_BACKEND_AUTO] = "auto\nmedian",
                                           [IMG_BACKEND_CPU] = "CPU\nmedian",
                                           [IMG_BACKEND_CUDA] = "CUDA\nmedian"};
    BenchTable table = {.row_count = ROW_COUNT, .context = view, .tint = tint};
    bench_table_add(&table, "stage", stage_cell, 0, BENCH_LEFT);
    for (size_t j = 0; j < view->count; j++) {
        const char *heading = headings[view->jobs[j].backend];
        bench_table_add(&table, heading, median_cell, j, BENCH_RIGHT);
        bench_table_add(&table, "noise", noise_cell, j, BENCH_RIGHT);
        bench_table_add(&table, "of job", share_cell, j, BENCH_RIGHT);
        if (view->count <= JOBS_WITH_RATE)
            bench_table_add(&table, "GB/s", rate_cell, j, BENCH_RIGHT);
    }
    return table;
}
