/* Statistics for spreadsheets. Sums are whole numbers; other figures have 15 digits. */
#include "app/stats/stats.h"

void stats_csv_heading(FILE *out, const StatsWanted *wanted)
{
    char text[PERCENTILE_TEXT];
    fputs("scope,file,channel,bits,pixels,minimum,maximum,mean,mean_share,deviation,"
          "deviation_share,median,entropy,clipped_low,clipped_high,sum,sum_of_squares",
          out);
    for (size_t i = 0; i < wanted->percentiles.count; i++)
        fprintf(out, ",p%s", percentile_text(wanted->percentiles.at[i], text));
    fputc('\n', out);
}

static void print_row(FILE *out, const Subject *subject, const ChannelStats *stats,
                      const Percentiles *percentiles)
{
    const ImgStatistics *all = &stats->all;
    char sum[IMG_WIDE_TEXT], squares[IMG_WIDE_TEXT];
    subject_csv(out, subject);
    fprintf(out, ",%s,%d,%llu,%u,%u,%.15g,%.15g,%.15g,%.15g,%u,%.15g,%.15g,%.15g,%s,%s",
            channel_name(stats->channel), stats->bits, (unsigned long long)all->pixels,
            all->minimum, all->maximum, all->mean, channel_share(stats, all->mean), all->deviation,
            channel_share(stats, all->deviation), all->median, all->entropy,
            channel_part(stats, all->lowest), channel_part(stats, all->highest),
            img_wide_text(all->sum, sum), img_wide_text(all->sum_of_squares, squares));
    for (size_t i = 0; i < percentiles->count; i++)
        fprintf(out, ",%u", stats->percentiles[i]);
    fputc('\n', out);
}

void stats_csv_rows(FILE *out, const Subject *subject, const StatsWanted *wanted)
{
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        if (subject->tables.of[c] == NULL)
            continue;
        ChannelStats stats = channel_stats(&subject->tables, (Channel)c, &wanted->percentiles);
        print_row(out, subject, &stats, &wanted->percentiles);
    }
}
