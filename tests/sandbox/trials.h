/* System calls that are tried with the sandbox and without. */
#ifndef IMGTOOL_TESTS_SANDBOX_TRIALS_H
#define IMGTOOL_TESTS_SANDBOX_TRIALS_H

#include <stdbool.h>

/* What a trial has: a command that reads one file and writes another. Names are those that may be
 * used; "other.txt" is a file of somebody else, beside them. */
typedef struct Ground {
    const char *input, *table; /* read; `table` by sandbox_find */
    const char *temporary, *target, *backup;
    const char *copied; /* what a backup is called until it is complete */
    int other;          /* other.txt, open for reading since before */
} Ground;

typedef struct Trial {
    const char *name;
    /* The result of the call, as a system call gives it: negative is an error, of errno. */
    long (*call)(const Ground *ground);
    int expected;      /* errno in the sandbox; 0: it must be allowed */
    bool fails_anyway; /* without the sandbox as well, of some systems, with the same errno */
} Trial;

/* Each list ends with a trial that has no name. */
extern const Trial trials_of_files[], trials_of_processes[], trials_of_memory[], trials_of_system[],
    trials_allowed[];

#endif
