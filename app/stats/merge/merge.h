/* Implements `imgtool stats merge`, and writes and reads the lines of counts that it merges. */
#ifndef IMGTOOL_APP_STATS_MERGE_MERGE_H
#define IMGTOOL_APP_STATS_MERGE_MERGE_H

#include "app/cli/options.h"
#include "app/stats/tables.h"
#include "app/text/batch_parts.h"
#include "app/text/json.h"

/* --- Lines of counts -----------------------------------------------------------------------------
 *
 * The counts of a part of a batch as a line of JSON. Exact figures of the whole batch need the
 * counts: a median of medians would be wrong. */

/* Prints the line of type "counts" of a complete part. It contains the counts, and the options that
 * affect them: luma, percentiles and skipped pixels. */
ImgStatus counts_line_print(const Total *total, BatchPart part, const Settings *settings,
                            ImgError *err);

/* Adds the counts of a line of type "counts" to the total. First checks that they are whole numbers
 * whose sum is the number of pixels. Fails with IMG_E_FORMAT if the line is invalid, with
 * IMG_E_LIMIT if a sum exceeds 2^53, and with IMG_E_MEMORY if memory is short. */
ImgStatus counts_line_add(const cJSON *line, Total *total, ImgError *err);

/* --- Merging -------------------------------------------------------------------------------------
 *
 * `imgtool stats merge`: merges the output of 'batch stats --shard I/N --json', exactly as if one
 * machine had counted. */

/* Prints the figures of all files together. With --json also prints the lines of all files, sorted
 * by path, like 'batch stats --json'. Uses the luma weights and percentiles with which the parts
 * were counted. Returns the exit code. */
int stats_merge(const char *const *paths, size_t count, const Settings *settings);

#endif
