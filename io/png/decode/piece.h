/* Private: inflates a piece of a stream without the data before it. References to that data become
 * markers, which are resolved once the data is known. The window of a piece is the
 * IMG_INFLATE_WINDOW bytes before it, which its matches may refer to. Method: M. Kerbiriou, R.
 * Chikhi, "Parallel decompression of gzip-compressed files" (pugz, 2019); M. Knespel, H. Brunst,
 * "Rapidgzip" (2023). */
#ifndef IMGTOOL_IO_PNG_DECODE_PIECE_H
#define IMGTOOL_IO_PNG_DECODE_PIECE_H

#include <stdatomic.h>

#include "io/png/idat.h"

/* Buffers that a thread needs to work on pieces. */
typedef struct ImgPieceTools {
    ImgIdatScratch scratch;
    ImgInflate inflate;
    uint8_t byte_of_symbol[1 << 16];
} ImgPieceTools;

/* A limit for the memory that all pieces together allocate; borrowed memory does not count. */
typedef struct ImgPieceBudget {
    atomic_size_t taken;
    size_t most;
} ImgPieceBudget;

/* Memory that one piece after another uses. Borrowed memory is not freed with the piece. */
typedef struct ImgPieceRoom {
    uint8_t *memory;
    size_t size;
    bool is_borrowed;
} ImgPieceRoom;

/* Returns the memory in bytes that a piece of about `bytes` inflated bytes needs. A larger piece
 * allocates its own memory. */
size_t img_piece_room_bytes(size_t head, size_t bytes);

/* A piece. Must start as {0}, with `start` set; freed by img_piece_free. */
typedef struct ImgPiece {
    uint64_t start,
        end; /* bit positions in the stream: of the piece's first block, and after its last block */
    bool at_end;    /* true if the piece's last block is the last one of the stream */
    size_t head;    /* free bytes before the first symbol, for the caller */
    size_t size;    /* inflated bytes */
    size_t symbols; /* bytes at the start of `size` that were inflated as 16-bit symbols */
    size_t unknown; /* number of symbols, at the start of the piece, that are not resolved yet */
    ImgPieceRoom room;
    ImgPieceBudget *budget; /* borrowed; NULL: no limit */
} ImgPiece;

/* Inflates from bit piece->start to the first end of a block at or after bit `until`, or to the end
 * of the stream. At least `head` bytes, and at least IMG_INFLATE_WINDOW bytes, stay free before the
 * output.
 *
 * If `window` is not NULL, it has IMG_INFLATE_WINDOW bytes, and the last `window_size` of them are
 * known. The result then contains no markers.
 *
 * Fails with IMG_E_FORMAT if the stream is invalid there, or inflates to more than `most` bytes.
 * Fails with IMG_E_MEMORY if memory is short or the budget is exceeded. */
ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err);

/* Computes the window after the piece, `after`, from the window before it. Both have
 * IMG_INFLATE_WINDOW bytes; if fewer bytes are known, these are at the end. */
void img_piece_window(const ImgPiece *piece, ImgPieceTools *tools, const uint8_t *before,
                      uint8_t *after);

/* Resolves all symbols to bytes. Only the last `window_size` bytes of `window` are known. Returns
 * false if a symbol refers to data before them, that is before the start of the stream. */
bool img_piece_resolve(ImgPiece *piece, ImgPieceTools *tools, const uint8_t *window,
                       size_t window_size);

/* Returns the inflated bytes of the piece; all its symbols must be resolved. */
uint8_t *img_piece_bytes(const ImgPiece *piece);

/* img_piece_borrow sets the memory of a piece that has none; img_piece_return removes it and
 * returns it. */
void img_piece_borrow(ImgPiece *piece, ImgPieceRoom room);
ImgPieceRoom img_piece_return(ImgPiece *piece);

void img_piece_room_free(ImgPieceRoom *room);
void img_piece_free(ImgPiece *piece);

#endif
