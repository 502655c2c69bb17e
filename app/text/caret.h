/* A mistake shown in the text that it stands in, as compilers do it:
 *
 *     rotate angel=90 | flip
 *            ^~~~~
 */
#ifndef IMGTOOL_APP_TEXT_CARET_H
#define IMGTOOL_APP_TEXT_CARET_H

#include <stddef.h>

/* Columns of text, and spaces before it. CARET_SIZE holds two lines of up to four bytes per
 * column. */
enum { CARET_COLUMNS = 76, CARET_INDENT = 2, CARET_SIZE = 512 };

/* Writes both lines with newlines. `line` has `length` bytes of any content: blanks become spaces,
 * control characters become '?', and a line that is too long is shortened around the mistake with
 * "...". The mistake has `size` bytes from `start`, which may be the end of the line; at least one
 * column is marked. */
void caret_print(const char *line, size_t length, size_t start, size_t size, char text[CARET_SIZE]);

#endif
