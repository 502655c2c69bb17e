/* What a terminal can show. */
#ifndef IMGTOOL_APP_TERMINAL_H
#define IMGTOOL_APP_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal that the descriptor leads to; 0 where it is none, or does not tell. */
int terminal_columns(int fd);

/* Columns for results on standard output; where it is no terminal, of $COLUMNS, and else 80. 20 to
 * 300. */
int terminal_width(void);

/* The locale of the environment says that text is UTF-8. */
bool terminal_utf8(void);

#endif
