/* Refuses to create threads, as an overloaded system does; loaded with LD_PRELOAD. REFUSE_THREADS=N
 * refuses the Nth thread that the process creates. REFUSE_THREADS=N- also refuses all later
 * threads. With REFUSE_LOG=FILE each refusal appends a line to FILE. */
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

/* Replaces pthread_create of the C library. In C the function has a different name, because
 * pthread.h already declares pthread_create. */
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
    /* dlsym returns an object pointer. C has no conversion from that to a function pointer, so the
     * pointer is stored through a cast. */
    CreateFunction *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, run, argument);
}
