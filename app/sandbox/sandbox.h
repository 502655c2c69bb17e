/* Restricts this process before it reads files from untrusted sources, so that it can only finish
 * its command. Commands on single files enter the sandbox when all file names are known and no byte
 * of an input has been read (README.md). The sandbox applies to the whole process and is permanent.
 * Only the command line enters it, never the library. */
#ifndef IMGTOOL_APP_SANDBOX_SANDBOX_H
#define IMGTOOL_APP_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/names.h"
#include "io/names.h"
#include "kernels/core/op.h"

/* File names collected before the sandbox is entered. Initialise with zeros; end with
 * sandbox_free. */
typedef struct Sandbox {
    bool may_use_gpu;   /* the command accepts --backend */
    bool for_many;      /* the command works on several pictures in parallel */
    SandboxName *names; /* owned */
    size_t count, room;
    char **paths;    /* owned array of the copies that sandbox_paths returns */
    bool incomplete; /* memory was short for a name */
} Sandbox;

/* Adds a file of the command. It is an ImgNameFunction; its context is the Sandbox. When the
 * sandbox is entered, *name is set to a copy that the filter permits and that lives as long as the
 * process. */
void sandbox_name(void *sandbox, ImgNameUse use, const char **name);

/* Adds the files that are parameters of steps. The code that reads them calls sandbox_find. */
void sandbox_step_files(Sandbox *sandbox, const ImgStep *steps, size_t count);

/* Adds input files. Returns an array of the same names, which the caller must use instead of
 * `paths` from then on. */
char *const *sandbox_paths(Sandbox *sandbox, char *const *paths, size_t count);

/* Enters the sandbox. If the system or the settings do not allow it, the command continues without
 * one. */
void sandbox_enter(Sandbox *sandbox, const Settings *settings);

/* Records that this command runs without a sandbox. `reason`, for --explain, is borrowed. */
void sandbox_leave_out(const char *reason);

/* Frees the names. A second call does nothing. */
void sandbox_free(Sandbox *sandbox);

/* Returns the copy of `name` that the filter permits; without a sandbox, `name` itself. */
const char *sandbox_find(const char *name);

/* Returns "on" or "off" for --explain. Sets *details to what the sandbox allows, or to the reason
 * why it is off. */
const char *sandbox_state(const char **details);

#endif
