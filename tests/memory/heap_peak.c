/* For LD_PRELOAD: counts what a program has from malloc and its kin at a time, and keeps the most
 * of it where whoever started the program sees it, however that ends: in the first bytes of a file
 * that the descriptor HEAP_PEAK is open to. Processes that the program starts are counted apart, as
 * if they were it. For glibc. A program may also have it in it (heap_peak.h). */
/* NOLINTBEGIN: these are names of the C library */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/memory/heap_peak.h"

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

static void *taken(void *memory)
{
    if (memory == NULL)
        return NULL;
    size_t now = malloc_usable_size(memory);
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

/* Both are there while one becomes the other, unless it grows where it is: counted as if it did. */
void *realloc(void *old, size_t size)
{
    size_t before = old != NULL ? malloc_usable_size(old) : 0;
    void *memory = __libc_realloc(old, size);
    if (memory != NULL || size == 0)
        given_back(before);
    return taken(memory);
}

void *memalign(size_t alignment, size_t size)
{
    return taken(__libc_memalign(alignment, size));
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
        given_back(malloc_usable_size(memory));
    __libc_free(memory);
}
/* NOLINTEND */
