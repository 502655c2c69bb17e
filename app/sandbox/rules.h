/* Private to app/sandbox: the table of permitted system calls, and the filter that enforces it. */
#ifndef IMGTOOL_APP_SANDBOX_RULES_H
#define IMGTOOL_APP_SANDBOX_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/sandbox/names.h"

/* --- The table -------------------------------------------------------------------------------- */

/* Kind of a condition on one argument of a system call. */
typedef enum ConditionKind {
    CONDITION_NONE, /* ends the list */
    CONDITION_IS,   /* the low 32 bits equal `value`, as for an int */
    /* the low 32 bits equal `value` apart from O_LARGEFILE, for the flags of open */
    CONDITION_FLAGS,
    CONDITION_NO_BITS, /* none of the bits of `value` is set in the low 32 bits */
    CONDITION_NULL,
    CONDITION_NAME,     /* points to a name of the use `value`, an ImgNameUse */
    CONDITION_ANY_NAME, /* points to a name of any use */
    /* an address above all names, so that memory from there on contains no name */
    CONDITION_ABOVE,
    CONDITION_SELF, /* the id of this process */
    /* permission bits. Bits such as setuid are allowed only if an input or a kept file has them */
    CONDITION_MODE,
} ConditionKind;

/* The kernel's O_LARGEFILE, which has no effect on 64-bit processors. C libraries define it as 0,
 * except musl on aarch64, which sets it in each open. */
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

/* A rule allows a system call if all its conditions hold. If a call has several rules, one of them
 * is enough. */
typedef struct Rule {
    int number;         /* number of the system call on this processor */
    int only_preserved; /* 1: the rule applies only with --preserve */
    Condition conditions[CONDITIONS_MOST];
} Rule;

/* The table of all rules. It ends with a rule of number -1. */
extern const Rule sandbox_rules[];

/* AUDIT_ARCH_... of this processor; 0: there are no rules for it. */
extern const uint32_t sandbox_processor;

/* --- The filter: filter.c --------------------------------------------------------------------- */
/* Compiles the table to a seccomp filter and installs it. */

typedef struct FilterTerms {
    SandboxNames names;
    bool preserves;      /* true if the command line has --preserve */
    mode_t special_bits; /* bits such as setuid that permissions of results may have */
} FilterTerms;

/* Installs the filter for all threads, permanently and with no_new_privs. Returns false if the
 * system denies it, and then sets *reason. */
bool filter_install(const FilterTerms *terms, const char **reason);

#endif
