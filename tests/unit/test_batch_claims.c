/* Tests of the claims of processes that share a batch. Each chunk of files is claimed once, unless
 * the process that claimed it crashes. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/shard/claims.h"
#include "app/batch/shard/feed.h"

enum { CHUNKS = 12, SHARES = 3 };

static char directory[] = "/tmp/imgtool-claims-XXXXXX";
static const uint32_t share_of[CHUNKS] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};

static void make_directory(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    cr_assert_eq(mkdir("out", 0700), 0);
}

static void remove_directory(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
}

TestSuite(claims, .init = make_directory, .fini = remove_directory);

static Claims *join(uint32_t share)
{
    ImgError err = {IMG_OK, ""};
    Claims *claims = NULL;
    const ClaimsConfig config = {.output_directory = "out",
                                 .signature = 0xABC,
                                 .share_of = share_of,
                                 .chunks = CHUNKS,
                                 .share = share,
                                 .shares = SHARES,
                                 .timeout = 5};
    cr_assert_eq(claims_open(&config, &claims, &err), IMG_OK, "%s", err.message);
    return claims;
}

/* Claims a chunk and returns its number, plus 1000 if the chunk had been claimed before. Returns
 * 100 + the ClaimResult if there is no chunk to claim. */
static size_t take(Claims *claims)
{
    size_t chunk;
    bool again;
    ClaimResult result = claims_take(claims, &chunk, &again);
    return result == CLAIM_TAKEN ? chunk + (again ? 1000 : 0) : 100 + (size_t)result;
}

/* Moves the modification time of a file of claims 100 seconds back, so that its heartbeat counts as
 * timed out. */
static void make_older(const char *name)
{
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "out/.imgtool-claims/0000000000000abc/%s", name);
    cr_assert_eq(stat(path, &info), 0, "%s", path);
    struct timespec times[2] = {info.st_atim, info.st_mtim};
    times[1].tv_sec -= 100;
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "out/.imgtool-claims/%s", name);
    return access(path, F_OK) == 0;
}

Test(claims, own_chunks_come_first_then_those_of_others_once)
{
    Claims *first = join(0), *second = join(1);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(take(first), i);
    bool met[CHUNKS] = {false};
    cr_expect_eq(take(second), 4);
    for (int i = 0; i < 3; i++) {
        size_t chunk = take(first);
        /* only chunks of share 1 (4 to 7), because share 2 has not started */
        cr_assert(chunk > 4 && chunk < 8, "%zu", chunk);
        cr_expect_not(met[chunk]);
        met[chunk] = true;
    }
    /* `first` waits instead of ending, because `second` may crash before it finishes chunk 4. */
    cr_expect_eq(take(first), 100 + CLAIM_WAIT);
    const size_t *lost;
    cr_expect_eq(take(second), 100 + CLAIM_WAIT);
    cr_expect_eq(claims_lost(second, &lost), 3);
    claims_finish(second, 4);
    for (size_t i = 0; i < 8; i++)
        if (i != 4)
            claims_finish(first, i);
    usleep(300000); /* A waiting process reads the claims only at intervals. */
    cr_expect_eq(take(first), 100 + CLAIM_OVER);
    claims_close(first);
    cr_expect_not(is_there("0000000000000abc"));
    cr_expect_eq(take(second), 100 + CLAIM_OVER);
    claims_close(second);
    cr_expect_not(is_there(""), "nothing is left");
}

/* A file name that only resembles a claim is ignored. Otherwise such a name would hide its chunk,
 * and no process would do that chunk. */
Test(claims, misspelt_file_names_are_ignored)
{
    static const char *const names[] = {
        "0.done-01", "0.done- 1",    "0.done--1",    "1.+0",      "1. 0",
        "2.00",      "2.4294967296", "2.4294967295", "02.0",      "+2.0",
        " 3.0",      "3.done-1x",    "3.-1",         "-3.done-1", "18446744073709551619.0",
        "start-02",  "start-+2",     "start- 2",     "start-2 ",  "start-4294967298"};
    Claims *second = join(1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "out/.imgtool-claims/0000000000000abc/%s", names[i]);
        FILE *file = fopen(path, "w");
        cr_assert_not_null(file);
        fclose(file);
    }
    Claims *first = join(0);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(take(first), i);
    for (size_t i = 4; i < CHUNKS; i++)
        cr_expect_eq(claims_share_is_unstarted(first, i), share_of[i] == 2, "%zu", i);
    claims_close(first);
    claims_close(second);
}

Test(claims, claims_of_a_crashed_process_are_taken_over_once)
{
    Claims *dead = join(0), *first = join(1), *second = join(2);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(take(dead), i);
    claims_finish(dead, 0);
    for (size_t i = 4; i < 8; i++)
        cr_expect_eq(take(first), i);
    for (size_t i = 8; i < 12; i++)
        cr_expect_eq(take(second), i);
    cr_expect_eq(take(first), 100 + CLAIM_WAIT);
    make_older("2.0");
    usleep(100000);
    cr_expect_eq(take(first), 1002);
    usleep(100000);
    cr_expect_eq(take(second), 100 + CLAIM_WAIT);
    make_older("2.1"); /* `second`, the new owner of chunk 2, counts as crashed, too */
    usleep(200000);
    cr_expect_eq(take(second), 1002);
    claims_close(dead);
    claims_close(first);
    claims_close(second);
}

Test(claims, heartbeats_keep_a_claim)
{
    Claims *slow = join(0), *other = join(1);
    cr_expect_eq(take(slow), 0);
    make_older("0.0");
    claims_send_heartbeat(slow);
    for (size_t i = 4; i < 8; i++)
        cr_expect_eq(take(other), i);
    for (size_t i = 0; i < 3; i++) /* takes chunks 1 to 3 */
        cr_expect_lt(take(other), 4);
    cr_expect_eq(take(other), 100 + CLAIM_WAIT);
    claims_close(slow);
    claims_close(other);
}

Test(claims, closing_releases_chunks_for_others)
{
    Claims *ends = join(0), *other = join(1);
    cr_expect_eq(take(ends), 0);
    claims_close(ends);
    for (size_t i = 4; i < 8; i++)
        cr_expect_eq(take(other), i);
    bool met[4] = {false};
    for (size_t i = 0; i < 4; i++) {
        size_t chunk = take(other);
        cr_assert_lt(chunk, 4);
        met[chunk] = true;
    }
    cr_expect(met[0] && met[1] && met[2] && met[3]);
    claims_close(other);
}

Test(claims, a_batch_without_live_processes_starts_over)
{
    Claims *dead = join(0);
    cr_expect_eq(take(dead), 0);
    claims_finish(dead, 0);
    make_older("beat");
    Claims *again = join(0);
    cr_expect_eq(take(again), 0);
    cr_expect_not(is_there("0000000000000abc/0.done-0"));
    claims_close(again);
    claims_close(dead);
}

/* A process that restarts overwrites the report of its share. It therefore visits finished chunks
 * again, to report their files. */
Test(claims, a_restarted_share_visits_finished_chunks_again)
{
    Claims *killed = join(0), *other = join(1);
    cr_expect_eq(take(killed), 0);
    claims_finish(killed, 0);
    cr_expect_eq(take(killed), 1);
    for (size_t i = 4; i < 8; i++) {
        cr_expect_eq(take(other), i);
        claims_finish(other, i);
    }
    Claims *restarted = join(0);
    cr_expect_eq(take(restarted), 1000);
    cr_expect_not(is_there("0000000000000abc/0.done-0"));
    cr_expect_eq(take(restarted), 2, "file 1 is claimed, and may be in progress");
    claims_finish(restarted, 0);
    cr_expect(is_there("0000000000000abc/0.done-0"));
    Claims *third = join(0);
    cr_expect_eq(take(third), 1000);
    claims_close(third);
    claims_close(restarted);
    claims_close(other);
    claims_close(killed);
}

/* `other` finds no recent heartbeat of `stopped` and removes the directory of the batch. But
 * `stopped` still runs, and writes its claims again. */
Test(claims, a_live_process_restores_its_removed_directory)
{
    Claims *stopped = join(0);
    cr_expect_eq(take(stopped), 0);
    make_older("beat");
    Claims *other = join(1);
    cr_expect_not(is_there("0000000000000abc/start-0"));
    claims_send_heartbeat(stopped);
    cr_expect(is_there("0000000000000abc/start-0"));
    cr_expect(is_there("0000000000000abc/0.0"));
    cr_expect_eq(take(stopped), 1001, "others may have done it by now");
    cr_expect_eq(take(stopped), 2);
    claims_close(other);
    claims_close(stopped);
}

/* The claims of another batch are removed if its last heartbeat is old, because its processes have
 * all ended then. That batch may have had another number of shares. */
Test(claims, leftovers_of_other_batches_are_removed_at_the_end)
{
    cr_assert_eq(system("mkdir -p out/.imgtool-claims/old out/.imgtool-claims/new && "
                        "touch -d '1 hour ago' out/.imgtool-claims/old/beat "
                        "out/.imgtool-claims/now-x && touch out/.imgtool-claims/new/beat"),
                 0);
    Claims *claims = join(0);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(take(claims), i);
        claims_finish(claims, i);
    }
    claims_close(claims);
    cr_expect_not(is_there("old"));
    cr_expect_not(is_there("now-x"));
    cr_expect(is_there("new"));
}

/* A process removes the directory of claims only when no work is left. */
Test(claims, a_removed_directory_means_the_batch_is_over)
{
    Claims *first = join(0), *second = join(1);
    cr_expect_eq(take(second), 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(take(first), i);
    for (size_t i = 5; i < 8; i++)
        cr_expect_lt(take(first), 8);
    cr_assert_eq(system("mv out/.imgtool-claims/0000000000000abc . && rm -r out/.imgtool-claims"),
                 0);
    cr_expect_eq(take(first), 100 + CLAIM_OVER);
    cr_assert_eq(system("mkdir out/.imgtool-claims && mv 0000000000000abc out/.imgtool-claims"), 0);
    claims_close(first);
    claims_close(second);
}

Test(claims, chunks_of_shares_that_have_not_started_are_known)
{
    Claims *claims = join(0);
    cr_expect_not(claims_share_is_unstarted(claims, 0));
    cr_expect(claims_share_is_unstarted(claims, 4));
    claims_close(claims);
}

Test(claims, a_share_that_starts_late_does_its_own_chunks)
{
    Claims *first = join(0);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(take(first), i);
        claims_finish(first, i);
    }
    cr_expect_eq(take(first), 100 + CLAIM_OVER);
    claims_close(first);
    Claims *late = join(1);
    for (size_t i = 4; i < 8; i++)
        cr_expect_eq(take(late), i);
    cr_expect_eq(take(late), 100 + CLAIM_OVER);
    claims_close(late);
}

Test(claims, the_size_of_a_chunk_depends_on_files_and_shares)
{
    cr_expect_eq(feed_chunk_size(10, 20), 1);
    cr_expect_eq(feed_chunk_size(2048, 1), 64);
    cr_expect_eq(feed_chunk_size(100000000, 1000), 1000);
    cr_expect_eq(feed_chunk_size(0, 5), 1);
}
