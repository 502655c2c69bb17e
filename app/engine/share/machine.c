#include "app/engine/share/machine.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/core/parallel/processors.h"

/* Parses memory.max of a cgroup: a number of bytes, or "max" for no limit. */
static void lower_memory(const char *line, void *context)
{
    uint64_t *bytes = context;
    char *end;
    unsigned long long limit = strtoull(line, &end, 10);
    if (end != line && limit > 0 && limit < *bytes)
        *bytes = limit;
}

/* Values stored by img_machine_remember. */
static struct {
    bool all, for_many;
    int threads;
    uint64_t memory, memory_free, open_files;
    bool may_have_gpu;
} known;

int img_machine_threads(void)
{
    return known.all ? known.threads : img_processors();
}

static int within(uint64_t bytes, int most)
{
    enum {
        LEAST =
            128
            << 10 /* default of the C library; with less, small blocks would get their own pages */
    };
    if (bytes < LEAST)
        return LEAST;
    return bytes < (uint64_t)most ? (int)bytes : most;
}

void img_machine_keep_memory(uint64_t bytes, uint64_t block)
{
    enum { MOST = 64 << 20, BLOCK_MOST = 32 << 20 /* limit of the C library */ };
    (void)mallopt(M_TRIM_THRESHOLD, within(bytes, MOST));
    (void)mallopt(M_MMAP_THRESHOLD, within(block, BLOCK_MOST));
}

uint64_t img_machine_freed_memory(void)
{
    return mallinfo2().fordblks;
}

void img_machine_give_back_memory(void)
{
    (void)malloc_trim(0);
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
    return count - 3; /* without ".", ".." and the descriptor of `dir` */
}

uint64_t img_machine_raise_open_files(void)
{
    if (known.for_many)
        return known.open_files;
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

/* Parses memory.current of a cgroup, in bytes. The value includes caches that the system can drop.
 */
static void add_memory(const char *line, void *context)
{
    uint64_t *bytes = context, used = strtoull(line, NULL, 10);
    if (used > *bytes)
        *bytes = used;
}

/* Returns the bytes of MemAvailable in /proc/meminfo; 0 if the kernel does not report it. */
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

uint64_t img_machine_memory_free(void)
{
    if (known.for_many)
        return known.memory_free;
    uint64_t all = img_machine_memory(), available = memory_available();
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    uint64_t machine = (uint64_t)pages * (uint64_t)page_size, used = 0;
    if (all < machine) { /* the cgroup has a limit */
        img_cgroup_each_line("memory.current", add_memory, &used);
        uint64_t left = used < all ? all - used : 0;
        if (left < all / 4)
            /* At least a quarter counts as free, since most of what a cgroup uses is cache that the
             * system can drop. */
            left = all / 4;
        if (available == 0 || left < available)
            available = left;
    }
    return available > 0 && available < all ? available : all;
}

uint64_t img_machine_memory(void)
{
    if (known.all)
        return known.memory;
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    uint64_t bytes =
        pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : UINT64_C(1) << 30;
    img_cgroup_each_line("memory.max", lower_memory, &bytes);
    return bytes;
}

bool img_machine_may_have_gpu(void)
{
    if (known.all)
        return known.may_have_gpu;
    /* The first path exists on Linux, the second one in the Windows Subsystem for Linux. */
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

void img_machine_remember(bool for_many)
{
    known.threads = img_machine_threads();
    known.memory = img_machine_memory();
    known.may_have_gpu = img_machine_may_have_gpu();
    known.all = true;
    if (!for_many)
        return;
    known.memory_free = img_machine_memory_free();
    known.open_files = img_machine_raise_open_files();
    known.for_many = true;
}
