/* What this process may still do once it looks at files that anybody may have made: nothing but to
 * finish its command. Entered by single commands, after all names of files that they will use are
 * known and before the first byte of an input is read (README.md). For a process as a whole, and
 * for good; only the command line does so, never the library. */
#ifndef IMGTOOL_APP_SANDBOX_SANDBOX_H
#define IMGTOOL_APP_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/names.h"
#include "io/names.h"
#include "kernels/core/op.h"

/* What is collected before. Start from zeros, end with sandbox_free. */
typedef struct Sandbox {
    bool may_use_gpu;   /* the command has --backend */
    bool for_many;      /* pictures side by side */
    SandboxName *names; /* owned */
    size_t count, room;
    char **paths;    /* owned: sandbox_paths */
    bool incomplete; /* there was no memory for a name */
} Sandbox;

/* A file that will be used: an ImgNameFunction, whose context is the Sandbox. When the sandbox is
 * entered, *name becomes the copy that may be used, which lives as long as the process. */
void sandbox_name(void *sandbox, ImgNameUse use, const char **name);

/* Likewise the files that steps name, which are read by whoever asks sandbox_find. */
void sandbox_step_files(Sandbox *sandbox, const ImgStep *steps, size_t count);

/* The same for files that are read: the array of names that is valid from then on. */
char *const *sandbox_paths(Sandbox *sandbox, char *const *paths, size_t count);

/* From now on. Where the system or the settings do not allow it, all goes on as without one. */
void sandbox_enter(Sandbox *sandbox, const Settings *settings);

/* This command goes without one; `reason` is for --explain, and stays where it is. */
void sandbox_leave_out(const char *reason);

/* Harmless twice. */
void sandbox_free(Sandbox *sandbox);

/* The copy that may be used of a name that is equal to this; without one the name itself. */
const char *sandbox_find(const char *name);

/* "on" or "off", for --explain, and what that means or why it is so. */
const char *sandbox_state(const char **details);

#endif
