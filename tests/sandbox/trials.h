/* System calls that are tried with and without the sandbox. */
#ifndef IMGTOOL_TESTS_SANDBOX_TRIALS_H
#define IMGTOOL_TESTS_SANDBOX_TRIALS_H

#include <stdbool.h>

/* Files of a trial: a command that reads one file and writes another. These names may be used;
 * "other.txt" beside them belongs to another program. */
typedef struct Ground {
    /* input: read by the command; table: path returned by sandbox_find */
    const char *input, *table;
    const char *temporary, *target, *backup;
    const char *copied; /* name of a backup until it is complete */
    int other;          /* other.txt, opened for reading before the sandbox */
} Ground;

typedef struct Trial {
    const char *name;
    /* Makes the call and returns its result; a negative value is an error in errno. */
    long (*call)(const Ground *ground);
    int expected;      /* errno in the sandbox; 0: it must be allowed */
    bool fails_anyway; /* on some systems it fails without the sandbox too, with the same errno */
} Trial;

/* The last trial of each list has no name. */
extern const Trial trials_of_files[], trials_of_processes[], trials_of_memory[], trials_of_system[],
    trials_allowed[];

#endif
