/* A sandbox restricts this process to the system calls that its command needs, before it reads
 * files from untrusted sources. Commands on single files enter it when all file names are known and
 * no byte of an input has been read (README.md). The sandbox applies to the whole process and
 * cannot be left. Only the command-line program enters it, never the library. */
#ifndef IMGTOOL_APP_SANDBOX_SANDBOX_H
#define IMGTOOL_APP_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/names.h"
#include "io/names.h"
#include "kernels/core/op.h"
#include "kernels/core/store.h"

/* The file names of a command, which are collected before it enters the sandbox. Initialise with
 * zeros; end with sandbox_free. */
typedef struct Sandbox {
    bool may_use_gpu;   /* true if the command accepts --backend */
    bool for_many;      /* true if the command works on several pictures in parallel */
    SandboxName *names; /* array of `count` names; owned */
    size_t count;
    char **paths;    /* array of names that sandbox_paths returned; owned */
    bool incomplete; /* true if memory was short for a name. The sandbox is not entered then */
} Sandbox;

/* Adds a file name of the command and its use. When the sandbox is entered, *name is set to a copy
 * that the filter permits. The copy exists as long as the process. The function is an
 * ImgNameFunction, whose context is the Sandbox. */
void sandbox_name(void *sandbox, ImgNameUse use, const char **name);

/* Adds the names of the files that are parameters of the steps. The code that reads these files
 * must call sandbox_find. */
void sandbox_step_files(Sandbox *sandbox, const ImgStep *steps, size_t count);

/* Adds the names of the input files. Returns an array of the same names, which the caller must use
 * instead of `paths`. */
char *const *sandbox_paths(Sandbox *sandbox, char *const *paths, size_t count);

/* Enters the sandbox. If the system or the settings do not allow that, the command runs without a
 * sandbox. */
void sandbox_enter(Sandbox *sandbox, const Settings *settings);

/* Records that this command does not enter a sandbox. `reason` is for --explain, and is
 * borrowed. */
void sandbox_leave_out(const char *reason);

/* Frees the arrays of names. A second call does nothing. */
void sandbox_free(Sandbox *sandbox);

/* Returns the copy of `name` with which a file can be opened for reading in the sandbox. The
 * seccomp filter cannot read file names, so it permits only the addresses of copies (names.h).
 * Returns `name` itself if there is no sandbox or no copy. */
const char *sandbox_find(const char *name);

/* Returns the place of temporary files of commands that have no output (img_resources_scratch). In
 * the sandbox its names are the copies that the seccomp filter permits. */
ImgStorePlace sandbox_scratch(void);

/* Returns "on" or "off", for --explain. Sets *details to a text: the restrictions of the sandbox,
 * or the reason why it is off. */
const char *sandbox_state(const char **details);

#endif
