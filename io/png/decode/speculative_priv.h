/* Private: the state that threads share to decode pieces of a stream speculatively. */
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
    /* Most rows of a band. Pieces that compress well hold thousands of rows. */
    IMG_SPECULATIVE_ROWS = 48,
};

/* Progress of a piece. Each step requires the one before. */
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
    bool sound;                  /* inflated without an error */
    uint64_t bytes_before, size; /* position and size in the inflated stream, once linked */
    uint8_t *window;             /* the IMG_INFLATE_WINDOW bytes before the piece */
    size_t bands_end;            /* index in queue.bands of the first band after its own, once
                                  * stitched */
    uint32_t adler;
} ImgSpeculativeStep;

typedef struct ImgSpeculative {
    const ImgPngJob *job;
    size_t filtered; /* bytes of a filtered row */
    uint64_t total;  /* expected bytes of the inflated stream */
    size_t head;     /* bytes before those of a piece: room for a window, or the start of its first
                      * row */
    ImgSpeculativeStep *steps;
    size_t count, allocated, most_in_flight;
    ImgBandQueue queue; /* its bands are parts of pieces */

    pthread_mutex_t mutex;
    ImgPolled changed;
    size_t next_inflate, next_link, next_stitch, next_free; /* indices of pieces, in file order */
    bool linking;
    uint8_t *memory;       /* one block for all pieces in flight, so that it uses huge pages */
    ImgPieceBudget budget; /* for pieces that are larger than typical */
    ImgPieceRoom *spare;   /* memory of pieces not started or finished; the last one returned is
                            * used first */
    size_t spares;
    ImgStatus status; /* the first failure stops all threads */
} ImgSpeculative;

/* Runs on each thread, with `context` being the ImgSpeculative. Does the most urgent task until all
 * pieces are decoded or one has failed. */
void img_speculative_run_tasks(void *context, int worker);

#endif
