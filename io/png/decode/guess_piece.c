/* Inflates a piece to cells while it may refer to bytes that nobody knows yet, then to bytes. */
#include "io/png/decode/guess_piece.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CELLS = 4 * IMG_INFLATE_WINDOW, LAST_BYTE = 255 };

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

static ImgStatus not_sound(ImgError *err)
{
    return img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) cannot be inflated");
}

/* After inflate has stopped; `size` is what the piece has now. */
static ImgStatus look(Run *run, ImgInflateStop stop, size_t size, ImgError *err)
{
    const ImgInflate *inflate = &run->tools->inflate;
    run->piece->size = size;
    if (stop == IMG_INFLATE_DAMAGED || size > run->most)
        return not_sound(err);
    if (stop == IMG_INFLATE_EMPTY)
        run->data = img_idat_portion(run->idat, inflate->position / 8, &run->tools->scratch);
    run->piece->at_end = stop == IMG_INFLATE_END;
    run->done =
        run->piece->at_end || (stop == IMG_INFLATE_BLOCK && inflate->position >= run->until);
    run->piece->end = inflate->position;
    return IMG_OK;
}

/* --- Cells ------------------------------------------------------------------------------------ */

static ImgStatus grow_cells(ImgPiece *piece, size_t wanted, ImgError *err)
{
    size_t size = piece->buffers.cells_size > 0 ? 2 * piece->buffers.cells_size : FIRST_CELLS;
    if (wanted <= piece->buffers.cells_size)
        return IMG_OK;
    uint16_t *cells =
        realloc(piece->buffers.cells, (size + IMG_INFLATE_ROOM_SLACK) * sizeof *cells);
    if (cells == NULL)
        return no_memory(err);
    piece->buffers.cells = cells;
    piece->buffers.cells_size = size;
    return IMG_OK;
}

/* True if the last window of cells says nothing but bytes. */
static bool window_is_known(const uint16_t *end)
{
    unsigned any = 0;
    for (const uint16_t *cell = end - IMG_INFLATE_WINDOW; cell < end; cell++)
        any |= *cell;
    return any <= LAST_BYTE;
}

/* Until the window is known or the piece is done; a window at a time. */
static ImgStatus run_cells(Run *run, ImgError *err)
{
    ImgPiece *piece = run->piece;
    ImgStatus status = grow_cells(piece, 1, err);
    if (status != IMG_OK)
        return status;
    img_inflate_unknown(piece->buffers.cells);
    size_t size = 0, looked = 0;
    while (!run->done && status == IMG_OK) {
        status = grow_cells(piece, size + 2 * IMG_INFLATE_WINDOW + 1, err);
        if (status != IMG_OK)
            return status;
        uint16_t *first = piece->buffers.cells + IMG_INFLATE_WINDOW;
        ImgInflateCells room = {first, first + size, first + looked + IMG_INFLATE_WINDOW};
        ImgInflateStop stop = img_inflate_cells(&run->tools->inflate, &run->data, &room, true);
        size = (size_t)(room.at - first);
        status = look(run, stop, size, err);
        if (size < looked + IMG_INFLATE_WINDOW)
            continue;
        if (window_is_known(first + size))
            break;
        looked = size;
    }
    piece->unknown = size;
    return status;
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static ImgStatus grow_bytes(ImgPiece *piece, size_t wanted, ImgError *err)
{
    if (wanted <= piece->buffers.room_size)
        return IMG_OK;
    size_t size = wanted + wanted / 2;
    uint8_t *room = realloc(piece->buffers.room, piece->head + size + IMG_INFLATE_ROOM_SLACK);
    if (room == NULL)
        return no_memory(err);
    piece->buffers.room = room;
    piece->buffers.room_size = size;
    return IMG_OK;
}

/* `known` bytes before the place where it goes on may be referred to. */
static ImgStatus run_bytes(Run *run, size_t known, ImgError *err)
{
    enum { STEP = 1 << 18 };
    ImgPiece *piece = run->piece;
    ImgStatus status = IMG_OK;
    size_t from = piece->size;
    while (!run->done && status == IMG_OK) {
        status = grow_bytes(piece, piece->size + STEP, err);
        if (status != IMG_OK)
            return status;
        uint8_t *first = img_piece_bytes(piece);
        ImgInflateRoom room = {first + from - known, first + piece->size,
                               first + piece->buffers.room_size};
        ImgInflateStop stop = img_inflate(&run->tools->inflate, &run->data, &room, true);
        status = look(run, stop, (size_t)(room.at - first), err);
    }
    return status;
}

/* The window that came as cells is what the bytes after it refer to. */
static void bring_window(const ImgPiece *piece)
{
    const uint16_t *cells =
        piece->buffers.cells + piece->unknown; /* a window before the last cell */
    uint8_t *bytes = img_piece_bytes(piece) + piece->unknown - IMG_INFLATE_WINDOW;
    for (int i = 0; i < IMG_INFLATE_WINDOW; i++)
        bytes[i] = (uint8_t)cells[i];
}

/* --- The piece -------------------------------------------------------------------------------- */

/* Room for what the piece will probably have: as much as its share of the stream. */
static ImgStatus make_room(const Run *run, size_t head, ImgError *err)
{
    ImgPiece *piece = run->piece;
    piece->head = head;
    uint64_t stream = run->idat->size * 8;
    uint64_t until = run->until < stream ? run->until : stream;
    uint64_t bits = until > piece->start ? until - piece->start : 0;
    uint64_t share = (uint64_t)((double)run->most * (double)bits / (double)stream);
    return grow_bytes(piece, (size_t)share + 1, err);
}

ImgStatus img_piece_inflate(ImgPiece *piece, const ImgIdat *idat, ImgPieceTools *tools,
                            uint64_t until, size_t head, uint64_t most, const uint8_t *window,
                            size_t window_size, ImgError *err)
{
    Run run = {.piece = piece, .idat = idat, .tools = tools, .until = until, .most = most};
    piece->size = piece->unknown = 0;
    piece->end = piece->start;
    run.done = piece->start >= until;
    ImgStatus status = make_room(&run, head, err);
    if (status != IMG_OK)
        return status;
    img_inflate_start(&tools->inflate, piece->start);
    run.data = img_idat_portion(idat, piece->start / 8, &tools->scratch);
    if (window != NULL) {
        if (window_size > 0)
            memcpy(img_piece_bytes(piece) - window_size, window, window_size);
        return run_bytes(&run, window_size, err);
    }
    status = run_cells(&run, err);
    if (status != IMG_OK)
        return status;
    status = grow_bytes(piece, piece->size + 1, err);
    if (status != IMG_OK || run.done)
        return status;
    bring_window(piece);
    return run_bytes(&run, IMG_INFLATE_WINDOW, err);
}

static uint8_t byte_of(uint16_t cell, const uint8_t *window)
{
    return cell <= LAST_BYTE ? (uint8_t)cell : window[cell - IMG_INFLATE_UNKNOWN];
}

void img_piece_window(const ImgPiece *piece, const uint8_t *before, uint8_t *after)
{
    size_t size = piece->size, kept = size < IMG_INFLATE_WINDOW ? IMG_INFLATE_WINDOW - size : 0;
    memcpy(after, before + IMG_INFLATE_WINDOW - kept, kept);
    size_t at = size - (IMG_INFLATE_WINDOW - kept);
    for (; at < piece->unknown; at++)
        after[kept++] = byte_of(piece->buffers.cells[IMG_INFLATE_WINDOW + at], before);
    memcpy(after + kept, img_piece_bytes(piece) + at, size - at);
}

/* Whether all cells mean bytes of a window of which not all is known. */
static bool all_are_known(const uint16_t *cells, size_t count, size_t window_size)
{
    size_t first_known = IMG_INFLATE_WINDOW - window_size;
    for (size_t i = 0; i < count; i++) {
        if (cells[i] > LAST_BYTE && (size_t)(cells[i] - IMG_INFLATE_UNKNOWN) < first_known)
            return false;
    }
    return true;
}

bool img_piece_resolve(ImgPiece *piece, const uint8_t *window, size_t window_size)
{
    enum { GROUP = 16 };
    size_t count = piece->unknown, i = 0;
    if (count == 0)
        return true;
    const uint16_t *cells = piece->buffers.cells + IMG_INFLATE_WINDOW;
    uint8_t *bytes = img_piece_bytes(piece);
    if (window_size < IMG_INFLATE_WINDOW && !all_are_known(cells, count, window_size))
        return false;
    for (; i + GROUP <= count; i += GROUP) {
        unsigned any = 0;
        for (int k = 0; k < GROUP; k++)
            any |= cells[i + k];
        if (any <= LAST_BYTE) {
            for (int k = 0; k < GROUP; k++)
                bytes[i + k] = (uint8_t)cells[i + k];
        } else {
            for (int k = 0; k < GROUP; k++)
                bytes[i + k] = byte_of(cells[i + k], window);
        }
    }
    for (; i < count; i++)
        bytes[i] = byte_of(cells[i], window);
    piece->unknown = 0;
    return true;
}

uint8_t *img_piece_bytes(const ImgPiece *piece)
{
    return piece->buffers.room + piece->head;
}

void img_piece_lend(ImgPiece *piece, ImgPieceBuffers buffers)
{
    piece->buffers = buffers;
}

ImgPieceBuffers img_piece_take(ImgPiece *piece)
{
    ImgPieceBuffers buffers = piece->buffers;
    piece->buffers = (ImgPieceBuffers){0};
    return buffers;
}

void img_piece_buffers_free(ImgPieceBuffers *buffers)
{
    free(buffers->room);
    free(buffers->cells);
    *buffers = (ImgPieceBuffers){0};
}

void img_piece_free(ImgPiece *piece)
{
    img_piece_buffers_free(&piece->buffers);
}
