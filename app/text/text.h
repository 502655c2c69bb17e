/* Wraps text into lines, and makes untrusted text safe for terminals and for JSON. */
#ifndef IMGTOOL_APP_TEXT_TEXT_H
#define IMGTOOL_APP_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

enum { TEXT_WIDTH = 80 };

/* Prints `words` with line breaks, so that no line exceeds TEXT_WIDTH columns, and ends the last
 * line. `column` is the column at which printing starts; further lines start at column `indent`. A
 * newline in `words` counts as a space. Two newlines end a paragraph. The next paragraph starts on
 * a new line, after an empty line if `indent` is 0. */
void text_wrap(FILE *out, size_t column, size_t indent, const char *words);

/* Prints an entry of a list: two spaces, `left`, and then `words`, wrapped in a column that starts
 * at `indent`. */
void text_entry(FILE *out, const char *left, size_t indent, const char *words);

/* Returns true for a control character (7-bit or 8-bit), and for a mark that changes the writing
 * direction. */
bool text_is_control(uint32_t code);

/* Prints untrusted text. Each control character and each mark of the writing direction becomes '?'.
 * So do 8-bit control characters, encoded as UTF-8 or as single bytes. A file name or a comment in
 * a picture can therefore not move the cursor, break a line or imitate other output. */
void text_clean(FILE *out, const char *text);

/* Same as text_clean, but writes the text to `to`, which has at least strlen(text) + 1 bytes.
 * Returns the length of the copy. */
size_t text_copy_clean(char *to, const char *text);

/* Copies `text` to `to`, for one line of a terminal. The copy has at most `columns` columns and,
 * with its zero byte, at most `size` bytes. No character is cut. The characters that text_clean
 * replaces, and invalid UTF-8, become '?'. If `utf8` is false, all non-ASCII characters become '?'
 * too. Returns an upper bound for the columns of the copy: a character that may be wide counts as
 * two, one of zero width as one. */
size_t text_cut(const char *text, size_t columns, bool utf8, char *to, size_t size);

bool text_is_utf8(const uint8_t *data, size_t size);

/* Returns a copy in UTF-8, which the caller frees. Valid UTF-8 is not changed; other data are
 * converted from Latin-1. The copy ends at the first zero byte. NULL if memory is short. */
char *text_to_utf8(const uint8_t *data, size_t size);

/* Returns a copy in which U+FFFD replaces each byte that is not part of valid UTF-8. The caller
 * frees it. NULL if memory is short. */
char *text_mark_bytes(const char *text);

/* Returns an equivalent copy of a JSON document that is safe for a terminal. The caller frees it.
 * Inside strings, characters that text_clean would replace become numeric escapes, including
 * control characters that some parsers accept. Between values, control characters become spaces,
 * except newline and tab. U+FFFD replaces invalid bytes. NULL if memory is short. */
char *text_escape_json(const char *json);

/* Returns the bytes of `text` as hexadecimal digits, which the caller frees. NULL if memory is
 * short. */
char *text_to_hex(const char *text);

/* Appends formatted text to `text`, a string in a buffer of `size` bytes, as far as it fits. */
void text_append(char *text, size_t size, const char *format, ...) IMG_PRINTF(3, 4);

/* Returns whether `word` is one of the words in `words`, which single spaces separate. */
bool text_has_word(const char *words, const char *word);

#endif
