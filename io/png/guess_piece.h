/* Private: a piece of a stream, inflated without what comes before it, and made bytes of once that
 * is known. The method: M. Kerbiriou, R. Chikhi, "Parallel decompression of gzip-compressed files"
 * (pugz, 2019), and M. Knespel, H. Brunst, "Rapidgzip" (2023). */
#ifndef IMGTOOL_IO_PNG_GUESS_PIECE_H
#define IMGTOOL_IO_PNG_GUESS_PIECE_H

#include "io/png/idat.h"

/* What a thread needs for its use. */
typedef struct ImgPieceTools {
    ImgIdatScratch scratch;
    ImgInflate inflate;
} ImgPieceTools;

/* Start with {0} and `start`, end with img_piece_free. */
typedef struct ImgPiece {
    uint64_t start,
        end;       /* bits of the stream: where it was entered, and the end of its last block */
    bool at_end;   /* its last block is that of the stream */
    uint8_t *room; /* `head` bytes, the inflated bytes, and slack */
    size_t head;
    size_t size;     /* inflated bytes */
    uint16_t *cells; /* of the first `unknown` bytes; NULL: all are known. A window of cells is
                      * in front of them */
    size_t unknown;
    size_t room_size, cells_size;
} ImgPiece;

/* Inflates from piece->start to the first end of a block at or behind bit `until`, or to the end of
 * the stream. `head` bytes are kept free before the output, at least IMG_INFLATE_WINDOW.
 * With `window`, the last `window_size` bytes before it are known, at most IMG_INFLATE_WINDOW, and
 * so are all bytes of the result.
 * IMG_E_FORMAT where the stream is not sound there or gives more than `most` bytes; IMG_E_MEMORY.
 */
ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err);

/* The window after the piece, from that before it; both hold IMG_INFLATE_WINDOW bytes, of which the
 * last count where less is known. */
void img_piece_window(const ImgPiece *piece, const uint8_t *before, uint8_t *after);

/* Makes bytes of the cells. False where one refers to what is before the start of the stream:
 * `window_size` bytes are known at the end of `window`. */
bool img_piece_resolve(ImgPiece *piece, const uint8_t *window, size_t window_size);

/* The inflated bytes. */
uint8_t *img_piece_bytes(const ImgPiece *piece);

void img_piece_free(ImgPiece *piece);

#endif
