/* Reads names of files from a list: --from-file LIST. */
#ifndef IMGTOOL_APP_FILES_NAME_LIST_H
#define IMGTOOL_APP_FILES_NAME_LIST_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* Called for each name, which is not empty and valid during the call only. */
typedef ImgStatus NameListVisit(void *context, const char *name, ImgError *err);

/* Reads the list at `path`, or from standard input for "-". Each name ends with a NUL byte if
 * `null_separated` is set, else with a newline; the end of the list may replace the last one. In
 * lines, a carriage return at the end is dropped, and a byte order mark before the first. IMG_E_IO
 * if the list cannot be read. IMG_E_USAGE for a line with a NUL byte, an empty name before a NUL
 * byte, or a name longer than PATH_MAX. A failure of `visit` also ends it and is returned. */
ImgStatus name_list_read(const char *path, bool null_separated, NameListVisit *visit, void *context,
                         ImgError *err);

#endif
