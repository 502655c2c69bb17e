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

/* Returns the signal and the seconds since it arrived; 0: none. */
int interrupt_signal(double *seconds);

/* Ends the program by the signal that arrived, if any, so that the exit status shows it. Call it
 * after all output. */
void interrupt_finish(void);

/* Returns hooks that note temporary files while they exist. */
const ImgOutputHooks *interrupt_hooks(void);

/* Begin and end a step that creates, renames or removes noted files, including the notes. For files
 * the hooks do so. A signal waits until the step is over. Once the program ends no step begins:
 * interrupt_enter does not return. A step must be short, end in its thread, and not contain another
 * step. */
void interrupt_enter(void);
void interrupt_leave(void);

/* Note or forget a directory that is removed too, after the noted files, if it is empty. Call them
 * in a step. */
void interrupt_note_directory(const char *path);
void interrupt_forget_directory(const char *path);

/* Sets the directory of relative paths that the calling thread notes from now on. A signal handler
 * may run in a thread with another working directory. AT_FDCWD: the working directory of the
 * process. The descriptor must stay open while paths are noted. */
void interrupt_set_directory(int directory);

/* Replaces the names that are already noted by the result of `find`: an equal name in memory that
 * lives as long as the process, or the argument itself. */
typedef const char *InterruptNames(const char *path);
void interrupt_move_names(InterruptNames *find);

/* From now on names are used at the caller's address instead of a copy; they must not move until
 * they are forgotten. app/sandbox permits only these addresses. */
void interrupt_names_stay(void);

/* Sets the child process that receives SIGTERM, and is waited for, before files are removed, so
 * that it leaves no file in our directory. 0: none. */
void interrupt_note_child(pid_t number);

/* Notes a child process, waits for it, and returns its status as waitpid does. */
int child_wait(pid_t child);

#endif
