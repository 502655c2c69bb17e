/* Unfilters columns of bands in the order of their dependencies. */
#include "io/png/decode/undo.h"

enum {
    MOST_COLUMNS = 16,
    LEAST_COLUMN = 400, /* bytes of a row: passing less from thread to thread does not pay */
};

static int columns_for(const ImgPixels *pixels, int threads)
{
    size_t most = pixels->row_bytes / LEAST_COLUMN;
    int columns = threads < MOST_COLUMNS ? threads : MOST_COLUMNS;
    if (most < (size_t)columns)
        columns = most > 0 ? (int)most : 1;
    return columns;
}

ImgUndo img_undo_start(const ImgPngJob *job, int threads)
{
    const int columns = job->band != NULL ? 1 : columns_for(&job->pixels, threads);
    return (ImgUndo){
        .pixels = &job->pixels, .band = job->band, .watch = job->watch, .columns = columns};
}

bool img_undo_find(const ImgUndo *undo, size_t *band)
{
    for (*band = undo->first; *band < undo->ready; ++*band) {
        const ImgUndoBand *b = &undo->bands[*band];
        int column = b->columns_taken;
        bool free = column < undo->columns && b->columns_done == column;
        if (free && (*band == 0 || b[-1].columns_done > column))
            return true;
    }
    return false;
}

int img_undo_take(ImgUndo *undo, size_t band)
{
    return undo->bands[band].columns_taken++;
}

bool img_undo_run(const ImgUndo *undo, size_t band, int column)
{
    const ImgUndoBand *b = &undo->bands[band];
    const ImgPixels *pixels = undo->pixels;
    size_t width = (size_t)pixels->view.width, columns = (size_t)undo->columns;
    size_t from = width * (size_t)column / columns * pixels->pixel;
    size_t to = width * ((size_t)column + 1) / columns * pixels->pixel;
    if (b->rows == 0)
        return true;
    if (column + 1 == undo->columns && !img_watch_rows(undo->watch, (uint64_t)b->rows))
        return false;
    if (undo->band != NULL)
        return img_band_undo(undo->band, b->filtered, b->rows);
    if (!img_pixels_undo(pixels, b->filtered, b->first_row, b->rows, b->first_row == 0, from, to))
        return false;
    /* The band below still needs the last row in big-endian byte order. */
    const int32_t end = b->first_row + b->rows;
    if (column + 1 == undo->columns)
        img_pixels_settle(pixels, b->first_row > 0 ? b->first_row - 1 : 0,
                          end < pixels->view.height ? end - 1 : end);
    return true;
}

void img_undo_done(ImgUndo *undo, size_t band)
{
    undo->bands[band].columns_done++;
    while (undo->first < undo->ready && undo->bands[undo->first].columns_done == undo->columns)
        undo->first++;
}
