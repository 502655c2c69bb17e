/* A mistake shown in the text that it stands in, as compilers do it:
 *
 *     rotate angel=90 | flip
 *            ^~~~~
 */
#ifndef IMGTOOL_APP_TEXT_CARET_H
#define IMGTOOL_APP_TEXT_CARET_H

#include <stddef.h>

/* Columns of the text that are shown, and of the space before it; CARET_SIZE holds two lines of
 * them at up to four bytes per column. */
enum { CARET_COLUMNS = 76, CARET_INDENT = 2, CARET_SIZE = 512 };

/* Writes both lines, each with its newline. `line` has `length` bytes of any origin: blanks become
 * spaces, what must not reach a terminal becomes '?', and what has no room is left out around the
 * mistake, with "..." in its place. The mistake is `size` bytes from `start`, which may be the end
 * of the line; one column is marked at least. */
void caret_print(const char *line, size_t length, size_t start, size_t size, char text[CARET_SIZE]);

#endif
