/* Decodes a file without an index on several threads. Searches the compressed stream for likely
 * block starts. Inflates a piece of the stream from each of them, without the data before it.
 *
 * Pieces are then linked in file order. If a piece starts exactly where the previous one ended, its
 * start was right. Otherwise the piece is inflated again from the right start, with its window
 * known (piece.h). Linked pieces are resolved to bytes. Their rows are unfiltered in columns, so
 * that several threads work on the image at the same time. */
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

#include "io/png/decode/speculative_priv.h"
#include "kernels/core/image.h"

enum {
    LEAST_PIECE = 96 << 10,
    MOST_PIECE = 1 << 20,
    /* The size to which pieces are reduced if memory is short. With such pieces decoding takes a
     * fifth more processor time, since block starts must be searched for more often. */
    SHORT_PIECE = 256 << 10,
    PIECES_PER_THREAD = 2,
};

/* --- Pieces ----------------------------------------------------------------------------------- */

/* Returns the inflated size of a typical piece in bytes: 1.25 times the average. */
static size_t typical_piece(uint64_t inflated, uint64_t pieces)
{
    return (size_t)(inflated / pieces / 4 * 5);
}

/* Returns the number of free bytes that a piece needs before its data. They hold either the window
 * that matches refer to, or the start of the first row. */
static size_t head_of(size_t filtered_row)
{
    return filtered_row > IMG_INFLATE_WINDOW ? filtered_row : IMG_INFLATE_WINDOW;
}

static size_t in_flight(int threads, size_t pieces)
{
    /* Two pieces per thread: while one is inflated, another can be unfiltered. One more piece waits
     * until the next piece has copied its unfinished last row. */
    size_t most = 2 * (size_t)threads + 1;
    return most < pieces ? most : pieces;
}

/* The size of a stream, as in img_speculative_bytes. */
typedef struct Extent {
    uint64_t stream_bytes, inflated;
    size_t filtered_row;
} Extent;

/* Returns the memory in bytes for decoding in pieces of `piece` bytes of the stream. */
static uint64_t bytes_with(Extent extent, uint64_t piece, int threads)
{
    const uint64_t pieces = extent.stream_bytes / piece + 1;
    return 2 * (uint64_t)in_flight(threads, (size_t)pieces) *
               img_piece_room_bytes(head_of(extent.filtered_row),
                                    typical_piece(extent.inflated, pieces)) +
           (uint64_t)threads * sizeof(ImgPieceTools);
}

/* Returns the size of a piece: the fastest, or a smaller one if that needs more than `room` bytes
 * of memory. */
static uint64_t choose_piece(Extent extent, int threads, uint64_t room)
{
    uint64_t size = extent.stream_bytes / ((uint64_t)threads * PIECES_PER_THREAD);
    size = size < LEAST_PIECE ? LEAST_PIECE : size > MOST_PIECE ? MOST_PIECE : size;
    while (size / 2 >= SHORT_PIECE && bytes_with(extent, size, threads) > room)
        size /= 2;
    return size;
}

uint64_t img_speculative_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row,
                               int threads, uint64_t room)
{
    const Extent extent = {stream_bytes, inflated, filtered_row};
    return bytes_with(extent, choose_piece(extent, threads, room), threads);
}

/* Allocates one block of memory, which is divided among the pieces. If that fails, each piece
 * allocates its own memory. Pieces larger than typical may together allocate the same amount again.
 * A malicious file, in which one section inflates to far more, exceeds this limit. A single thread
 * then decodes the file. */
static void allocate_rooms(ImgSpeculative *decoder)
{
    size_t bytes =
        img_piece_room_bytes(decoder->head, typical_piece(decoder->total, decoder->count));
    decoder->memory = img_large_alloc(decoder->most_in_flight * bytes);
    decoder->budget.most = decoder->most_in_flight * bytes * (decoder->memory != NULL ? 1 : 2);
    for (size_t k = 0; k < decoder->count; k++)
        decoder->steps[k].piece.budget = &decoder->budget;
    for (size_t i = decoder->most_in_flight; decoder->memory != NULL && i > 0; i--)
        decoder->spare[decoder->spares++] =
            (ImgPieceRoom){decoder->memory + (i - 1) * bytes, bytes, true};
}

/* Searches the stream for block starts. Creates one entry of decoder->steps, the work on one piece,
 * for the start of the stream and for each block start that was found. */
static ImgStatus plan(ImgSpeculative *decoder, uint64_t first, ImgError *err)
{
    const ImgPngJob *job = decoder->job;
    uint64_t piece_bytes = job->piece_bytes;
    if (piece_bytes == 0)
        piece_bytes = choose_piece((Extent){job->idat->size, decoder->total, decoder->filtered},
                                   job->threads, job->room);
    size_t count = (size_t)((job->idat->size - 1) / piece_bytes);
    uint64_t *found = calloc(count + 1, sizeof *found);
    decoder->allocated = count + 1;
    decoder->steps = calloc(decoder->allocated, sizeof *decoder->steps);
    decoder->spare = calloc(decoder->allocated, sizeof *decoder->spare);
    decoder->queue.bands =
        calloc(decoder->allocated + (size_t)job->pixels.view.height / IMG_SPECULATIVE_ROWS,
               sizeof *decoder->queue.bands);
    if (found == NULL || decoder->steps == NULL || decoder->spare == NULL ||
        decoder->queue.bands == NULL) {
        free(found);
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding in parallel");
    }
    img_find_blocks(job, piece_bytes, count, found);
    decoder->steps[decoder->count++].piece.start = first;
    for (size_t i = 0; i < count; i++) {
        if (found[i] > 0)
            decoder->steps[decoder->count++].piece.start = found[i];
    }
    free(found);
    /* If few block starts were found, the pieces would be few and large. Either one block makes up
     * much of the stream, or blocks were not recognised. The caller then uses the pipeline. */
    if (job->piece_bytes == 0 && 2 * decoder->count < count + 1)
        return img_fail(err, IMG_E_UNSUPPORTED, "there are few places to enter the stream");
    decoder->most_in_flight = in_flight(job->threads, decoder->count);
    allocate_rooms(decoder);
    return IMG_OK;
}

/* --- The whole image -------------------------------------------------------------------------- */

static ImgStatus finish(ImgSpeculative *decoder, uint32_t *adler, uint64_t *end)
{
    const ImgSpeculativeStep *last = &decoder->steps[decoder->count - 1];
    if (decoder->status != IMG_OK)
        return decoder->status;
    if (last->bytes_before + last->size != decoder->total)
        return IMG_E_FORMAT;
    *adler = 1;
    for (size_t k = 0; k < decoder->count; k++)
        *adler = (uint32_t)adler32_combine(*adler, decoder->steps[k].adler,
                                           (z_off_t)decoder->steps[k].size);
    *end = last->piece.end;
    return IMG_OK;
}

static void free_all(ImgSpeculative *decoder)
{
    for (size_t k = 0; decoder->steps != NULL && k < decoder->allocated; k++) {
        img_piece_free(&decoder->steps[k].piece);
        free(decoder->steps[k].window);
    }
    while (decoder->spares > 0)
        img_piece_room_free(&decoder->spare[--decoder->spares]);
    free(decoder->memory);
    free(decoder->queue.bands);
    free(decoder->steps);
    free(decoder->spare);
}

ImgStatus img_speculative_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                                 uint64_t *end, size_t *pieces, ImgError *err)
{
    size_t filtered = img_pixels_filtered_bytes(&job->pixels);
    ImgSpeculative decoder = {
        .job = job,
        .filtered = filtered,
        .total = (uint64_t)filtered * (uint64_t)job->pixels.view.height,
        .head = head_of(filtered),
        .queue = img_band_queue_start(job, job->threads),
    };
    ImgStatus status = plan(&decoder, first_bit, err);
    if (status == IMG_OK && (decoder.steps[0].window = calloc(1, IMG_INFLATE_WINDOW)) == NULL)
        status = IMG_E_MEMORY;
    if (status == IMG_OK) {
        *pieces = decoder.count;
        pthread_mutex_init(&decoder.mutex, NULL);
        img_polled_init(&decoder.changed);
        (void)img_parallel_run(job->team, job->threads, img_speculative_run_tasks, &decoder);
        img_polled_destroy(&decoder.changed);
        pthread_mutex_destroy(&decoder.mutex);
        status = finish(&decoder, adler, end);
    }
    free_all(&decoder);
    if (status == IMG_OK)
        return IMG_OK;
    return img_fail(err, status,
                    status == IMG_E_MEMORY ? "no memory for decoding in parallel"
                                           : "damaged: the image data (IDAT) cannot be decoded");
}
