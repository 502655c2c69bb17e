#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/name_pattern.h"
#include "app/batch/plan/plan_priv.h"
#include "app/batch/report/report_file.h"
#include "app/batch/shard/share.h"
#include "app/engine/share/resources.h"
#include "app/files/gather.h"
#include "app/text/list.h"
#include "io/file_format.h"
#include "io/output/output.h"

/* --- Finding directories ---------------------------------------------------------------------- */

static ImgStatus add_directory(BatchPlan *plan, const char *path, size_t length, ImgError *err)
{
    char **list = list_grow(plan->directories, plan->directory_count, sizeof *list);
    if (list != NULL)
        plan->directories = list;
    if (list == NULL || (list[plan->directory_count] = strndup(path, length)) == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of directories");
    plan->directory_count++;
    return IMG_OK;
}

/* Adds the directories of `output`, except those that are also in the path of `before`, the
 * previous output (NULL: none). Files of one directory follow each other, so few directories are
 * added twice. The first `start` bytes of both paths are equal, and are skipped. */
static ImgStatus add_directories_of(BatchPlan *plan, const char *output, const char *before,
                                    size_t start, ImgError *err)
{
    bool same = before != NULL;
    for (size_t i = start; output[i] != '\0'; i++) {
        same = same && output[i] == before[i];
        if (output[i] != '/' || same)
            continue;
        ImgStatus status = add_directory(plan, output, i, err);
        if (status != IMG_OK)
            return status;
    }
    return IMG_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_once(BatchPlan *plan)
{
    char **directories = plan->directories;
    size_t kept = 1;
    qsort(directories, plan->directory_count, sizeof *directories, by_bytes);
    for (size_t i = 1; i < plan->directory_count; i++) {
        if (strcmp(directories[kept - 1], directories[i]) == 0)
            free(directories[i]);
        else
            directories[kept++] = directories[i];
    }
    plan->directory_count = kept;
}

/* Sets plan->directories to OUTPUT_DIR and all directories below it that outputs need, sorted
 * bytewise, so that each directory follows its parent. The paths of the outputs must be final. */
static ImgStatus directories_collect(BatchPlan *plan, ImgError *err)
{
    const char *root = plan->roots[0];
    size_t length = strlen(root);
    while (length > 1 && root[length - 1] == '/')
        length--;
    ImgStatus status = add_directory(plan, root, length, err);
    size_t start = root[length - 1] == '/' ? length : length + 1;
    for (size_t i = 0; i < plan->count && status == IMG_OK; i++) {
        const char *before = i > 0 ? plan->files[i - 1].output : NULL;
        status = add_directories_of(plan, plan->files[i].output, before, start, err);
    }
    if (status == IMG_OK)
        sort_once(plan);
    return status;
}

/* --- Creating directories --------------------------------------------------------------------- */

ImgStatus directories_create(const BatchPlan *plan, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < plan->directory_count && status == IMG_OK; i++)
        status = i == 0 ? img_directory_create_all(plan->directories[i], err)
                        : img_directory_create(plan->directories[i], err);
    return status;
}

/* --- The plan --------------------------------------------------------------------------------- */

static ImgStatus check_settings(size_t operand_count, const char *output_directory,
                                const Settings *settings, ImgError *err)
{
    if (operand_count == 0 && settings->from_file == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "INPUT is missing; name files or directories, or a list with --from-file");
    if (settings->in_place != 0) {
        if (settings->name_pattern != NULL || settings->output_format >= 0)
            return img_fail(err, IMG_E_USAGE,
                            "--in-place keeps names and formats; leave out %s, or name an "
                            "OUTPUT_DIR instead of --in-place",
                            settings->name_pattern != NULL ? "--name" : "--format");
        return IMG_OK;
    }
    if (output_directory == NULL || *output_directory == '\0' || strcmp(output_directory, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "OUTPUT_DIR is missing; name a directory, or replace the inputs with "
                        "--in-place");
    return settings->name_pattern != NULL
               ? name_pattern_check(settings->name_pattern, settings->output_format, err)
               : IMG_OK;
}

/* Rejects an OUTPUT_DIR that does not exist and is named like a picture: "batch flip a.png b.png"
 * was meant for a single picture. */
static ImgStatus check_new_directory(const char *directory, const char *only_input, ImgError *err)
{
    struct stat info;
    ImgFileFormat format;
    if (only_input == NULL || stat(only_input, &info) != 0 || !S_ISREG(info.st_mode) ||
        img_file_format_from_path(directory, &format, NULL) != IMG_OK)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "the last argument must be the output directory; '%s' looks like a picture; "
                    "create the directory first if it is one",
                    directory);
}

/* Fails if OUTPUT_DIR is a file, cannot be opened, or is missing and named like a picture.
 * `only_input` is the only input of the batch, or NULL if there are several. */
static ImgStatus check_output_directory(const char *directory, const char *only_input,
                                        ImgError *err)
{
    struct stat info;
    if (stat(directory, &info) == 0)
        return S_ISDIR(info.st_mode)
                   ? IMG_OK
                   : img_fail(err, IMG_E_USAGE,
                              "the last argument must be the output directory; '%s' is a file",
                              directory);
    if (errno == ENOENT && lstat(directory, &info) != 0)
        /* The directory does not exist yet. */
        return check_new_directory(directory, only_input, err);
    return img_fail(err, IMG_E_IO, "%s: OUTPUT_DIR cannot be opened: %s%s", directory,
                    strerror(errno), img_errno_remedy(errno));
}

static void free_list(char **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* Fails if --report names an input or output of another part of the batch. Call it before the plan
 * drops the files of other parts. */
static ImgStatus check_report(const BatchPlan *plan, const Settings *settings, ImgError *err)
{
    return settings->report_file != NULL && plan->others > 0
               ? report_file_check_others(settings->report_file, plan, err)
               : IMG_OK;
}

/* Removes roots (directories with a record) that contain no file of this part, so that no record is
 * created there. */
static void drop_roots(BatchPlan *plan)
{
    size_t kept = 0;
    for (size_t root = 0; root < plan->root_count; root++) {
        bool used = false;
        for (size_t i = 0; i < plan->count; i++) {
            if (plan->files[i].root == root) {
                plan->files[i].root = kept;
                used = true;
            }
        }
        if (used)
            plan->roots[kept++] = plan->roots[root];
        else
            free(plan->roots[root]);
    }
    plan->root_count = kept;
}

static ImgStatus take_share_in_place(BatchPlan *plan, const Settings *settings, ImgError *err)
{
    ImgStatus status = plan->shard.count > 0 ? share_take(plan, settings, err) : IMG_OK;
    if (status == IMG_OK)
        status = check_report(plan, settings, err);
    if (status == IMG_OK && plan->shard.count > 0) {
        share_drop_others(plan);
        drop_roots(plan);
    }
    return status;
}

/* Determines which files belong to this part. With --steal the plan keeps the directories of other
 * parts, because this process may take over their files. */
static ImgStatus take_share(BatchPlan *plan, const Settings *settings, ImgError *err)
{
    if (plan->shard.count == 0)
        return IMG_OK;
    ImgStatus status = share_take(plan, settings, err);
    if (status != IMG_OK)
        return status;
    if (settings->steal != NULL)
        return IMG_OK;
    free_list(plan->directories, plan->directory_count);
    plan->directories = NULL;
    plan->directory_count = 0;
    return directories_collect(plan, err);
}

static ImgStatus make_outputs(BatchPlan *plan, Gathered *gathered, const char *output_directory,
                              const Settings *settings, ImgError *err)
{
    if (settings->in_place != 0)
        return outputs_in_place(plan, gathered, err) == IMG_OK
                   ? take_share_in_place(plan, settings, err)
                   : err->status;
    ImgStatus status = outputs_below(plan, gathered, output_directory, settings, err);
    if (status == IMG_OK)
        status = directories_collect(plan, err);
    if (status == IMG_OK)
        status = clash_of_outputs(plan, gathered->first_listed, settings, err);
    if (status == IMG_OK)
        status = take_share(plan, settings, err);
    if (status == IMG_OK)
        plan_stat_files(plan, img_resources_jobs(&settings->engine, 0));
    if (status == IMG_OK)
        status = clash_of_links(plan, err);
    if (status == IMG_OK)
        status = clash_with_inputs(plan, err);
    if (status == IMG_OK)
        status = check_report(plan, settings, err);
    if (status == IMG_OK && settings->steal == NULL)
        share_drop_others(plan);
    return status;
}

ImgStatus batch_plan_make(const char *const *operands, size_t operand_count,
                          const char *output_directory, const Settings *settings, BatchPlan *plan,
                          ImgError *err)
{
    ImgStatus status = check_settings(operand_count, output_directory, settings, err);
    if (status == IMG_OK && settings->in_place == 0)
        status =
            check_output_directory(output_directory, operand_count == 1 ? operands[0] : NULL, err);
    if (status != IMG_OK)
        return status;
    Gathered gathered = GATHERED_NONE;
    status =
        gather_inputs(operands, operand_count, settings->in_place != 0 ? NULL : output_directory,
                      settings, &gathered, err);
    if (status == IMG_OK)
        status = make_outputs(plan, &gathered, output_directory, settings, err);
    plan->failures = gathered.inputs.failures;
    plan->failure_code = gathered.inputs.failure_code;
    plan->failed = gathered.inputs.failed;
    gathered.inputs.failed = FAILED_INPUTS_NONE;
    plan->unsearched = gathered.inputs.unsearched;
    plan->other_pictures = gathered.inputs.other_pictures;
    inputs_note_left_out(&gathered.inputs, settings);
    inputs_free(&gathered.inputs);
    return status;
}

void batch_plan_free(BatchPlan *plan)
{
    for (size_t i = 0; i < plan->count + plan->others; i++) {
        free(plan->files[i].input);
        if (plan->files[i].output != plan->files[i].input)
            free(plan->files[i].output);
    }
    free(plan->files);
    free_list(plan->roots, plan->root_count);
    free_list(plan->directories, plan->directory_count);
    failed_inputs_free(&plan->failed);
    *plan = BATCH_PLAN_NONE;
}
