/* Removes unfinished files when a signal, or exit() in a library, ends the program. */
#ifndef IMGTOOL_APP_TERM_INTERRUPT_H
#define IMGTOOL_APP_TERM_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/output/output.h"

/* Installs the handlers. Call it before any output is opened; further calls do nothing. Signals
 * that the caller ignored (nohup) stay ignored. */
void interrupt_install(void);

/* From now on the first SIGINT, SIGTERM or SIGHUP only makes interrupt_requested() true, so that a
 * long command can stop in an orderly way. A second one ends the program at once. */
void interrupt_defer_first(void);
bool interrupt_requested(void);

/* Returns the number of the signal that arrived and sets *seconds to the time since then. Returns 0
 * if no signal arrived. */
int interrupt_signal(double *seconds);

/* Ends the program by the signal that arrived, if any, so that the exit status shows it. Call it
 * after all output. */
void interrupt_finish(void);

/* Returns hooks that put temporary files on the list of files to remove, as long as they exist. */
const ImgOutputHooks *interrupt_hooks(void);

/* Begin and end a step. A step creates, renames or removes noted files or directories and notes the
 * change; the hooks above do so for files. A signal waits until the step is over. If the program is
 * ending, no step begins: interrupt_enter does not return. A step must be short, end in the thread
 * that began it, and not contain another step. */
void interrupt_enter(void);
void interrupt_leave(void);

/* Note or forget a directory. A noted directory is removed after the noted files if it is empty.
 * Call both functions in a step. */
void interrupt_note_directory(const char *path);
void interrupt_forget_directory(const char *path);

/* Sets the directory to which relative paths refer that the calling thread notes from now on. It is
 * needed because a signal handler may run in a thread with another working directory. AT_FDCWD
 * stands for the working directory of the process. The descriptor must stay open while paths are
 * noted. */
void interrupt_set_directory(int directory);

/* Replaces each noted name by the result of `find`: an equal name in memory that lives as long as
 * the process, or its argument. */
typedef const char *InterruptNames(const char *path);
void interrupt_move_names(InterruptNames *find);

/* From now on the table refers to the names at the caller's addresses instead of copying them. The
 * names must not move until they are forgotten. app/sandbox permits only these addresses. */
void interrupt_names_stay(void);

/* Sets the child process to end on a signal: it gets SIGTERM, and the handler waits for its end
 * before it removes files. The child then leaves no file in our directory. 0: no child. */
void interrupt_note_child(pid_t number);

/* Notes the child process, waits for its end, and returns its status in the form of waitpid. */
int child_wait(pid_t child);

#endif
