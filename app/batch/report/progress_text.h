/* Makes the texts of the progress line and of the summary. Only the caller prints. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_TEXT_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_TEXT_H

#include <stdio.h>

#include "app/batch/report/pace.h"

enum { PROGRESS_TEXT = 192, DURATION_TEXT = 32 };

/* Writes a line such as "412 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left, 3
 * failed". Unknown values are left out. If the line is wider than `columns`, it is shortened: first
 * MB/s is left out, then images/s, then the time left. With `stopping`, the line has no speeds, but
 * ends with "finishing 4 files under way, interrupt again to stop"; this end is left out last.
 * Returns `text`. */
const char *progress_text(const BatchTotals *totals, const PaceNow *now, bool stopping,
                          size_t columns, char text[PROGRESS_TEXT]);

/* Writes a time as hours, minutes and seconds, rounded up to seconds: "0:07", "12:34", "3:07:00".
 * Returns `text`. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes a number with about three significant digits: "0.034", "3.42", "12.3", "1234". Returns
 * `text`. */
const char *rate_text(double number, char text[DURATION_TEXT]);

typedef struct BatchSummary {
    const BatchTotals *totals;
    double seconds; /* duration of the whole batch */
    /* Bytes: the limit, and the largest amount that was planned at one time. */
    uint64_t memory_limit, memory_most;
    /* Number of inputs that failed before they became files of the plan. */
    size_t unlisted;
    bool interrupted, recorded; /* recorded: there is a record, so --resume can continue */
    /* Number of entries that were left out: subdirectories, and pictures of other formats. */
    size_t unsearched, other_pictures;
} BatchSummary;

/* Writes the summary to `out`. batch_print_summary prints it. */
void summary_write(FILE *out, const BatchSummary *summary);

#endif
