/* The path of the output of one picture. */
#ifndef IMGTOOL_APP_FILES_OUTPUT_NAME_H
#define IMGTOOL_APP_FILES_OUTPUT_NAME_H

#include <stdint.h>

#include "kernels/core/status.h"

/* Returns `output` or, if that is a directory, the input's name in it. The extension is that of
 * `format` (an ImgFileFormat); if that is negative, that of PNG in the spelling of the input. The
 * caller frees *path. IMG_E_USAGE if the input has no name or would be replaced that way; IMG_E_IO
 * if the directory does not exist. Messages name the output. */
ImgStatus output_name(const char *input, const char *output, int32_t format, char **path,
                      ImgError *err);

#endif
