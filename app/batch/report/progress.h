/* Progress on stderr: one line that is rewritten on a terminal; elsewhere a line from time to time;
 * nothing with --quiet. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_H

#include "app/batch/report/batch_result.h"

typedef struct Progress Progress;

/* Returns NULL if nothing is shown, or there is no memory. The other functions accept NULL. */
Progress *progress_start(const Settings *settings);

/* Shows progress, at most as often as a reader can follow. Call it often, from one thread.
 * `stopping`: an interrupt came, and files in progress are being finished. */
void progress_show(Progress *progress, const BatchTotals *totals, bool stopping);

/* Clears the line and frees `progress`. */
void progress_end(Progress *progress);

struct BatchSummary;

/* Prints the summary on stderr; nothing with --quiet. */
void batch_print_summary(const Settings *settings, const struct BatchSummary *summary);

#endif
