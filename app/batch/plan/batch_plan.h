/* The plan of a batch: the inputs, the output of each, and the directories that the batch needs. */
#ifndef IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/batch/shard/shard.h"
#include "app/files/failed_inputs.h"

/* Results of stat or lstat when the plan was made. Later checks use them, since stat is slow on a
 * network file system. */
typedef struct FileStat {
    bool known; /* false: not called, or failed for another reason than a missing file */
    bool exists, is_link;
    dev_t device;
    ino_t inode;
    uint64_t bytes;
} FileStat;

typedef struct BatchFile {
    char *input;  /* path of the input; it starts with the operand that led to it */
    char *output; /* path of the output; with --in-place the path that `input` resolves to */
    /* Index in `roots` of the directory that contains `output`, directly or further down. */
    size_t root;
    /* Length of the operand directory, with its slash, at the start of `input`; 0: `input` is an
     * operand itself. */
    size_t relative;
    FileStat input_stat, output_stat;
    uint32_t share; /* index of the part of the batch that the file belongs to, from 0 */
} BatchFile;

/* The whole plan. Initialise it with BATCH_PLAN_NONE, and free it with batch_plan_free. */
typedef struct BatchPlan {
    Shard shard;      /* the part to process; the caller sets it before the plan is made */
    BatchFile *files; /* in the order of the operands; files of one directory are sorted by name */
    size_t count;
    size_t others; /* number of files of other parts; they follow the first `count` files */
    /* Directories that hold a record, without duplicates: OUTPUT_DIR or, with --in-place, each
     * directory with outputs. */
    char **roots;
    size_t root_count;
    /* Directories to create, parents before children, so OUTPUT_DIR is first; none with --in-place.
     */
    char **directories;
    size_t directory_count;
    /* Number of inputs that could not be listed; each was reported. */
    size_t failures;
    int failure_code;    /* exit code of the last failure */
    FailedInputs failed; /* the failures one by one, as far as memory allowed */
    /* Counts of entries that the listing of directories left out: subdirectories without
     * --recursive, and pictures of other formats. */
    size_t unsearched, other_pictures;
} BatchPlan;

#define BATCH_PLAN_NONE ((BatchPlan){0})

#endif
