/* Detects paths that mean a different file in every process. */
#ifndef IMGTOOL_APP_SERVE_PROCFS_PATH_H
#define IMGTOOL_APP_SERVE_PROCFS_PATH_H

#include <stdbool.h>

/* Returns true if the path leads to procfs, itself or through symbolic links: to the streams, the
 * directory or the root of the process that opens it, or to other files there. Also true if the
 * path with its links is too long to follow. False if the path does not exist, because opening it
 * reports the error. */
bool leads_to_procfs(const char *path);

#endif
