/* Determines the name of OUTPUT for a command on one picture. */
#ifndef IMGTOOL_APP_FILES_OUTPUT_NAME_H
#define IMGTOOL_APP_FILES_OUTPUT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Sets *path to `output` or, if that is a directory, to the path of a file in it that is named like
 * the input. It gets the extension of `format` (an ImgFileFormat) or, if `format` is negative, the
 * extension of PNG in the spelling of the input. The caller frees *path. Fails with IMG_E_USAGE if
 * the input has no name, or would be replaced. Fails with IMG_E_IO if the directory does not exist.
 * Messages name the output. */
ImgStatus output_name(const char *input, const char *output, int32_t format, char **path,
                      ImgError *err);

/* --- Two files by accident -----------------------------------------------------------------------
 *
 * Detects the command `imgtool rotate *.png` in a directory with exactly two such files. The shell
 * expands the pattern to two names, which would be taken as INPUT and OUTPUT. */

/* Returns true if both names may come from such a pattern: both files exist, are the only two files
 * with their extension in one directory, and are in the order in which a shell lists them. */
bool glob_pair_is(const char *input, const char *output);

/* Asks the user on the terminal whether to replace `output`, the second file. Returns true without
 * asking if there is no terminal, as in scripts. */
bool glob_pair_confirm(const char *output);

#endif
