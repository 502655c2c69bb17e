/* Private: compiles the table of rules to a seccomp filter and installs it. */
#ifndef IMGTOOL_APP_SANDBOX_FILTER_H
#define IMGTOOL_APP_SANDBOX_FILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "app/sandbox/names.h"

typedef struct FilterTerms {
    SandboxNames names;
    bool preserves;      /* --preserve */
    mode_t special_bits; /* setuid and similar bits that results may have */
} FilterTerms;

/* Installs the filter for all threads, permanently and with no_new_privs. False if the system
 * denies it; then *reason says why. */
bool filter_install(const FilterTerms *terms, const char **reason);

#endif
