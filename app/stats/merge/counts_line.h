/* The counts themselves as a line of JSON, from which the figures of several parts of a batch are
 * made exactly: a median of medians would be none. */
#ifndef IMGTOOL_APP_STATS_MERGE_COUNTS_LINE_H
#define IMGTOOL_APP_STATS_MERGE_COUNTS_LINE_H

#include "app/cli/options.h"
#include "app/stats/tables.h"
#include "app/text/batch_parts.h"
#include "app/text/json.h"

/* Prints a line of type "counts", of that part, which is whole, with what was asked for: luma,
 * percentiles, and which pixels. */
ImgStatus counts_line_print(const Total *total, BatchPart part, const Settings *settings,
                            ImgError *err);

/* Adds the counts of such a line, which are whole numbers and of as many pixels as it says.
 * IMG_E_FORMAT where it is none; IMG_E_LIMIT for sums beyond 2^53; IMG_E_MEMORY. */
ImgStatus counts_line_add(const cJSON *line, Total *total, ImgError *err);

#endif
