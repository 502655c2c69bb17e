/* `imgtool rotate *.png` where there are two such files: the shell has made INPUT and OUTPUT of
 * them.
 */
#ifndef IMGTOOL_APP_FILES_GLOB_PAIR_H
#define IMGTOOL_APP_FILES_GLOB_PAIR_H

#include <stdbool.h>

/* Are both there, and all files of their extension in one directory, in this order? */
bool glob_pair_is(const char *input, const char *output);

/* Asks on the terminal whether the second one is to be replaced; true where there is no terminal to
 * ask on, as in scripts. */
bool glob_pair_confirm(const char *output);

#endif
