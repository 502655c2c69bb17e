/* Prints statistics as CSV. Numbers have all significant digits, as in JSON. */
#include "app/stats/stats.h"
#include "app/text/amounts.h"
#include "app/text/json.h"

void stats_csv_heading(FILE *out, const StatsWanted *wanted)
{
    char text[PERCENTILE_TEXT];
    fputs("scope,file,channel,bits,pixels,minimum,maximum,mean,mean_share,deviation,"
          "deviation_share,median,entropy,clipped_low,clipped_high,sum,sum_of_squares,"
          "width,height,error",
          out);
    for (size_t i = 0; i < wanted->percentiles.count; i++)
        fprintf(out, ",p%s", percentile_text(wanted->percentiles.at[i], text));
    fputc('\n', out);
}

static void print_number(FILE *out, double number)
{
    char text[AMOUNT_TEXT];
    fprintf(out, ",%s", img_amount_print_number(number, text));
}

/* Prints width and height. A total has none, so its columns are empty. */
static void print_size(FILE *out, const Subject *subject)
{
    if (subject->path != NULL && subject->shape.width > 0)
        fprintf(out, ",%d,%d", subject->shape.width, subject->shape.height);
    else
        fputs(",,", out);
}

static void print_row(FILE *out, const Subject *subject, const ChannelStats *stats,
                      const Percentiles *percentiles)
{
    const ImgStatistics *all = &stats->all;
    char sum[IMG_WIDE_TEXT], squares[IMG_WIDE_TEXT];
    subject_csv(out, subject);
    fprintf(out, ",%s,%d,%llu,%u,%u", channel_name(stats->channel), stats->bits,
            (unsigned long long)all->pixels, all->minimum, all->maximum);
    print_number(out, all->mean);
    print_number(out, channel_share(stats, all->mean));
    print_number(out, all->deviation);
    print_number(out, channel_share(stats, all->deviation));
    fprintf(out, ",%u", all->median);
    print_number(out, all->entropy);
    print_number(out, channel_part(stats, all->lowest));
    print_number(out, channel_part(stats, all->highest));
    fprintf(out, ",%s,%s", img_wide_text(all->sum, sum),
            img_wide_text(all->sum_of_squares, squares));
    print_size(out, subject);
    fputc(',', out); /* empty column: error */
    for (size_t i = 0; i < percentiles->count; i++)
        fprintf(out, ",%u", stats->percentiles[i]);
    fputc('\n', out);
}

/* Prints the row of a file that failed. It has the size of the picture if that is known. */
static void print_failure(FILE *out, const Subject *subject, const Percentiles *percentiles)
{
    subject_csv(out, subject);
    fputs(",,,,,,,,,,,,,,,", out); /* empty columns: channel to sum_of_squares */
    print_size(out, subject);
    fprintf(out, ",%s", json_error_name(subject->failure->status));
    for (size_t i = 0; i < percentiles->count; i++)
        fputc(',', out);
    fputc('\n', out);
}

void stats_csv_rows(FILE *out, const Subject *subject, const StatsWanted *wanted)
{
    if (subject->failure != NULL)
        print_failure(out, subject, &wanted->percentiles);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        if (subject->tables.of[c] == NULL)
            continue;
        ChannelStats stats = channel_stats(&subject->tables, (Channel)c, &wanted->percentiles);
        print_row(out, subject, &stats, &wanted->percentiles);
    }
}
