/* Makes allocations fail. Loaded with LD_PRELOAD, for glibc. The allocations of each process are
 * numbered from 0.
 *     FAIL_FROM      number of the first allocation that fails
 *     FAIL_COUNT     number of allocations that fail; if unset, all later ones fail
 *     FAIL_TELL      descriptor to which each process writes its number of allocations at its end
 *     FAIL_IN_MAIN   if set, allocations before main succeed and are not counted
 *     FAIL_MARK      file that is made when main begins, so a missing file means an earlier end */
/* NOLINTBEGIN: these are names of the C library */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static atomic_bool in_main;

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoul(text, NULL, 10);
}

/* The type of the glibc function that calls main. */
typedef int StartMain(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);
StartMain __libc_start_main;
static int (*real_main)(int, char **, char **);

static int enter_main(int argc, char **argv, char **environment)
{
    const char *mark = getenv("FAIL_MARK");
    if (mark != NULL)
        (void)close(open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    atomic_store(&in_main, true);
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end)
{
    StartMain *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    return next(enter_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static bool fails(void)
{
    if (!atomic_load(&in_main) && getenv("FAIL_IN_MAIN") != NULL)
        return false;
    unsigned long from = number_of("FAIL_FROM", ULONG_MAX), call = atomic_fetch_add(&calls, 1);
    if (call < from || call - from >= number_of("FAIL_COUNT", ULONG_MAX))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *found = memalign(alignment, size);
    if (found == NULL)
        return ENOMEM;
    *memory = found;
    return 0;
}

__attribute__((destructor)) static void tell(void)
{
    char text[32];
    unsigned long descriptor = number_of("FAIL_TELL", 0);
    if (descriptor == 0)
        return;
    int length = snprintf(text, sizeof text, "%lu\n", atomic_load(&calls));
    (void)!write((int)descriptor, text, (size_t)length);
}
/* NOLINTEND */
