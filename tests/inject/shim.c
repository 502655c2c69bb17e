/* A library for LD_PRELOAD. Before main starts, it begins to count calls and to decide which of
 * them fails. */
/* NOLINTBEGIN(bugprone-reserved-identifier): these are names of the C library */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* NULL if no calls are counted, so that none fails */
static InjectShared *shared;
static _Thread_local int busy;

static void trace(void)
{
    void *from[64];
    busy = 1;
    int count = backtrace(from, sizeof from / sizeof *from);
    backtrace_symbols_fd(from, count, STDERR_FILENO);
    busy = 0;
}

int inject_decide(int call, long first)
{
    if (shared == NULL || busy)
        return 0;
    unsigned number = 1 + atomic_fetch_add(&shared->calls[call], 1);
    if (call != shared->call || number < shared->first || number - shared->first >= shared->count)
        return 0;
    /* If the disk stays full, standard error must still work, because the program must report the
     * failure. */
    if (shared->count > 1 && call < INJECT_SYSTEM_CALLS && first == STDERR_FILENO)
        return 0;
    atomic_fetch_add(&shared->injected, 1);
    atomic_store(&shared->descriptor, call < INJECT_SYSTEM_CALLS ? (int)first : -1);
    if (shared->trace)
        trace();
    return shared->code;
}

_Bool inject_refuses_open(long flags)
{
    return shared != NULL && shared->without_unnamed && (flags & O_TMPFILE) == O_TMPFILE;
}

void inject_leave_alone(_Bool alone)
{
    busy = alone;
}

void inject_note_lost(void)
{
    atomic_store(&shared->lost, 1);
}

static InjectShared *map_shared(void)
{
    const char *path = getenv(INJECT_FILE), *program = getenv(INJECT_PROGRAM);
    if (path == NULL || program == NULL || strcmp(program, program_invocation_short_name) != 0)
        return NULL;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *memory = fd >= 0 ? mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                           : MAP_FAILED;
    if (fd >= 0)
        (void)close(fd);
    return memory != MAP_FAILED ? memory : NULL;
}

/* The C library calls main through __libc_start_main, which this file replaces. */
typedef int Main(int, char **, char **);
typedef int StartMain(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
StartMain __libc_start_main;
static Main *real_main;

/* Starts to count calls just before main. Failures before main would concern the loader and not the
 * program. */
static int enter_main(int argc, char **argv, char **environment)
{
    InjectShared *mapped = map_shared();
    if (mapped != NULL) {
        /* With LD_PRELOAD set, imgtool would not use its sandbox. */
        (void)unsetenv("LD_PRELOAD");
        /* The first call of backtrace loads a library, so it is made before calls are counted. */
        void *warm[1];
        if (mapped->trace)
            (void)backtrace(warm, 1);
        if (!inject_catch_calls()) {
            fputs("inject: system calls cannot be caught here\n", stderr);
            _Exit(77);
        }
        atomic_store(&mapped->began, 1);
        shared = mapped;
    }
    return real_main(argc, argv, environment);
}

int __libc_start_main(Main *start, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    StartMain *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    return next(enter_main, argc, argv, init, fini, rtld_fini, stack_end);
}
/* NOLINTEND(bugprone-reserved-identifier) */
