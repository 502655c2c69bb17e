/* Private: inflates a piece of a stream without the data before it. References to that data become
 * markers, which are resolved once the data is known. The window of a piece is the
 * IMG_INFLATE_WINDOW bytes before it, to which its matches may refer.
 *
 * Method: M. Kerbiriou, R. Chikhi, "Parallel decompression of gzip-compressed files" (pugz, 2019);
 * M. Knespel, H. Brunst, "Rapidgzip" (2023). */
#ifndef IMGTOOL_IO_PNG_DECODE_PIECE_H
#define IMGTOOL_IO_PNG_DECODE_PIECE_H

#include <stdatomic.h>

#include "io/png/idat.h"

/* Buffers of a thread that inflates and resolves pieces. */
typedef struct ImgPieceTools {
    ImgIdatScratch scratch;
    ImgInflate inflate;
    uint8_t byte_of_symbol[1 << 16];
} ImgPieceTools;

/* Limit in bytes of the memory that all pieces together allocate. Borrowed memory is not
 * counted. */
typedef struct ImgPieceBudget {
    atomic_size_t taken;
    size_t most;
} ImgPieceBudget;

/* Memory of a piece. If it is borrowed, img_piece_free does not free it, and another piece uses it
 * next. */
typedef struct ImgPieceRoom {
    uint8_t *memory;
    size_t size;
    bool is_borrowed;
} ImgPieceRoom;

/* Returns the memory in bytes that a piece needs for `head` free bytes and up to `bytes` inflated
 * bytes. If a piece inflates to more, it allocates its own memory. */
size_t img_piece_room_bytes(size_t head, size_t bytes);

/* A section of the stream that is inflated on its own. Must be initialised with {0}; then `start`
 * must be set. img_piece_free frees it. */
typedef struct ImgPiece {
    uint64_t start,
        /* Bit positions in the stream of the piece's first block, and of the end of its last
         * block. */
        end;
    bool at_end; /* true if the piece contains the last block of the stream */
    size_t head; /* number of free bytes before the first symbol, for the caller */
    size_t size; /* size of the piece in inflated bytes */
    /* Number of bytes, at the start of the piece, that were inflated as 16-bit symbols. */
    size_t symbols;
    size_t unknown; /* number of symbols, at the start of the piece, that are not resolved yet */
    ImgPieceRoom room;
    ImgPieceBudget *budget; /* limit of the memory of all pieces; borrowed. NULL: no limit */
} ImgPiece;

/* Inflates from bit piece->start to the first end of a block at or after bit `until`, or to the end
 * of the stream. Leaves at least `head` bytes, and at least IMG_INFLATE_WINDOW bytes, free before
 * the output.
 *
 * If `window` is not NULL, it points to the IMG_INFLATE_WINDOW bytes before the piece, and the last
 * `window_size` bytes of them are valid. The result then contains no markers.
 *
 * Fails with IMG_E_FORMAT if the stream is invalid at this position, or if the piece inflates to
 * more than `most` bytes. Fails with IMG_E_MEMORY if memory is short or the budget is exceeded. */
ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err);

/* Computes `after`, the window at the end of the piece, from `before`, the window at its start.
 * Both windows have IMG_INFLATE_WINDOW bytes. Near the start of the stream only the last bytes of a
 * window are valid. */
void img_piece_window(const ImgPiece *piece, ImgPieceTools *tools, const uint8_t *before,
                      uint8_t *after);

/* Resolves all symbols of the piece to bytes. Only the last `window_size` bytes of `window` are
 * valid. Returns false if a symbol refers to a byte before the start of the stream. */
bool img_piece_resolve(ImgPiece *piece, ImgPieceTools *tools, const uint8_t *window,
                       size_t window_size);

/* Returns the inflated bytes of the piece. All its symbols must have been resolved. */
uint8_t *img_piece_bytes(const ImgPiece *piece);

/* img_piece_borrow sets the memory of a piece that has none. img_piece_return removes the memory
 * from the piece and returns it, so that another piece can use it. */
void img_piece_borrow(ImgPiece *piece, ImgPieceRoom room);
ImgPieceRoom img_piece_return(ImgPiece *piece);

void img_piece_room_free(ImgPieceRoom *room);
void img_piece_free(ImgPiece *piece);

#endif
