/* Names of files at addresses that a filter knows, in memory that nobody can change any
 * more. A filter of system calls sees the address of a name and not its letters; here one stands
 * for the other. */
#ifndef IMGTOOL_APP_SANDBOX_NAMES_H
#define IMGTOOL_APP_SANDBOX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/names.h"

typedef struct SandboxName {
    ImgNameUse use;
    const char **place; /* where its user has it; NULL: he asks by sandbox_find */
    const char *text;
} SandboxName;

/* Each name begins at a multiple of `slot` bytes, a power of two, from `window` * 2^32 on, and
 * those of one use lie side by side: from `first` up to `end`, in bytes from there. */
typedef struct SandboxNames {
    uint32_t window; /* what else the process has lies in windows above it */
    uint32_t slot;
    uint32_t first[IMG_NAME_USES], end[IMG_NAME_USES];
} SandboxNames;

/* Copies all names, and lets their users have the copies. False where that is not possible: then
 * nothing has changed. */
bool names_seal(const SandboxName *list, size_t count, SandboxNames *names);

#endif
