/* The data that driver and shim exchange: one structure in a file that both map, so that it
 * survives however the program ends. For Linux on x86-64 with glibc 2.34 or later. */
#ifndef IMGTOOL_TESTS_INJECT_SHIM_H
#define IMGTOOL_TESTS_INJECT_SHIM_H

#include <stdatomic.h>

/* Numbers of calls. System calls have their own numbers; functions of libraries follow. */
enum {
    INJECT_SYSTEM_CALLS = 512,
    INJECT_MEMORY = INJECT_SYSTEM_CALLS, /* malloc and other functions that allocate memory */
    INJECT_THREAD,                       /* pthread_create */
    INJECT_SPAWN,                        /* posix_spawn */
    INJECT_CALLS,
};

/* Codes in place of an errno. SHORT: the call does part of its work, as read and write may. LIE: it
 * does nothing and reports success, as if the program had overlooked a failure. */
enum { INJECT_SHORT = -1, INJECT_LIE = -2 };

/* Environment variables: the path of the shared file, and the name, without its directory, of the
 * program whose calls count. */
#define INJECT_FILE    "INJECT_FILE"
#define INJECT_PROGRAM "INJECT_PROGRAM"

typedef struct InjectShared {
    /* Input: calls number `first` (from 1) to first + count - 1 of `call` fail with `code`. */
    int call, code;
    unsigned first, count;
    int trace; /* print the origin of the call to standard error */
    /* Output. */
    atomic_uint began; /* main was reached */
    atomic_uint injected;
    atomic_int descriptor; /* first argument of the call that failed last */
    /* the failed call was an fsync, or a close after an unsynchronised write: bytes may be lost,
     * and the program must report that */
    atomic_int lost;
    atomic_uint calls[INJECT_CALLS];
} InjectShared;

/* Counts a call. Returns 0, or the code with which the call must fail. `first` is its first
 * argument. */
int inject_decide(int call, long first);

/* While `alone` is true, calls of this thread are neither counted nor made to fail. */
void inject_leave_alone(_Bool alone);

/* Notes that the failed call was the last one that could report lost bytes. */
void inject_note_lost(void);

/* Routes the system calls of the C library to inject_decide. Returns false if this system does not
 * allow it. */
_Bool inject_catch_calls(void);

#endif
