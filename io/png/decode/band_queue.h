/* Private: bands (groups of filtered rows) that several threads unfilter at the same time. A band
 * needs the last row of the band above, and a pixel needs the pixel to its left. So bands are
 * divided into columns; a thread stays one column behind the thread of the band above. Callers must
 * hold a mutex, except around img_band_queue_run. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H
#define IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H

#include "io/png/decode/fast_decoders.h"

typedef struct ImgQueuedBand {
    const uint8_t *filtered; /* filtered data of the band's rows; borrowed */
    int32_t first_row, rows; /* first row in the picture; number of rows, may be 0 */
    int columns_taken, columns_done;
} ImgQueuedBand;

/* The bands in the order of the picture; each starts where the previous one ends. */
typedef struct ImgBandQueue {
    const ImgPixels *pixels;
    ImgBand *band;
    ImgProgress *progress;
    int columns;
    ImgQueuedBand *bands; /* array for all bands, which must start as zeros */
    size_t first, ready;  /* bands before `first` are done; bands before `ready` have their data */
} ImgBandQueue;

/* Returns an empty queue for `threads` threads; the caller allocates the array `bands`. If
 * job->band is set, rows go to its sink, and there is a single column, so that they arrive in
 * order; otherwise the image is filled. Borrows the job. */
ImgBandQueue img_band_queue_start(const ImgPngJob *job, int threads);

/* Sets `*band` to a band whose next column can be unfiltered now. Returns false if there is none.
 * The caller must claim the column before it releases the mutex. */
bool img_band_queue_find(const ImgBandQueue *queue, size_t *band);
int img_band_queue_take(ImgBandQueue *queue, size_t band);

/* Unfilters column `column` of a band. Returns false if a filter type is unknown, or if the work is
 * cancelled. */
bool img_band_queue_run(const ImgBandQueue *queue, size_t band, int column);

/* Marks the column as done. Must be called after img_band_queue_run. Advances `first` past bands
 * that are done. */
void img_band_queue_done(ImgBandQueue *queue, size_t band);

#endif
