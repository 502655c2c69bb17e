/* What became of each file of a batch, and of all together. */
#ifndef IMGTOOL_APP_BATCH_RESULT_H
#define IMGTOOL_APP_BATCH_RESULT_H

#include "app/batch/plan.h"
#include "app/job.h"

typedef enum BatchOutcome { BATCH_DONE, BATCH_FAILED, BATCH_SKIPPED } BatchOutcome;

typedef struct BatchResult {
    const BatchFile *file;
    BatchOutcome outcome;
    const char
        *message;     /* of a failure, with the file's name in front; why it was skipped; else "" */
    ImgStatus status; /* of a failure */
    JobReport report; /* zeros where the file was skipped */
} BatchResult;

typedef struct BatchTotals {
    size_t files; /* all of the plan */
    size_t done, failed, skipped;
    uint64_t bytes_read, bytes_written;
    /* Of all threads together. */
    double read, decode, run, encode, write;
    size_t on_gpu; /* files whose steps ran on a GPU */
} BatchTotals;

void batch_totals_add(BatchTotals *totals, const BatchResult *result);

#endif
