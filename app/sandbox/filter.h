/* Private: compiles the table of rules to a seccomp filter and installs it. */
#ifndef IMGTOOL_APP_SANDBOX_FILTER_H
#define IMGTOOL_APP_SANDBOX_FILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "app/sandbox/names.h"

typedef struct FilterTerms {
    SandboxNames names;
    bool preserves;      /* true if the command line has --preserve */
    mode_t special_bits; /* bits such as setuid that permissions of results may have */
} FilterTerms;

/* Installs the filter for all threads, permanently and with no_new_privs. Returns false if the
 * system denies it, and then sets *reason. */
bool filter_install(const FilterTerms *terms, const char **reason);

#endif
