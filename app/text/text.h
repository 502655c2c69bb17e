/* Wraps text, and makes text of unknown origin safe for a terminal and for JSON. */
#ifndef IMGTOOL_APP_TEXT_TEXT_H
#define IMGTOOL_APP_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_WIDTH = 80 };

/* Prints words with line breaks so that no line exceeds TEXT_WIDTH columns, and ends the last line.
 * `column` is the current column; further lines start at column `indent`. A newline in `words`
 * counts as a space. Two newlines end a paragraph: the next paragraph starts on a new line, after
 * an empty line if `indent` is 0. */
void text_wrap(FILE *out, size_t column, size_t indent, const char *words);

/* Prints an entry of a list: "  left", then `words`, wrapped in a column that starts at
 * `indent`. */
void text_entry(FILE *out, const char *left, size_t indent, const char *words);

/* Returns true for a control character (7-bit or 8-bit) and for a mark of the writing direction. */
bool text_is_control(uint32_t code);

/* Prints untrusted text. Control characters and marks of the writing direction become '?'; so do
 * 8-bit controls, encoded as UTF-8 or as single bytes. No file name or comment of a picture can
 * then move the cursor, break a line or imitate other output. */
void text_clean(FILE *out, const char *text);

/* Same as text_clean, but writes to `to`, which has at least strlen(text) + 1 bytes. Returns the
 * length of the copy. */
size_t text_copy_clean(char *to, const char *text);

/* Copies `text` to `to` for one line of a terminal. The copy has at most `columns` columns and at
 * most `size` bytes with the zero byte; it is never cut within a character. Replaces the same
 * characters as text_clean, and also invalid UTF-8. If `utf8` is false, all non-ASCII characters
 * become '?'. Returns an upper bound for the columns of the copy: characters that may be wide count
 * as two, those of zero width as one. */
size_t text_cut(const char *text, size_t columns, bool utf8, char *to, size_t size);

bool text_is_utf8(const uint8_t *data, size_t size);

/* Returns a copy as UTF-8; the caller frees it. UTF-8 is not changed; other bytes are converted
 * from Latin-1. The copy ends at the first zero byte. NULL if memory is short. */
char *text_to_utf8(const uint8_t *data, size_t size);

/* Returns a copy in which U+FFFD replaces each byte that is not UTF-8; the caller frees it. NULL if
 * memory is short. */
char *text_mark_bytes(const char *text);

/* Returns a copy of a JSON document that is equivalent and safe for a terminal; the caller frees
 * it. Characters that text_clean would replace become numeric escapes, also ASCII controls that
 * parsers accept. U+FFFD replaces invalid bytes. Between values, controls other than newline and
 * tab become spaces. NULL if memory is short. */
char *text_escape_json(const char *json);

/* Returns the bytes of the text as hexadecimal digits; the caller frees them. NULL if memory is
 * short. */
char *text_to_hex(const char *text);

#endif
