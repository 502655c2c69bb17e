/* Private: a piece of a stream, inflated without the data before it. References to that data become
 * markers, which are resolved once it is known. Method: M. Kerbiriou, R. Chikhi, "Parallel
 * decompression of gzip-compressed files" (pugz, 2019); M. Knespel, H. Brunst, "Rapidgzip"
 * (2023). */
#ifndef IMGTOOL_IO_PNG_DECODE_PIECE_H
#define IMGTOOL_IO_PNG_DECODE_PIECE_H

#include <stdatomic.h>

#include "io/png/idat.h"

/* Buffers that each thread needs to work on pieces. */
typedef struct ImgPieceTools {
    ImgIdatScratch scratch;
    ImgInflate inflate;
    uint8_t byte_of_symbol[1 << 16];
} ImgPieceTools;

/* Limits the memory that all pieces together allocate, borrowed memory excluded. */
typedef struct ImgPieceBudget {
    atomic_size_t taken;
    size_t most;
} ImgPieceBudget;

/* Memory that serves one piece after another. Borrowed memory is not freed with the piece. */
typedef struct ImgPieceRoom {
    uint8_t *memory;
    size_t size;
    bool is_borrowed;
} ImgPieceRoom;

/* Returns the memory that a piece of about `bytes` inflated bytes needs. A larger piece allocates
 * its own. */
size_t img_piece_room_bytes(size_t head, size_t bytes);

/* Initialise with {0} and `start`, free with img_piece_free. */
typedef struct ImgPiece {
    uint64_t start,
        end;        /* bit positions in the stream: start of the piece, end of its last block */
    bool at_end;    /* its last block is the last one of the stream */
    size_t head;    /* bytes before the first symbol */
    size_t size;    /* inflated bytes */
    size_t symbols; /* leading part of `size` that was inflated as 16-bit symbols */
    size_t unknown; /* leading symbols that are not resolved yet */
    ImgPieceRoom room;
    ImgPieceBudget *budget; /* borrowed; NULL: no limit */
} ImgPiece;

/* Inflates from piece->start to the first end of a block at or after bit `until`, or to the end of
 * the stream. At least `head` bytes, and at least IMG_INFLATE_WINDOW, stay free before the output.
 *
 * With `window` (IMG_INFLATE_WINDOW bytes, the last `window_size` of them known) all bytes of the
 * result are known.
 *
 * Fails with IMG_E_FORMAT if the stream is invalid there or gives more than `most` bytes. Fails
 * with IMG_E_MEMORY if memory is short or the budget is exceeded. */
ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err);

/* Computes the window after the piece from that before it. Both hold IMG_INFLATE_WINDOW bytes; if
 * fewer are known, they are at the end. */
void img_piece_window(const ImgPiece *piece, ImgPieceTools *tools, const uint8_t *before,
                      uint8_t *after);

/* Resolves all symbols to bytes. Returns false if one refers to data before the start of the
 * stream: only the last `window_size` bytes of `window` are known. */
bool img_piece_resolve(ImgPiece *piece, ImgPieceTools *tools, const uint8_t *window,
                       size_t window_size);

/* Returns the inflated bytes. */
uint8_t *img_piece_bytes(const ImgPiece *piece);

/* Sets the memory of a piece that has none, and takes it back. */
void img_piece_borrow(ImgPiece *piece, ImgPieceRoom room);
ImgPieceRoom img_piece_return(ImgPiece *piece);

void img_piece_room_free(ImgPieceRoom *room);
void img_piece_free(ImgPiece *piece);

#endif
