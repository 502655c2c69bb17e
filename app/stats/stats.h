/* Prints statistics as text, CSV and JSON. */
#ifndef IMGTOOL_APP_STATS_STATS_H
#define IMGTOOL_APP_STATS_STATS_H

#include <stddef.h>
#include <stdio.h>

#include "app/stats/subject.h"
#include "app/text/json.h"
#include "kernels/core/status.h"
#include "kernels/histogram/statistics.h"

/* --- Percentiles ---------------------------------------------------------------------------------
 *
 * Percentiles to print, from a list such as "1,5,95,99.9". */

enum { PERCENTILES_MAX = 64 };

typedef struct Percentiles {
    size_t count;
    ImgPercentage at[PERCENTILES_MAX]; /* the percentages, in the order of the list */
} Percentiles;

/* Parses numbers from 0 to 100 that are separated by commas, and rounds them to millionths. If
 * `list` is NULL, there are no percentiles. Repeated numbers count once, because they are keys in
 * JSON. Fails with IMG_E_USAGE for any other list; the message names the wrong number and the
 * correct form. */
ImgStatus percentiles_parse(const char *list, Percentiles *percentiles, ImgError *err);

enum { PERCENTILE_TEXT = 16 };

/* Writes a percentage without trailing zeros, such as "99.9", and returns `text`. */
const char *percentile_text(ImgPercentage percentage, char text[PERCENTILE_TEXT]);

/* --- Printing --------------------------------------------------------------------------------- */

/* The figures that the user requested. */
typedef struct StatsWanted {
    Percentiles percentiles;
    ImgLuma luma;
} StatsWanted;

/* Figures of one channel. */
typedef struct ChannelStats {
    Channel channel;
    int bits;
    ImgStatistics all;
    uint32_t percentiles[PERCENTILES_MAX];
} ChannelStats;

ChannelStats channel_stats(const Tables *tables, Channel channel, const Percentiles *percentiles);

/* Returns a sample value as a fraction of full scale, 0 to 1. */
double channel_share(const ChannelStats *stats, double value);

/* Returns a number of pixels as a fraction of all pixels, 0 to 1. */
double channel_part(const ChannelStats *stats, uint64_t pixels);

/* Prints a heading, and below it the figures of all channels. */
void stats_print_full(FILE *out, const Subject *subject, const StatsWanted *wanted);

/* stats_print_line_heading prints the heading, and stats_print_line the line of a file with luma or
 * gray. A colour picture without luma has three lines, for red, green and blue. */
void stats_print_line_heading(FILE *out, const StatsWanted *wanted);
void stats_print_line(FILE *out, const Subject *subject, const StatsWanted *wanted);

/* stats_csv_heading prints the heading, and stats_csv_rows one row per channel. A file that could
 * not be measured has a single row. */
void stats_csv_heading(FILE *out, const StatsWanted *wanted);
void stats_csv_rows(FILE *out, const Subject *subject, const StatsWanted *wanted);

/* Adds the figures to the JSON object. "channels" has all channels; channels that do not exist are
 * null. */
void stats_add_json(cJSON *object, const Subject *subject, const StatsWanted *wanted, bool *failed);

#endif
