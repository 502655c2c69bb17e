/* System calls that are tried with and without the sandbox. */
#ifndef IMGTOOL_TESTS_SANDBOX_TRIALS_H
#define IMGTOOL_TESTS_SANDBOX_TRIALS_H

#include <stdbool.h>

#include "kernels/core/store.h"

/* The files of a trial. The command reads `input` and writes `temporary`, and may use the names
 * below. "other.txt" in the same directory belongs to another program. */
typedef struct Ground {
    /* the file that the command reads; the path of a look-up table, as sandbox_find returned it */
    const char *input, *table;
    const char *temporary, *target, *backup;
    ImgStorePlace scratch; /* place of temporary files without names */
    const char *copied;    /* temporary name of a backup until the backup is complete */
    int other; /* descriptor of other.txt, opened for reading before the sandbox was entered */
} Ground;

typedef struct Trial {
    const char *name;
    /* Makes the call and returns its result. After a failure the result is negative and errno has
     * the reason. */
    long (*call)(const Ground *ground);
    int expected; /* expected errno in the sandbox; 0 if the call must be allowed */
    /* true if, on some systems, the call fails with the same errno without the sandbox too */
    bool fails_anyway;
} Trial;

/* Lists of trials. The last element of each list has no name. */
extern const Trial trials_of_files[], trials_of_processes[], trials_of_memory[], trials_of_system[],
    trials_allowed[];

#endif
