#include "app/text/caret.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"

static const char GAP[] = "...";

enum {
    GAP_COLUMNS = sizeof GAP - 1,
    /* maximum number of bytes that are shown before the mistake if the line is too long */
    BEFORE_MOST = 40,
    CHARACTER_BYTES = 4,
    /* Size in bytes of a buffer for the start of a text: room for CARET_COLUMNS + 1 characters and
     * a NUL. The extra character shows that the text is too long for a line. */
    PIECE_SIZE = CHARACTER_BYTES * (CARET_COLUMNS + 1) + 1,
};

/* Copies the start of `text`, at most one character more than fits in CARET_COLUMNS. Tabs and line
 * breaks become spaces. */
static void take_piece(const char *text, size_t length, char piece[PIECE_SIZE])
{
    if (length >= PIECE_SIZE)
        length = PIECE_SIZE - 1;
    for (size_t i = 0; i < length; i++)
        piece[i] = strchr(" \t\r\n\v\f", text[i]) != NULL ? ' ' : text[i];
    piece[length] = '\0';
}

/* Writes the start of `text` to `shown`, in at most `columns` columns. Returns the number of
 * columns that it takes. */
static size_t show(const char *text, size_t length, size_t columns, char shown[PIECE_SIZE])
{
    char piece[PIECE_SIZE];
    take_piece(text, length, piece);
    return text_cut(piece, columns, true, shown, PIECE_SIZE);
}

/* Returns the index of the first byte of `line` that is shown, so that the mistake at `start` is
 * visible. No character has more columns than bytes, so BEFORE_MOST bytes take at most BEFORE_MOST
 * columns. */
static size_t first_shown(const char *line, size_t length, size_t start)
{
    char shown[PIECE_SIZE];
    if (start <= BEFORE_MOST || show(line, length, SIZE_MAX, shown) <= CARET_COLUMNS)
        return 0;
    size_t first = start - BEFORE_MOST;
    while (first < start && ((unsigned char)line[first] & 0xC0) == 0x80)
        first++;
    return first;
}

void caret_print(const char *line, size_t length, size_t start, size_t size, char text[CARET_SIZE])
{
    char before[PIECE_SIZE], rest[PIECE_SIZE], marked[PIECE_SIZE];
    size_t first = first_shown(line, length, start), used = first > 0 ? GAP_COLUMNS : 0;
    used += show(line + first, start - first, CARET_COLUMNS, before);
    size_t room = CARET_COLUMNS - used;
    bool cut = room > GAP_COLUMNS && show(line + start, length - start, SIZE_MAX, rest) > room;
    room = show(line + start, length - start, cut ? room - GAP_COLUMNS : room, rest);
    size_t columns = show(line + start, size, room, marked);
    int written =
        snprintf(text, CARET_SIZE, "%*s%s%s%s%s\n%*s^", CARET_INDENT, "", first > 0 ? GAP : "",
                 before, rest, cut ? GAP : "", CARET_INDENT + (int)used, "");
    size_t more = columns > 1 ? columns - 1 : 0;
    memset(text + written, '~', more);
    memcpy(text + written + more, "\n", 2);
}
