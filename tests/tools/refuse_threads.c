/* Loaded before the C library (LD_PRELOAD), it refuses threads as a system with too many does:
 * REFUSE_THREADS=N the Nth that the process asks for, N- that and all after it. With
 * REFUSE_LOG=FILE a line goes there for each refusal. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef int CreateFunction(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void log_refusal(void)
{
    const char *path = getenv("REFUSE_LOG");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL)
        return;
    fputs("refused\n", file);
    (void)fclose(file);
}

/* Takes the place of the C library's function under a name that has no declaration yet. */
CreateFunction create_or_refuse __asm__("pthread_create");

int create_or_refuse(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                     void *argument)
{
    static atomic_long asked;
    const char *text = getenv("REFUSE_THREADS");
    char *end = NULL;
    long refused = text != NULL ? strtol(text, &end, 10) : 0;
    long number = atomic_fetch_add(&asked, 1) + 1;
    if (refused > 0 && (number == refused || (*end == '-' && number > refused))) {
        log_refusal();
        return EAGAIN;
    }
    /* Functions and what dlsym gives have no type in common in C. */
    CreateFunction *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, run, argument);
}
