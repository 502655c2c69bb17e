/* The table of permitted system calls, and the filter that enforces it. Private to app/sandbox. */
#ifndef IMGTOOL_APP_SANDBOX_RULES_H
#define IMGTOOL_APP_SANDBOX_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/sandbox/names.h"

/* --- The table -------------------------------------------------------------------------------- */

/* Kind of a condition that one argument of a system call must fulfil. */
typedef enum ConditionKind {
    CONDITION_NONE, /* No condition: the list of conditions ends. */
    CONDITION_IS,   /* The low 32 bits equal `value`, as for an argument of type int. */
    /* The low 32 bits, which are the flags of open, equal `value`. O_LARGEFILE may be set too. */
    CONDITION_FLAGS,
    CONDITION_NO_BITS, /* The low 32 bits have no bit of `value` set. */
    CONDITION_NULL,
    /* The argument points to a file name of the use `value`, which is an ImgNameUse. */
    CONDITION_NAME,
    CONDITION_ANY_NAME, /* The argument points to a file name of any use. */
    /* The argument is an address above all copied file names, so that memory from there on contains
     * no name. */
    CONDITION_ABOVE,
    CONDITION_SELF, /* The argument is the id of this process. */
    /* The argument is a file mode. Of the bits setuid, setgid and sticky it contains only those
     * that an input or a kept file has; all other bits are permission bits (0777). */
    CONDITION_MODE,
} ConditionKind;

/* The kernel's value of O_LARGEFILE, which has no effect on 64-bit processors. C libraries define
 * it as 0. Only musl on aarch64 sets it in each call of open. */
#ifdef __aarch64__
#define SANDBOX_LARGE_FILE 0400000U
#else
#define SANDBOX_LARGE_FILE 0100000U
#endif

typedef struct Condition {
    uint8_t kind, argument;
    uint32_t value;
} Condition;

enum { CONDITIONS_MOST = 6 };

/* A rule allows a system call if all conditions of the rule hold. If a call has several rules, one
 * whose conditions hold is enough. */
typedef struct Rule {
    int number;         /* number of the system call on the processor of this build */
    int only_preserved; /* 1 if the rule is used only with --preserve, otherwise 0 */
    Condition conditions[CONDITIONS_MOST];
} Rule;

/* The table of all rules. The number of its last entry is -1. */
extern const Rule sandbox_rules[];

/* AUDIT_ARCH_... of the processor of this build; 0: there are no rules for this processor */
extern const uint32_t sandbox_processor;

/* --- The filter: filter.c --------------------------------------------------------------------- */
/* Properties of the command on which the filter depends. filter.c compiles the table of rules to a
 * seccomp filter. */

typedef struct FilterTerms {
    SandboxNames names;
    bool preserves;      /* true if the user gave --preserve */
    mode_t special_bits; /* bits such as setuid that permissions of results may have */
} FilterTerms;

/* Installs the filter for all threads. It cannot be removed, and the process cannot gain privileges
 * any more (no_new_privs). If the system denies it, returns false and sets *reason to a text that
 * says why. */
bool filter_install(const FilterTerms *terms, const char **reason);

#endif
