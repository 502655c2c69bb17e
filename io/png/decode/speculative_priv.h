/* Private: what the threads share that decode pieces of a stream speculatively. */
#ifndef IMGTOOL_IO_PNG_DECODE_SPECULATIVE_PRIV_H
#define IMGTOOL_IO_PNG_DECODE_SPECULATIVE_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/decode/piece.h"
#include "io/png/decode/strategies.h"
#include "io/png/decode/undo.h"
#include "kernels/core/parallel/polled.h"

enum {
    /* Rows of a band, at most: where pieces shrink well, thousands of rows come at once. */
    IMG_SPECULATIVE_ROWS = 48,
};

/* What has been done to a piece. Each step needs the one before. */
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
    bool sound;                  /* inflated without a complaint */
    uint64_t bytes_before, size; /* of the inflated stream, once linked */
    uint8_t *window;             /* what comes before the piece: IMG_INFLATE_WINDOW bytes */
    size_t bands_end;            /* the first of decoder->undo.bands after its own, once stitched */
    uint32_t adler;
} ImgSpeculativeStep;

typedef struct ImgSpeculative {
    const ImgPngJob *job;
    size_t filtered; /* bytes of a filtered row */
    uint64_t total;  /* bytes that the stream has to give */
    size_t head;     /* before the bytes of a piece: a window, or the start of its first row */
    ImgSpeculativeStep *steps;
    size_t count, allocated, most_in_flight;
    ImgUndo undo; /* its bands are parts of pieces */

    pthread_mutex_t mutex;
    ImgPolled changed;
    size_t next_inflate, next_link, next_stitch, next_free; /* in the order of the file */
    bool linking;
    uint8_t *memory;       /* for all pieces in flight, in one block: it comes in huge pages */
    ImgPieceBudget budget; /* of those that are larger than most */
    ImgPieceRoom *spare;   /* of pieces that are not begun or done with; the last used is first */
    size_t spares;
    ImgStatus status; /* the first failure ends it all */
} ImgSpeculative;

/* What each thread runs, `context` being the ImgSpeculative: does whatever is most urgent until all
 * pieces are decoded or one has failed. */
void img_speculative_work(void *context, int worker);

#endif
