/* Replaces library functions that can fail: those that allocate memory, also for other libraries,
 * and those that start a thread or a process. Allocations inside glibc and sanitizers (asprintf,
 * getline, opendir, open_memstream, fopen) come through here, too. strdup is replaced because the
 * strdup of AddressSanitizer calls none of these functions. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): others declare them */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Finds the next definition of a function in the order of the loader, at the first use. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (next == NULL)                                                                              \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

static int refused(void)
{
    int code = inject_decide(INJECT_MEMORY, 0);
    if (code != 0)
        errno = code;
    return code;
}

void *malloc(size_t size)
{
    NEXT(malloc);
    return refused() ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    NEXT(calloc);
    return refused() ? NULL : next(count, size);
}

void *realloc(void *old, size_t size)
{
    NEXT(realloc);
    return refused() ? NULL : next(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    NEXT(aligned_alloc);
    return refused() ? NULL : next(alignment, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    NEXT(memalign);
    return refused() ? NULL : next(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    NEXT(posix_memalign);
    int code = inject_decide(INJECT_MEMORY, 0);
    return code != 0 ? code : next(memory, alignment, size);
}

char *strndup(const char *text, size_t most)
{
    size_t size = strnlen(text, most);
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

char *strdup(const char *text)
{
    return strndup(text, strlen(text));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *context)
{
    NEXT(pthread_create);
    int code = inject_decide(INJECT_THREAD, 0);
    return code != 0 ? code : next(thread, attributes, start, context);
}

/* A sanitizer calls this function when a thread begins, and ends the program if it fails. So no
 * allocation in it may fail. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    inject_leave_alone(1);
    NEXT(pthread_getattr_np);
    const int code = next(thread, attributes);
    inject_leave_alone(0);
    return code;
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const words[], char *const environment[])
{
    NEXT(posix_spawn);
    int code = inject_decide(INJECT_SPAWN, 0);
    return code != 0 ? code : next(child, path, actions, attributes, words, environment);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
