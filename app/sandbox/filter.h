/* Private: the table of rules as a filter of the kernel's (seccomp), and its installation. */
#ifndef IMGTOOL_APP_SANDBOX_FILTER_H
#define IMGTOOL_APP_SANDBOX_FILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "app/sandbox/names.h"

typedef struct FilterTerms {
    SandboxNames names;
    bool preserves;      /* --preserve */
    mode_t special_bits; /* setuid and the like, that results may have */
} FilterTerms;

/* For all threads, for good, and without rights that programs could gain. False where the system
 * refuses it; *reason says why then. */
bool filter_install(const FilterTerms *terms, const char **reason);

#endif
