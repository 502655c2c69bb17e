/* Private: bands of filtered rows that several threads undo at a time. Each band depends on the
 * last row of the one before, and each pixel on that to the left; so bands are cut into columns,
 * and a thread may be a column ahead of the one below. Who uses it holds a mutex around all but
 * img_undo_run. */
#ifndef IMGTOOL_IO_PNG_DECODE_UNDO_H
#define IMGTOOL_IO_PNG_DECODE_UNDO_H

#include "io/png/decode/strategies.h"

typedef struct ImgUndoBand {
    const uint8_t *filtered; /* the first of its rows that is whole; borrowed until all is done */
    int32_t first_row, rows; /* of no rows, too */
    int columns_taken, columns_done;
} ImgUndoBand;

/* Bands in the order of the image, each starting where the one before ends. */
typedef struct ImgUndo {
    const ImgPixels *pixels;
    ImgBand *band;
    ImgWatch *watch;
    int columns;
    ImgUndoBand *bands;  /* room for all that there will be; zeros */
    size_t first, ready; /* bands before `first` are done; those before `ready` may be undone */
} ImgUndo;

/* Without bands, which the caller makes room for. By that many threads. job->band: where rows are
 * handed on, with a single column, so that they come in order; NULL: its pixels are filled. Borrows
 * the job. */
ImgUndo img_undo_start(const ImgPngJob *job, int threads);

/* The band, if any, of which a column can be undone now; it has to be taken at once. */
bool img_undo_find(const ImgUndo *undo, size_t *band);
int img_undo_take(ImgUndo *undo, size_t band);

/* False where a filter type is unknown, or the work is to end. */
bool img_undo_run(const ImgUndo *undo, size_t band, int column);

/* After it; moves `first` on over bands that are done. */
void img_undo_done(ImgUndo *undo, size_t band);

#endif
