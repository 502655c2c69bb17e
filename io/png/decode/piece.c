/* Inflates a piece of a stream (piece.h). At first, matches may refer to unknown bytes before the
 * piece, so inflate writes 16-bit symbols. Once a whole window of bytes is known, it writes bytes.
 *
 * The memory of a piece begins with the head, bytes that the caller may use. The symbols
 * follow, and then the bytes. Symbols are later resolved to bytes, from the last symbol to the
 * first. The resolved bytes are written to the second half of the symbols' memory. So all bytes of
 * the piece become contiguous, and no symbol is overwritten before it is read. */
#include "io/png/decode/piece.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEP = 1 << 16, /* bytes that must be free before img_inflate is called again */
    LAST_BYTE = 255,
    GROUP = 16, /* number of symbols that are resolved at a time */
    SYMBOL = sizeof(uint16_t),
};

typedef struct Run {
    ImgPiece *piece;
    const ImgIdat *idat;
    ImgPieceTools *tools;
    ImgInflateData data;
    uint64_t until, most;
    bool done;
} Run;

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory for decoding in parallel");
}

static ImgStatus fail_damaged(ImgError *err)
{
    return img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) cannot be inflated");
}

/* Handles the reason for which inflate stopped: sets the end of the piece, and loads the next input
 * if the input is used up. `size` is the number of bytes or symbols that the piece has now. */
static ImgStatus handle_stop(Run *run, ImgInflateStop stop, size_t size, ImgError *err)
{
    const ImgInflate *inflate = &run->tools->inflate;
    run->piece->size = size;
    if (stop == IMG_INFLATE_DAMAGED || size > run->most)
        return fail_damaged(err);
    if (stop == IMG_INFLATE_NEED_INPUT)
        run->data = img_idat_portion(run->idat, inflate->position / 8, &run->tools->scratch);
    run->piece->at_end = stop == IMG_INFLATE_END;
    run->done =
        run->piece->at_end || (stop == IMG_INFLATE_BLOCK && inflate->position >= run->until);
    run->piece->end = inflate->position;
    return IMG_OK;
}

/* --- Memory of a piece ------------------------------------------------------------------------ */

static size_t whole_lines(size_t bytes)
{
    enum { LINE = 64 }; /* bytes of a cache line */
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Returns the offset in bytes of the first symbol. The memory before it must hold a window of
 * symbols. It must also hold the `head` bytes of the caller, because the bytes of a piece without
 * symbols start at this offset. */
static size_t symbols_offset(size_t head)
{
    enum { LEAST = IMG_INFLATE_WINDOW * SYMBOL };
    return whole_lines(head > LEAST ? head : LEAST);
}

size_t img_piece_room_bytes(size_t head, size_t bytes)
{
    return whole_lines(symbols_offset(head) +
                       (bytes + 2 * IMG_INFLATE_WINDOW + IMG_INFLATE_ROOM_SLACK) * SYMBOL);
}

/* Reserves `bytes` bytes of the budget. Returns false if all pieces together would exceed the
 * budget. */
static bool reserve(ImgPieceBudget *budget, size_t bytes)
{
    return budget == NULL || atomic_fetch_add(&budget->taken, bytes) + bytes <= budget->most;
}

static ImgStatus grow(ImgPiece *piece, size_t wanted, ImgError *err)
{
    ImgPieceRoom *room = &piece->room;
    if (wanted <= room->size)
        return IMG_OK;
    size_t size = wanted + wanted / 2;
    if (!reserve(piece->budget, room->is_borrowed ? size : size - room->size))
        return no_memory(err);
    uint8_t *memory = room->is_borrowed ? malloc(size) : realloc(room->memory, size);
    if (memory == NULL)
        return no_memory(err);
    if (room->is_borrowed)
        memcpy(memory, room->memory, room->size);
    *room = (ImgPieceRoom){memory, size, false};
    return IMG_OK;
}

static uint16_t *symbols_of(const ImgPiece *piece)
{
    return (uint16_t *)(void *)(piece->room.memory + piece->head);
}

uint8_t *img_piece_bytes(const ImgPiece *piece)
{
    return piece->room.memory + piece->head + piece->symbols;
}

/* --- Inflating to symbols -------------------------------------------------------------------- */

static ImgStatus grow_symbols(ImgPiece *piece, size_t wanted, ImgError *err)
{
    return grow(piece, piece->head + (wanted + IMG_INFLATE_ROOM_SLACK) * SYMBOL, err);
}

/* Returns true if the IMG_INFLATE_WINDOW symbols before `end` contain no marker, which means that
 * all are known bytes. */
static bool window_is_known(const uint16_t *end)
{
    unsigned any = 0;
    for (const uint16_t *symbol = end - IMG_INFLATE_WINDOW; symbol < end; symbol++)
        any |= *symbol;
    return any <= LAST_BYTE;
}

/* Inflates to 16-bit symbols, one window at a time. Stops when a window contains no markers or the
 * piece is complete. */
static ImgStatus inflate_symbols(Run *run, ImgError *err)
{
    ImgPiece *piece = run->piece;
    ImgStatus status = grow_symbols(piece, 1, err);
    if (status != IMG_OK)
        return status;
    img_inflate_fill_markers(symbols_of(piece) - IMG_INFLATE_WINDOW);
    size_t size = 0, looked = 0;
    while (!run->done && status == IMG_OK) {
        status = grow_symbols(piece, size + IMG_INFLATE_WINDOW, err);
        if (status != IMG_OK)
            return status;
        uint16_t *first = symbols_of(piece);
        ImgInflateSymbols room = {first, first + size, first + looked + IMG_INFLATE_WINDOW};
        ImgInflateStop stop = img_inflate_symbols(&run->tools->inflate, &run->data, &room, true);
        size = (size_t)(room.at - first);
        status = handle_stop(run, stop, size, err);
        if (size < looked + IMG_INFLATE_WINDOW)
            continue;
        if (window_is_known(first + size))
            break;
        looked = size;
    }
    piece->symbols = piece->unknown = size;
    return status;
}

/* --- Inflating to bytes ----------------------------------------------------------------------- */

static ImgStatus grow_bytes(ImgPiece *piece, size_t wanted, ImgError *err)
{
    return grow(piece, piece->head + piece->symbols + wanted + IMG_INFLATE_ROOM_SLACK, err);
}

/* Inflates to bytes until the piece is complete. Matches may refer to the `known` bytes before the
 * current end of the piece. */
static ImgStatus inflate_bytes(Run *run, size_t known, ImgError *err)
{
    ImgPiece *piece = run->piece;
    ImgStatus status = IMG_OK;
    size_t from = piece->size;
    while (!run->done && status == IMG_OK) {
        status = grow_bytes(piece, piece->size + STEP, err);
        if (status != IMG_OK)
            return status;
        uint8_t *first = img_piece_bytes(piece);
        ImgInflateRoom room = {first + from - known, first + piece->size,
                               piece->room.memory + piece->room.size - IMG_INFLATE_ROOM_SLACK};
        ImgInflateStop stop = img_inflate(&run->tools->inflate, &run->data, &room, true);
        status = handle_stop(run, stop, (size_t)(room.at - first), err);
    }
    return status;
}

/* Converts the last IMG_INFLATE_WINDOW symbols to bytes, because later matches refer to them. These
 * symbols must not be markers. */
static void resolve_window(ImgPiece *piece)
{
    const uint16_t *symbols = symbols_of(piece);
    uint8_t *bytes = img_piece_bytes(piece);
    size_t left = piece->unknown - IMG_INFLATE_WINDOW;
    while (piece->unknown > left) {
        piece->unknown--;
        bytes[piece->unknown] = (uint8_t)symbols[piece->unknown];
    }
}

/* --- Inflating the whole piece ---------------------------------------------------------------- */

ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err)
{
    Run run = {.piece = piece, .idat = idat, .tools = tools, .until = until, .most = most};
    piece->head = symbols_offset(head);
    piece->size = piece->symbols = piece->unknown = 0;
    piece->at_end = false; /* may still be true from an earlier call that assumed another start */
    piece->end = piece->start;
    run.done = piece->start >= until;
    ImgStatus status = grow_bytes(piece, 0, err);
    if (status != IMG_OK)
        return status;
    img_inflate_start(&tools->inflate, piece->start);
    run.data = img_idat_portion(idat, piece->start / 8, &tools->scratch);
    if (window != NULL) {
        if (window_size > 0)
            memcpy(img_piece_bytes(piece) - window_size, window + IMG_INFLATE_WINDOW - window_size,
                   window_size);
        return inflate_bytes(&run, window_size, err);
    }
    status = inflate_symbols(&run, err);
    if (status != IMG_OK || run.done)
        return status;
    resolve_window(piece);
    return inflate_bytes(&run, IMG_INFLATE_WINDOW, err);
}

/* Fills the table that maps symbols to bytes. A symbol below 256 maps to itself; a marker maps to
 * the byte of `window` that it stands for. */
static const uint8_t *symbol_table(ImgPieceTools *tools, const uint8_t *window)
{
    uint8_t *table = tools->byte_of_symbol;
    for (int i = 0; i <= LAST_BYTE; i++)
        table[i] = (uint8_t)i;
    memcpy(table + IMG_INFLATE_MARKER, window, IMG_INFLATE_WINDOW);
    return table;
}

void img_piece_window(const ImgPiece *piece, ImgPieceTools *tools, const uint8_t *before,
                      uint8_t *after)
{
    size_t size = piece->size, kept = size < IMG_INFLATE_WINDOW ? IMG_INFLATE_WINDOW - size : 0;
    memcpy(after, before + IMG_INFLATE_WINDOW - kept, kept);
    size_t at = size - (IMG_INFLATE_WINDOW - kept);
    if (at < piece->unknown) {
        const uint8_t *table = symbol_table(tools, before);
        for (; at < piece->unknown; at++)
            after[kept++] = table[symbols_of(piece)[at]];
    }
    memcpy(after + kept, img_piece_bytes(piece) + at, size - at);
}

/* Returns true if each marker among the symbols refers to one of the last `window_size` bytes of
 * the window. */
static bool all_are_known(const uint16_t *symbols, size_t count, size_t window_size)
{
    size_t first_known = IMG_INFLATE_WINDOW - window_size;
    for (size_t i = 0; i < count; i++) {
        if (symbols[i] > LAST_BYTE && (size_t)(symbols[i] - IMG_INFLATE_MARKER) < first_known)
            return false;
    }
    return true;
}

/* Resolves GROUP symbols to bytes. Reads all symbols before it writes, because the bytes may
 * overwrite some of these symbols. */
static void resolve_group(const uint16_t *symbols, const uint8_t *table, uint8_t *bytes)
{
    uint16_t group[GROUP];
    unsigned any = 0;
    memcpy(group, symbols, sizeof group);
    for (int i = 0; i < GROUP; i++)
        any |= group[i];
    if (any <= LAST_BYTE) {
        for (int i = 0; i < GROUP; i++)
            bytes[i] = (uint8_t)group[i];
    } else {
        for (int i = 0; i < GROUP; i++)
            bytes[i] = table[group[i]];
    }
}

bool img_piece_resolve(ImgPiece *piece, ImgPieceTools *tools, const uint8_t *window,
                       size_t window_size)
{
    size_t left = piece->unknown;
    if (left == 0)
        return true;
    const uint16_t *symbols = symbols_of(piece);
    uint8_t *bytes = img_piece_bytes(piece);
    if (window_size < IMG_INFLATE_WINDOW && !all_are_known(symbols, left, window_size))
        return false;
    const uint8_t *table = symbol_table(tools, window);
    for (; left >= GROUP; left -= GROUP)
        resolve_group(symbols + left - GROUP, table, bytes + left - GROUP);
    for (; left > 0; left--)
        bytes[left - 1] = table[symbols[left - 1]];
    piece->unknown = 0;
    return true;
}

void img_piece_borrow(ImgPiece *piece, ImgPieceRoom room)
{
    piece->room = room;
}

ImgPieceRoom img_piece_return(ImgPiece *piece)
{
    ImgPieceRoom room = piece->room;
    piece->room = (ImgPieceRoom){0};
    return room;
}

void img_piece_room_free(ImgPieceRoom *room)
{
    if (!room->is_borrowed)
        free(room->memory);
    *room = (ImgPieceRoom){0};
}

void img_piece_free(ImgPiece *piece)
{
    img_piece_room_free(&piece->room);
}
