/* What the driver asks of the shim, and what it hears back: one structure in a file that both map,
 * so that it is whole however the program ends. For Linux on x86-64 and glibc from 2.34 on. */
#ifndef IMGTOOL_TESTS_INJECT_SHIM_H
#define IMGTOOL_TESTS_INJECT_SHIM_H

#include <stdatomic.h>

/* System calls by their numbers, and after them functions of libraries. */
enum {
    INJECT_SYSTEM_CALLS = 512,
    INJECT_MEMORY = INJECT_SYSTEM_CALLS, /* malloc and whatever else gives memory */
    INJECT_THREAD,                       /* pthread_create */
    INJECT_SPAWN,                        /* posix_spawn */
    INJECT_CALLS,
};

/* Instead of an errno: the call does part of its work, as read and write may; or it does nothing
 * and says that it did, as if the program had overlooked a failure. */
enum { INJECT_SHORT = -1, INJECT_LIE = -2 };

/* Names of environment variables: the file; the program whose calls count, without its directory.
 */
#define INJECT_FILE    "INJECT_FILE"
#define INJECT_PROGRAM "INJECT_PROGRAM"

typedef struct InjectShared {
    /* Asked: calls number `first` (from 1) to first + count - 1 of `call` fail with `code`. */
    int call, code;
    unsigned first, count;
    int trace; /* where the call came from is written to standard error */
    /* Heard. */
    atomic_uint began; /* main was reached */
    atomic_uint injected;
    atomic_int descriptor; /* the first argument of the call that failed last */
    atomic_int lost;       /* it was an fsync, or a close of what was written and not synchronised:
                            * bytes may be lost, and somebody has to be told */
    atomic_uint calls[INJECT_CALLS];
} InjectShared;

/* 0, or what the call has to fail with; counts it. `first`: its first argument. */
int inject_decide(int call, long first);

/* Whether calls of this thread are neither counted nor fail. */
void inject_leave_alone(_Bool alone);

/* Says that what failed was the last chance to hear that bytes are lost. */
void inject_note_lost(void);

/* From now on the system calls of the C library end up in inject_decide. False: impossible here. */
_Bool inject_catch_calls(void);

#endif
