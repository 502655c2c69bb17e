/* Wrapped text, and text of unknown origin made safe for a terminal and for JSON. */
#ifndef IMGTOOL_APP_TEXT_TEXT_H
#define IMGTOOL_APP_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_WIDTH = 80 };

/* Prints words with line breaks so that no line exceeds TEXT_WIDTH, and ends the last line.
 * `column` is the current column; further lines start at `indent`. A newline in `words` counts as
 * a space. Two end a paragraph: the next one starts on a new line, after an empty line if `indent`
 * is 0. */
void text_wrap(FILE *out, size_t column, size_t indent, const char *words);

/* Prints "  left", then `words` wrapped in a column that starts at `indent`. */
void text_entry(FILE *out, const char *left, size_t indent, const char *words);

/* True for a control character (7-bit or 8-bit) and for a mark of the writing direction. */
bool text_is_control(uint32_t code);

/* Prints untrusted text. Control characters (also 8-bit ones, encoded as UTF-8 or as single bytes)
 * and marks of the writing direction become '?'. No file name or comment of a picture can then move
 * the cursor, break a line or imitate other output. */
void text_clean(FILE *out, const char *text);

/* The same to memory of at least strlen(text) + 1 bytes. Returns the length of the copy. */
size_t text_copy_clean(char *to, const char *text);

/* Copies `text` to `to` for one line of a terminal, cut to `columns` columns and `size` bytes with
 * the zero byte, never within a character. Like text_clean, but invalid UTF-8 also becomes '?', and
 * so does all non-ASCII text if the terminal is not `utf8`. Returns the columns of the copy, an
 * upper bound: possibly wide characters count two, zero-width ones count one. */
size_t text_cut(const char *text, size_t columns, bool utf8, char *to, size_t size);

bool text_is_utf8(const uint8_t *data, size_t size);

/* Returns a copy as UTF-8; the caller frees it. UTF-8 is not changed, other bytes are read as
 * Latin-1. Stops at a zero byte. NULL if memory is short. */
char *text_to_utf8(const uint8_t *data, size_t size);

/* Returns a copy in which U+FFFD replaces each byte that is not UTF-8; the caller frees it. NULL if
 * memory is short. */
char *text_mark_bytes(const char *text);

/* Returns a copy of JSON that is the same document and safe for a terminal; the caller frees it.
 * Characters that text_clean would not print become numeric escapes, also ASCII controls that
 * parsers accept. U+FFFD replaces invalid bytes. Between values, controls other than newline and
 * tab become spaces. NULL if memory is short. */
char *text_escape_json(const char *json);

/* Returns the bytes as hexadecimal digits; the caller frees the text. NULL if memory is short. */
char *text_to_hex(const char *text);

#endif
