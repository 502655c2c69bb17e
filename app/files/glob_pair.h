/* Detects `imgtool rotate *.png` in a directory with two such files, which the shell expands to
 * INPUT and OUTPUT. */
#ifndef IMGTOOL_APP_FILES_GLOB_PAIR_H
#define IMGTOOL_APP_FILES_GLOB_PAIR_H

#include <stdbool.h>

/* Returns whether both files exist, and are in this order all files of their extension in one
 * directory. */
bool glob_pair_is(const char *input, const char *output);

/* Asks on the terminal whether to replace the second file. Returns true without asking if there is
 * no terminal, as in scripts. */
bool glob_pair_confirm(const char *output);

#endif
