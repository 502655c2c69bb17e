/* Converts the counts of img_measure_histogram to tables per channel, and applies the palette and
 * the transparent colour of the file. */
#ifndef IMGTOOL_APP_STATS_PICTURE_COUNTS_H
#define IMGTOOL_APP_STATS_PICTURE_COUNTS_H

#include "app/stats/tables.h"
#include "io/metadata/metadata.h"
#include "kernels/histogram/histogram.h"

/* Facts that are needed after the measurement, which replaces the pixels. */
typedef struct PictureCounts {
    ImgFormat format;
    ImgHistogramParams how;
    const ImgMetadata *metadata; /* borrowed */
    bool has_key;    /* the picture is gray or RGB, and tRNS names a transparent colour */
    uint32_t key[3]; /* that gray, or its red, green and blue */
    uint64_t
        key_pixels; /* number of RGB pixels of that colour, if they are to be skipped; else 0 */
} PictureCounts;

/* Prepares counting. Reads pixels only to count transparent ones of RGB with tRNS. */
PictureCounts picture_counts_prepare(const ImgView *picture, const ImgMetadata *metadata,
                                     const ImgHistogramParams *how);

/* Allocates `tables` and fills them from the rows of counts. Palettes give 8-bit tables of their
 * colours. `unknown` is the number of pixels whose index is outside the palette; they count as
 * opaque black, as browsers show them. */
ImgStatus picture_counts_finish(const PictureCounts *picture, const ImgView *rows, Tables *tables,
                                uint64_t *unknown, ImgError *err);

/* Returns whether every counted pixel is fully transparent; true also if no pixel was counted. */
bool picture_counts_transparent(const PictureCounts *picture, const Tables *tables);

#endif
