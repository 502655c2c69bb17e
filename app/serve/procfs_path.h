/* Paths that mean a different file in every process. */
#ifndef IMGTOOL_APP_SERVE_PROCFS_PATH_H
#define IMGTOOL_APP_SERVE_PROCFS_PATH_H

#include <stdbool.h>

/* True if the path, itself or through symbolic links, leads to procfs: to the streams, the
 * directory or the root of the process that opens it, or to other files there. False for a path
 * that does not exist, because opening it reports the error. */
bool leads_to_procfs(const char *path);

#endif
