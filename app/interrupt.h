/* Removes unfinished files when a signal, or exit() in some library, ends the program. */
#ifndef IMGTOOL_APP_INTERRUPT_H
#define IMGTOOL_APP_INTERRUPT_H

#include <sys/types.h>

#include "io/output.h"

/* Once, before any output is opened. Signals that the caller had ignored (nohup) stay ignored. */
void interrupt_install(void);

/* Hooks that note temporary files as long as they exist. */
const ImgOutputHooks *interrupt_hooks(void);

/* A folder of our own that goes too, once the files noted by the hooks are gone; nothing else in it
 * is removed. */
void interrupt_note_folder(const char *path);
void interrupt_forget_folder(const char *path);

/* A process that we wait for: it gets SIGTERM and is waited for before anything is removed, so that
 * it does not leave a file in our folder. 0: there is none. */
void interrupt_note_child(pid_t number);

#endif
