/* Actions of a command that the sandbox must allow. Each trial returns 0 if all its calls
 * succeed. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "app/sandbox/rules.h"
#include "kernels/core/store.h"
#include "tests/sandbox/trials.h"

/* Ends a trial as failed, with the current errno, unless the condition holds. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return -1;                                                                             \
    } while (0)

static long read_input(const Ground *g)
{
    char text[16];
    struct stat info;
    const int fd = open(g->input, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    MUST(fd >= 0 && fstat(fd, &info) == 0 && info.st_size == 5 && isatty(fd) == 0);
    MUST(read(fd, text, sizeof text) == 5 && memcmp(text, "input", 5) == 0);
    MUST(lseek(fd, 0, SEEK_SET) == 0 && close(fd) == 0);
    return stat(g->input, &info);
}

static long read_by_a_stream(const Ground *g)
{
    char text[16];
    FILE *file = fopen(g->table, "re");
    MUST(file != NULL && fgets(text, sizeof text, file) != NULL && strcmp(text, "table") == 0);
    return fclose(file);
}

/* Opens files with the flag for large files that musl passes on aarch64. */
static long open_large_files(const Ground *g)
{
    const int from = (int)syscall(SYS_openat, AT_FDCWD, g->input,
                                  O_RDONLY | O_CLOEXEC | O_NOCTTY | SANDBOX_LARGE_FILE);
    MUST(from >= 0 && close(from) == 0);
    const unsigned flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY | SANDBOX_LARGE_FILE;
    const int to = (int)syscall(SYS_openat, AT_FDCWD, g->temporary, flags, 0600);
    MUST(to >= 0 && close(to) == 0);
    return unlink(g->temporary);
}

static int create(const Ground *g)
{
    return open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
}

static long write_result(const Ground *g)
{
    struct stat info;
    const int fd = create(g), claim = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
    MUST(fd >= 0 && claim >= 0 && write(fd, "a longer attempt", 16) == 16);
    MUST(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    MUST(write(fd, "result", 6) == 6 && fsync(fd) == 0 && close(fd) == 0);
    MUST(lstat(g->target, &info) == 0 && info.st_size == 3);
    MUST(rename(g->temporary, g->target) == 0 && close(claim) == 0);
    MUST(stat(g->target, &info) == 0 && info.st_size == 6);
    return 0;
}

static long exchange_result(const Ground *g)
{
    struct stat info;
    const int fd = create(g), old = open(g->target, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    MUST(fd >= 0 && write(fd, "result", 6) == 6 && close(fd) == 0 && old >= 0);
    MUST(fcntl(old, F_SETSIG, SIGURG) == 0);
    if (fcntl(old, F_SETLEASE, F_RDLCK) == 0)
        MUST(fcntl(old, F_GETLEASE) == F_RDLCK);
    else
        MUST(errno != EPERM);
    MUST(renameat2(AT_FDCWD, g->temporary, AT_FDCWD, g->target, RENAME_EXCHANGE) == 0 ||
         errno == EINVAL);
    MUST(lstat(g->temporary, &info) == 0 && close(old) == 0);
    return unlink(g->temporary);
}

static long discard_result(const Ground *g)
{
    const int fd = create(g);
    MUST(fd >= 0 && close(fd) == 0);
    return unlink(g->temporary);
}

static long discard_in_a_handler(const Ground *g)
{
    const int fd = create(g);
    MUST(fd >= 0 && close(fd) == 0);
    return unlinkat(AT_FDCWD, g->temporary, 0);
}

static long keep_backup(const Ground *g)
{
    struct stat one, other;
    MUST(link(g->target, g->backup) == 0);
    MUST(lstat(g->backup, &one) == 0 && lstat(g->target, &other) == 0 &&
         one.st_ino == other.st_ino);
    return unlink(g->backup);
}

static int create_copy(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static long copy_backup(const Ground *g)
{
    char text[8];
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    const int from = open(g->target, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    const int to = create_copy(g->copied);
    MUST(from >= 0 && to >= 0 && read(from, text, sizeof text) == 3 && write(to, text, 3) == 3);
    MUST(chown(g->copied, (uid_t)-1, (gid_t)-1) == 0 && chmod(g->copied, 0640) == 0);
    MUST(utimensat(AT_FDCWD, g->copied, times, 0) == 0);
    return renameat2(AT_FDCWD, g->copied, AT_FDCWD, g->backup, RENAME_NOREPLACE);
}

/* Completes a backup with a plain rename onto a name that an empty file reserves. imgtool does so
 * where the system has no rename that refuses to replace an existing file. */
static long copy_backup_to_reserved(const Ground *g)
{
    MUST(close(create_copy(g->copied)) == 0 && close(create_copy(g->backup)) == 0);
    MUST(rename(g->copied, g->backup) == 0);
    return unlink(g->backup);
}

static long preserve(const Ground *g)
{
    char names[64];
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    const int fd = create(g);
    MUST(fd >= 0);
    MUST(listxattr(g->input, names, sizeof names) >= 0 || errno == ENOTSUP);
    MUST(setxattr(g->temporary, "user.x", "1", 1, 0) == 0 || errno == ENOTSUP || errno == ENOSPC);
    MUST(chown(g->temporary, (uid_t)-1, (gid_t)-1) == 0 && chmod(g->temporary, 0644) == 0);
    return utimensat(AT_FDCWD, g->temporary, times, 0);
}

static void *work(void *argument)
{
    char *memory = malloc(1 << 20); /* memory of the thread's own heap */
    if (memory != NULL)
        memset(memory, 1, 1 << 20);
    free(memory);
    *(int *)argument = memory != NULL;
    return NULL;
}

static long start_threads(const Ground *g)
{
    enum { COUNT = 8 };
    pthread_t threads[COUNT];
    int worked[COUNT] = {0};
    (void)g;
    for (int i = 0; i < COUNT; i++)
        MUST((errno = pthread_create(&threads[i], NULL, work, &worked[i])) == 0);
    for (int i = 0; i < COUNT; i++)
        MUST(pthread_join(threads[i], NULL) == 0 && worked[i]);
    return 0;
}

static long wait_for_a_time(const Ground *g)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    (void)g;
    MUST(clock_gettime(CLOCK_REALTIME, &until) == 0);
    pthread_mutex_lock(&mutex);
    MUST(pthread_cond_timedwait(&never, &mutex, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return usleep(1);
}

static long use_memory(const Ground *g)
{
    enum { MEBIBYTE = 1 << 20 };
    (void)g;
    char *memory = malloc(MEBIBYTE);
    MUST(memory != NULL);
    /* the kernel moves the memory to another address */
    char *more = realloc(memory, (size_t)64 * MEBIBYTE);
    if (more == NULL) {
        free(memory);
        return -1;
    }
    memset(more, 1, (size_t)64 * MEBIBYTE);
    free(more);
    void *map = mmap(NULL, MEBIBYTE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(map != MAP_FAILED && mprotect(map, MEBIBYTE, PROT_READ | PROT_WRITE) == 0);
    MUST(madvise(map, MEBIBYTE, MADV_HUGEPAGE) == 0 || errno == EINVAL);
    return munmap(map, MEBIBYTE);
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
    handled = number;
}

static long signal_itself(const Ground *g)
{
    (void)g;
    MUST(signal(SIGUSR1, handle) != SIG_ERR && raise(SIGUSR1) == 0);
    return handled == SIGUSR1 ? 0 : -1;
}

static long ask_terminal(const Ground *g)
{
    struct winsize size;
    (void)g;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 || errno == ENOTTY ? 0 : -1;
}

/* Calls TCGETS2 with 44 bytes, as isatty of the GNU C library does since version 2.42. */
static long ask_terminal_by_tcgets2(const Ground *g)
{
    uint32_t answer[11];
    (void)g;
    return ioctl(STDOUT_FILENO, 0x802C542A, answer) == 0 || errno == ENOTTY ? 0 : -1;
}

/* Uses a picture in a temporary file, as a command does if memory is short. */
static long use_store(const Ground *g)
{
    ImgStore *store;
    void *memory;
    ImgError err = {IMG_OK, ""};
    if (img_store_create(&g->scratch, 1, &store, &err) != IMG_OK)
        return -1;
    const ImgStatus status = img_store_alloc(store, 1 << 20, &memory, &err);
    const bool works =
        status == IMG_OK &&
        img_store_write(store, memory, "picture", sizeof "picture", &err) == IMG_OK &&
        strcmp(memory, "picture") == 0;
    img_store_free(store);
    return works ? 0 : -1;
}

/* Creates a file and removes its name, as a store does where there are no files without names. */
static long use_store_with_names(const Ground *g)
{
    const char *path = g->scratch.file != NULL ? g->scratch.file : "unnamed.tmp";
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    MUST(fd >= 0 && unlink(path) == 0 && write(fd, "picture", 7) == 7);
    return close(fd);
}

const Trial trials_allowed[] = {
    {"read the input", read_input, 0, false},
    {"open with O_LARGEFILE", open_large_files, 0, false},
    {"read a file that steps name", read_by_a_stream, 0, false},
    {"write the result", write_result, 0, false},
    {"exchange the result and the file that was read", exchange_result, 0, false},
    {"discard the result", discard_result, 0, false},
    {"discard the result in a handler", discard_in_a_handler, 0, false},
    {"keep a backup by a link", keep_backup, 0, false},
    {"keep a backup by a copy", copy_backup, 0, false},
    {"keep a backup by a copy, without renameat2", copy_backup_to_reserved, 0, false},
    {"preserve times and permissions", preserve, 0, false},
    {"a picture in a temporary file", use_store, 0, false},
    {"a picture in a temporary file that had a name", use_store_with_names, 0, false},
    {"threads", start_threads, 0, false},
    {"wait", wait_for_a_time, 0, false},
    {"memory", use_memory, 0, false},
    {"signal itself", signal_itself, 0, false},
    {"ask about the terminal", ask_terminal, 0, false},
    {"ask about the terminal by TCGETS2", ask_terminal_by_tcgets2, 0, false},
    {.name = NULL},
};
