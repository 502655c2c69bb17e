/* The plan of a batch: the inputs, the output of each, and the directories that the batch needs. */
#ifndef IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/batch/shard/shard.h"
#include "app/cli/options.h"
#include "app/files/inputs.h"
#include "app/text/paths.h"
#include "kernels/core/status.h"

/* Results of stat or lstat when the plan was made. Later checks use them, since stat is slow on a
 * network file system. */
typedef struct FileStat {
    bool known; /* false if stat was not called, or failed although the file may exist
                   (img_errno_is_of_path) */
    bool exists, is_link;
    FileId id;
    uint64_t bytes;
} FileStat;

typedef struct BatchFile {
    char *input;  /* Path of the input; it starts with the command-line operand through which it was
                     found. */
    char *output; /* path of the output; with --in-place the path that `input` resolves to */
    /* Index in `roots` of the directory that contains `output`, directly or further down. */
    size_t root;
    /* Length of the operand directory, with its slash, at the start of `input`; 0: `input` is an
     * operand itself. */
    size_t relative;
    FileStat input_stat, output_stat;
    uint32_t share; /* index, from 0, of the part of the batch that processes the file */
} BatchFile;

/* The whole plan of a batch. Initialise it with BATCH_PLAN_NONE, and free it with
 * batch_plan_free. */
typedef struct BatchPlan {
    Shard shard;      /* the part to process; the caller sets it before the plan is made */
    BatchFile *files; /* in the order of the operands; files of one directory are sorted by name */
    size_t count;
    size_t others; /* number of files of other parts; they follow the first `count` files */
    /* Directories that hold a record, without duplicates: OUTPUT_DIR or, with --in-place, each
     * directory with outputs. */
    char **roots;
    size_t root_count;
    /* Directories to create, parents before children, so OUTPUT_DIR is first; none with
     * --in-place. */
    char **directories;
    size_t directory_count;
    /* Number of inputs that failed while they were listed; an error was printed for each. */
    size_t failures;
    int failure_code;    /* exit code of the last failure */
    FailedInputs failed; /* list of the failures; incomplete if memory was short */
    /* Numbers of entries that were left out while directories were listed: subdirectories without
     * --recursive, and pictures of other formats. */
    size_t unsearched, other_pictures;
} BatchPlan;

#define BATCH_PLAN_NONE ((BatchPlan){0})

/* --- Making the plan -------------------------------------------------------------------------- */

/* Makes a plan from `operands` (the INPUT... of the command line) and `output_directory` (NULL with
 * --in-place). Uses the settings --recursive, --from-file, --null, --name and --format. Writes
 * nothing. Fails with IMG_E_USAGE if two inputs would get the same output, an output is an input
 * (by device and inode), or a pattern is invalid. Fails with IMG_E_IO if the list of inputs cannot
 * be read, or OUTPUT_DIR is not a directory. */
ImgStatus batch_plan_make(const char *const *operands, size_t operand_count,
                          const char *output_directory, const Settings *settings, BatchPlan *plan,
                          ImgError *err);

void batch_plan_free(BatchPlan *plan);

/* --- Directories of the outputs --------------------------------------------------------------- */

/* Creates those directories of the plan that do not exist yet. */
ImgStatus directories_create(const BatchPlan *plan, ImgError *err);

/* --- State of the files --------------------------------------------------------------------------
 *
 * Calls stat once for each file of a plan, in parallel, and stores the results. On a network file
 * system each call takes milliseconds, and several checks need the same results. */

/* Sets the FileStat of all files of this part. Inputs are examined with stat, outputs with lstat;
 * outputs are skipped if OUTPUT_DIR does not exist. Uses at most `threads` threads. */
void plan_stat_files(BatchPlan *plan, int threads);

/* Returns whether the output is an existing symbolic link, or may be such a link because its stat
 * is unknown. */
bool output_may_be_link(const BatchFile *file);

#endif
