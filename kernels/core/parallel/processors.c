#include "kernels/core/parallel/processors.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

void img_cgroup_each_line(const char *name, void (*use)(const char *line, void *context),
                          void *context)
{
    char group[2048] = "", path[2200], line[256];
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL)
        return;
    while (fgets(group, sizeof group, file) != NULL && strncmp(group, "0::", 3) != 0)
        group[0] = '\0';
    fclose(file);
    if (group[0] == '\0')
        return;
    memmove(group, group + 3, strlen(group + 3) + 1);
    group[strcspn(group, "\n")] = '\0';
    for (;;) {
        size_t length = strlen(group);
        while (length > 0 && group[length - 1] == '/')
            group[--length] = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", group, name);
        file = fopen(path, "re");
        if (file != NULL) {
            if (fgets(line, sizeof line, file) != NULL)
                use(line, context);
            fclose(file);
        }
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

/* Reads a line of the cgroup file cpu.max: "QUOTA PERIOD" in microseconds, or "max PERIOD". Lowers
 * *context, a number of threads, to the processors that the quota allows, rounded up. */
static void lower_threads(const char *line, void *context)
{
    int *threads = context;
    long long quota, period;
    if (sscanf(line, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0)
        return;
    long long whole = (quota + period - 1) / period;
    if (whole < *threads)
        *threads = (int)whole;
}

static int affinity_count(void)
{
    /* sched_getaffinity rejects a set that is smaller than the system's own, without reporting its
     * size. So larger and larger sets are tried. */
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (set == NULL)
            break;
        size_t size = CPU_ALLOC_SIZE((size_t)cpus);
        int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return 1;
}

int img_processors(void)
{
    int threads = affinity_count();
    img_cgroup_each_line("cpu.max", lower_threads, &threads);
    return threads;
}
