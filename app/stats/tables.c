#include "app/stats/tables.h"

#include <stdlib.h>

#include "kernels/histogram/statistics.h"

const char *channel_name(Channel channel)
{
    static const char *const names[CHANNEL_COUNT] = {"red",  "green", "blue",
                                                     "gray", "luma",  "alpha"};
    return names[channel];
}

ImgStatus tables_alloc(int bits, unsigned channels, Tables *tables, ImgError *err)
{
    size_t size = img_counts_size(bits), count = 0;
    *tables = (Tables){.bits = bits};
    for (size_t c = 0; c < CHANNEL_COUNT; c++)
        count += channels >> c & 1U;
    tables->block = calloc(count, size * sizeof *tables->block);
    if (tables->block == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the counts");
    uint64_t *next = tables->block;
    for (size_t c = 0; c < CHANNEL_COUNT; c++) {
        if ((channels >> c & 1U) == 0)
            continue;
        tables->of[c] = next;
        next += size;
    }
    return IMG_OK;
}

void tables_free(Tables *tables)
{
    free(tables->block);
    *tables = TABLES_NONE;
}

/* The channels of a total. All of them exist from the start, since a colour picture can follow gray
 * ones. As long as all pictures are gray, each channel except alpha has the counts of gray. */
static const Channel summed[] = {CHANNEL_RED, CHANNEL_GREEN, CHANNEL_BLUE, CHANNEL_LUMA,
                                 CHANNEL_ALPHA};
enum { SUMMED = sizeof summed / sizeof *summed };

/* Raises the sample depth of the total's histograms to `bits`, if that is larger, and moves each
 * count to the entry of the scaled sample value. */
static ImgStatus deepen(Total *total, int bits, ImgError *err)
{
    Tables *sums = &total->sums, deeper;
    total->mixed |= sums->block != NULL && sums->bits != bits;
    if (sums->block != NULL && sums->bits >= bits)
        return IMG_OK;
    unsigned channels = 0;
    for (size_t i = 0; i < SUMMED; i++)
        channels |= 1U << summed[i];
    ImgStatus status = tables_alloc(bits, channels, &deeper, err);
    if (status != IMG_OK)
        return status;
    for (size_t i = 0; sums->block != NULL && i < SUMMED; i++)
        img_counts_add(deeper.of[summed[i]], bits, sums->of[summed[i]], sums->bits);
    deeper.pixels = sums->pixels;
    tables_free(sums);
    *sums = deeper;
    return IMG_OK;
}

ImgStatus total_add(Total *total, const Tables *tables, ImgError *err)
{
    ImgStatus status = deepen(total, tables->bits, err);
    if (status != IMG_OK)
        return status;
    Tables *sums = &total->sums;
    for (size_t i = 0; i < SUMMED; i++) {
        Channel channel = summed[i];
        const uint64_t *counts = tables->of[channel];
        if (channel != CHANNEL_ALPHA && tables->of[CHANNEL_GRAY] != NULL)
            counts = tables->of[CHANNEL_GRAY];
        if (counts != NULL)
            img_counts_add(sums->of[channel], sums->bits, counts, tables->bits);
        else if (channel == CHANNEL_ALPHA)
            sums->of[channel][img_counts_size(sums->bits) - 1] += tables->pixels;
    }
    sums->pixels += tables->pixels;
    total->files++;
    total->color |= tables->of[CHANNEL_RED] != NULL;
    total->luma |= tables->of[CHANNEL_LUMA] != NULL;
    total->alpha |= tables->of[CHANNEL_ALPHA] != NULL;
    return IMG_OK;
}

ImgStatus total_merge(Total *total, const Total *other, ImgError *err)
{
    if (other->files == 0)
        return IMG_OK;
    ImgStatus status = deepen(total, other->sums.bits, err);
    if (status != IMG_OK)
        return status;
    Tables *sums = &total->sums;
    for (size_t i = 0; i < SUMMED; i++)
        img_counts_add(sums->of[summed[i]], sums->bits, other->sums.of[summed[i]],
                       other->sums.bits);
    sums->pixels += other->sums.pixels;
    total->files += other->files;
    total->color |= other->color;
    total->luma |= other->luma;
    total->alpha |= other->alpha;
    total->mixed |= other->mixed;
    return IMG_OK;
}

Tables total_tables(const Total *total)
{
    Tables tables = total->sums;
    tables.block = NULL;
    if (!total->color) {
        tables.of[CHANNEL_GRAY] = tables.of[CHANNEL_LUMA];
        tables.of[CHANNEL_RED] = tables.of[CHANNEL_GREEN] = tables.of[CHANNEL_BLUE] = NULL;
    }
    if (!total->luma)
        tables.of[CHANNEL_LUMA] = NULL;
    if (!total->alpha)
        tables.of[CHANNEL_ALPHA] = NULL;
    return tables;
}

void total_free(Total *total)
{
    tables_free(&total->sums);
    *total = TOTAL_NONE;
}
