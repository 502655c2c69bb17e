/* File names at addresses that a filter knows, in memory that is read-only. A filter sees the
 * address of a name but not its characters; here an address identifies the name. */
#ifndef IMGTOOL_APP_SANDBOX_NAMES_H
#define IMGTOOL_APP_SANDBOX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/names.h"

typedef struct SandboxName {
    ImgNameUse use;
    const char **place; /* where its user stores it; NULL: the user calls sandbox_find */
    const char *text;
} SandboxName;

/* Names start at `window` * 2^32. Each occupies a slot of `slot` bytes, a power of two. The names
 * of one use are contiguous, from `first` to `end`, in bytes from the start. */
typedef struct SandboxNames {
    uint32_t window; /* all other memory of the process is in higher windows */
    uint32_t slot;
    uint32_t first[IMG_NAME_USES], end[IMG_NAME_USES];
} SandboxNames;

/* Copies all names and gives their users the copies. False if that is not possible; then nothing
 * has changed. */
bool names_seal(const SandboxName *list, size_t count, SandboxNames *names);

#endif
