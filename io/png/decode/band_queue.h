/* Private: a queue of bands (groups of filtered rows) that several threads unfilter at the same
 * time. A band needs the last row of the band above, and a pixel needs the pixel to its left. So
 * bands are divided into columns, and a thread stays one column behind the thread of the band
 * above. Callers must hold a mutex, except around img_band_queue_run. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H
#define IMGTOOL_IO_PNG_DECODE_BAND_QUEUE_H

#include "io/png/decode/fast_decoders.h"

typedef struct ImgQueuedBand {
    const uint8_t *filtered; /* filtered data of the rows of the band; borrowed */
    /* `first_row`: index of the first row in the picture. `rows`: number of rows, which may be
     * 0. */
    int32_t first_row, rows;
    int columns_taken, columns_done;
} ImgQueuedBand;

/* The bands in the order of the picture. Each band starts at the row where the previous band
 * ends. */
typedef struct ImgBandQueue {
    const ImgPixels *pixels;
    ImgBand *band;
    ImgProgress *progress;
    int columns;
    /* Array for all bands of the picture; it must be initialised with zeros. */
    ImgQueuedBand *bands;
    /* All bands before index `first` are unfiltered. All bands before index `ready` are
     * inflated. */
    size_t first, ready;
} ImgBandQueue;

/* Returns an empty queue for unfiltering on `threads` threads; the caller allocates the array
 * `bands`. If job->band is set, its sink receives the rows, and there is a single column, so that
 * rows arrive in order. Otherwise the rows are stored in the image. Borrows the job. */
ImgBandQueue img_band_queue_start(const ImgPngJob *job, int threads);

/* Sets `*band` to the index of a band whose next column can be unfiltered now. Returns false if
 * there is none. The caller must claim the column with img_band_queue_take before it releases the
 * mutex. */
bool img_band_queue_find(const ImgBandQueue *queue, size_t *band);
int img_band_queue_take(ImgBandQueue *queue, size_t band);

/* Unfilters column `column` of a band. Returns false if a filter type is unknown, or if the
 * decoding is cancelled. */
bool img_band_queue_run(const ImgBandQueue *queue, size_t band, int column);

/* Marks a column of the band as done, after img_band_queue_run. Then advances queue->first past all
 * bands whose columns are done. */
void img_band_queue_done(ImgBandQueue *queue, size_t band);

#endif
