/* Trials of memory. The sandbox must refuse to make memory executable, and to change the memory
 * that holds the names of the allowed files. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/sandbox/trials.h"

enum { PAGE = 4096 };

static long map(void *at, int protection, int more)
{
    void *got = mmap(at, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
    return got == MAP_FAILED ? -1 : 0;
}

/* Returns the page with the allowed names, which the sandbox has sealed. Without the sandbox
 * returns a new page that is not sealed. */
static void *page_of_names(const Ground *g)
{
    void *page = (void *)((uintptr_t)g->input & ~(uintptr_t)(PAGE - 1));
    if ((uintptr_t)page >> 32 < 0x20)
        return page;
    return mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static long map_to_run(const Ground *g)
{
    (void)g;
    return map(NULL, PROT_READ | PROT_EXEC, 0);
}

static long map_file_to_run(const Ground *g)
{
    void *got = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, g->other, 0);
    return got == MAP_FAILED ? -1 : 0;
}

static long make_runnable(const Ground *g)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)g;
    return mprotect(page, PAGE, PROT_READ | PROT_EXEC);
}

static long make_runnable_by_key(const Ground *g)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)g;
    return (long)syscall(SYS_pkey_mprotect, page, PAGE, PROT_READ | PROT_EXEC, -1);
}

static long change_code(const Ground *g)
{
    void *page = (void *)((uintptr_t)change_code & ~(uintptr_t)(PAGE - 1));
    (void)g;
    return mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
}

static long write_names(const Ground *g)
{
    return mprotect(page_of_names(g), PAGE, PROT_READ | PROT_WRITE);
}

static long unmap_names(const Ground *g)
{
    return munmap(page_of_names(g), PAGE);
}

static long unmap_from_below(const Ground *g)
{
    char *page = page_of_names(g);
    return munmap(page - PAGE, (size_t)2 * PAGE);
}

static long forget_names(const Ground *g)
{
    return madvise(page_of_names(g), PAGE, MADV_DONTNEED);
}

static long map_over_names(const Ground *g)
{
    return map(page_of_names(g), PROT_READ | PROT_WRITE, MAP_FIXED);
}

static long map_fixed_anywhere(const Ground *g)
{
    void *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)g;
    return map(page, PROT_READ | PROT_WRITE, MAP_FIXED);
}

static long move_names(const Ground *g)
{
    void *got = mremap(page_of_names(g), PAGE, (size_t)2 * PAGE, MREMAP_MAYMOVE);
    return got == MAP_FAILED ? -1 : 0;
}

static long move_over_names(const Ground *g)
{
    void *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *got = mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page_of_names(g));
    return got == MAP_FAILED ? -1 : 0;
}

/* Makes the kernel write to the page of names, by reading a file into it. The kernel must respect
 * the protection of the page. */
static long read_into_names(const Ground *g)
{
    return read(g->other, page_of_names(g), 1);
}

static long file_in_memory(const Ground *g)
{
    (void)g;
    return memfd_create("x", MFD_CLOEXEC);
}

static long shared_memory(const Ground *g)
{
    (void)g;
    return (long)syscall(SYS_shmget, 0 /* IPC_PRIVATE */, PAGE, 0600);
}

static long attach_shared_memory(const Ground *g)
{
    (void)g;
    const long made = (long)syscall(SYS_shmat, -1, NULL, 0);
    return made < 0 && errno == EINVAL ? 0 : made;
}

static long faults_of_users(const Ground *g)
{
    (void)g;
    return (long)syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */);
}

const Trial trials_of_memory[] = {
    {"map memory to run", map_to_run, EPERM, false},
    {"map a file to run", map_file_to_run, EPERM, false},
    {"make memory runnable", make_runnable, EPERM, false},
    {"make memory runnable by a key", make_runnable_by_key, EPERM, false},
    {"make code writable", change_code, EPERM, false},
    {"make names writable", write_names, EPERM, false},
    {"unmap names", unmap_names, EPERM, false},
    {"unmap names from below", unmap_from_below, EPERM, false},
    {"have names forgotten", forget_names, EPERM, false},
    {"map over names", map_over_names, EPERM, false},
    {"map at a place, over whatever is there", map_fixed_anywhere, EPERM, false},
    {"move names", move_names, EPERM, false},
    {"move memory over names", move_over_names, EPERM, false},
    {"read a file into names", read_into_names, EFAULT, true},
    {"file in memory", file_in_memory, EPERM, false},
    {"shared memory", shared_memory, EPERM, false},
    {"attach shared memory", attach_shared_memory, EPERM, false},
    {"userfaultfd", faults_of_users, EPERM, true},
    {.name = NULL},
};
