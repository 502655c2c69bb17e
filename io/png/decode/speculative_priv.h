/* Private: the state that threads share to decode pieces of a stream speculatively. A step is a
 * piece with its progress. To link a piece is to determine its position in the inflated stream. To
 * stitch it is to complete its first row with the bytes of the previous piece. */
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
    /* Largest number of rows of a band. Pieces that compress well hold thousands of rows. */
    IMG_SPECULATIVE_ROWS = 48,
};

/* Progress of a piece. Each value requires the value before it. */
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
    bool sound;                  /* true if it was inflated without an error */
    uint64_t bytes_before, size; /* position and size in the inflated stream; valid once linked */
    /* The IMG_INFLATE_WINDOW bytes before the piece; valid once linked. */
    uint8_t *window;
    size_t bands_end; /* index in queue.bands after its last band; valid once stitched */
    uint32_t adler;
} ImgSpeculativeStep;

typedef struct ImgSpeculative {
    const ImgPngJob *job;
    size_t filtered; /* bytes of a filtered row */
    uint64_t total;  /* expected bytes of the inflated stream */
    /* Free bytes before those of a piece, for a window or the start of its first row. */
    size_t head;
    ImgSpeculativeStep *steps;
    size_t count, allocated, most_in_flight;
    ImgBandQueue queue; /* the bands: groups of complete rows of pieces */

    pthread_mutex_t mutex;
    ImgPolled changed;
    /* Indices of the next pieces to inflate, link, stitch and free, in file order. */
    size_t next_inflate, next_link, next_stitch, next_free;
    bool linking;
    /* One block of memory for all pieces in use, so that it uses huge pages. */
    uint8_t *memory;
    ImgPieceBudget budget; /* memory limit for pieces that are larger than typical */
    ImgPieceRoom *spare;   /* stack of the memory that no piece uses */
    size_t spares;
    ImgStatus status; /* first failure of any thread; it stops all threads */
} ImgSpeculative;

/* Runs on each thread; `context` is the ImgSpeculative. Performs the most urgent task again and
 * again, until all pieces are decoded or one has failed. */
void img_speculative_run_tasks(void *context, int worker);

#endif
