/* Shows a mistake within the text that contains it, as compilers do:
 *
 *     rotate angel=90 | flip
 *            ^~~~~
 */
#ifndef IMGTOOL_APP_TEXT_CARET_H
#define IMGTOOL_APP_TEXT_CARET_H

#include <stddef.h>

/* CARET_COLUMNS is the maximum number of columns of the text, CARET_INDENT the number of spaces
 * before it. CARET_SIZE is the size in bytes of both lines together. A column has at most four
 * bytes. */
enum { CARET_COLUMNS = 76, CARET_INDENT = 2, CARET_SIZE = 512 };

/* Writes the line, and below it a line that marks the mistake, each with a newline. The mistake is
 * `size` bytes from index `start`, which may be the end of the line. At least one column is marked.
 * `line` has `length` bytes of any content: tabs and line breaks become spaces, and control
 * characters become '?'. If the line is too long, "..." replaces parts of it that are far from the
 * mistake. */
void caret_print(const char *line, size_t length, size_t start, size_t size, char text[CARET_SIZE]);

#endif
