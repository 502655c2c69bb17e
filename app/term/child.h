/* Processes that we start and wait for. */
#ifndef IMGTOOL_APP_TERM_CHILD_H
#define IMGTOOL_APP_TERM_CHILD_H

#include <sys/types.h>

/* Waits for a process of ours, and returns its status as waitpid gives it. A signal that ends this
 * program ends that one first. */
int child_wait(pid_t child);

#endif
