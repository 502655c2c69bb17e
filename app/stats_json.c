/* Statistics for programs. */
#include "app/stats.h"

static void add_channel(cJSON *channels, const ChannelStats *stats, const Percentiles *percentiles,
                        bool *failed)
{
    const ImgStatistics *all = &stats->all;
    char digits[IMG_WIDE_TEXT], text[PERCENTILE_TEXT];
    cJSON *object = json_object(channels, channel_name(stats->channel), failed);
    json_number(object, "minimum", all->minimum, failed);
    json_number(object, "maximum", all->maximum, failed);
    json_number(object, "mean", all->mean, failed);
    json_number(object, "mean_share", channel_share(stats, all->mean), failed);
    json_number(object, "deviation", all->deviation, failed);
    json_number(object, "deviation_share", channel_share(stats, all->deviation), failed);
    json_number(object, "median", all->median, failed);
    json_number(object, "entropy", all->entropy, failed);
    json_number(object, "clipped_low", channel_part(stats, all->lowest), failed);
    json_number(object, "clipped_high", channel_part(stats, all->highest), failed);
    json_whole(object, "sum", img_wide_text(all->sum, digits), failed);
    json_whole(object, "sum_of_squares", img_wide_text(all->sum_of_squares, digits), failed);
    if (percentiles->count == 0)
        return;
    cJSON *values = json_object(object, "percentiles", failed);
    for (size_t i = 0; i < percentiles->count; i++)
        json_number(values, percentile_text(percentiles->at[i], text), stats->percentiles[i],
                    failed);
}

void stats_add_json(cJSON *parent, const char *name, const Subject *subject,
                    const StatsWanted *wanted, bool *failed)
{
    cJSON *object = json_object(parent, name, failed);
    subject_add_json(object, subject, failed);
    if (subject->tables.of[CHANNEL_LUMA] != NULL)
        json_string(object, "luma_weights", luma_name(wanted->luma), failed);
    cJSON *channels = json_object(object, "channels", failed);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        if (subject->tables.of[c] == NULL)
            continue;
        ChannelStats stats = channel_stats(&subject->tables, (Channel)c, &wanted->percentiles);
        add_channel(channels, &stats, &wanted->percentiles, failed);
    }
}
