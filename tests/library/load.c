/* load LIBRARY: prints the milliseconds that loading the library takes. Fails if loading it or
 * creating a context starts a thread. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#include "imgtool.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL)
        return 1;
    for (const struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fail("usage: load LIBRARY");
    const double start = now();
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const double gone = now() - start;
    if (library == NULL)
        return fail(dlerror());
    imgtool_status (*create)(const imgtool_config *, imgtool_context **, imgtool_error *);
    void (*destroy)(imgtool_context *);
    *(void **)&create = dlsym(library, "imgtool_context_create");
    *(void **)&destroy = dlsym(library, "imgtool_context_destroy");
    imgtool_context *context = NULL;
    if (create == NULL || destroy == NULL || create(NULL, &context, NULL) != IMGTOOL_OK)
        return fail("no context");
    if (count_threads() != 1)
        return fail("there are threads, though nothing was asked for");
    destroy(context);
    if (dlclose(library) != 0)
        return fail(dlerror());
    printf("%.3f\n", gone);
    return 0;
}
