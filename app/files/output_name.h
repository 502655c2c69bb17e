/* Where the result of one picture goes: to the file that is named, or into a directory. */
#ifndef IMGTOOL_APP_FILES_OUTPUT_NAME_H
#define IMGTOOL_APP_FILES_OUTPUT_NAME_H

#include <stdint.h>

#include "kernels/core/status.h"

/* `output`, unless it names a directory: then the name of the input in it, with the extension of
 * `format`, an ImgFileFormat; below 0: that of PNG, which the input is, in the input's spelling.
 * *path is to be freed. IMG_E_USAGE where the input has no name, or would be replaced by that;
 * IMG_E_IO where there is no such directory. Messages name the output. */
ImgStatus output_name(const char *input, const char *output, int32_t format, char **path,
                      ImgError *err);

#endif
