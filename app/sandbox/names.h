/* Copies file names to read-only memory at addresses that the filter knows. A filter sees the
 * address of a name but not its characters; here the address identifies the name. */
#ifndef IMGTOOL_APP_SANDBOX_NAMES_H
#define IMGTOOL_APP_SANDBOX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/names.h"

typedef struct SandboxName {
    ImgNameUse use;
    /* variable that holds the name; it is set to the copy. NULL: the user of the name calls
     * sandbox_find */
    const char **place;
    const char *text;
} SandboxName;

/* Addresses of the names. They start at `window` * 2^32. Each name occupies a slot of `slot` bytes,
 * a power of two. The names of one use are contiguous, from the offset `first` to the offset `end`,
 * in bytes from the start of the window. */
typedef struct SandboxNames {
    uint32_t window; /* index of the window; all other memory of the process is in higher windows */
    uint32_t slot;
    uint32_t first[IMG_NAME_USES], end[IMG_NAME_USES];
} SandboxNames;

/* Copies all names and sets their `place` to the copies. Returns false if that is not possible;
 * then nothing has changed. */
bool names_seal(const SandboxName *list, size_t count, SandboxNames *names);

#endif
