/* Names from a file: --from-file LIST. */
#ifndef IMGTOOL_APP_FILES_NAME_LIST_H
#define IMGTOOL_APP_FILES_NAME_LIST_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* Called for each name, which is never empty and ends with the call. */
typedef ImgStatus NameListVisit(void *context, const char *name, ImgError *err);

/* `path` is that of the list, or "-" for standard input. Each name ends with a NUL byte if
 * `null_separated`, else with a newline; the last may end with the list. Of lines a carriage
 * return at the end and a byte order mark in front of the first are left out. All other bytes are
 * the name's. IMG_E_IO where it cannot be read; IMG_E_USAGE for a line with a NUL byte, an empty
 * name that a NUL byte ends, and one longer than the system opens; what `visit` returns ends it
 * too. */
ImgStatus name_list_read(const char *path, bool null_separated, NameListVisit *visit, void *context,
                         ImgError *err);

#endif
