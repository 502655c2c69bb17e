/* System calls that are tried with and without the sandbox. */
#ifndef IMGTOOL_TESTS_SANDBOX_TRIALS_H
#define IMGTOOL_TESTS_SANDBOX_TRIALS_H

#include <stdbool.h>

/* The files of a trial. The command reads one and writes another, and may use their names.
 * "other.txt" beside them belongs to another program. */
typedef struct Ground {
    /* input: the file that the command reads; table: the path that sandbox_find returned */
    const char *input, *table;
    const char *temporary, *target, *backup;
    const char *copied; /* temporary name of a backup until the backup is complete */
    int other;          /* descriptor of other.txt, opened for reading before the sandbox */
} Ground;

typedef struct Trial {
    const char *name;
    /* Makes the call and returns its result. A negative value means failure; the reason is in
     * errno. */
    long (*call)(const Ground *ground);
    int expected; /* expected errno in the sandbox; 0: the call must be allowed */
    /* on some systems the call fails without the sandbox too, with the same errno */
    bool fails_anyway;
} Trial;

/* Lists of trials. The last element of each list has no name. */
extern const Trial trials_of_files[], trials_of_processes[], trials_of_memory[], trials_of_system[],
    trials_allowed[];

#endif
