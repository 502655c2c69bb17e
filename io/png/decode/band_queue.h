/* Private: bands of filtered rows that several threads unfilter at the same time. Each band needs
 * the last row of the band above, and each pixel the one to its left. So bands are divided into
 * columns, and each thread stays one column behind the thread above. Callers hold a mutex, except
 * around img_band_queue_run. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H
#define IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H

#include "io/png/decode/fast_decoders.h"

typedef struct ImgQueuedBand {
    const uint8_t *filtered; /* start of its first complete row; borrowed */
    int32_t first_row, rows; /* `rows` may be 0 */
    int columns_taken, columns_done;
} ImgQueuedBand;

/* Bands in image order; each starts where the one before ends. */
typedef struct ImgBandQueue {
    const ImgPixels *pixels;
    ImgBand *band;
    ImgProgress *progress;
    int columns;
    ImgQueuedBand *bands; /* zero-initialised array for all bands */
    size_t first, ready; /* bands before `first` are done; bands before `ready` may be unfiltered */
} ImgBandQueue;

/* Starts without bands, for that many threads; the caller allocates the array `bands`. With
 * job->band there is a single column, so that rows reach the sink in order; else the image is
 * filled. Borrows the job. */
ImgBandQueue img_band_queue_start(const ImgPngJob *job, int threads);

/* Finds a band with a column that can be unfiltered now; the caller must take it at once. */
bool img_band_queue_find(const ImgBandQueue *queue, size_t *band);
int img_band_queue_take(ImgBandQueue *queue, size_t band);

/* Unfilters the column. Returns false for an unknown filter type, or if the work is cancelled. */
bool img_band_queue_run(const ImgBandQueue *queue, size_t band, int column);

/* Call after img_band_queue_run; advances `first` past bands that are done. */
void img_band_queue_done(ImgBandQueue *queue, size_t band);

#endif
