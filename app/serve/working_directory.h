/* Sets the working directory and umask of a client for the thread that runs its command. On Linux
 * each thread can have its own. If the system denies that, as in some containers, threads use the
 * directory and umask of the process, one thread at a time. */
#ifndef IMGTOOL_APP_SERVE_WORKING_DIRECTORY_H
#define IMGTOOL_APP_SERVE_WORKING_DIRECTORY_H

#include <sys/types.h>

#include "kernels/core/status.h"

/* Sets directory and umask for the calling thread. `directory` must stay open. If the threads share
 * the directory of the process, this may wait until another thread leaves. After a failure, do not
 * call working_directory_leave. */
ImgStatus working_directory_enter(int directory, mode_t mask, ImgError *err);

/* Restores directory and umask. Afterwards the thread keeps no client's directory in use. */
void working_directory_leave(void);

#endif
