/* Working directory and umask of a client, set for the thread that runs its command. On Linux a
 * thread can have its own. If that is denied, as in some containers, the threads take turns with
 * those of the process. */
#ifndef IMGTOOL_APP_SERVE_WORKING_DIRECTORY_H
#define IMGTOOL_APP_SERVE_WORKING_DIRECTORY_H

#include <sys/types.h>

#include "kernels/core/status.h"

/* Sets directory and umask for the calling thread. `directory` must stay open. May block until
 * another thread leaves, if the threads share those of the process. After a failure, do not call
 * working_directory_leave. */
ImgStatus working_directory_enter(int directory, mode_t mask, ImgError *err);

/* Resets both; no directory stays in use. */
void working_directory_leave(void);

#endif
