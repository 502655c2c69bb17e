/* How far a batch is, on stderr: one line that is written over on a terminal, a whole line from
 * time to time where stderr is not a terminal, nothing with --quiet. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_H

#include "app/batch/report/result.h"

typedef struct Progress Progress;

/* NULL: no memory, or nothing is to be shown; the other functions take that. */
Progress *progress_start(const Settings *settings);

/* Call often, from one thread: it prints as often as a reader can follow. `stopping`: an interrupt
 * came, and files under way are finished. */
void progress_show(Progress *progress, const BatchTotals *totals, bool stopping);

/* Clears the line. */
void progress_end(Progress *progress);

struct BatchSummary;

/* The summary, on stderr; nothing with --quiet. */
void batch_print_summary(const Settings *settings, const struct BatchSummary *summary);

#endif
