/* Results of the files of a batch, and their totals. */
#ifndef IMGTOOL_APP_BATCH_REPORT_RESULT_H
#define IMGTOOL_APP_BATCH_REPORT_RESULT_H

#include "app/batch/plan/batch_plan.h"
#include "app/job/job.h"

typedef enum BatchOutcome { BATCH_DONE, BATCH_FAILED, BATCH_SKIPPED, BATCH_UPRIGHT } BatchOutcome;

typedef struct BatchResult {
    const BatchFile *file;
    BatchOutcome outcome;
    const char *message; /* of a failure, starting with the file's name; of a skipped file the
                            reason; else "" */
    const char *notes;   /* what was lost or ignored, one per line; NULL: nothing */
    ImgStatus status;    /* of a failure */
    JobReport report;    /* all zeros if the file was skipped */
} BatchResult;

typedef struct BatchTotals {
    size_t files;                          /* all of the plan */
    size_t done, failed, skipped, upright; /* upright: already upright, and left unchanged */
    size_t under_way;                      /* started and not yet counted above */
    uint64_t bytes_read, bytes_written;
    /* Seconds, summed over all threads. */
    double read, decode, expand, run, encode, write;
    size_t on_gpu; /* files whose steps ran on a GPU */
} BatchTotals;

/* Returns the number of files that are done, failed, skipped or already upright. */
size_t batch_totals_settled(const BatchTotals *totals);

/* Returns whether the steps ran; otherwise backend and device of the report have no meaning. */
bool batch_result_ran(const BatchResult *result);

/* Returns the seconds of the steps, including transfers to and from the GPU. */
double batch_result_run_seconds(const BatchResult *result);

/* Adds a result. Bytes read and times of a failed file count, bytes written do not. */
void batch_totals_add(BatchTotals *totals, const BatchResult *result);

#endif
