/* What standard output can show. */
#ifndef IMGTOOL_APP_TERMINAL_H
#define IMGTOOL_APP_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal; where there is none, of $COLUMNS, and else 80. 20 to 300. */
int terminal_width(void);

/* The locale of the environment says that text is UTF-8. */
bool terminal_utf8(void);

#endif
