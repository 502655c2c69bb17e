/* Copies file names to read-only memory at fixed addresses. The filter of system calls sees the
 * address of a name, but not its characters, so the address has to identify the name. */
#ifndef IMGTOOL_APP_SANDBOX_NAMES_H
#define IMGTOOL_APP_SANDBOX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/names.h"

typedef struct SandboxName {
    ImgNameUse use;
    /* Address of the variable that holds the name; the variable is set to the copy. NULL: the code
     * that uses the name calls sandbox_find. */
    const char **place;
    const char *text;
} SandboxName;

/* Addresses of the copied names. The first one is at `window` * 2^32. Each name has a slot of
 * `slot` bytes, a power of two. The names with the same use (ImgNameUse) are contiguous, from
 * offset `first` to offset `end`, in bytes from the start of the window. */
typedef struct SandboxNames {
    /* index of the window; all other memory of the process is in windows with higher indices */
    uint32_t window;
    uint32_t slot;
    uint32_t first[IMG_NAME_USES], end[IMG_NAME_USES];
} SandboxNames;

/* Copies all names, makes the copies read-only, and sets the variables at `place` to the copies.
 * Returns false if that is not possible; nothing has changed then. */
bool names_seal(const SandboxName *list, size_t count, SandboxNames *names);

#endif
