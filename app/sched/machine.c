#include "app/sched/machine.h"

#include <dirent.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Calls `use` with the first line of the file `name` of this process's cgroup (version 2) and of
 * every group above it: the limits of all of them hold. */
static void each_cgroup_line(const char *name, void (*use)(const char *line, void *context),
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

/* cpu.max: "QUOTA PERIOD" in microseconds, or "max PERIOD". */
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

/* memory.max: bytes, or "max". */
static void lower_memory(const char *line, void *context)
{
    uint64_t *bytes = context;
    char *end;
    unsigned long long limit = strtoull(line, &end, 10);
    if (end != line && limit > 0 && limit < *bytes)
        *bytes = limit;
}

static int affinity_count(void)
{
    /* The kernel refuses sets smaller than its own, whose size is reported nowhere. */
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

int machine_threads(void)
{
    int threads = affinity_count();
    each_cgroup_line("cpu.max", lower_threads, &threads);
    return threads;
}

void machine_keep_memory(uint64_t bytes)
{
    enum { MOST = 64 << 20, MAPPED = 32 << 20 /* the most that the C library takes */ };
    uint64_t part = bytes / 4;
    int keep = part < MOST ? (int)part : (int)MOST;
    (void)mallopt(M_TRIM_THRESHOLD, keep);
    (void)mallopt(M_MMAP_THRESHOLD, keep < MAPPED ? keep : (int)MAPPED);
}

static uint64_t count_open_files(void)
{
    uint64_t count = 0;
    DIR *dir = opendir("/proc/self/fd");
    if (dir == NULL)
        return 3;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 3; /* ".", ".." and the directory itself */
}

uint64_t machine_raise_open_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return UINT64_MAX;
    if (files.rlim_cur < files.rlim_max) {
        struct rlimit more = {files.rlim_max, files.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &more) == 0)
            files = more;
    }
    uint64_t open = count_open_files();
    return files.rlim_cur > open ? files.rlim_cur - open : 0;
}

/* memory.current: bytes. What is cached there would be given up. */
static void add_memory(const char *line, void *context)
{
    uint64_t *bytes = context, used = strtoull(line, NULL, 10);
    if (used > *bytes)
        *bytes = used;
}

/* "MemAvailable:  123456 kB"; 0 where the kernel does not report it. */
static uint64_t memory_available(void)
{
    char line[128];
    unsigned long long kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "MemAvailable: %llu kB", &kibibytes) != 1)
        ;
    fclose(file);
    return (uint64_t)kibibytes << 10;
}

uint64_t machine_memory_free(void)
{
    uint64_t all = machine_memory(), available = memory_available();
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    uint64_t machine = (uint64_t)pages * (uint64_t)page_size, used = 0;
    if (all < machine) { /* a limit of the cgroup */
        each_cgroup_line("memory.current", add_memory, &used);
        uint64_t left = used < all ? all - used : 0;
        if (left < all / 4)
            left = all / 4; /* most of what is in use there is cache */
        if (available == 0 || left < available)
            available = left;
    }
    return available > 0 && available < all ? available : all;
}

uint64_t machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    uint64_t bytes =
        pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : UINT64_C(1) << 30;
    each_cgroup_line("memory.max", lower_memory, &bytes);
    return bytes;
}

bool machine_may_have_gpu(void)
{
    /* Linux, and Windows' subsystem for it. */
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}
