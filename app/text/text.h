/* Words on a page, and text of unknown origin made fit for a terminal and for JSON. */
#ifndef IMGTOOL_APP_TEXT_TEXT_H
#define IMGTOOL_APP_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_WIDTH = 80 };

/* Prints words with line breaks so that no line passes TEXT_WIDTH, and ends the last line. `column`
 * is where the cursor stands; further lines start at `indent`. Newlines in `words` are spaces. */
void text_wrap(FILE *out, size_t column, size_t indent, const char *words);

/* "  left", then `words` wrapped in a column that starts at `indent`. */
void text_entry(FILE *out, const char *left, size_t indent, const char *words);

/* Is this code point a control character (of 8 bits, too), or a mark for the direction of writing?
 */
bool text_is_control(uint32_t code);

/* Prints text that may hold anything: control characters become '?' (also those of 8 bits, as
 * UTF-8 and as bytes of their own), and so do the marks for the direction of writing, so that no
 * file name and no comment in a picture can move the cursor, break a line or pose as another. */
void text_clean(FILE *out, const char *text);

/* The same to memory, which must hold strlen(text) + 1 bytes. Returns the bytes without the end. */
size_t text_copy_clean(char *to, const char *text);

/* A copy of `text` in `to` for a line of a terminal, cut to so many columns and to `size` bytes
 * with the end, and never within a character. As text_clean, but also what is not UTF-8 becomes
 * '?', and what turns the direction of writing; all that is not ASCII does where the terminal is
 * not `utf8`. Says how many columns the copy takes, at most: characters that may be two columns
 * wide count two, those of no width one. */
size_t text_cut(const char *text, size_t columns, bool utf8, char *to, size_t size);

bool text_is_utf8(const uint8_t *data, size_t size);

/* A copy as UTF-8 that the caller frees: unchanged where it is UTF-8 already, else read as Latin-1;
 * it ends at a zero byte. NULL without memory. */
char *text_to_utf8(const uint8_t *data, size_t size);

/* A copy that the caller frees, in which U+FFFD stands for each byte that is not UTF-8. NULL
 * without memory. */
char *text_mark_bytes(const char *text);

/* A copy of JSON that the caller frees, in which what text_clean would not print is escaped by its
 * number, controls of ASCII too, which parsers let pass; U+FFFD stands for bytes that are not
 * UTF-8, and between values a space for controls but newlines and tabs: the same document, fit for
 * a terminal. NULL without memory. */
char *text_escape_json(const char *json);

/* The bytes as hexadecimal digits, to be freed. NULL without memory. */
char *text_to_hex(const char *text);

#endif
