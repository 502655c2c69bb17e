/* Updates the counts of columns when a line of a tile is replaced (median_rows.h). */
#include "kernels/core/sample.h"
#include "kernels/median/median_rows.h"

static void count(const ImgMedianTile *tile, int32_t sample, uint32_t value, uint8_t by)
{
    const uint32_t bin = value / IMG_MEDIAN_BINS;
    const size_t samples = (size_t)tile->line_samples, place = (size_t)sample;
    uint8_t *coarse = tile->counts.coarse + place * IMG_MEDIAN_BINS;
    uint8_t *fine = tile->counts.fine + (bin * samples + place) * IMG_MEDIAN_BINS;
    coarse[bin] = (uint8_t)(coarse[bin] + by);
    fine[value % IMG_MEDIAN_BINS] = (uint8_t)(fine[value % IMG_MEDIAN_BINS] + by);
}

static void replace_narrow(const ImgMedianTile *tile, const uint8_t *old, const uint8_t *line,
                           bool first)
{
    for (int32_t i = 0; i < tile->line_samples; i++) {
        if (!first)
            count(tile, i, old[i], UINT8_MAX);
        count(tile, i, line[i], 1);
    }
}

static void replace_wide(const ImgMedianTile *tile, int32_t place, const uint8_t *line, bool first)
{
    for (int32_t i = 0; i < tile->line_samples; i++) {
        const uint32_t value = img_sample(line, (size_t)i, 16);
        uint8_t *upper = tile->counts.upper + (size_t)i * IMG_MEDIAN_COLUMN + place;
        if (!first)
            count(tile, i, *upper, UINT8_MAX);
        *upper = (uint8_t)(value >> 8);
        tile->counts.lower[(size_t)i * IMG_MEDIAN_COLUMN + (size_t)place] = (uint8_t)value;
        count(tile, i, *upper, 1);
    }
}

void img_median_counts_replace(const ImgMedianTile *tile, int32_t place, const uint8_t *line,
                               bool first)
{
    if (tile->bytes == 1)
        replace_narrow(tile, tile->lines + (size_t)place * tile->line_stride, line, first);
    else
        replace_wide(tile, place, line, first);
}
