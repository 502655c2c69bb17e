/* `imgtool stats merge`: merges the output of 'batch stats --shard I/N --json', exactly as if one
 * machine had counted. */
#ifndef IMGTOOL_APP_STATS_MERGE_MERGE_H
#define IMGTOOL_APP_STATS_MERGE_MERGE_H

#include "app/cli/options.h"

/* Prints the figures of all files together. With --json it also prints the lines of all files,
 * sorted by path, like 'batch stats --json'. Luma and percentiles are those of the parts. Returns
 * the exit code. */
int stats_merge(const char *const *paths, size_t count, const Settings *settings);

#endif
