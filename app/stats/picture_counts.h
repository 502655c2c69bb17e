/* Converts the counts of img_measure_histogram to tables per channel, and applies the palette and
 * the transparent colour of the file. */
#ifndef IMGTOOL_APP_STATS_PICTURE_COUNTS_H
#define IMGTOOL_APP_STATS_PICTURE_COUNTS_H

#include "app/stats/tables.h"
#include "io/metadata/metadata.h"
#include "kernels/histogram/histogram.h"

/* Facts about a picture that are needed to convert its counts. */
typedef struct PictureCounts {
    ImgFormat format;
    ImgHistogramParams how;
    const ImgMetadata *metadata; /* metadata of the picture; borrowed */
    bool has_key;    /* the picture is gray or RGB, and tRNS names a transparent colour */
    uint32_t key[3]; /* the transparent gray, or the transparent red, green and blue */
    /* Number of RGB pixels with the transparent colour if they are skipped; otherwise 0. */
    uint64_t key_pixels;
} PictureCounts;

/* Returns the facts about a picture of format `format` in its file. */
PictureCounts picture_counts_begin(ImgFormat format, const ImgMetadata *metadata,
                                   const ImgHistogramParams *how);

/* Returns whether picture_counts_of_pixels must be called with the whole picture. That is so for an
 * RGB picture with tRNS if transparent pixels are skipped. */
bool picture_counts_need_pixels(const PictureCounts *counts);

/* Counts the pixels that have the transparent colour. */
void picture_counts_of_pixels(PictureCounts *counts, const ImgView *picture);

/* Allocates `tables`, and fills them from the rows of counts that the measurement made. The tables
 * of a palette picture count its 8-bit colours. Sets *unknown to the number of pixels whose index
 * is outside the palette. They count as opaque black, as browsers show them. */
ImgStatus picture_counts_finish(const PictureCounts *picture, const ImgView *rows, Tables *tables,
                                uint64_t *unknown, ImgError *err);

/* Returns whether all counted pixels are fully transparent. Returns true if no pixel was
 * counted. */
bool picture_counts_transparent(const PictureCounts *picture, const Tables *tables);

#endif
