/* What a batch will do: which file becomes which. Made before anything is written. */
#ifndef IMGTOOL_APP_BATCH_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "kernels/core/status.h"

typedef struct BatchFile {
    char *input;  /* path, as the operands lead to it */
    char *output; /* path; with --in-place that of the file itself, wherever `input` is a link */
    size_t root;  /* number of the root that `output` lies below */
} BatchFile;

/* Start with BATCH_PLAN_NONE, end with batch_plan_free. */
typedef struct BatchPlan {
    BatchFile *files; /* in the order of the operands, folders in the order of their names */
    size_t count;
    char **roots; /* folders that keep a record, each once: OUTPUT_DIR; with --in-place those of the
                   * outputs */
    size_t root_count;
    char **folders; /* to be created, those above first; OUTPUT_DIR is the first of them. Empty with
                     * --in-place */
    size_t folder_count;
    size_t failures;  /* inputs that could not be listed; each was reported */
    int failure_code; /* exit code of the last of them */
    char **messages;  /* of these failures; fewer without memory */
    size_t message_count;
} BatchPlan;

#define BATCH_PLAN_NONE ((BatchPlan){0})

/* `operands` are INPUT..., `output_folder` is NULL with --in-place. --recursive, --from-file,
 * --null,
 * --name and --format come from the settings. IMG_E_USAGE where two files would get one name, where
 * an output is an input (by device and inode, whatever it is called), where a pattern makes no
 * sense; IMG_E_IO where the list cannot be read or OUTPUT_DIR is no folder. Writes nothing. */
ImgStatus batch_plan_make(const char *const *operands, size_t operand_count,
                          const char *output_folder, const Settings *settings, BatchPlan *plan,
                          ImgError *err);

/* Creates the folders that are not there. */
ImgStatus batch_plan_create_folders(const BatchPlan *plan, ImgError *err);

void batch_plan_free(BatchPlan *plan);

#endif
