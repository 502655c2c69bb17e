/* Properties of a terminal: width and character set. */
#ifndef IMGTOOL_APP_TERM_TERMINAL_H
#define IMGTOOL_APP_TERM_TERMINAL_H

#include <stdbool.h>

/* Returns the number of columns of the terminal at descriptor `fd`. 0 if `fd` is not a terminal or
 * its width is unknown. */
int terminal_columns(int fd);

/* Returns the number of columns for results on standard output, limited to 20 to 300: of its
 * terminal, otherwise $COLUMNS, otherwise 80. */
int terminal_width(void);

/* Returns true if the locale in the environment uses UTF-8. */
bool terminal_utf8(void);

#endif
