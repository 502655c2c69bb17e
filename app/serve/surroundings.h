/* The working directory and the umask of a client, for the thread that works for it. Linux lets a
 * thread have its own; where that is refused, as in some containers, one thread at a time has those
 * of the process. */
#ifndef IMGTOOL_APP_SERVE_SURROUNDINGS_H
#define IMGTOOL_APP_SERVE_SURROUNDINGS_H

#include <sys/types.h>

#include "kernels/core/status.h"

/* From now on paths of the calling thread start at that directory, which must stay open, and its
 * new files get that umask; so do those of other threads, if it is refused to have one's own. May
 * wait for another thread to leave. After a failure there is nothing to leave. */
ImgStatus surroundings_enter(int directory, mode_t mask, ImgError *err);

/* No directory is in use after this. */
void surroundings_leave(void);

#endif
