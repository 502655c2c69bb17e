/* Private: which system calls are left, as a table. */
#ifndef IMGTOOL_APP_SANDBOX_RULES_H
#define IMGTOOL_APP_SANDBOX_RULES_H

#include <stdint.h>

/* Of an argument, whose number is `argument`. */
typedef enum ConditionKind {
    CONDITION_NONE,    /* ends the list */
    CONDITION_IS,      /* its low 32 bits are `value`, as of what the system takes for an int */
    CONDITION_FLAGS,   /* the same of flags of open, O_LARGEFILE aside */
    CONDITION_NO_BITS, /* none of these is set in its low 32 bits */
    CONDITION_NULL,
    CONDITION_NAME,     /* points at a name of that use, an ImgNameUse */
    CONDITION_ANY_NAME, /* points at a name */
    CONDITION_ABOVE,    /* an address above all names, so that a range from there holds none */
    CONDITION_SELF,     /* the number of this process */
    CONDITION_MODE,     /* permissions; further bits only as a file had them that is read or kept */
} ConditionKind;

/* The system's O_LARGEFILE, which on processors of 64 bits means nothing. C libraries define
 * theirs as 0, but for musl's on aarch64, where each open has it. */
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

/* The call is allowed if all conditions hold; of several rules for one call one must allow it. */
typedef struct Rule {
    int number;         /* of the call on this processor */
    int only_preserved; /* only with --preserve */
    Condition conditions[CONDITIONS_MOST];
} Rule;

/* The last one's number is -1. */
extern const Rule sandbox_rules[];

/* AUDIT_ARCH_... of this processor; 0: there are no rules for it. */
extern const uint32_t sandbox_processor;

#endif
