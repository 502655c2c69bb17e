/* Tests of the distribution of the files of a batch over shares, the parts that different processes
 * do. Each file belongs to exactly one share, which is the same on all machines. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "app/batch/shard/share.h"

enum { FILES = 1500 };

static char paths[FILES][48];
static ShareFile files[FILES];

static void make_files(void)
{
    for (size_t i = 0; i < FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "/data/%zu/photo %zu.png", i % 7, i);
        files[i] = (ShareFile){paths[i], 6, (uint64_t)(i * i % 1009), 0};
    }
}

TestSuite(share, .init = make_files);

static void assign(uint32_t shares, bool by_size)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(share_assign(files, FILES, shares, by_size, &err), IMG_OK);
}

/* Returns the plan of share `index` of `shares`. The plan borrows `room`, so the caller need not
 * free it. */
static BatchPlan plan_of(BatchFile room[FILES], uint32_t index, uint32_t shares)
{
    BatchPlan plan = {.shard = {index, shares}, .files = room, .count = FILES};
    ImgError err = {IMG_OK, ""};
    Settings settings;
    settings_init(&settings);
    for (size_t i = 0; i < FILES; i++)
        room[i] = (BatchFile){.input = paths[i], .relative = 6};
    cr_assert_eq(share_take(&plan, &settings, &err), IMG_OK);
    return plan;
}

/* A plan lists the files of its own share first and all others after them. Every file belongs to
 * the share of exactly one plan. */
Test(share, every_file_is_in_exactly_one_share_for_all_numbers_up_to_100)
{
    static BatchFile room[FILES];
    static int met[FILES];
    for (uint32_t shares = 1; shares <= 100; shares++) {
        memset(met, 0, sizeof met);
        for (uint32_t index = 0; index < shares; index++) {
            BatchPlan plan = plan_of(room, index, shares);
            cr_assert_eq(plan.count + plan.others, FILES);
            for (size_t i = 0; i < plan.count; i++)
                met[(room[i].input - paths[0]) / (ptrdiff_t)sizeof paths[0]]++;
        }
        for (size_t i = 0; i < FILES; i++)
            cr_assert_eq(met[i], 1, "%s is in %d of %u shares", paths[i], met[i], shares);
    }
}

Test(share, by_size_every_file_has_a_share_and_shares_have_similar_bytes)
{
    for (uint32_t shares = 1; shares <= 100; shares++) {
        uint64_t bytes[100] = {0}, all = 0;
        assign(shares, true);
        for (size_t i = 0; i < FILES; i++) {
            cr_assert_lt(files[i].share, shares);
            bytes[files[i].share] += files[i].bytes;
            all += files[i].bytes;
        }
        for (uint32_t i = 0; i < shares; i++)
            cr_expect(bytes[i] * shares < all + 1100 * shares &&
                          bytes[i] * shares + 1100 * shares > all,
                      "share %u of %u has %llu of %llu bytes", i, shares,
                      (unsigned long long)bytes[i], (unsigned long long)all);
    }
}

/* Machines may list the same directory in different orders, and mount it at different paths. */
Test(share, the_order_and_place_of_files_do_not_matter)
{
    static uint32_t wanted[FILES];
    static char elsewhere[FILES][48];
    for (int by_size = 0; by_size < 2; by_size++) {
        make_files();
        assign(13, by_size != 0);
        for (size_t i = 0; i < FILES; i++)
            wanted[i] = files[i].share;
        for (size_t i = 0; i < FILES; i++) {
            snprintf(elsewhere[i], sizeof elsewhere[i], "./%s", paths[i] + 6);
            files[FILES - 1 - i] = (ShareFile){elsewhere[i], 0, (uint64_t)(i * i % 1009), 0};
        }
        /* Names decide between files of equal size, so both lists must have the same relative
         * names. */
        if (by_size != 0)
            for (size_t i = 0; i < FILES; i++)
                files[FILES - 1 - i].relative = 2;
        assign(13, by_size != 0);
        for (size_t i = 0; i < FILES; i++)
            cr_expect_eq(files[FILES - 1 - i].share, wanted[i], "%s", paths[i]);
    }
}

Test(share, by_hash_shares_are_even)
{
    for (uint32_t shares = 2; shares <= 64; shares *= 2) {
        size_t count[64] = {0};
        assign(shares, false);
        for (size_t i = 0; i < FILES; i++)
            count[files[i].share]++;
        /* Random shares would have a variance of FILES / shares * (1 - 1 / shares). A share may
         * differ from the mean by four standard deviations. */
        for (uint32_t i = 0; i < shares; i++) {
            int64_t difference = (int64_t)(count[i] * shares) - FILES;
            cr_expect_leq(difference * difference, 16 * FILES * (int64_t)(shares - 1),
                          "share %u of %u has %zu files", i, shares, count[i]);
        }
    }
}

/* The distribution must never change, because other versions on other machines may resume a
 * batch. */
Test(share, the_hash_is_fixed)
{
    cr_expect_eq(share_hash("a.png"), 0x770C064753FCCA9EU, "%llx",
                 (unsigned long long)share_hash("a.png"));
    cr_expect_eq(share_hash("b/c d/\xc3\xa4.png"), 0xEA8CC556DC3C4E1AU, "%llx",
                 (unsigned long long)share_hash("b/c d/\xc3\xa4.png"));
    cr_expect_eq(share_hash("\xff\x80.png"), 0x9953740C4440B528U, "%llx",
                 (unsigned long long)share_hash("\xff\x80.png"));
    cr_expect_eq(share_hash("./b//./c d/\xc3\xa4.png"), share_hash("b/c d/\xc3\xa4.png"));
    cr_expect_neq(share_hash("/a.png"), share_hash("a.png"));
    cr_expect_neq(share_hash("ab/c"), share_hash("a/bc"));
}
