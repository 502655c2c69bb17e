/* Removes unfinished files when a signal ends the program, or when a library calls exit(). */
#ifndef IMGTOOL_APP_TERM_INTERRUPT_H
#define IMGTOOL_APP_TERM_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/output/output.h"

/* Installs the signal handlers. Call it before any output is opened. Further calls do nothing.
 * Signals that the calling process ignores, as nohup does, stay ignored. */
void interrupt_install(void);

/* After this call, the first SIGINT, SIGTERM or SIGHUP only makes interrupt_requested() return
 * true. A long command can thus stop in an orderly way. A second signal ends the program at
 * once. */
void interrupt_defer_first(void);
bool interrupt_requested(void);

/* Returns the number of the signal that arrived, and sets *seconds to the time since its arrival.
 * Returns 0 if no signal arrived. */
int interrupt_signal(double *seconds);

/* If a signal arrived, ends the program by that signal, so that the exit status shows it. Call it
 * after all output. */
void interrupt_finish(void);

/* Returns hooks for outputs. They keep each temporary file on the list of files to remove, as long
 * as it exists. */
const ImgOutputHooks *interrupt_hooks(void);

/* Begin and end a step. In a step, files or directories on the list of files to remove are created,
 * renamed or removed, and the list is updated. The hooks above do this for files. A signal handler
 * waits until the step is over. If the program is ending, interrupt_enter does not return. A step
 * must be short, end in the thread that began it, and not contain another step. */
void interrupt_enter(void);
void interrupt_leave(void);

/* interrupt_note_directory adds a directory to the list of directories to remove.
 * interrupt_forget_directory takes it off the list. On a signal, a listed directory is removed
 * after the files, if it is empty by then. Call both functions in a step. */
void interrupt_note_directory(const char *path);
void interrupt_forget_directory(const char *path);

/* Sets the directory of the relative paths that the calling thread puts on the list of files to
 * remove from now on. A signal handler needs it, because it may run in a thread with another
 * working directory. AT_FDCWD is the working directory of the process. The descriptor must stay
 * open while such paths are on the list. */
void interrupt_set_directory(int directory);

/* Replaces each name on the list of files to remove by the result of `find`. `find` returns an
 * equal name in memory that exists as long as the process, or its argument if there is no such
 * name. */
typedef const char *InterruptNames(const char *path);
void interrupt_move_names(InterruptNames *find);

/* After this call, the list of files to remove refers to the caller's names instead of copies of
 * them. A name must stay at its address until it is taken off the list. app/sandbox needs this,
 * because it permits only certain addresses. */
void interrupt_names_stay(void);

/* Sets the child process that a signal ends too; 0: none. The handler sends SIGTERM to it, and
 * waits for its end before removing files. The child thus leaves no new file in a directory that
 * the handler removes. */
void interrupt_note_child(pid_t number);

/* Waits until the child process ends, and returns its status as waitpid does. A signal that ends
 * this program during the wait also ends the child. */
int child_wait(pid_t child);

#endif
