#include "app/stats/merge/merge.h"

#include <string.h>

#include "app/stats/subject.h"
#include "app/text/json_lines.h"
#include "kernels/histogram/histogram.h"
#include "kernels/histogram/statistics.h"

static void add_counts(cJSON *channels, Channel channel, const Tables *sums, bool *failed)
{
    if (sums->block == NULL || sums->of[channel] == NULL) {
        json_null(channels, channel_name(channel), failed);
        return;
    }
    cJSON *counts = json_array(channels, channel_name(channel), failed);
    for (size_t i = 0; i < img_counts_size(sums->bits); i++)
        json_count(counts, NULL, sums->of[channel][i], failed);
}

static cJSON *make_line(const Total *total, BatchPart part, const Settings *settings, bool *failed)
{
    const ImgLuma luma = (ImgLuma)settings->luma;
    cJSON *line = json_document("batch stats", "counts", failed);
    json_batch_part(line, part, failed);
    json_count(line, "file_count", total->files, failed);
    if (total->files > 0)
        json_count(line, "sample_bits", (uint64_t)total->sums.bits, failed);
    else
        json_null(line, "sample_bits", failed);
    json_count(line, "pixels", total->sums.pixels, failed);
    json_string(line, "luma_weights", luma != IMG_LUMA_NONE ? luma_name(luma) : NULL, failed);
    json_string(line, "percentiles", settings->percentiles, failed);
    json_bool(line, "skip_transparent", settings->skip_transparent != 0, failed);
    json_bool(line, "has_color", total->color, failed);
    json_bool(line, "has_luma", total->luma, failed);
    json_bool(line, "has_alpha", total->alpha, failed);
    json_bool(line, "mixed_depths", total->mixed, failed);
    cJSON *channels = json_object(line, "channels", failed);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        /* a total has no table of gray: it adds the counts of gray pictures to the table of luma */
        if (c != CHANNEL_GRAY)
            add_counts(channels, (Channel)c, &total->sums, failed);
    return line;
}

ImgStatus counts_line_print(const Total *total, BatchPart part, const Settings *settings,
                            ImgError *err)
{
    bool failed = false;
    cJSON *line = make_line(total, part, settings, &failed);
    return json_print_line(stdout, line, failed, err);
}

/* Reads an array of `size` counts. Returns false if a count is invalid, or their sum is not
 * `pixels`. With `is_partial` the sum may be less. */
static bool read_counts(const cJSON *array, uint64_t *counts, size_t size, uint64_t pixels,
                        bool is_partial)
{
    size_t read = 0;
    uint64_t left = pixels;
    for (const cJSON *item = cJSON_IsArray(array) ? array->child : NULL; item != NULL;
         item = item->next) {
        if (read == size || !json_count_of(item, &counts[read]) || counts[read] > left)
            return false;
        left -= counts[read++];
    }
    return read == size && (left == 0 || is_partial);
}

/* Reads the counts of all channels. If luma was not requested (`has_luma` is false), the table of
 * luma has the counts of gray pictures only. */
static bool read_channels(const cJSON *line, bool has_luma, Tables *sums)
{
    const cJSON *channels = cJSON_GetObjectItemCaseSensitive(line, "channels");
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (sums->of[c] != NULL &&
            !read_counts(cJSON_GetObjectItemCaseSensitive(channels, channel_name((Channel)c)),
                         sums->of[c], img_counts_size(sums->bits), sums->pixels,
                         c == CHANNEL_LUMA && !has_luma))
            return false;
    return true;
}

static bool is_luma(const char *name)
{
    return name == NULL || strcmp(name, luma_name(IMG_LUMA_709)) == 0 ||
           strcmp(name, luma_name(IMG_LUMA_601)) == 0;
}

/* Returns whether the sums of both totals are at most 2^53, so that they are exact as numbers in
 * JSON. */
static bool has_room(const Total *total, const Total *more)
{
    static const uint64_t most = UINT64_C(1) << 53;
    return more->files <= most - total->files && more->sums.pixels <= most - total->sums.pixels;
}

static ImgStatus read_tables(const cJSON *line, Total *read, ImgError *err)
{
    const double bits = json_line_number(line, "sample_bits");
    const char *luma = json_line_string(line, "luma_weights");
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16)
        return img_fail(err, IMG_E_FORMAT, "has counts with an invalid number of bits");
    if (!is_luma(luma) || (read->luma && luma == NULL))
        return img_fail(err, IMG_E_FORMAT, "has unknown luma weights");
    ImgStatus status = tables_alloc((int)bits, ~(1U << CHANNEL_GRAY), &read->sums, err);
    if (status != IMG_OK)
        return status;
    read->sums.pixels = json_line_count(line, "pixels");
    return read_channels(line, luma != NULL, &read->sums)
               ? IMG_OK
               : img_fail(err, IMG_E_FORMAT, "has damaged counts");
}

ImgStatus counts_line_add(const cJSON *line, Total *total, ImgError *err)
{
    Total read = {.files = (size_t)json_line_count(line, "file_count"),
                  .color = json_line_bool(line, "has_color"),
                  .luma = json_line_bool(line, "has_luma"),
                  .alpha = json_line_bool(line, "has_alpha"),
                  .mixed = json_line_bool(line, "mixed_depths")};
    if (read.files == 0)
        return IMG_OK;
    ImgStatus status = read_tables(line, &read, err);
    if (status == IMG_OK && !has_room(total, &read))
        status = img_fail(err, IMG_E_LIMIT,
                          "has too many pixels for an exact total with the earlier ones");
    if (status == IMG_OK)
        status = total_merge(total, &read, err);
    total_free(&read);
    return status;
}
