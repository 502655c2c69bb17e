/* `imgtool stats merge`: what 'batch stats --shard I/N --json' counted, as one machine would have.
 */
#ifndef IMGTOOL_APP_STATS_MERGE_MERGE_H
#define IMGTOOL_APP_STATS_MERGE_MERGE_H

#include "app/cli/options.h"

/* Prints the figures of all files together; with --json also the lines of all files, in the order
 * of their paths, as 'batch stats --json' of all would. Luma and percentiles are those of the
 * parts. Returns the exit code. */
int stats_merge(const char *const *paths, size_t count, const Settings *settings);

#endif
