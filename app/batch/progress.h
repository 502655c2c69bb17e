/* How far a batch is, on stderr: one line that is written over on a terminal, a whole line from
 * time to time where stderr is none, nothing with --quiet. */
#ifndef IMGTOOL_APP_BATCH_PROGRESS_H
#define IMGTOOL_APP_BATCH_PROGRESS_H

#include "app/batch/result.h"

typedef struct Progress Progress;

/* NULL: no memory, or nothing is to be shown; the other functions take that. */
Progress *progress_start(const Settings *settings);

/* Call often, from one thread: it prints as often as a reader can follow. `stopping`: an interrupt
 * came, and files under way are finished. */
void progress_show(Progress *progress, const BatchTotals *totals, bool stopping);

/* Clears the line. */
void progress_end(Progress *progress);

/* The summary, on stderr; nothing with --quiet. `seconds` is the time that the whole took,
 * `memory_limit` what files may take together, `memory_most` what they took by plan. Then the
 * files that failed, a line each, if there are some among several. */
void batch_print_summary(const Settings *settings, const BatchTotals *totals, double seconds,
                         uint64_t memory_limit, uint64_t memory_most, const char *const *failures,
                         size_t failure_count);

#endif
