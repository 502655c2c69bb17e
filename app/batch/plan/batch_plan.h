/* The plan of a batch: the output of each input, and the directories that are needed. */
#ifndef IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/batch/shard/shard.h"
#include "app/files/failed_inputs.h"

/* Result of stat when the plan was made, so that later checks need not ask a slow file system
 * again. */
typedef struct FileStat {
    bool known; /* false: stat was not called, or failed without telling whether the file exists */
    bool exists, is_link;
    dev_t device;
    ino_t inode;
    uint64_t bytes;
} FileStat;

typedef struct BatchFile {
    char *input;     /* path, as found through the operands */
    char *output;    /* path; with --in-place that of the file that `input` resolves to */
    size_t root;     /* index of the root that `output` is below */
    size_t relative; /* length of the prefix of `input` up to the operand that it was found in */
    FileStat input_stat, output_stat;
    uint32_t share; /* part of the batch that the file belongs to */
} BatchFile;

/* The whole plan. Start with BATCH_PLAN_NONE, end with batch_plan_free. */
typedef struct BatchPlan {
    Shard shard;      /* part of the batch to process; set by the caller before the plan is made */
    BatchFile *files; /* in the order of the operands; in a directory by name */
    size_t count;
    size_t others; /* files of other parts, after the first `count` */
    char **roots;  /* directories with a record, without duplicates: OUTPUT_DIR, or with --in-place
                      the directories of the outputs */
    size_t root_count;
    char **directories; /* directories to create, parents first, OUTPUT_DIR the first of all; none
                           with --in-place */
    size_t directory_count;
    size_t failures;                   /* inputs that could not be listed; each was reported */
    int failure_code;                  /* exit code of the last of them */
    FailedInputs failed;               /* the same one by one, as far as memory allowed */
    size_t unsearched, other_pictures; /* left out while directories were listed: subdirectories
                                          without --recursive, and pictures of other formats */
} BatchPlan;

#define BATCH_PLAN_NONE ((BatchPlan){0})

#endif
