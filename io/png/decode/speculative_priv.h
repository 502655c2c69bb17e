/* Private: the state that threads share to decode pieces of a stream speculatively. A step is a
 * piece with its progress. To link a piece is to determine its position in the inflated stream. To
 * stitch a piece is to complete its first row with the bytes of the previous piece. */
#ifndef IMGTOOL_IO_PNG_DECODE_SPECULATIVE_PRIV_H
#define IMGTOOL_IO_PNG_DECODE_SPECULATIVE_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/decode/band_queue.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/decode/piece.h"
#include "kernels/core/parallel/polled.h"

enum {
    /* Largest number of rows of a band. A piece that compresses well has thousands of rows, so it
     * is divided into many bands. */
    IMG_SPECULATIVE_ROWS = 48,
};

/* Progress of a piece. A piece reaches these values in this order. */
typedef enum ImgSpeculativeProgress {
    IMG_PIECE_WAITING,
    IMG_PIECE_TAKEN,
    IMG_PIECE_INFLATED,
    IMG_PIECE_LINKED,
    IMG_PIECE_RESOLVING,
    IMG_PIECE_RESOLVED,
} ImgSpeculativeProgress;

typedef struct ImgSpeculativeStep {
    ImgPiece piece;
    ImgSpeculativeProgress progress;
    bool sound; /* true if the piece was inflated without an error */
    /* Offset and size of the piece in the inflated stream, in bytes; set when the piece is linked
     * (its position is determined). */
    uint64_t bytes_before, size;
    /* The IMG_INFLATE_WINDOW bytes before the piece; set when the previous piece is linked. */
    uint8_t *window;
    /* Index in queue.bands after the last band of the piece; set when the piece is stitched (its
     * first row is completed). */
    size_t bands_end;
    uint32_t adler;
} ImgSpeculativeStep;

typedef struct ImgSpeculative {
    const ImgPngJob *job;
    size_t filtered; /* size of a filtered row in bytes */
    uint64_t total;  /* expected size of the inflated stream in bytes */
    /* Number of free bytes before the data of each piece. They hold a window, or the start of the
     * piece's first row. */
    size_t head;
    ImgSpeculativeStep *steps;
    size_t count, allocated, most_in_flight;
    ImgBandQueue queue; /* groups of complete rows that will be unfiltered */

    pthread_mutex_t mutex;
    ImgPolled changed;
    /* Indices of the next pieces to inflate, link, stitch and free. Pieces are processed in file
     * order. */
    size_t next_inflate, next_link, next_stitch, next_free;
    bool linking;
    /* One large block of memory for all pieces, so that the system can use huge pages. */
    uint8_t *memory;
    ImgPieceBudget budget; /* limit of the memory of pieces that are larger than typical */
    ImgPieceRoom *spare;   /* stack of memory areas that no piece uses at the moment */
    size_t spares;
    ImgStatus status; /* status of the first failure on any thread, which stops all threads */
} ImgSpeculative;

/* The main function of each decoding thread; `context` is the ImgSpeculative. Repeatedly performs
 * the most urgent task, until all pieces are decoded or one has failed. */
void img_speculative_run_tasks(void *context, int worker);

/* Divides the stream into intervals of `piece_bytes` bytes, and searches intervals 1 to `count` for
 * a block start on job->threads threads. Sets found[i] to the bit position of a possible block
 * start in interval i + 1. Sets it to 0 if none was found, if memory is short, or if too many bytes
 * were searched without success.
 *
 * Also writes to the memory of the image, so that the system provides this memory now. The pixels
 * become undefined. */
void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found);

#endif
