/* Prints statistics as tables whose lines have at most 100 columns. With percentiles, the line of a
 * picture can be longer. */
#include <stdlib.h>
#include <string.h>

#include "app/stats/stats.h"
#include "app/text/amounts.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "kernels/histogram/statistics.h"

enum { LABEL = 8, LINE_LENGTH = 100 };

ChannelStats channel_stats(const Tables *tables, Channel channel, const Percentiles *percentiles)
{
    size_t bins = img_counts_size(tables->bits);
    const uint64_t *counts = tables->of[channel];
    ChannelStats stats = {.channel = channel, .bits = tables->bits};
    stats.all = img_statistics(counts, bins);
    for (size_t i = 0; i < percentiles->count; i++)
        stats.percentiles[i] = img_percentile(counts, bins, percentiles->at[i]);
    return stats;
}

static uint32_t full_scale(int bits)
{
    return (UINT32_C(1) << bits) - 1;
}

double channel_share(const ChannelStats *stats, double value)
{
    return value / full_scale(stats->bits);
}

double channel_part(const ChannelStats *stats, uint64_t pixels)
{
    return (double)pixels / (double)stats->all.pixels;
}

static void print_label(FILE *out, Channel channel, ImgLuma luma)
{
    char label[CHANNEL_LABEL];
    fprintf(out, "%-*s", (int)LABEL, channel_label(channel, luma, label));
}

/* Writes the heading of a percentile, such as "p99.9". Returns the width of its column. */
static int percentile_heading(const ImgPercentage percentage, char text[PERCENTILE_TEXT + 1])
{
    char number[PERCENTILE_TEXT];
    snprintf(text, PERCENTILE_TEXT + 1, "p%s", percentile_text(percentage, number));
    int width = (int)strlen(text) + 2;
    return width > 7 ? width : 7;
}

static void print_figures_heading(FILE *out, int bits)
{
    char highest[16];
    snprintf(highest, sizeof highest, "at %u", full_scale(bits));
    fprintf(out, "%-*s%6s%6s%10s%8s%11s%8s%8s%9s%11s%11s\n", (int)LABEL, "", "min", "max", "mean",
            "mean %", "deviation", "dev. %", "median", "entropy", "at 0", highest);
}

static void print_figures(FILE *out, const ChannelStats *stats)
{
    const ImgStatistics *all = &stats->all;
    char lowest[AMOUNT_TEXT], highest[AMOUNT_TEXT];
    fprintf(out, "%6u%6u%10.3f%8.2f%11.3f%8.2f%8u%9.4f%9s %%%9s %%\n", all->minimum, all->maximum,
            all->mean, 100 * channel_share(stats, all->mean), all->deviation,
            100 * channel_share(stats, all->deviation), all->median, all->entropy,
            img_amount_print_percent(all->lowest, all->pixels, 3, lowest),
            img_amount_print_percent(all->highest, all->pixels, 3, highest));
}

/* Prints percentiles in columns, from index `first`, as many as fit on a line. Returns the index of
 * the first percentile that was not printed. */
static size_t print_percentiles(FILE *out, const ChannelStats *rows, size_t count,
                                const StatsWanted *wanted, size_t first)
{
    const Percentiles *list = &wanted->percentiles;
    char heading[PERCENTILE_TEXT + 1];
    size_t end = first;
    fprintf(out, "\n%-*s", (int)LABEL, "");
    for (int used = LABEL; end < list->count; end++) {
        int width = percentile_heading(list->at[end], heading);
        used += width;
        if (used > LINE_LENGTH)
            break;
        fprintf(out, "%*s", width, heading);
    }
    fputc('\n', out);
    for (size_t r = 0; r < count; r++) {
        print_label(out, rows[r].channel, wanted->luma);
        for (size_t i = first; i < end; i++)
            fprintf(out, "%*u", percentile_heading(list->at[i], heading), rows[r].percentiles[i]);
        fputc('\n', out);
    }
    return end;
}

void stats_print_full(FILE *out, const Subject *subject, const StatsWanted *wanted)
{
    ChannelStats rows[CHANNEL_COUNT];
    size_t count = 0;
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (subject->tables.of[c] != NULL)
            rows[count++] = channel_stats(&subject->tables, (Channel)c, &wanted->percentiles);
    subject_print(out, subject);
    print_figures_heading(out, subject->tables.bits);
    for (size_t r = 0; r < count; r++) {
        print_label(out, rows[r].channel, wanted->luma);
        print_figures(out, &rows[r]);
    }
    for (size_t first = 0; first < wanted->percentiles.count;)
        first = print_percentiles(out, rows, count, wanted, first);
}

void stats_print_line_heading(FILE *out, const StatsWanted *wanted)
{
    char heading[PERCENTILE_TEXT + 1];
    fprintf(out, "%*s%6s%6s%9s%7s%10s%7s%8s%9s%9s", (int)LABEL + 3, "bits", "min", "max", "mean",
            "mean %", "deviation", "median", "entropy", "at 0", "at full");
    for (size_t i = 0; i < wanted->percentiles.count; i++) {
        int width = percentile_heading(wanted->percentiles.at[i], heading);
        fprintf(out, "%*s", width, heading);
    }
    fputs("  file\n", out);
}

static void print_total(FILE *out, const Subject *subject)
{
    fprintf(out, "total of %zu file%s", subject->files, subject->files == 1 ? "" : "s");
    if (subject->mixed)
        fprintf(out, ", scaled to %d bits", subject->tables.bits);
}

static void print_line(FILE *out, const Subject *subject, Channel channel,
                       const StatsWanted *wanted)
{
    ChannelStats stats = channel_stats(&subject->tables, channel, &wanted->percentiles);
    const ImgStatistics *all = &stats.all;
    char heading[PERCENTILE_TEXT + 1], lowest[AMOUNT_TEXT], highest[AMOUNT_TEXT];
    print_label(out, channel, wanted->luma);
    fprintf(out, "%3d%6u%6u%9.2f%7.2f%10.2f%7u%8.3f%7s %%%7s %%", stats.bits, all->minimum,
            all->maximum, all->mean, 100 * channel_share(&stats, all->mean), all->deviation,
            all->median, all->entropy,
            img_amount_print_percent(all->lowest, all->pixels, 2, lowest),
            img_amount_print_percent(all->highest, all->pixels, 2, highest));
    for (size_t i = 0; i < wanted->percentiles.count; i++)
        fprintf(out, "%*u", percentile_heading(wanted->percentiles.at[i], heading),
                stats.percentiles[i]);
    fputs("  ", out);
    if (subject->path != NULL)
        text_clean(out, img_streams_input_name(subject->path));
    else
        print_total(out, subject);
    fputc('\n', out);
}

void stats_print_line(FILE *out, const Subject *subject, const StatsWanted *wanted)
{
    const Tables *tables = &subject->tables;
    if (tables->of[CHANNEL_LUMA] != NULL) {
        print_line(out, subject, CHANNEL_LUMA, wanted);
        return;
    }
    for (int c = CHANNEL_RED; c <= CHANNEL_GRAY; c++)
        if (tables->of[c] != NULL)
            print_line(out, subject, (Channel)c, wanted);
}
