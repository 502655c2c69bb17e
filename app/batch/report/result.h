/* What became of each file of a batch, and of all together. */
#ifndef IMGTOOL_APP_BATCH_REPORT_RESULT_H
#define IMGTOOL_APP_BATCH_REPORT_RESULT_H

#include "app/batch/plan/batch_plan.h"
#include "app/job/job.h"

typedef enum BatchOutcome { BATCH_DONE, BATCH_FAILED, BATCH_SKIPPED, BATCH_UPRIGHT } BatchOutcome;

typedef struct BatchResult {
    const BatchFile *file;
    BatchOutcome outcome;
    const char
        *message; /* of a failure, with the file's name in front; why it was skipped; else "" */
    const char *notes; /* what was lost or ignored, one per line; NULL: nothing */
    ImgStatus status;  /* of a failure */
    JobReport report;  /* zeros where the file was skipped */
} BatchResult;

typedef struct BatchTotals {
    size_t files;                          /* all of the plan */
    size_t done, failed, skipped, upright; /* upright: already, and left as they were */
    size_t under_way; /* begun, and none of the above yet; kept by whoever begins them */
    uint64_t bytes_read, bytes_written;
    /* Of all threads together. */
    double read, decode, expand, run, encode, write;
    size_t on_gpu; /* files whose steps ran on a GPU */
} BatchTotals;

/* Done, failed or skipped. */
size_t batch_totals_settled(const BatchTotals *totals);

/* Did the steps run at all? Else the backend and the device of the report say nothing. */
bool batch_result_ran(const BatchResult *result);

/* Seconds that the steps took, moving pixels to the GPU and back included. */
double batch_result_run_seconds(const BatchResult *result);

/* Counts a result in. What a failure had read and used of time counts too, but nothing of it was
 * written. */
void batch_totals_add(BatchTotals *totals, const BatchResult *result);

#endif
