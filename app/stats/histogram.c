/* Makes the bins of histograms, and prints histograms as CSV and JSON. */
#include "app/stats/histogram.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/histogram/statistics.h"

ImgStatus histogram_make(const Subject *subject, uint32_t bins, Histogram *histogram, ImgError *err)
{
    const Tables *tables = &subject->tables;
    size_t values = img_counts_size(tables->bits);
    *histogram = (Histogram){.subject = *subject, .bins = bins != 0 ? bins : (uint32_t)values};
    if (bins > values)
        return img_fail(err, IMG_E_USAGE,
                        "--bins %u is more than the %zu values that samples of %d bit%s have; use "
                        "%s%zu",
                        bins, values, tables->bits, tables->bits == 1 ? "" : "s",
                        values > 2 ? "2 to " : "", values);
    if (bins == 0 || bins == values) {
        for (size_t c = 0; c < CHANNEL_COUNT; c++)
            histogram->of[c] = tables->of[c];
        return IMG_OK;
    }
    histogram->block = malloc((size_t)CHANNEL_COUNT * bins * sizeof *histogram->block);
    if (histogram->block == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the bins");
    for (size_t c = 0; c < CHANNEL_COUNT; c++) {
        if (tables->of[c] == NULL)
            continue;
        img_counts_bin(tables->of[c], tables->bits, histogram->block + c * bins, bins);
        histogram->of[c] = histogram->block + c * bins;
    }
    return IMG_OK;
}

void histogram_free(Histogram *histogram)
{
    free(histogram->block);
    *histogram = HISTOGRAM_NONE;
}

void histogram_csv_heading(FILE *out)
{
    fputs("scope,file,bin_start,bin_end", out);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        fprintf(out, ",%s", channel_name((Channel)c));
    fputc('\n', out);
}

void histogram_csv_rows(FILE *out, const Histogram *histogram)
{
    int bits = histogram->subject.tables.bits;
    for (uint32_t bin = 0; bin < histogram->bins; bin++) {
        subject_csv(out, &histogram->subject);
        fprintf(out, ",%u,%u", img_bin_start(bin, bits, histogram->bins),
                img_bin_start(bin + 1, bits, histogram->bins) - 1);
        for (size_t c = 0; c < CHANNEL_COUNT; c++) {
            if (histogram->of[c] != NULL)
                fprintf(out, ",%" PRIu64, histogram->of[c][bin]);
            else
                fputc(',', out);
        }
        fputc('\n', out);
    }
}

/* Adds an array of numbers to the JSON object as one piece of text. If each of the 65536 numbers of
 * a channel were a node of the JSON tree, a picture would take megabytes. */
static void add_numbers(cJSON *object, const char *name, const uint64_t *counts,
                        const Histogram *histogram, bool *failed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool whole = out != NULL;
    for (uint32_t bin = 0; whole && bin < histogram->bins; bin++) {
        uint64_t number = counts != NULL
                              ? counts[bin]
                              : img_bin_start(bin, histogram->subject.tables.bits, histogram->bins);
        whole = fprintf(out, "%s%" PRIu64, bin == 0 ? "[" : ", ", number) > 0;
    }
    whole = whole && fputc(']', out) != EOF;
    if (out != NULL) /* fclose can succeed even if there was no memory for the text */
        whole &= fclose(out) == 0 && text != NULL;
    if (!whole)
        *failed = true;
    else
        json_whole(object, name, text, failed);
    free(text);
}

void histogram_add_json(cJSON *object, const Histogram *histogram, ImgLuma luma, bool *failed)
{
    const Subject *subject = &histogram->subject;
    subject_add_json(object, subject, luma, failed);
    if (histogram->bins > 0)
        json_number(object, "bins", histogram->bins, failed);
    else
        json_null(object, "bins", failed);
    if (histogram->bins > 0 && histogram->bins < img_counts_size(subject->tables.bits))
        add_numbers(object, "bin_starts", NULL, histogram, failed);
    else
        json_null(object, "bin_starts", failed);
    cJSON *channels = json_object(object, "channels", failed);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        Channel counted = subject_json_channel(subject, (Channel)c, luma);
        if (counted == CHANNEL_COUNT)
            json_null(channels, channel_name((Channel)c), failed);
        else
            add_numbers(channels, channel_name((Channel)c), histogram->of[counted], histogram,
                        failed);
    }
}
