/* Detects the command `imgtool rotate *.png` in a directory with exactly two such files. The shell
 * expands the pattern to two names, which would be taken as INPUT and OUTPUT. */
#ifndef IMGTOOL_APP_FILES_GLOB_PAIR_H
#define IMGTOOL_APP_FILES_GLOB_PAIR_H

#include <stdbool.h>

/* Returns whether both files exist, and are the only two files with their extension in one
 * directory, in the order in which a shell lists them. */
bool glob_pair_is(const char *input, const char *output);

/* Asks the user on the terminal whether to replace the second file. Returns true without asking if
 * there is no terminal, as in scripts. */
bool glob_pair_confirm(const char *output);

#endif
