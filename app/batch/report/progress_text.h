/* The words of the progress line and of the summary, from numbers; whoever calls prints them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_TEXT_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_TEXT_H

#include <stdio.h>

#include "app/batch/report/pace.h"

enum { PROGRESS_TEXT = 192, DURATION_TEXT = 32 };

/* "412 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left, 3 failed". What is not
 * known is left out, and what does not fit into so many columns: first the MB/s, then the images/s,
 * then the time left. With `stopping`, in place of all speeds: "finishing 4 files under way,
 * interrupt again to stop", of which the last words are the last to go. Returns `text`. */
const char *progress_text(const BatchTotals *totals, const PaceNow *now, bool stopping,
                          size_t columns, char text[PROGRESS_TEXT]);

/* "0:07", "12:34", "3:07:00": hours, minutes and seconds, rounded up. Returns `text`. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* "0.034", "3.42", "12.3", "1234": three digits that mean something. Returns `text`. */
const char *rate_text(double number, char text[DURATION_TEXT]);

typedef struct BatchSummary {
    const BatchTotals *totals;
    double seconds;                     /* of the whole batch */
    uint64_t memory_limit, memory_most; /* bytes; the most that was planned at a time */
    size_t unlisted;                    /* inputs that failed beside files of the plan */
    bool interrupted, recorded;         /* recorded: --resume can continue */
    size_t unsearched, other_pictures;  /* left out: subdirectories; pictures of other formats */
} BatchSummary;

/* See batch_print_summary. */
void summary_write(FILE *out, const BatchSummary *summary);

#endif
