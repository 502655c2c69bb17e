/* From the rows that img_measure_histogram counts to tables by channel: what the file says beside
 * its pixels, the palette and the transparent colour, is applied to the counts. */
#ifndef IMGTOOL_APP_STATS_PICTURE_COUNTS_H
#define IMGTOOL_APP_STATS_PICTURE_COUNTS_H

#include "app/stats/tables.h"
#include "io/metadata/metadata.h"
#include "kernels/histogram/histogram.h"

/* What has to be known of a picture before it is measured, since its pixels are gone then. */
typedef struct PictureCounts {
    ImgFormat format;
    ImgHistogramParams how;
    const ImgMetadata *metadata; /* borrowed */
    bool has_key;                /* gray or RGB, and tRNS names a colour that is transparent */
    uint32_t key[3];             /* that gray, or red, green and blue */
    uint64_t key_pixels;         /* RGB that have it, if they are to be skipped; else 0 */
} PictureCounts;

/* Looks at the pixels only where there is no other way: for transparent ones of RGB with tRNS. */
PictureCounts picture_counts_prepare(const ImgView *picture, const ImgMetadata *metadata,
                                     const ImgHistogramParams *how);

/* Allocates `tables` and fills them from the table of counts. Palettes give 8-bit tables of their
 * colours; `unknown` gets the number of pixels whose colour the palette does not have: they count
 * as opaque black, as browsers show them. */
ImgStatus picture_counts_finish(const PictureCounts *picture, const ImgView *rows, Tables *tables,
                                uint64_t *unknown, ImgError *err);

/* All that was counted is wholly transparent; so is nothing. */
bool picture_counts_transparent(const PictureCounts *picture, const Tables *tables);

#endif
