/* Restricts this process before it reads files from untrusted sources: it can only finish its
 * command. Commands on single files enter the sandbox after all file names are known and before the
 * first byte of an input is read (README.md). It applies to the whole process and is permanent.
 * Only the command line does this, never the library. */
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
    char **paths;    /* owned, see sandbox_paths */
    bool incomplete; /* memory was short for a name */
} Sandbox;

/* Adds a file. An ImgNameFunction whose context is the Sandbox. When the sandbox is entered, *name
 * is set to a copy that the filter permits, which lives as long as the process. */
void sandbox_name(void *sandbox, ImgNameUse use, const char **name);

/* Adds the files that steps name. Their readers call sandbox_find. */
void sandbox_step_files(Sandbox *sandbox, const ImgStep *steps, size_t count);

/* Adds input files. Returns the array of names to use from then on. */
char *const *sandbox_paths(Sandbox *sandbox, char *const *paths, size_t count);

/* Enters the sandbox. If the system or the settings do not allow it, the command continues without
 * one. */
void sandbox_enter(Sandbox *sandbox, const Settings *settings);

/* Records that this command runs without a sandbox. `reason`, for --explain, is borrowed. */
void sandbox_leave_out(const char *reason);

/* May be called twice. */
void sandbox_free(Sandbox *sandbox);

/* Returns the permitted copy of an equal name; without a sandbox, the name itself. */
const char *sandbox_find(const char *name);

/* Returns "on" or "off" for --explain; *details says what that means or why. */
const char *sandbox_state(const char **details);

#endif
