/* Removes unfinished files when a signal, or exit() in some library, ends the program. */
#ifndef IMGTOOL_APP_TERM_INTERRUPT_H
#define IMGTOOL_APP_TERM_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/output/output.h"

/* Before any output is opened; once is enough. Signals that the caller had ignored (nohup) stay
 * ignored. */
void interrupt_install(void);

/* From now on the first SIGINT, SIGTERM or SIGHUP only makes interrupt_asked() true, so that a long
 * command can end in good order; the second one ends the program as ever. */
void interrupt_ask_first(void);
bool interrupt_asked(void);

/* The signal, and how long ago it came; 0: there was none. */
int interrupt_asked_by(double *seconds);

/* Ends the program by the signal that was asked with, if there was one, so that the exit status
 * says. Call when all is printed. */
void interrupt_finish(void);

/* Hooks that note temporary files as long as they exist. */
const ImgOutputHooks *interrupt_hooks(void);

/* Around each step that creates, renames or removes what is noted, and the noting: the hooks do it
 * for files. A signal waits until the step is over, and once the program ends no step begins: the
 * thread stays in interrupt_enter. A step is short, ends in its thread and does not nest. */
void interrupt_enter(void);
void interrupt_leave(void);

/* In a step: a directory of our own that goes too, once the files noted by the hooks are gone;
 * nothing else in it is removed. */
void interrupt_note_directory(const char *path);
void interrupt_forget_directory(const char *path);

/* What the calling thread notes from now on, by a relative path, lies in that directory, whatever
 * the working directory of the thread is that a signal comes to. AT_FDCWD: where all threads are.
 * It must stay open as long as something is noted. */
void interrupt_set_directory(int directory);

/* What is noted already is used from now on where `find` has its name, which gives the same letters
 * in memory that lives as long as the process, or else what it is given. */
typedef const char *InterruptNames(const char *path);
void interrupt_move_names(InterruptNames *find);

/* From now on names that are noted stay where they are until they are forgotten, and are used
 * there: where only these very addresses are allowed (app/sandbox). */
void interrupt_names_stay(void);

/* A process that we wait for: it gets SIGTERM and is waited for before anything is removed, so that
 * it does not leave a file in our directory. 0: there is none. */
void interrupt_note_child(pid_t number);

#endif
