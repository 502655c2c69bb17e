/* A library for LD_PRELOAD that records the peak of memory from malloc and related functions. It
 * keeps the peak at the start of the file of the descriptor HEAP_PEAK. So the process that started
 * the program can read it, however the program ends. Child processes count separately. The library
 * needs glibc. A program can also link it (peak.h). */
/* NOLINTBEGIN: these are names of the C library */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/memory/peak.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static atomic_size_t alive, most;
static atomic_size_t *shown = &most;

__attribute__((constructor)) static void open_peak(void)
{
    const char *text = getenv("HEAP_PEAK");
    if (text == NULL)
        return;
    void *page = mmap(NULL, sizeof *shown, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(text), 0);
    if (page == MAP_FAILED)
        abort();
    shown = page;
    atomic_store(shown, atomic_load(&most));
}

static size_t at_start;

void heap_peak_start(void)
{
    at_start = atomic_load(&alive);
    atomic_store(shown, at_start);
}

size_t heap_peak_end(void)
{
    return atomic_load(shown) - at_start;
}

/* The requested sizes of blocks that start at a huge page. For these blocks malloc_usable_size can
 * be up to a page larger, although that page is never touched. If the table is full, further blocks
 * count with their usable size. */
enum { HUGE = 2 << 20, ASKED = 256 };
static struct {
    _Atomic(void *) memory; /* address of the block; NULL if the entry is free */
    size_t size;
} asked[ASKED];

static bool is_huge(const void *memory)
{
    return (uintptr_t)memory % HUGE == 0;
}

static void note_asked(void *memory, size_t size)
{
    for (int i = 0; i < ASKED; i++) {
        void *none = NULL;
        if (!atomic_compare_exchange_strong(&asked[i].memory, &none, memory))
            continue;
        asked[i].size = size;
        return;
    }
}

/* Returns the size with which a block counts: the requested size if the table has it, otherwise the
 * usable size. With `forget` also frees its entry in the table. Only the owner of a block accesses
 * its entry, so no lock is needed. */
static size_t size_of(void *memory, bool forget)
{
    for (int i = 0; is_huge(memory) && i < ASKED; i++) {
        if (atomic_load(&asked[i].memory) != memory)
            continue;
        const size_t size = asked[i].size;
        if (forget)
            atomic_store(&asked[i].memory, NULL);
        return size;
    }
    return malloc_usable_size(memory);
}

static void *taken(void *memory)
{
    if (memory == NULL)
        return NULL;
    size_t now = size_of(memory, false);
    now += atomic_fetch_add(&alive, now);
    size_t before = atomic_load(shown);
    while (now > before && !atomic_compare_exchange_weak(shown, &before, now))
        ;
    return memory;
}

static void given_back(size_t bytes)
{
    atomic_fetch_sub(&alive, bytes);
}

void *malloc(size_t size)
{
    return taken(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return taken(__libc_calloc(count, size));
}

/* While realloc copies a block, the old and the new block exist at the same time. They are not
 * counted together: the old size is subtracted before the new size is added, as if the block grew
 * in place. */
void *realloc(void *old, size_t size)
{
    size_t before = old != NULL ? size_of(old, true) : 0;
    void *memory = __libc_realloc(old, size);
    if (memory == NULL && size > 0 && is_huge(old))
        note_asked(old, before);
    if (memory != NULL || size == 0)
        given_back(before);
    return taken(memory);
}

void *memalign(size_t alignment, size_t size)
{
    void *memory = __libc_memalign(alignment, size);
    if (memory != NULL && is_huge(memory))
        note_asked(memory, size);
    return taken(memory);
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

void free(void *memory)
{
    if (memory != NULL)
        given_back(size_of(memory, true));
    __libc_free(memory);
}
/* NOLINTEND */
