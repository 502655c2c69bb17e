/* Freed memory stays where there is room beside what is planned, and is given back where there is
 * not. Of the C library's own memory: not with sanitizers, which have another. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/sched/kept.h"
#include "app/sched/machine.h"

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

/* 1 MiB each, among blocks that stay, so that the end of memory is not free. */
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

Test(freed_memory, stays_while_there_is_room)
{
    void *among[BLOCKS];
    kept_start(true, LIMIT, 1);
    kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    cr_assert_geq(machine_freed_memory(), BLOCKS * MIB);
    kept_planned(24 * MIB, 24 * MIB, LIMIT); /* 12 + 2 * 24 are less than 64 and 16 beside it */
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    free_all(among);
}

Test(freed_memory, is_given_back_where_the_limit_is_needed)
{
    void *among[BLOCKS];
    kept_start(true, LIMIT, 1);
    kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    kept_planned(60 * MIB, 60 * MIB, LIMIT);
    cr_assert(is_about(resident(), before), "%llu pages more",
              (unsigned long long)(resident() - before) / 4096);
    free_all(among);
}

/* What is planned now leaves as much when it is done: so often that it is asked for again. */
Test(freed_memory, is_given_back_each_time)
{
    kept_start(true, LIMIT, 1);
    kept_planned(8 * MIB, 8 * MIB, LIMIT);
    const uint64_t before = resident();
    for (int i = 0; i < 3; i++) {
        void *among[BLOCKS];
        leave_blocks(among);
        kept_planned(60 * MIB, 60 * MIB, LIMIT);
        cr_assert(is_about(resident(), before));
        free_all(among);
    }
}

/* That was in use when memory was given back, and is free now. */
Test(freed_memory, of_what_was_under_way_then_is_given_back)
{
    enum { LITTLE = 16 * MIB };
    void *blocks[BLOCKS], *among[BLOCKS];
    kept_start(true, LITTLE, 1);
    kept_planned(8 * MIB, 8 * MIB, LITTLE);
    const uint64_t before = resident();
    take_blocks(blocks, among);
    kept_planned(17 * MIB, 17 * MIB, LITTLE); /* twice 17 are more than 16, and 16 beside it */
    free_all(blocks);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    kept_planned(11 * MIB, 11 * MIB, LITTLE); /* 12 + 2 * 11 */
    cr_assert(is_about(resident(), before));
    free_all(among);
}

/* One after the other is planned; what then stays of blocks that are freed before anything else is.
 */
static bool do_blocks_stay(uint64_t first, uint64_t then)
{
    void *among[BLOCKS];
    kept_start(true, LIMIT, 8);
    kept_planned(first, first, LIMIT);
    kept_planned(then, then, LIMIT);
    const uint64_t before = resident();
    leave_blocks(among);
    const uint64_t after = resident();
    free_all(among);
    cr_assert(is_about(after, before) || is_about(after, before + BLOCKS * MIB));
    return !is_about(after, before);
}

Test(freed_memory, goes_back_at_once_while_room_is_scarce)
{
    cr_assert_not(do_blocks_stay(2 * MIB, 60 * MIB));
    cr_assert(do_blocks_stay(60 * MIB, 2 * MIB));
}

Test(freed_memory, stays_without_a_limit)
{
    void *among[BLOCKS];
    kept_start(false, LIMIT, 1);
    const uint64_t before = resident();
    leave_blocks(among);
    kept_planned(60 * MIB, 60 * MIB, LIMIT);
    kept_planned(60 * MIB, 60 * MIB, LIMIT);
    cr_assert(is_about(resident(), before + BLOCKS * MIB));
    free_all(among);
}
