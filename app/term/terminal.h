/* Properties of the terminal. */
#ifndef IMGTOOL_APP_TERM_TERMINAL_H
#define IMGTOOL_APP_TERM_TERMINAL_H

#include <stdbool.h>

/* Returns the columns of the terminal of a descriptor; 0 if it is not a terminal or the width is
 * unknown. */
int terminal_columns(int fd);

/* Returns the columns for results on standard output: of the terminal, otherwise of $COLUMNS,
 * otherwise 80; limited to 20 to 300. */
int terminal_width(void);

/* True if the locale of the environment uses UTF-8. */
bool terminal_utf8(void);

#endif
