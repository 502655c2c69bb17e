#include "app/sandbox/names.h"

#include <string.h>
#include <sys/mman.h>

/* Older headers lack this flag. Its value is part of the kernel's ABI. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* A window is a range of 2^32 bytes of addresses. Windows 0x10 to 0x1f are below the addresses
 * where systems place programs, libraries, stacks and mappings. The copies of the file names are
 * placed in one of these windows. All other memory is therefore at higher addresses. */
enum { FIRST_WINDOW = 0x10, WINDOWS = 16, WINDOW_BITS = 32, SLOT_LEAST = 64 };

static size_t slot_size(const SandboxName *list, size_t count)
{
    size_t slot = SLOT_LEAST;
    for (size_t i = 0; i < count; i++)
        while (strlen(list[i].text) >= slot)
            slot *= 2;
    return slot;
}

/* Maps `size` bytes at the start of a free window, and sets *window to its index. Returns NULL if
 * no window is free. */
static char *map_window(size_t size, uint32_t *window)
{
    int here;
    for (uint32_t i = 0; i < WINDOWS; i++) {
        char *wanted = (char *)((uintptr_t)(FIRST_WINDOW + i) << WINDOW_BITS);
        char *got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        *window = FIRST_WINDOW + i;
        if (got == wanted && (uintptr_t)&here >> WINDOW_BITS > *window)
            return got;
        if (got != MAP_FAILED)
            munmap(got, size);
    }
    return NULL;
}

static void copy_names(const SandboxName *list, size_t count, char *memory, SandboxNames *names,
                       const char **copies)
{
    uint32_t at = 0;
    for (int use = 0; use < IMG_NAME_USES; use++) {
        names->first[use] = at;
        for (size_t i = 0; i < count; i++) {
            if ((int)list[i].use != use)
                continue;
            const char *name = list[i].text;
            copies[i] = memcpy(memory + at, name, strlen(name) + 1);
            at += names->slot;
        }
        names->end[use] = at;
    }
}

bool names_seal(const SandboxName *list, size_t count, SandboxNames *names)
{
    const size_t slot = slot_size(list, count), size = (count + 1) * slot;
    /* A table of pointers to the copies follows the copies in the same memory. The function uses it
     * only after the memory has become read-only, to set *place of each name. */
    const size_t all = size + count * sizeof(char *);
    if (size / slot != count + 1 || all >= (size_t)UINT32_MAX)
        return false;
    char *memory = map_window(all, &names->window);
    if (memory == NULL)
        return false;
    const char **copies = (const char **)(memory + size);
    names->slot = (uint32_t)slot;
    copy_names(list, count, memory, names, copies);
    if (mprotect(memory, all, PROT_READ) != 0) {
        munmap(memory, all);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (list[i].place != NULL)
            *list[i].place = copies[i];
    return true;
}
