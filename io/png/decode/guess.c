/* Decodes any file on several threads: the stream is entered at places that look like starts of
 * blocks, and each piece is inflated from there without what comes before. In the order of the file
 * a piece is then linked: it counts if it was entered just where the piece before it ended, which
 * proves the guess; else it is inflated again, with its window known. Linked pieces are made bytes
 * of, and filters are undone in columns, so that several threads follow each other down the image.
 */
#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/decode/guess_piece.h"
#include "io/png/decode/guess_places.h"
#include "io/png/decode/undo.h"
#include "io/png/decode/ways.h"
#include "kernels/core/crew.h"
#include "kernels/core/image.h"

enum {
    LEAST_PIECE = 96 << 10,
    MOST_PIECE = 1 << 20,
    PIECES_A_THREAD = 2,
    MOST_ROWS = 48, /* of a band: where pieces shrink well, thousands of rows come at once */
};

/* What has been done to a piece. Each step needs the one before. */
typedef enum Progress { WAITING, TAKEN, INFLATED, LINKED, RESOLVING, RESOLVED } Progress;

typedef struct Step {
    ImgPiece piece;
    Progress progress;
    bool sound;                  /* inflated without a complaint */
    uint64_t bytes_before, size; /* of the inflated stream, once linked */
    uint8_t *window;             /* what comes before the piece: IMG_INFLATE_WINDOW bytes */
    size_t bands_end;            /* the first of guess->undo.bands behind its own, once stitched */
    uint32_t adler;
} Step;

typedef struct Guess {
    const ImgPngJob *job;
    size_t filtered; /* bytes of a filtered row */
    uint64_t total;  /* bytes that the stream has to give */
    size_t head;     /* before the bytes of a piece: a window, or the start of its first row */
    Step *steps;
    size_t count, allocated, most_in_flight;
    ImgUndo undo; /* its bands are parts of pieces */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t next_inflate, next_link, next_stitch, next_free; /* in the order of the file */
    bool linking;
    int waiting;         /* threads that found nothing to do */
    uint8_t *memory;     /* for all pieces in flight, in one block: it comes in huge pages */
    ImgPieceRoom *spare; /* of pieces that are not begun or done with; the last used is first */
    size_t spares;
    ImgStatus status; /* the first failure ends it all */
} Guess;

/* --- Pieces -------------------------------------------------------------------------------------
 */

static uint64_t choose_piece(uint64_t stream_bytes, int threads)
{
    uint64_t size = stream_bytes / ((uint64_t)threads * PIECES_A_THREAD);
    return size < LEAST_PIECE ? LEAST_PIECE : size > MOST_PIECE ? MOST_PIECE : size;
}

/* With some more than the average. */
static size_t typical_piece(uint64_t inflated, uint64_t pieces)
{
    return (size_t)(inflated / pieces / 4 * 5);
}

/* Inflated bytes are referred to for the length of a window; a row is stitched to its start. */
static size_t head_of(size_t filtered_row)
{
    return filtered_row > IMG_INFLATE_WINDOW ? filtered_row : IMG_INFLATE_WINDOW;
}

static size_t in_flight(int threads, size_t pieces)
{
    /* Some are inflated while others are undone. */
    size_t most = 2 * (size_t)threads + 1;
    return most < pieces ? most : pieces;
}

uint64_t img_guess_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row, int threads)
{
    uint64_t pieces = stream_bytes / choose_piece(stream_bytes, threads) + 1;
    return (uint64_t)in_flight(threads, (size_t)pieces) *
               img_piece_room_bytes(head_of(filtered_row), typical_piece(inflated, pieces)) +
           (uint64_t)threads * sizeof(ImgPieceTools);
}

/* Without it pieces find memory of their own. */
static void lend_memory(Guess *guess)
{
    size_t bytes = img_piece_room_bytes(guess->head, typical_piece(guess->total, guess->count));
    guess->memory = img_large_alloc(guess->most_in_flight * bytes);
    for (size_t i = guess->most_in_flight; guess->memory != NULL && i > 0; i--)
        guess->spare[guess->spares++] =
            (ImgPieceRoom){guess->memory + (i - 1) * bytes, bytes, true};
}

/* Steps for the places that were found; at least the one at the start of the stream. */
static ImgStatus plan(Guess *guess, uint64_t first, ImgError *err)
{
    const ImgPngJob *job = guess->job;
    uint64_t piece_bytes = job->piece_bytes;
    if (piece_bytes == 0)
        piece_bytes = choose_piece(job->idat->size, job->threads);
    size_t count = (size_t)((job->idat->size - 1) / piece_bytes);
    uint64_t *found = calloc(count + 1, sizeof *found);
    guess->allocated = count + 1;
    guess->steps = calloc(guess->allocated, sizeof *guess->steps);
    guess->spare = calloc(guess->allocated, sizeof *guess->spare);
    guess->undo.bands = calloc(guess->allocated + (size_t)job->pixels.view.height / MOST_ROWS,
                               sizeof *guess->undo.bands);
    if (found == NULL || guess->steps == NULL || guess->spare == NULL ||
        guess->undo.bands == NULL) {
        free(found);
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding in parallel");
    }
    img_guess_places(job, piece_bytes, count, found);
    guess->steps[guess->count++].piece.start = first;
    for (size_t i = 0; i < count; i++) {
        if (found[i] > 0)
            guess->steps[guess->count++].piece.start = found[i];
    }
    free(found);
    /* One block that is a good part of the stream, or blocks that cannot be told from others: then
     * pieces would be large, and few. */
    if (job->piece_bytes == 0 && 2 * guess->count < count + 1)
        return img_fail(err, IMG_E_UNSUPPORTED, "there are few places to enter the stream");
    guess->most_in_flight = in_flight(job->threads, guess->count);
    lend_memory(guess);
    return IMG_OK;
}

/* --- What there is to do, most urgent first; all with the mutex held ----------------------------
 */

static void fail(Guess *guess, ImgStatus status)
{
    if (guess->status == IMG_OK)
        guess->status = status;
}

static uint64_t until_of(const Guess *guess, size_t k)
{
    return k + 1 < guess->count ? guess->steps[k + 1].piece.start : UINT64_MAX;
}

/* Known bytes at the end of its window. */
static size_t window_size(const Step *step)
{
    return step->bytes_before < IMG_INFLATE_WINDOW ? (size_t)step->bytes_before
                                                   : (size_t)IMG_INFLATE_WINDOW;
}

/* Inflates again what was not entered where it should have been. */
static ImgStatus repair(Guess *guess, size_t k, ImgPieceTools *tools)
{
    Step *step = &guess->steps[k];
    return img_piece_inflate(&step->piece, guess->job->idat, tools, until_of(guess, k), guess->head,
                             guess->total - step->bytes_before, step->window, window_size(step),
                             NULL);
}

static void let_go(Guess *guess);

/* Gives the next piece its place in the inflated stream, and its window. By who links, without the
 * mutex: nobody else looks at pieces that are not linked. */
static ImgStatus hand_on(Guess *guess, size_t k, ImgPieceTools *tools)
{
    Step *step = &guess->steps[k], *next = step + 1;
    step->size = step->piece.size;
    if (step->size > guess->total - step->bytes_before) /* its rows would not fit the image */
        return IMG_E_FORMAT;
    if (step->piece.at_end)
        return IMG_OK;
    if (k + 1 == guess->count)
        return IMG_E_FORMAT;
    next->bytes_before = step->bytes_before + step->size;
    next->window = malloc(IMG_INFLATE_WINDOW);
    if (next->window == NULL)
        return IMG_E_MEMORY;
    img_piece_window(&step->piece, tools, step->window, next->window);
    return IMG_OK;
}

static void link_step(Guess *guess, ImgPieceTools *tools)
{
    size_t k = guess->next_link;
    Step *step = &guess->steps[k];
    uint64_t expected = k == 0 ? step->piece.start : guess->steps[k - 1].piece.end;
    guess->linking = true;
    let_go(guess);
    ImgStatus status = IMG_OK;
    if (step->piece.start != expected) {
        step->piece.start = expected;
        status = repair(guess, k, tools);
    } else if (!step->sound) {
        status = IMG_E_FORMAT;
    }
    if (status == IMG_OK)
        status = hand_on(guess, k, tools);
    pthread_mutex_lock(&guess->mutex);
    if (status != IMG_OK)
        fail(guess, status);
    else if (step->piece.at_end)
        guess->count = k + 1; /* what was found behind is none of it */
    step->progress = LINKED;
    guess->next_link++;
    guess->linking = false;
}

static void inflate_step(Guess *guess, ImgPieceTools *tools)
{
    size_t k = guess->next_inflate++;
    Step *step = &guess->steps[k];
    uint64_t until = until_of(guess, k);
    step->progress = TAKEN;
    if (guess->spares > 0)
        img_piece_lend(&step->piece, guess->spare[--guess->spares]);
    let_go(guess);
    ImgStatus status = img_piece_inflate(&step->piece, guess->job->idat, tools, until, guess->head,
                                         guess->total, k == 0 ? step->window : NULL, 0, NULL);
    pthread_mutex_lock(&guess->mutex);
    step->sound = status == IMG_OK;
    step->progress = INFLATED;
    if (status == IMG_E_MEMORY)
        fail(guess, status);
}

static void resolve_step(Guess *guess, size_t k, ImgPieceTools *tools)
{
    Step *step = &guess->steps[k];
    step->progress = RESOLVING;
    let_go(guess);
    bool right = img_piece_resolve(&step->piece, tools, step->window, window_size(step));
    step->adler = libdeflate_adler32(1, img_piece_bytes(&step->piece), step->piece.size);
    pthread_mutex_lock(&guess->mutex);
    step->progress = RESOLVED;
    if (!right)
        fail(guess, IMG_E_FORMAT);
}

/* Rows that are whole and in one place, as bands. */
static void add_bands(Guess *guess, const uint8_t *filtered, int32_t first_row, int32_t rows)
{
    ImgUndo *undo = &guess->undo;
    while (rows > 0) {
        int32_t here = rows < MOST_ROWS ? rows : MOST_ROWS;
        undo->bands[undo->ready++] =
            (ImgUndoBand){.filtered = filtered, .first_row = first_row, .rows = here};
        filtered += (size_t)here * guess->filtered;
        first_row += here;
        rows -= here;
    }
}

/* Puts the start of the first row, which the pieces before have, in front of the piece: then the
 * rows that end in it are there. */
static void stitch_step(Guess *guess)
{
    size_t k = guess->next_stitch++;
    Step *step = &guess->steps[k];
    size_t partial = (size_t)(step->bytes_before % guess->filtered);
    uint8_t *first = img_piece_bytes(&step->piece) - partial;
    if (partial > 0) {
        const ImgPiece *before = &guess->steps[k - 1].piece;
        memcpy(first, img_piece_bytes(before) + before->size - partial, partial);
    }
    add_bands(guess, first, (int32_t)(step->bytes_before / guess->filtered),
              (int32_t)((partial + step->piece.size) / guess->filtered));
    step->bands_end = guess->undo.ready;
}

static void undo_column(Guess *guess, size_t band)
{
    int column = img_undo_take(&guess->undo, band);
    let_go(guess);
    bool right = img_undo_run(&guess->undo, band, column);
    pthread_mutex_lock(&guess->mutex);
    img_undo_done(&guess->undo, band);
    if (!right)
        fail(guess, IMG_E_FORMAT);
}

/* A piece is needed until the next one has the end of its last row. */
static void free_steps(Guess *guess)
{
    while (guess->next_free < guess->next_stitch) {
        size_t k = guess->next_free;
        Step *step = &guess->steps[k];
        if (guess->undo.first < step->bands_end ||
            (k + 1 < guess->count && guess->next_stitch <= k + 1))
            return;
        guess->spare[guess->spares++] = img_piece_take(&step->piece);
        free(step->window);
        step->window = NULL;
        guess->next_free++;
    }
}

static bool find_linked(const Guess *guess, size_t *k)
{
    for (*k = guess->next_stitch; *k < guess->next_link; ++*k) {
        if (guess->steps[*k].progress == LINKED)
            return true;
    }
    return false;
}

typedef enum Task { NOTHING, STITCH, LINK, UNDO, RESOLVE, INFLATE } Task;

/* What is best done now, and to which piece. */
static Task find_task(const Guess *guess, size_t *k)
{
    if (guess->next_stitch < guess->next_link &&
        guess->steps[guess->next_stitch].progress == RESOLVED)
        return STITCH;
    if (!guess->linking && guess->next_link < guess->count &&
        guess->steps[guess->next_link].progress == INFLATED)
        return LINK;
    if (img_undo_find(&guess->undo, k))
        return UNDO;
    if (find_linked(guess, k))
        return RESOLVE;
    if (guess->next_inflate < guess->count &&
        guess->next_inflate < guess->next_free + guess->most_in_flight)
        return INFLATE;
    return NOTHING;
}

/* Lets others at it while a task runs that has been noted as taken. Whoever goes to work wakes one
 * thread if there is work for another, so that nobody is woken for nothing. */
static void let_go(Guess *guess)
{
    size_t k;
    if (guess->waiting > 0 && find_task(guess, &k) != NOTHING)
        pthread_cond_signal(&guess->changed);
    pthread_mutex_unlock(&guess->mutex);
}

static void do_task(Guess *guess, Task task, size_t k, ImgPieceTools *tools)
{
    switch (task) {
    case STITCH:
        stitch_step(guess);
        break;
    case LINK:
        link_step(guess, tools);
        break;
    case UNDO:
        undo_column(guess, k);
        break;
    case RESOLVE:
        resolve_step(guess, k, tools);
        break;
    case INFLATE:
        inflate_step(guess, tools);
        break;
    case NOTHING:
        break;
    }
    free_steps(guess);
}

static void work(void *context, int worker)
{
    Guess *guess = context;
    ImgPieceTools *tools = malloc(sizeof *tools);
    pthread_mutex_lock(&guess->mutex);
    if (tools == NULL && worker == 0)
        fail(guess, IMG_E_MEMORY);
    while (tools != NULL && guess->status == IMG_OK && guess->next_free < guess->count) {
        size_t k = 0;
        Task task = find_task(guess, &k);
        if (task != NOTHING) {
            do_task(guess, task, k, tools);
            continue;
        }
        guess->waiting++;
        pthread_cond_wait(&guess->changed, &guess->mutex);
        guess->waiting--;
    }
    pthread_cond_broadcast(&guess->changed);
    pthread_mutex_unlock(&guess->mutex);
    free(tools);
}

/* --- All of it -------------------------------------------------------------------------------- */

static ImgStatus finish(Guess *guess, uint32_t *adler, uint64_t *end)
{
    const Step *last = &guess->steps[guess->count - 1];
    int32_t height = guess->job->pixels.view.height;
    if (guess->status != IMG_OK)
        return guess->status;
    if (last->bytes_before + last->size != guess->total)
        return IMG_E_FORMAT;
    *adler = 1;
    for (size_t k = 0; k < guess->count; k++)
        *adler =
            (uint32_t)adler32_combine(*adler, guess->steps[k].adler, (z_off_t)guess->steps[k].size);
    *end = last->piece.end;
    img_pixels_settle(&guess->job->pixels, height - 1, height);
    return IMG_OK;
}

static void free_all(Guess *guess)
{
    for (size_t k = 0; guess->steps != NULL && k < guess->allocated; k++) {
        img_piece_free(&guess->steps[k].piece);
        free(guess->steps[k].window);
    }
    while (guess->spares > 0)
        img_piece_room_free(&guess->spare[--guess->spares]);
    free(guess->memory);
    free(guess->undo.bands);
    free(guess->steps);
    free(guess->spare);
}

ImgStatus img_guess_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler, uint64_t *end,
                           size_t *pieces, ImgError *err)
{
    size_t filtered = img_pixels_filtered_bytes(&job->pixels);
    Guess guess = {
        .job = job,
        .filtered = filtered,
        .total = (uint64_t)filtered * (uint64_t)job->pixels.view.height,
        .head = head_of(filtered),
        .undo = {.pixels = &job->pixels, .columns = img_undo_columns(&job->pixels, job->threads)},
    };
    ImgStatus status = plan(&guess, first_bit, err);
    if (status == IMG_OK && (guess.steps[0].window = calloc(1, IMG_INFLATE_WINDOW)) == NULL)
        status = IMG_E_MEMORY;
    if (status == IMG_OK) {
        *pieces = guess.count;
        pthread_mutex_init(&guess.mutex, NULL);
        pthread_cond_init(&guess.changed, NULL);
        img_crew_run(job->threads, work, &guess);
        pthread_cond_destroy(&guess.changed);
        pthread_mutex_destroy(&guess.mutex);
        status = finish(&guess, adler, end);
    }
    free_all(&guess);
    if (status == IMG_OK)
        return IMG_OK;
    return img_fail(err, status,
                    status == IMG_E_MEMORY ? "no memory for decoding in parallel"
                                           : "damaged: the image data (IDAT) cannot be decoded");
}
