/* Tests when freed memory goes back to the system. It stays in the process as long as the memory
 * limit has room for both the freed and the planned memory. Sanitizers replace malloc of the C
 * library, so the test does not run with them. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/engine/share/kept.h"
#include "app/engine/share/machine.h"

enum { MIB = 1 << 20, BLOCKS = 12, LIMIT = 64 * MIB };

static uint64_t resident(void)
{
    unsigned long long all, pages;
    FILE *file = fopen("/proc/self/statm", "re");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%llu %llu", &all, &pages), 2);
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Allocates blocks of 1 MiB. Small blocks between them stay allocated, so that the heap cannot
 * shrink from its end. */
static void take_blocks(void *blocks[BLOCKS], void *among[BLOCKS])
{
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(MIB);
        among[i] = malloc(4096);
        cr_assert(blocks[i] != NULL && among[i] != NULL);
        memset(blocks[i], i + 1, MIB);
    }
}

static void free_all(void *blocks[BLOCKS])
{
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

static void leave_blocks(void *among[BLOCKS])
{
    void *blocks[BLOCKS];
    take_blocks(blocks, among);
    free_all(blocks);
}

static bool is_about(uint64_t bytes, uint64_t expected)
{
    return bytes < expected + 2 * MIB && bytes + 2 * MIB > expected;
}

Test(freed_memory, freed_memory_stays_while_there_is_room)
{
    void *among[BLOCKS];
    img_kept_start(true, LIMIT, 1);
    img_kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    cr_assert_geq(img_machine_freed_memory(), BLOCKS * MIB);
    /* The planned 24 MiB count twice: as memory in use, and as memory that may be freed later and
     * kept. With 12 MiB of freed blocks this is less than the limit of 64 MiB plus the 16 MiB that
     * are allowed beside it. */
    img_kept_planned(24 * MIB, 24 * MIB, LIMIT);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    free_all(among);
}

Test(freed_memory, freed_memory_goes_back_if_the_limit_needs_it)
{
    void *among[BLOCKS];
    img_kept_start(true, LIMIT, 1);
    img_kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    img_kept_planned(60 * MIB, 60 * MIB, LIMIT);
    cr_assert(is_about(resident(), before), "%llu pages more",
              (unsigned long long)(resident() - before) / 4096);
    free_all(among);
}

/* Each picture frees its memory when it is done. The freed memory must go back to the system each
 * time. */
Test(freed_memory, freed_memory_goes_back_each_time)
{
    img_kept_start(true, LIMIT, 1);
    img_kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    for (int i = 0; i < 3; i++) {
        void *among[BLOCKS];
        leave_blocks(among);
        img_kept_planned(60 * MIB, 60 * MIB, LIMIT);
        cr_assert(is_about(resident(), before));
        free_all(among);
    }
}

/* `blocks` is in use when freed memory goes back to the system for the first time. It is free
 * before the second time, when it must go back, too. */
Test(freed_memory, memory_freed_after_the_return_goes_back_later)
{
    enum { LITTLE = 16 * MIB };
    void *blocks[BLOCKS], *among[BLOCKS];
    img_kept_start(true, LITTLE, 1);
    img_kept_planned(8 * MIB, 8 * MIB, LITTLE);
    const uint64_t before = resident();
    take_blocks(blocks, among);
    /* The planned 17 MiB count twice, as above. This exceeds the limit of 16 MiB plus the 16 MiB
     * that are allowed beside it. */
    img_kept_planned(17 * MIB, 17 * MIB, LITTLE);
    free_all(blocks);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    /* 12 MiB of freed blocks, and the planned 11 MiB counted twice, exceed the same 32 MiB. */
    img_kept_planned(11 * MIB, 11 * MIB, LITTLE);
    cr_assert(is_about(resident(), before));
    free_all(among);
}

/* Calls img_kept_planned for work that needs `first` bytes, and again for work that needs `then`
 * bytes. Then allocates and frees BLOCKS blocks of 1 MiB. Returns true if the memory of these
 * blocks stays in the process. */
static bool do_blocks_stay(uint64_t first, uint64_t then)
{
    void *among[BLOCKS];
    img_kept_start(true, LIMIT, 8);
    img_kept_planned(first, first, LIMIT);
    img_kept_planned(then, then, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    const uint64_t after = resident();
    free_all(among);
    cr_assert(is_about(after, before) || is_about(after, before + BLOCKS * MIB));
    return !is_about(after, before);
}

Test(freed_memory, freed_memory_goes_back_at_once_while_memory_is_short)
{
    cr_assert_not(do_blocks_stay(2 * MIB, 60 * MIB));
    cr_assert(do_blocks_stay(60 * MIB, 2 * MIB));
}

Test(freed_memory, freed_memory_stays_without_a_limit)
{
    void *among[BLOCKS];
    img_kept_start(false, LIMIT, 1);
    const uint64_t before = resident();
    leave_blocks(among);
    img_kept_planned(60 * MIB, 60 * MIB, LIMIT);
    img_kept_planned(60 * MIB, 60 * MIB, LIMIT);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    free_all(among);
}
