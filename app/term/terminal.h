/* Properties of a terminal: its width and its character set. */
#ifndef IMGTOOL_APP_TERM_TERMINAL_H
#define IMGTOOL_APP_TERM_TERMINAL_H

#include <stdbool.h>

/* Returns the number of columns of the terminal at descriptor `fd`. Returns 0 if `fd` is no
 * terminal or its width is unknown. */
int terminal_columns(int fd);

/* Returns the number of columns for results on standard output, from 20 to 300. It is the width of
 * the terminal, otherwise $COLUMNS, otherwise 80. */
int terminal_width(void);

/* Returns true if the locale of the user's environment uses UTF-8. */
bool terminal_utf8(void);

#endif
