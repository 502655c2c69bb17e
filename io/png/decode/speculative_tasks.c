/* The tasks of the threads in speculative decoding, and their order by urgency. All functions
 * except img_speculative_run_tasks are called with the mutex locked, unless their comments say
 * otherwise. */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/decode/speculative_priv.h"

static void fail(ImgSpeculative *decoder, ImgStatus status)
{
    if (decoder->status == IMG_OK)
        decoder->status = status;
}

static uint64_t until_of(const ImgSpeculative *decoder, size_t k)
{
    return k + 1 < decoder->count ? decoder->steps[k + 1].piece.start : UINT64_MAX;
}

/* Returns the number of valid bytes in the step's window, which are the last bytes of the
 * window. */
static size_t window_size(const ImgSpeculativeStep *step)
{
    return step->bytes_before < IMG_INFLATE_WINDOW ? (size_t)step->bytes_before
                                                   : (size_t)IMG_INFLATE_WINDOW;
}

/* Inflates piece `k` again after its assumed start proved wrong. Its window is now known. */
static ImgStatus repair(ImgSpeculative *decoder, size_t k, ImgPieceTools *tools)
{
    ImgSpeculativeStep *step = &decoder->steps[k];
    return img_piece_inflate(&step->piece, decoder->job->idat, tools, until_of(decoder, k),
                             decoder->head, decoder->total - step->bytes_before, step->window,
                             window_size(step), NULL);
}

static void unlock_and_signal(ImgSpeculative *decoder);

/* Computes the window and the position of the piece after piece `k`. Called without the mutex,
 * which it does not need: only one thread links at a time, and no other thread reads pieces that
 * are not linked yet. */
static ImgStatus propagate_window(ImgSpeculative *decoder, size_t k, ImgPieceTools *tools)
{
    ImgSpeculativeStep *step = &decoder->steps[k], *next = step + 1;
    step->size = step->piece.size;
    if (step->size > decoder->total - step->bytes_before)
        return IMG_E_FORMAT;
    if (step->piece.at_end)
        return IMG_OK;
    if (k + 1 == decoder->count)
        return IMG_E_FORMAT;
    next->bytes_before = step->bytes_before + step->size;
    next->window = malloc(IMG_INFLATE_WINDOW);
    if (next->window == NULL)
        return IMG_E_MEMORY;
    img_piece_window(&step->piece, tools, step->window, next->window);
    return IMG_OK;
}

static void link_step(ImgSpeculative *decoder, ImgPieceTools *tools)
{
    size_t k = decoder->next_link;
    ImgSpeculativeStep *step = &decoder->steps[k];
    uint64_t expected = k == 0 ? step->piece.start : decoder->steps[k - 1].piece.end;
    decoder->linking = true;
    unlock_and_signal(decoder);
    ImgStatus status = IMG_OK;
    if (step->piece.start != expected) {
        step->piece.start = expected;
        status = repair(decoder, k, tools);
    } else if (!step->sound) {
        status = IMG_E_FORMAT;
    }
    if (status == IMG_OK)
        status = propagate_window(decoder, k, tools);
    pthread_mutex_lock(&decoder->mutex);
    if (status != IMG_OK)
        fail(decoder, status);
    else if (step->piece.at_end)
        decoder->count = k + 1; /* The stream ends here; later block starts are wrong. */
    step->progress = IMG_PIECE_LINKED;
    decoder->next_link++;
    decoder->linking = false;
}

static void inflate_step(ImgSpeculative *decoder, ImgPieceTools *tools)
{
    size_t k = decoder->next_inflate++;
    ImgSpeculativeStep *step = &decoder->steps[k];
    uint64_t until = until_of(decoder, k);
    step->progress = IMG_PIECE_TAKEN;
    if (decoder->spares > 0)
        img_piece_borrow(&step->piece, decoder->spare[--decoder->spares]);
    unlock_and_signal(decoder);
    ImgStatus status =
        img_piece_inflate(&step->piece, decoder->job->idat, tools, until, decoder->head,
                          decoder->total, k == 0 ? step->window : NULL, 0, NULL);
    pthread_mutex_lock(&decoder->mutex);
    step->sound = status == IMG_OK;
    step->progress = IMG_PIECE_INFLATED;
    if (status == IMG_E_MEMORY)
        fail(decoder, status);
}

static void resolve_step(ImgSpeculative *decoder, size_t k, ImgPieceTools *tools)
{
    ImgSpeculativeStep *step = &decoder->steps[k];
    step->progress = IMG_PIECE_RESOLVING;
    unlock_and_signal(decoder);
    bool right = img_piece_resolve(&step->piece, tools, step->window, window_size(step));
    step->adler = libdeflate_adler32(1, img_piece_bytes(&step->piece), step->piece.size);
    pthread_mutex_lock(&decoder->mutex);
    step->progress = IMG_PIECE_RESOLVED;
    if (!right)
        fail(decoder, IMG_E_FORMAT);
}

/* Divides `rows` complete, contiguous rows into bands, and adds the bands to the queue. */
static void add_bands(ImgSpeculative *decoder, const uint8_t *filtered, int32_t first_row,
                      int32_t rows)
{
    ImgBandQueue *queue = &decoder->queue;
    while (rows > 0) {
        int32_t here = rows < IMG_SPECULATIVE_ROWS ? rows : IMG_SPECULATIVE_ROWS;
        queue->bands[queue->ready++] =
            (ImgQueuedBand){.filtered = filtered, .first_row = first_row, .rows = here};
        filtered += (size_t)here * decoder->filtered;
        first_row += here;
        rows -= here;
    }
}

/* Stitches the next piece: copies the start of its first row from the end of the previous piece to
 * the bytes before the piece. All rows that end in the piece are then complete. */
static void stitch_step(ImgSpeculative *decoder)
{
    size_t k = decoder->next_stitch++;
    ImgSpeculativeStep *step = &decoder->steps[k];
    size_t partial = (size_t)(step->bytes_before % decoder->filtered);
    uint8_t *first = img_piece_bytes(&step->piece) - partial;
    if (partial > 0) {
        const ImgPiece *before = &decoder->steps[k - 1].piece;
        memcpy(first, img_piece_bytes(before) + before->size - partial, partial);
    }
    add_bands(decoder, first, (int32_t)(step->bytes_before / decoder->filtered),
              (int32_t)((partial + step->piece.size) / decoder->filtered));
    step->bands_end = decoder->queue.ready;
}

static void unfilter_column(ImgSpeculative *decoder, size_t band)
{
    int column = img_band_queue_take(&decoder->queue, band);
    unlock_and_signal(decoder);
    bool right = img_band_queue_run(&decoder->queue, band, column);
    pthread_mutex_lock(&decoder->mutex);
    img_band_queue_done(&decoder->queue, band);
    if (!right)
        fail(decoder, IMG_E_FORMAT);
}

/* Frees the pieces that are no longer needed. All bands of such a piece are unfiltered, and the
 * next piece has a copy of its unfinished last row. */
static void free_steps(ImgSpeculative *decoder)
{
    while (decoder->next_free < decoder->next_stitch) {
        size_t k = decoder->next_free;
        ImgSpeculativeStep *step = &decoder->steps[k];
        if (decoder->queue.first < step->bands_end ||
            (k + 1 < decoder->count && decoder->next_stitch <= k + 1))
            return;
        decoder->spare[decoder->spares++] = img_piece_return(&step->piece);
        free(step->window);
        step->window = NULL;
        decoder->next_free++;
    }
}

static bool find_linked(const ImgSpeculative *decoder, size_t *k)
{
    for (*k = decoder->next_stitch; *k < decoder->next_link; ++*k) {
        if (decoder->steps[*k].progress == IMG_PIECE_LINKED)
            return true;
    }
    return false;
}

typedef enum Task { NOTHING, STITCH, LINK, UNFILTER, RESOLVE, INFLATE } Task;

/* Returns the most urgent task. Sets `*k` to the index of its band, or of its piece for RESOLVE. */
static Task find_task(const ImgSpeculative *decoder, size_t *k)
{
    if (decoder->next_stitch < decoder->next_link &&
        decoder->steps[decoder->next_stitch].progress == IMG_PIECE_RESOLVED)
        return STITCH;
    if (!decoder->linking && decoder->next_link < decoder->count &&
        decoder->steps[decoder->next_link].progress == IMG_PIECE_INFLATED)
        return LINK;
    if (img_band_queue_find(&decoder->queue, k))
        return UNFILTER;
    if (find_linked(decoder, k))
        return RESOLVE;
    if (decoder->next_inflate < decoder->count &&
        decoder->next_inflate < decoder->next_free + decoder->most_in_flight)
        return INFLATE;
    return NOTHING;
}

/* Unlocks the mutex, so that a task can run. The caller must have marked the task as taken. Wakes
 * one other thread, but only if another task is ready. */
static void unlock_and_signal(ImgSpeculative *decoder)
{
    size_t k;
    if (decoder->changed.waiting > 0 && find_task(decoder, &k) != NOTHING)
        img_polled_signal(&decoder->changed);
    pthread_mutex_unlock(&decoder->mutex);
}

static void do_task(ImgSpeculative *decoder, Task task, size_t k, ImgPieceTools *tools)
{
    switch (task) {
    case STITCH:
        stitch_step(decoder);
        break;
    case LINK:
        link_step(decoder, tools);
        break;
    case UNFILTER:
        unfilter_column(decoder, k);
        break;
    case RESOLVE:
        resolve_step(decoder, k, tools);
        break;
    case INFLATE:
        inflate_step(decoder, tools);
        break;
    case NOTHING:
        break;
    }
    free_steps(decoder);
}

void img_speculative_run_tasks(void *context, int worker)
{
    ImgSpeculative *decoder = context;
    ImgPieceTools *tools = malloc(sizeof *tools);
    pthread_mutex_lock(&decoder->mutex);
    if (tools == NULL && worker == 0)
        fail(decoder, IMG_E_MEMORY);
    while (tools != NULL && decoder->status == IMG_OK && decoder->next_free < decoder->count) {
        size_t k = 0;
        Task task = find_task(decoder, &k);
        if (task != NOTHING) {
            do_task(decoder, task, k, tools);
            continue;
        }
        img_polled_wait(&decoder->changed, &decoder->mutex);
    }
    img_polled_broadcast(&decoder->changed);
    pthread_mutex_unlock(&decoder->mutex);
    free(tools);
}
