/* What a terminal can show. */
#ifndef IMGTOOL_APP_TERM_TERMINAL_H
#define IMGTOOL_APP_TERM_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal that the descriptor leads to; 0 where it is not a terminal, or the width
 * is unknown. */
int terminal_columns(int fd);

/* Columns for results on standard output; where it is not a terminal, of $COLUMNS, and else 80. 20
 * to 300. */
int terminal_width(void);

/* The locale of the environment says that text is UTF-8. */
bool terminal_utf8(void);

#endif
