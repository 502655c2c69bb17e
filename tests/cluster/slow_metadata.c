/* Simulates a remote file system; loaded with LD_PRELOAD. Each call about the name or attributes of
 * a file below SLOW_BELOW takes SLOW_MICROSECONDS longer, like a request to a server.
 * Reading, writing, closing and fstat on an open file are not slower. With SLOW_NO_LOCKS, flock
 * always succeeds, as if each machine had its own locks.
 * When the program ends, it appends the number of calls of each kind to the file SLOW_COUNTS, one
 * kind per line. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CALLS(call)                                                                                \
    call(open) call(create) call(stat) call(lstat) call(rename) call(unlink) call(mkdir)           \
        call(access) call(readlink) call(utimens) call(opendir) call(flock) call(sync)

#define NUMBER(name) CALL_##name,
enum { CALLS(NUMBER) CALL_COUNT };
#undef NUMBER

static const char *const names[] = {
#define NAME(name) #name,
    CALLS(NAME)
#undef NAME
};

static atomic_long counts[CALL_COUNT];

static void wait_for_server(int call)
{
    const char *microseconds = getenv("SLOW_MICROSECONDS");
    long left = microseconds != NULL ? atol(microseconds) : 0;
    struct timespec pause = {left / 1000000, left % 1000000 * 1000};
    counts[call]++;
    if (left > 0)
        nanosleep(&pause, NULL);
}

/* Returns true if the path is below SLOW_BELOW. Every relative path counts as below it, because the
 * tests run in that directory. */
static bool is_far(const char *path)
{
    const char *below = getenv("SLOW_BELOW");
    return below != NULL && path != NULL &&
           (path[0] != '/' || strncmp(path, below, strlen(below)) == 0);
}

static void call(int number, const char *path)
{
    if (is_far(path))
        wait_for_server(number);
}

/* The C library names the parameters of these functions with leading underscores.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("SLOW_COUNTS");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    for (int i = 0; file != NULL && i < CALL_COUNT; i++)
        if (counts[i] > 0)
            fprintf(file, "%s %ld\n", names[i], (long)counts[i]);
    if (file != NULL)
        fclose(file);
}

/* The C library's own `name`: the next definition after this one in the order of the loader. */
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

#define MODE(flags)                                                                                \
    mode_t mode = 0;                                                                               \
    if (((flags)&O_CREAT) != 0) {                                                                  \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode = va_arg(rest, mode_t);                                                               \
        va_end(rest);                                                                              \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    call((flags & O_CREAT) != 0 ? CALL_create : CALL_open, path);
    return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags)
    call((flags & O_CREAT) != 0 ? CALL_create : CALL_open, path);
    return REAL(open64)(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
    MODE(flags)
    call((flags & O_CREAT) != 0 ? CALL_create : CALL_open, path);
    return REAL(openat)(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    MODE(flags)
    call((flags & O_CREAT) != 0 ? CALL_create : CALL_open, path);
    return REAL(openat64)(directory, path, flags, mode);
}

#define WITH_STAT(name, number)                                                                    \
    int name(const char *path, struct stat *info)                                                  \
    {                                                                                              \
        call(number, path);                                                                        \
        return REAL(name)(path, info);                                                             \
    }
WITH_STAT(stat, CALL_stat)
WITH_STAT(lstat, CALL_lstat)

#define WITH_STAT64(name, number)                                                                  \
    int name(const char *path, struct stat64 *info)                                                \
    {                                                                                              \
        call(number, path);                                                                        \
        return REAL(name)(path, info);                                                             \
    }
WITH_STAT64(stat64, CALL_stat)
WITH_STAT64(lstat64, CALL_lstat)

int rename(const char *from, const char *to)
{
    call(CALL_rename, to);
    return REAL(rename)(from, to);
}

int unlink(const char *path)
{
    call(CALL_unlink, path);
    return REAL(unlink)(path);
}

int unlinkat(int directory, const char *path, int flags)
{
    call(CALL_unlink, path);
    return REAL(unlinkat)(directory, path, flags);
}

int mkdir(const char *path, mode_t mode)
{
    call(CALL_mkdir, path);
    return REAL(mkdir)(path, mode);
}

int access(const char *path, int mode)
{
    call(CALL_access, path);
    return REAL(access)(path, mode);
}

int faccessat(int directory, const char *path, int mode, int flags)
{
    call(CALL_access, path);
    return REAL(faccessat)(directory, path, mode, flags);
}

ssize_t readlink(const char *path, char *buffer, size_t size)
{
    call(CALL_readlink, path);
    return REAL(readlink)(path, buffer, size);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    call(CALL_utimens, path);
    return REAL(utimensat)(directory, path, times, flags);
}

DIR *opendir(const char *path)
{
    call(CALL_opendir, path);
    return REAL(opendir)(path);
}

/* Delays every lock, because a file server answers lock requests over the network too. With
 * SLOW_NO_LOCKS the lock succeeds at once, as on a server whose locks other machines do not see. */
int flock(int fd, int operation)
{
    if (getenv("SLOW_BELOW") != NULL)
        wait_for_server(CALL_flock);
    if (getenv("SLOW_NO_LOCKS") != NULL)
        return 0;
    return REAL(flock)(fd, operation);
}

#define WITH_SYNC(name)                                                                            \
    int name(int fd)                                                                               \
    {                                                                                              \
        if (getenv("SLOW_BELOW") != NULL)                                                          \
            wait_for_server(CALL_sync);                                                            \
        return REAL(name)(fd);                                                                     \
    }
WITH_SYNC(fsync)
WITH_SYNC(fdatasync)

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
