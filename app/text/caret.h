/* Shows a mistake within the text that contains it, as compilers do:
 *
 *     rotate angel=90 | flip
 *            ^~~~~
 */
#ifndef IMGTOOL_APP_TEXT_CARET_H
#define IMGTOOL_APP_TEXT_CARET_H

#include <stddef.h>

/* Columns of text and of the spaces before it, and the size in bytes of both lines. A column has up
 * to four bytes. */
enum { CARET_COLUMNS = 76, CARET_INDENT = 2, CARET_SIZE = 512 };

/* Writes the line and the marks below it, each with a newline. `line` has `length` bytes of any
 * content: blanks become spaces, control characters become '?', and a line that is too long is
 * shortened around the mistake with "...". The mistake is `size` bytes from index `start`, which
 * may be the end of the line. At least one column is marked. */
void caret_print(const char *line, size_t length, size_t start, size_t size, char text[CARET_SIZE]);

#endif
