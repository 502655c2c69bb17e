/* Tests of finding the share of a batch, the part of its files that one process does. The share
 * follows from environment variables of Slurm, MPI and other cluster engines. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/shard/shard.h"

static Shard shard;
static ImgError err;

/* Removes the variables of cluster engines, because such an engine may run these tests. */
static void forget(void)
{
    static const char *const names[] = {"SLURM_ARRAY_TASK_ID",
                                        "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_MAX",
                                        "SLURM_ARRAY_TASK_STEP",
                                        "SLURM_ARRAY_TASK_COUNT",
                                        "SLURM_STEP_ID",
                                        "SLURM_PROCID",
                                        "SLURM_STEP_NUM_TASKS",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "PMIX_RANK",
                                        "PMI_RANK",
                                        "PMI_SIZE",
                                        "JOB_COMPLETION_INDEX",
                                        "AWS_BATCH_JOB_ARRAY_INDEX"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

TestSuite(engine, .init = forget);

/* Sets `shard` to the part of the batch that engine_find chooses for this process. Of the variables
 * that engine_find reads, only those in `environment`, such as "A=1 B=2", are set. */
static ImgStatus find(const char *environment, uint32_t shards)
{
    char *copy = strdup(environment);
    forget();
    for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " ")) {
        char *value = strchr(at, '=');
        *value++ = '\0';
        setenv(at, value, 1);
    }
    free(copy);
    err = (ImgError){IMG_OK, ""};
    return engine_find(shards, &shard, &err);
}

static void expect(const char *environment, uint32_t shards, uint32_t index, uint32_t count)
{
    cr_expect_eq(find(environment, shards), IMG_OK, "%s: %s", environment, err.message);
    cr_expect(shard.index == index && shard.count == count, "%s: %u of %u", environment,
              shard.index, shard.count);
}

/* Expects a usage error whose message contains both `one` and `other`. */
static void refuse(const char *environment, uint32_t shards, const char *one, const char *other)
{
    cr_expect_eq(find(environment, shards), IMG_E_USAGE, "%s", environment);
    cr_expect_not_null(strstr(err.message, one), "%s: %s", environment, err.message);
    cr_expect_not_null(strstr(err.message, other), "%s: %s", environment, err.message);
}

#define ARRAY(id, first, last, step, count)                                                        \
    "SLURM_ARRAY_TASK_ID=" id " SLURM_ARRAY_TASK_MIN=" first " SLURM_ARRAY_TASK_MAX=" last         \
    " SLURM_ARRAY_TASK_STEP=" step " SLURM_ARRAY_TASK_COUNT=" count

Test(engine, slurm_arrays_start_anywhere_and_have_steps)
{
    expect(ARRAY("0", "0", "6", "1", "7"), 0, 0, 7);
    expect(ARRAY("7", "1", "7", "1", "7"), 0, 6, 7);
    expect(ARRAY("11", "3", "12", "4", "3"), 0, 2, 3);
    expect(ARRAY("5", "5", "5", "1", "1"), 1, 0, 1);
}

Test(engine, slurm_steps_multiply_with_arrays)
{
    expect("SLURM_STEP_ID=0 SLURM_PROCID=4 SLURM_STEP_NUM_TASKS=6", 0, 4, 6);
    expect(ARRAY("2", "1", "3", "1", "3") " SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4",
           0, 5, 12);
    /* A batch script of Slurm has SLURM_PROCID and SLURM_NTASKS, too, but it is a single process.
     * So they do not count without SLURM_STEP_ID. */
    expect(ARRAY("2", "1", "3", "1", "3") " SLURM_PROCID=0 SLURM_NTASKS=4", 0, 1, 3);
    cr_expect_eq(find("SLURM_PROCID=0 SLURM_NTASKS=4", 0), IMG_E_USAGE);
}

Test(engine, mpi_ranks_are_shares)
{
    expect("OMPI_COMM_WORLD_RANK=19 OMPI_COMM_WORLD_SIZE=20 PMIX_RANK=19", 0, 19, 20);
    expect("PMI_RANK=3 PMI_SIZE=5", 5, 3, 5);
    expect("PMIX_RANK=3 SLURM_STEP_ID=1 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4", 0, 3, 4);
    expect("PMIX_RANK=3", 4, 3, 4);
    /* The daemons of mpirun form a Slurm step with one process per node. The rank that MPI sets
     * counts instead. */
    expect("OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 SLURM_STEP_ID=0 SLURM_PROCID=0 "
           "SLURM_STEP_NUM_TASKS=1",
           0, 3, 8);
    expect(ARRAY("1", "0", "1", "1", "2") " OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8", 16, 11,
           16);
}

Test(engine, an_index_without_a_size_needs_the_shards_option)
{
    expect("JOB_COMPLETION_INDEX=0", 4, 0, 4);
    expect("AWS_BATCH_JOB_ARRAY_INDEX=3", 4, 3, 4);
    expect("AWS_BATCH_JOB_ARRAY_INDEX=3 JOB_COMPLETION_INDEX=3", 4, 3, 4);
    refuse("JOB_COMPLETION_INDEX=3", 0, "JOB_COMPLETION_INDEX=3", "--shards N");
    refuse("PMIX_RANK=3", 0, "PMIX_RANK=3", "--shards N");
}

Test(engine, contradicting_variables_are_named)
{
    refuse("JOB_COMPLETION_INDEX=4", 4, "JOB_COMPLETION_INDEX=4", "--shards 4");
    refuse(ARRAY("0", "0", "6", "1", "7"), 8, "SLURM_ARRAY_TASK_COUNT=7", "--shards 8");
    refuse("PMI_RANK=3 PMI_SIZE=5", 4, "PMI_SIZE=5", "--shards 4");
    refuse("PMI_RANK=5 PMI_SIZE=5", 0, "PMI_RANK=5", "PMI_SIZE=5");
    refuse("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=5 PMI_RANK=2 PMI_SIZE=5", 0,
           "OMPI_COMM_WORLD_RANK=1", "PMI_RANK=2");
    refuse("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=5 PMI_RANK=1 PMI_SIZE=6", 0,
           "OMPI_COMM_WORLD_SIZE=5", "PMI_SIZE=6");
    refuse("JOB_COMPLETION_INDEX=1 AWS_BATCH_JOB_ARRAY_INDEX=2", 4, "JOB_COMPLETION_INDEX=1",
           "AWS_BATCH_JOB_ARRAY_INDEX=2");
    refuse(ARRAY("0", "0", "6", "1", "7") " JOB_COMPLETION_INDEX=0", 7, "SLURM_ARRAY_TASK_ID=0",
           "JOB_COMPLETION_INDEX=0");
    refuse("JOB_COMPLETION_INDEX=0 PMI_RANK=0 PMI_SIZE=2", 2, "JOB_COMPLETION_INDEX=0",
           "PMI_RANK=0");
    refuse(ARRAY("1", "1", "7", "1", "3"), 0, "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MAX=7");
    refuse(ARRAY("2", "1", "7", "3", "3"), 0, "SLURM_ARRAY_TASK_ID=2", "SLURM_ARRAY_TASK_STEP=3");
    refuse(ARRAY("0", "0", "1", "1", "2") " PMI_RANK=0 PMI_SIZE=2", 5, "SLURM_ARRAY_TASK_COUNT=2",
           "PMI_SIZE=2");
}

Test(engine, invalid_numbers_are_named)
{
    refuse("PMI_RANK=two PMI_SIZE=5", 0, "PMI_RANK", "two");
    refuse("PMI_RANK=2 PMI_SIZE=", 0, "PMI_SIZE", "number");
    refuse("SLURM_ARRAY_TASK_ID=2", 0, "SLURM_ARRAY_TASK_COUNT", "number");
    refuse("JOB_COMPLETION_INDEX=-1", 4, "JOB_COMPLETION_INDEX", "-1");
    refuse("JOB_COMPLETION_INDEX=99999999999999999999", 4, "JOB_COMPLETION_INDEX", "999");
}

static ImgStatus parse(const char *text, int32_t shards)
{
    Settings settings;
    settings_init(&settings);
    settings.shard = text;
    settings.shards = shards;
    err = (ImgError){IMG_OK, ""};
    return shard_find(&settings, &shard, &err);
}

Test(engine, an_explicit_share_is_parsed_and_checked)
{
    cr_expect_eq(parse("3/8", 0), IMG_OK);
    cr_expect(shard.index == 2 && shard.count == 8);
    cr_expect_eq(parse("8/8", 8), IMG_OK);
    cr_expect_eq(parse(NULL, 0), IMG_OK);
    cr_expect_eq(shard.count, 0);
    static const char *const wrong[] = {"0/8", "9/8",  "3",    "/8",  "3/",         "3/8/",
                                        "a/8", "3 /8", "-1/8", "1/0", "1/99999999", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(parse(wrong[i], 0), IMG_E_USAGE, "%s", wrong[i]);
    cr_expect_eq(parse("3/8", 7), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "--shard 3/8 contradicts --shards 7"));
    cr_expect_eq(parse(NULL, 7), IMG_E_USAGE);
}
