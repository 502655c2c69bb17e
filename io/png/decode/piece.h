/* Private: a piece of a stream, inflated without what comes before it, and turned into bytes once
 * that is known. The method: M. Kerbiriou, R. Chikhi, "Parallel decompression of gzip-compressed
 * files" (pugz, 2019), and M. Knespel, H. Brunst, "Rapidgzip" (2023). */
#ifndef IMGTOOL_IO_PNG_DECODE_PIECE_H
#define IMGTOOL_IO_PNG_DECODE_PIECE_H

#include <stdatomic.h>

#include "io/png/idat.h"

/* What a thread needs for its use. */
typedef struct ImgPieceTools {
    ImgIdatScratch scratch;
    ImgInflate inflate;
    uint8_t byte_of_symbol[1 << 16];
} ImgPieceTools;

/* What pieces may take together beyond what they borrow. */
typedef struct ImgPieceBudget {
    atomic_size_t taken;
    size_t most;
} ImgPieceBudget;

/* Memory that may serve one piece after the other. What is borrowed is not freed with it. */
typedef struct ImgPieceRoom {
    uint8_t *memory;
    size_t size;
    bool is_borrowed;
} ImgPieceRoom;

/* What a piece of about `bytes` inflated bytes takes; a larger one leaves it for more. */
size_t img_piece_room_bytes(size_t head, size_t bytes);

/* Start with {0} and `start`, end with img_piece_free. */
typedef struct ImgPiece {
    uint64_t start,
        end;        /* bits of the stream: where it was entered, and the end of its last block */
    bool at_end;    /* its last block is that of the stream */
    size_t head;    /* bytes before the first symbol */
    size_t size;    /* inflated bytes */
    size_t symbols; /* of these, how many came as symbols */
    size_t unknown; /* of these, how many, from the first on, are not resolved yet */
    ImgPieceRoom room;
    ImgPieceBudget *budget; /* borrowed; NULL: any */
} ImgPiece;

/* Inflates from piece->start to the first end of a block at or past bit `until`, or to the end of
 * the stream. `head` bytes are kept free before the output, at least IMG_INFLATE_WINDOW.
 * With `window`, of IMG_INFLATE_WINDOW bytes, the last `window_size` of them are known, and so are
 * all bytes of the result.
 * IMG_E_FORMAT where the stream is not sound there or gives more than `most` bytes; IMG_E_MEMORY,
 * over the budget, too. */
ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err);

/* The window after the piece, from that before it; both hold IMG_INFLATE_WINDOW bytes, of which the
 * last count where less is known. */
void img_piece_window(const ImgPiece *piece, ImgPieceTools *tools, const uint8_t *before,
                      uint8_t *after);

/* Turns the symbols into bytes. False where one refers to what is before the start of the stream:
 * `window_size` bytes are known at the end of `window`. */
bool img_piece_resolve(ImgPiece *piece, ImgPieceTools *tools, const uint8_t *window,
                       size_t window_size);

/* The inflated bytes. */
uint8_t *img_piece_bytes(const ImgPiece *piece);

/* Gives a piece that has none a room to borrow; and takes the room back. */
void img_piece_borrow(ImgPiece *piece, ImgPieceRoom room);
ImgPieceRoom img_piece_return(ImgPiece *piece);

void img_piece_room_free(ImgPieceRoom *room);
void img_piece_free(ImgPiece *piece);

#endif
