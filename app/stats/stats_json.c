/* Writes statistics as JSON. */
#include "app/stats/stats.h"

static void add_percentiles(cJSON *object, const ChannelStats *stats,
                            const Percentiles *percentiles, bool *failed)
{
    char text[PERCENTILE_TEXT];
    cJSON *values = json_object(object, "percentiles", failed);
    for (size_t i = 0; i < percentiles->count; i++)
        json_number(values, percentile_text(percentiles->at[i], text), stats->percentiles[i],
                    failed);
}

static void add_channel(cJSON *channels, const char *name, const ChannelStats *stats,
                        const Percentiles *percentiles, bool *failed)
{
    const ImgStatistics *all = &stats->all;
    char digits[IMG_WIDE_TEXT];
    cJSON *object = json_object(channels, name, failed);
    json_number(object, "minimum", all->minimum, failed);
    json_number(object, "maximum", all->maximum, failed);
    json_number(object, "mean", all->mean, failed);
    json_number(object, "mean_share", channel_share(stats, all->mean), failed);
    json_number(object, "deviation", all->deviation, failed);
    json_number(object, "deviation_share", channel_share(stats, all->deviation), failed);
    json_number(object, "median", all->median, failed);
    json_number(object, "entropy", all->entropy, failed);
    json_number(object, "clipped_low_share", channel_part(stats, all->lowest), failed);
    json_number(object, "clipped_high_share", channel_part(stats, all->highest), failed);
    json_whole(object, "sum", img_wide_text(all->sum, digits), failed);
    json_whole(object, "sum_of_squares", img_wide_text(all->sum_of_squares, digits), failed);
    add_percentiles(object, stats, percentiles, failed);
}

void stats_add_json(cJSON *object, const Subject *subject, const StatsWanted *wanted, bool *failed)
{
    subject_add_json(object, subject, wanted->luma, failed);
    cJSON *channels = json_object(object, "channels", failed);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        const char *name = channel_name((Channel)c);
        Channel counted = subject_json_channel(subject, (Channel)c, wanted->luma);
        if (counted == CHANNEL_COUNT) {
            json_null(channels, name, failed);
            continue;
        }
        ChannelStats stats = channel_stats(&subject->tables, counted, &wanted->percentiles);
        add_channel(channels, name, &stats, &wanted->percentiles, failed);
    }
}
