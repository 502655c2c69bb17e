/* Tests of reading counters from the output of Nsight Compute. A fake program `ncu` prints that
 * output. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bench/measure/counters.h"

static char directory[] = "/tmp/test-counters.XXXXXX";
static char script[64];
static ImgError err;
static BenchCounters *counters;

/* Installs a fake program `ncu` on the PATH, which prints `text`. If `text` is NULL, the PATH has
 * no `ncu`. */
static void have_ncu(const char *text)
{
    cr_assert_not_null(mkdtemp(directory));
    snprintf(script, sizeof script, "%s/ncu", directory);
    if (text != NULL) {
        FILE *file = fopen(script, "w");
        fprintf(file, "#!/bin/sh\n/bin/cat <<'END'\n%s\nEND\n", text);
        fclose(file);
        cr_assert_eq(chmod(script, 0700), 0);
    }
    setenv("PATH", directory, 1);
}

static void clean_up(void)
{
    bench_counters_free(counters);
    unlink(script);
    rmdir(directory);
}

static ImgStatus run(void)
{
    char *arguments[] = {"bench", "lab", "--profile", NULL};
    return bench_counters_run(arguments, &counters, &err);
}

/* The output for two rows of a benchmark: the first has two launches, the second one. The name of
 * the first row is the start of the name of the second. Columns that are not counters stand between
 * the counters. */
static const char two_rows[] =
    "==PROF== Connected to process 7\n"
    "\"ID\",\"Kernel "
    "Name\",\"device__attribute\",\"launch__grid_size\",\"smsp__warps_launched.sum\","
    "\"smsp__inst_executed_op_shared_ld.sum\","
    "\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum\"\n"
    "\"\",\"\",\"\",\"\",\"warp\",\"inst\",\"\",\"sector\",\"sector\"\n"
    "\"0\",\"square|32 x 32|row/column|/void <unnamed>::k<(int)3, (bool)1>(int *)\",\"a \"\"b\"\" "
    "c\",\"1\",\"32\",\"32\",\"1,024\",\"128\",\"0\"\n"
    "\"1\",\"square|32 x 32|row/column|/void k2()\",\"\",\"2\",\"64\",\"1\",\"1\",\"10\",\"5\"\n"
    "\"2\",\"square|32 x 32|row/column padded|/void "
    "k()\",\"\",\"4\",\"9\",\"7\",\"7\",\"7\",\"7\"\n";

Test(counters, sums_the_launches_of_a_row, .fini = clean_up)
{
    ImgLaunchCounts counts = {.split_warps = 3, .warps = 99};
    have_ncu(two_rows);
    cr_assert_eq(run(), IMG_OK, "%s", err.message);
    cr_assert(bench_counters_replace(counters, "square", "32 x 32", "row/column", &counts));
    cr_expect_eq(counts.launches, 2);
    cr_expect_eq(counts.blocks, 3);
    cr_expect_eq(counts.warps, 96);
    cr_expect_eq(counts.shared_requests[IMG_READS], 33);
    cr_expect_eq(counts.shared_wavefronts[IMG_READS], 1025);
    cr_expect_eq(counts.global_sectors[IMG_WRITES], 143, "atomics are writes");
    cr_expect_eq(counts.split_warps, 3, "values without a counter stay");
    cr_assert(bench_counters_replace(counters, "square", "32 x 32", "row/column padded", &counts));
    cr_expect_eq(counts.blocks, 4);
}

Test(counters, rows_without_counters_stay_unchanged, .fini = clean_up)
{
    ImgLaunchCounts counts = {.warps = 99};
    have_ncu(two_rows);
    cr_assert_eq(run(), IMG_OK);
    cr_assert_not(bench_counters_replace(counters, "square", "32 x 32", "row", &counts));
    cr_assert_not(bench_counters_replace(NULL, "square", "32 x 32", "row/column", &counts));
    cr_expect_eq(counts.warps, 99);
}

Test(counters, messages_of_ncu_are_passed_on, .fini = clean_up)
{
    have_ncu("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission");
    cr_assert_eq(run(), IMG_E_UNAVAILABLE);
    cr_expect(strstr(err.message, "ERR_NVGPUCTRPERM") != NULL, "%s", err.message);
}

Test(counters, a_missing_ncu_is_explained, .fini = clean_up)
{
    have_ncu(NULL);
    cr_assert_eq(run(), IMG_E_UNAVAILABLE);
    cr_expect(strstr(err.message, "CUDA Toolkit") != NULL, "%s", err.message);
}

Test(counters, subtracted_counts_stop_at_zero)
{
    ImgLaunchCounts all = {.split_branches = 5, .shared_requests = {7, 1}};
    const ImgLaunchCounts less = {.split_branches = 2, .shared_requests = {3, 4}};
    bench_counts_subtract(&all, &less);
    cr_expect_eq(all.split_branches, 3);
    cr_expect_eq(all.shared_requests[IMG_READS], 4);
    cr_expect_eq(all.shared_requests[IMG_WRITES], 0);
}
