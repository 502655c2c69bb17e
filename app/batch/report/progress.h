/* Shows progress on stderr. On a terminal, one line is rewritten; otherwise a line is printed every
 * ten seconds. With --quiet, nothing is printed. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_H

#include "app/batch/report/batch_result.h"

typedef struct Progress Progress;

/* Starts the display. Returns NULL if nothing is to be shown, or there is no memory. The other
 * functions accept NULL. */
Progress *progress_start(const Settings *settings);

/* Updates the display, at most as often as a user can read it. Call it often, and from one thread.
 * `stopping` means that the user interrupted the batch, and files in progress are being finished.
 */
void progress_show(Progress *progress, const BatchTotals *totals, bool stopping);

/* Clears the line and frees `progress`. */
void progress_end(Progress *progress);

struct BatchSummary;

/* Prints the summary on stderr; nothing with --quiet. */
void batch_print_summary(const Settings *settings, const struct BatchSummary *summary);

#endif
