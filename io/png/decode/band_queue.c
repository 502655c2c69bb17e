/* Unfilters bands of rows, divided into columns, in the order of their dependencies
 * (band_queue.h). */
#include "io/png/decode/band_queue.h"

enum {
    MOST_COLUMNS = 16,
    /* Smallest width of a column in bytes. If columns were narrower, synchronising threads would
     * cost more time than it saves. */
    LEAST_COLUMN = 400,
};

static int columns_for(const ImgPixels *pixels, int threads)
{
    size_t most = pixels->row_bytes / LEAST_COLUMN;
    int columns = threads < MOST_COLUMNS ? threads : MOST_COLUMNS;
    if (most < (size_t)columns)
        columns = most > 0 ? (int)most : 1;
    return columns;
}

ImgBandQueue img_band_queue_start(const ImgPngJob *job, int threads)
{
    const int columns = job->band != NULL ? 1 : columns_for(&job->pixels, threads);
    return (ImgBandQueue){
        .pixels = &job->pixels, .band = job->band, .progress = job->progress, .columns = columns};
}

bool img_band_queue_find(const ImgBandQueue *queue, size_t *band)
{
    for (*band = queue->first; *band < queue->ready; ++*band) {
        const ImgQueuedBand *b = &queue->bands[*band];
        int column = b->columns_taken;
        bool free = column < queue->columns && b->columns_done == column;
        if (free && (*band == 0 || b[-1].columns_done > column))
            return true;
    }
    return false;
}

int img_band_queue_take(ImgBandQueue *queue, size_t band)
{
    return queue->bands[band].columns_taken++;
}

bool img_band_queue_run(const ImgBandQueue *queue, size_t band, int column)
{
    const ImgQueuedBand *b = &queue->bands[band];
    const ImgPixels *pixels = queue->pixels;
    size_t width = (size_t)pixels->view.width, columns = (size_t)queue->columns;
    size_t from = width * (size_t)column / columns * pixels->pixel;
    size_t to = width * ((size_t)column + 1) / columns * pixels->pixel;
    if (b->rows == 0)
        return true;
    if (column + 1 == queue->columns && !img_progress_add_rows(queue->progress, (uint64_t)b->rows))
        return false;
    if (queue->band != NULL)
        return img_band_unfilter(queue->band, b->filtered, b->rows);
    if (!img_pixels_unfilter(pixels, b->filtered, b->first_row, b->rows, b->first_row == 0, from,
                             to))
        return false;
    /* The band below still needs the last row in big-endian byte order, so this row is not
     * converted here. */
    const int32_t end = b->first_row + b->rows;
    if (column + 1 == queue->columns)
        img_pixels_to_native(pixels, b->first_row > 0 ? b->first_row - 1 : 0,
                             end < pixels->view.height ? end - 1 : end);
    return true;
}

void img_band_queue_done(ImgBandQueue *queue, size_t band)
{
    queue->bands[band].columns_done++;
    while (queue->first < queue->ready && queue->bands[queue->first].columns_done == queue->columns)
        queue->first++;
}
