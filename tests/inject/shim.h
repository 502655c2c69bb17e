/* Data that the driver exchanges with the library for LD_PRELOAD (the shim). Both map the same
 * file, so the data survive any end of the program. For Linux on x86-64 with glibc 2.34 or
 * later. */
#ifndef IMGTOOL_TESTS_INJECT_SHIM_H
#define IMGTOOL_TESTS_INJECT_SHIM_H

#include <stdatomic.h>

/* Numbers of the kinds of calls. System calls have their own numbers. Functions of libraries have
 * the numbers after them. */
enum {
    INJECT_SYSTEM_CALLS = 512,
    INJECT_MEMORY = INJECT_SYSTEM_CALLS, /* malloc and other functions that allocate memory */
    INJECT_THREAD,                       /* calls of pthread_create */
    INJECT_SPAWN,                        /* calls of posix_spawn */
    INJECT_CALLS,
};

/* Codes in place of an errno. With INJECT_SHORT the call does a part of its work, as read and write
 * may. With INJECT_LIE it does nothing and reports success, as if the program had overlooked a
 * failure. */
enum { INJECT_SHORT = -1, INJECT_LIE = -2 };

/* Environment variables. INJECT_FILE is the path of the shared file. INJECT_PROGRAM is the name,
 * without its directory, of the program whose calls count. */
#define INJECT_FILE    "INJECT_FILE"
#define INJECT_PROGRAM "INJECT_PROGRAM"

typedef struct InjectShared {
    /* Set by the driver. The calls of kind `call` with the numbers `first` to first + count - 1,
     * counted from 1, fail with `code`. */
    int call, code;
    unsigned first, count;
    /* if not 0, openat does not support O_TMPFILE, as in some file systems */
    int without_unnamed;
    /* if not 0, the origin of the failing call is printed to standard error */
    int trace;
    /* Set by the library. */
    atomic_uint began; /* not 0 if main was reached */
    atomic_uint injected;
    atomic_int descriptor; /* first argument of the call that failed last */
    /* not 0 if the failed call was an fsync, or a close after an unsynchronised write; bytes may be
     * lost then, and the program must report that */
    atomic_int lost;
    atomic_uint calls[INJECT_CALLS];
} InjectShared;

/* Counts a call of kind `call`, whose first argument is `first`. Returns 0, or the code with which
 * the call must fail. */
int inject_decide(int call, long first);

/* Returns whether openat with these flags must fail with EOPNOTSUPP. Such a call is not counted. */
_Bool inject_refuses_open(long flags);

/* After inject_leave_alone(1), calls of this thread are neither counted nor made to fail, until
 * inject_leave_alone(0). */
void inject_leave_alone(_Bool alone);

/* Records that the failed call was the last one that could have reported lost bytes. */
void inject_note_lost(void);

/* Passes all system calls of the C library to inject_decide. Returns false if this system does not
 * allow that. */
_Bool inject_catch_calls(void);

#endif
