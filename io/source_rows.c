#include "io/source_rows.h"

#include <pthread.h>
#include <stdlib.h>

#include "kernels/core/minmax.h"

/* The rows are in a ring buffer: row r of the picture is row r % size of the ring. A margin of rows
 * lies before the ring. If the rows of a request continue at the start of the ring, its rows at the
 * end of the ring are copied to the margin, so that all rows of the request are contiguous. */
struct ImgSourceRows {
    ImgSource *source;
    ImgPngDecodeOptions options;
    bool ahead; /* true: the helper thread does not wait for requests */
    ImgImage image;
    int32_t margin, size; /* numbers of rows of the margin and of the ring */
    ImgPngRows *decoder;  /* decodes on the caller's thread; NULL: the helper thread decodes */
    ImgHelpers *helpers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* The lock protects the fields from here on. */
    /* The ring holds the rows of the picture from `first` to `end` (exclusive). */
    int32_t first, end;
    int32_t wanted; /* index of the row after the last one that was requested */
    bool stopped;   /* true: the caller wants no more rows */
    bool done;      /* true: the decoder has ended with `status` */
    ImgStatus status;
    ImgError failure;
    ImgPngDecodeReport report;
    /* A copy of `stopped` that the decoder reads without the lock. */
    bool halted;
};

/* Returns a view of `count` rows from row `first` of the picture onwards. They must not extend past
 * the end of the ring. */
static ImgView rows_at(const ImgSourceRows *rows, int32_t first, int32_t count)
{
    const int32_t at = rows->margin + first % rows->size;
    return img_view_crop(&rows->image.view, 0, at, rows->image.view.width, count);
}

/* --- Helper thread ---------------------------------------------------------------------------- */

static bool must_wait(const ImgSourceRows *rows)
{
    const bool is_full = rows->end == rows->first + rows->size;
    return !rows->stopped && (is_full || (!rows->ahead && rows->end >= rows->wanted));
}

/* Adds decoded rows to the ring. Drops rows that the caller has skipped. */
static void add_rows(void *context, const ImgView *view, int32_t first)
{
    ImgSourceRows *rows = context;
    const int32_t end = first + view->height;
    pthread_mutex_lock(&rows->lock);
    while (!rows->stopped && rows->end < end) {
        if (must_wait(rows)) {
            pthread_cond_wait(&rows->changed, &rows->lock);
            continue;
        }
        const int32_t next = rows->end, space = rows->first + rows->size - next,
                      to_end = rows->size - next % rows->size;
        const int32_t count = img_min32(img_min32(space, to_end), end - next);
        pthread_mutex_unlock(&rows->lock);
        const ImgView to = rows_at(rows, next, count);
        const ImgView from = img_view_crop(view, 0, next - first, view->width, count);
        img_view_copy(&from, &to);
        pthread_mutex_lock(&rows->lock);
        if (rows->end == next) /* otherwise the caller has skipped these rows */
            rows->end += count;
        if (rows->end >= rows->wanted)
            pthread_cond_signal(&rows->changed);
    }
    rows->halted = rows->stopped;
    pthread_mutex_unlock(&rows->lock);
}

static void decode(void *context, int part)
{
    ImgSourceRows *rows = context;
    const ImgRowSink sink = {add_rows, rows, &rows->halted};
    ImgPngDecodeReport report;
    ImgError failure = {IMG_OK, ""};
    (void)part;
    const ImgStatus status =
        img_source_decode_rows(rows->source, &rows->options, &sink, &report, &failure);
    pthread_mutex_lock(&rows->lock);
    rows->done = true;
    rows->status = status;
    rows->failure = failure;
    rows->report = report;
    pthread_cond_signal(&rows->changed);
    pthread_mutex_unlock(&rows->lock);
}

/* --- Caller's thread -------------------------------------------------------------------------- */

/* Returns the number of rows in the ring: the rows of one request and, if `ahead` is true, the rows
 * of another request that is decoded ahead. */
static int32_t ring_size(int32_t height, int32_t most, bool ahead)
{
    const int64_t rows = (int64_t)most * (ahead ? 2 : 1);
    return rows < height ? (int32_t)rows : height;
}

/* Returns the number of rows of the margin before the ring. A ring that holds the whole picture
 * needs no margin. */
static int32_t margin_of(int32_t size, int32_t height, int32_t most)
{
    return size < height ? img_min32(most, size) : 0;
}

uint64_t img_source_rows_bytes(ImgShape shape, int32_t most, bool ahead)
{
    const int32_t size = ring_size(shape.height, most, ahead);
    return (uint64_t)shape.width * img_format_pixel_size(shape.format) *
           ((uint64_t)size + (uint64_t)margin_of(size, shape.height, most));
}

ImgStatus img_source_rows_start(ImgSource *source, const ImgPngDecodeOptions *options, bool ahead,
                                int32_t most, ImgSourceRows **rows, ImgError *err)
{
    ImgShape shape = img_source_shape(source);
    ImgSourceRows *own = *rows = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    own->source = source;
    own->options = *options;
    own->ahead = ahead;
    own->report = (ImgPngDecodeReport){IMG_PNG_IN_SEQUENCE, "", 1, 1, false};
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->changed, NULL);
    own->size = ring_size(shape.height, most, ahead);
    own->margin = margin_of(own->size, shape.height, most);
    shape.height = own->margin + own->size;
    ImgStatus status = img_image_alloc(shape, &own->image, err);
    if (status == IMG_OK && !ahead && options->threads == 1 && img_source_can_request_rows(source))
        return img_source_begin_rows(source, options, &own->decoder, err);
    if (status == IMG_OK)
        own->helpers = img_helpers_start(options->team, 1, decode, own);
    if (status == IMG_OK && own->helpers == NULL)
        status = img_fail(err, IMG_E_UNAVAILABLE, "no thread for decoding");
    return status;
}

/* Drops the rows before `first`. */
static void drop_rows(ImgSourceRows *rows, int32_t first)
{
    rows->first = first;
    if (first > rows->end)
        rows->end = first;
}

static bool has_rows(const ImgSourceRows *rows)
{
    const bool needs_end = rows->wanted == img_source_shape(rows->source).height;
    return rows->end >= rows->wanted && !needs_end;
}

/* Returns a view of contiguous rows. If the rows continue at the start of the ring, copies the rows
 * at the end of the ring to the margin. */
static ImgView show(const ImgSourceRows *rows, int32_t first, int32_t count)
{
    const int32_t to_end = rows->size - first % rows->size;
    if (count <= to_end)
        return rows_at(rows, first, count);
    const int32_t width = rows->image.view.width, at = rows->margin - to_end;
    const ImgView from = rows_at(rows, first, to_end);
    const ImgView to = img_view_crop(&rows->image.view, 0, at, width, to_end);
    img_view_copy(&from, &to);
    return img_view_crop(&rows->image.view, 0, at, width, count);
}

static ImgStatus wait_for_rows(ImgSourceRows *rows, int32_t first, int32_t end)
{
    drop_rows(rows, first);
    if (end > rows->wanted)
        rows->wanted = end;
    pthread_cond_signal(&rows->changed);
    while (!rows->done && !has_rows(rows))
        pthread_cond_wait(&rows->changed, &rows->lock);
    return rows->done ? rows->status : IMG_OK;
}

/* Decodes on the calling thread, up to row `end` (exclusive). Drops the rows before `first`. */
static ImgStatus decode_until(ImgSourceRows *rows, int32_t first, int32_t end, ImgError *err)
{
    const int32_t height = img_source_shape(rows->source).height;
    ImgStatus status = IMG_OK;
    rows->first = first;
    while (status == IMG_OK && rows->end < end) {
        const int32_t next = rows->end, to_end = rows->size - next % rows->size;
        const int32_t count = img_min32(to_end, (next < first ? first : end) - next);
        const ImgView to = rows_at(rows, next, count);
        status = img_png_rows_next(rows->decoder, &to, err);
        rows->end += count;
        if (status != IMG_OK || rows->end == height)
            status = img_source_finish_rows(rows->source, status, err);
    }
    return status;
}

static ImgStatus wait_until(ImgSourceRows *rows, int32_t first, int32_t end, ImgError *err)
{
    pthread_mutex_lock(&rows->lock);
    const ImgStatus status = wait_for_rows(rows, first, end);
    if (status != IMG_OK)
        (void)img_fail(err, status, "%s", rows->failure.message);
    pthread_mutex_unlock(&rows->lock);
    return status;
}

static ImgStatus get_rows(ImgSourceRows *rows, int32_t first, int32_t end, ImgError *err)
{
    return rows->decoder != NULL ? decode_until(rows, first, end, err)
                                 : wait_until(rows, first, end, err);
}

ImgStatus img_source_rows_read(ImgSourceRows *rows, int32_t first, int32_t count, ImgView *view,
                               ImgError *err)
{
    const ImgStatus status = get_rows(rows, first, first + count, err);
    if (status == IMG_OK)
        *view = show(rows, first, count);
    return status;
}

ImgStatus img_source_rows_finish(ImgSourceRows *rows, ImgPngDecodeReport *report, ImgError *err)
{
    const int32_t height = img_source_shape(rows->source).height;
    const ImgStatus status = get_rows(rows, height, height, err);
    *report = rows->report;
    return status;
}

void img_source_rows_end(ImgSourceRows *rows)
{
    if (rows == NULL)
        return;
    pthread_mutex_lock(&rows->lock);
    rows->stopped = true;
    pthread_cond_signal(&rows->changed);
    pthread_mutex_unlock(&rows->lock);
    img_png_rows_end(rows->decoder);
    if (rows->helpers != NULL)
        img_helpers_finish(rows->helpers);
    img_image_free(&rows->image);
    pthread_cond_destroy(&rows->changed);
    pthread_mutex_destroy(&rows->lock);
    free(rows);
}
