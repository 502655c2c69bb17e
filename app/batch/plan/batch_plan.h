/* The plan of a batch: which file becomes which, and what has to exist for that. */
#ifndef IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/batch/shard/shard.h"
#include "app/files/failed_inputs.h"

/* What a path led to when the plan was made. */
typedef struct FileLook {
    bool looked; /* else nothing is known */
    bool there, link;
    dev_t device;
    ino_t inode;
    uint64_t bytes;
} FileLook;

typedef struct BatchFile {
    char *input;     /* path, as the operands lead to it */
    char *output;    /* path; with --in-place that of the file itself, wherever `input` is a link */
    size_t root;     /* number of the root that `output` lies below */
    size_t relative; /* bytes of `input` before its path below the operand that led to it */
    FileLook input_look, output_look;
    uint32_t share; /* that it belongs to, of those of the plan */
} BatchFile;

/* Start with BATCH_PLAN_NONE, end with batch_plan_free. */
typedef struct BatchPlan {
    Shard shard;      /* set by who makes the plan: which part of the files is to be done */
    BatchFile *files; /* in the order of the operands, directories in the order of their names */
    size_t count;
    size_t others; /* files after these, of other shares */
    char **roots; /* directories that keep a record, each once: OUTPUT_DIR; with --in-place those of
                   * the outputs */
    size_t root_count;
    char **directories; /* to be created, those above first; OUTPUT_DIR is the first of them. Empty
                         * with
                         * --in-place */
    size_t directory_count;
    size_t failures;                   /* inputs that could not be listed; each was reported */
    int failure_code;                  /* exit code of the last of them */
    FailedInputs failed;               /* the same, one by one, as far as there was memory */
    size_t unsearched, other_pictures; /* left out of directories: subdirectories, without
                                        * --recursive; pictures that are not PNG */
} BatchPlan;

#define BATCH_PLAN_NONE ((BatchPlan){0})

#endif
