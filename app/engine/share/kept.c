#include "app/engine/share/kept.h"

#include "app/engine/share/machine.h"

/* BESIDE_LIMIT: bytes of freed memory that all threads together may keep when memory is short. The
 * C library returns only the end of its memory, so free blocks in between stay. A thread was seen
 * to leave up to 5.5 blocks of the size of a picture (its file, its pixels before and after a step,
 * a compressed result). A block that is kept may therefore have at most an eighth (BLOCKS) of the
 * bytes that its thread may keep. */
enum { BESIDE_LIMIT = 16 << 20, BLOCKS = 8 };

static struct {
    bool is_limit, is_scarce;
    int threads;
    uint64_t plenty; /* bytes of freed memory that one thread may keep while memory is not short */
    /* Largest number of bytes that can be free but not returned when all work is done. */
    uint64_t freed_most;
} kept;

static void keep_little(void)
{
    const uint64_t each = (uint64_t)BESIDE_LIMIT / (uint64_t)kept.threads;
    kept.is_scarce = true;
    img_machine_keep_memory(each, each / BLOCKS);
}

static void keep_plenty(void)
{
    kept.is_scarce = false;
    img_machine_keep_memory(kept.plenty, kept.plenty);
}

void img_kept_start(bool is_limit, uint64_t memory, int threads)
{
    kept.is_limit = is_limit;
    kept.threads = threads;
    kept.plenty = memory / 4 / (uint64_t)threads;
    kept.freed_most = img_machine_freed_memory();
    if (is_limit)
        keep_little();
    else
        keep_plenty();
}

static bool is_room(uint64_t planned, uint64_t memory)
{
    return kept.freed_most / 2 + planned / 2 <= memory / 2 + BESIDE_LIMIT / 2;
}

/* Returns whether there is room for the plan in addition to freed memory. If there is none, first
 * returns the freed memory to the system. */
static bool make_room(uint64_t planned, uint64_t memory)
{
    if (is_room(planned, memory))
        return true;
    const uint64_t freed = img_machine_freed_memory() + planned;
    if (freed < kept.freed_most)
        kept.freed_most = freed;
    if (is_room(planned, memory))
        return true;
    img_machine_give_back_memory();
    kept.freed_most = planned;
    return is_room(planned, memory);
}

void img_kept_planned(uint64_t bytes, uint64_t planned, uint64_t memory)
{
    if (!kept.is_limit)
        return;
    kept.freed_most += bytes;
    const bool is_scarce = !make_room(planned, memory);
    if (is_scarce && !kept.is_scarce)
        keep_little();
    if (!is_scarce && kept.is_scarce)
        keep_plenty();
}
