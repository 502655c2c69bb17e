#include "app/batch/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/clash.h"
#include "app/batch/folders.h"
#include "app/batch/gather.h"
#include "app/batch/name_pattern.h"
#include "app/batch/outputs.h"

static ImgStatus check_settings(size_t operand_count, const char *output_folder,
                                const Settings *settings, ImgError *err)
{
    if (settings->null_separated != 0 && settings->from_file == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--null says how names in a list end; name the list with --from-file");
    if (operand_count == 0 && settings->from_file == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "there is no input; name files or folders, or a list with --from-file");
    if (settings->in_place != 0) {
        if (settings->name_pattern != NULL || settings->output_format >= 0)
            return img_fail(err, IMG_E_USAGE,
                            "--in-place keeps names and formats; leave out %s, or name an "
                            "OUTPUT_DIR instead of --in-place",
                            settings->name_pattern != NULL ? "--name" : "--format");
        return IMG_OK;
    }
    if (output_folder == NULL || *output_folder == '\0' || strcmp(output_folder, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "there is no OUTPUT_DIR; name a folder, or replace the inputs with "
                        "--in-place");
    return settings->name_pattern != NULL
               ? name_pattern_check(settings->name_pattern, settings->output_format, err)
               : IMG_OK;
}

static ImgStatus check_output_folder(const char *folder, ImgError *err)
{
    struct stat info;
    if (stat(folder, &info) == 0)
        return S_ISDIR(info.st_mode)
                   ? IMG_OK
                   : img_fail(err, IMG_E_IO,
                              "%s: is no folder; OUTPUT_DIR, the last operand, is one", folder);
    if (errno == ENOENT && lstat(folder, &info) != 0)
        return IMG_OK; /* it will be created */
    return img_fail(err, IMG_E_IO, "%s: OUTPUT_DIR cannot be opened: %s", folder, strerror(errno));
}

static ImgStatus make_outputs(BatchPlan *plan, Gathered *gathered, const char *output_folder,
                              const Settings *settings, ImgError *err)
{
    if (settings->in_place != 0)
        return outputs_in_place(plan, gathered, err);
    ImgStatus status = outputs_below(plan, gathered, output_folder, settings, err);
    if (status == IMG_OK)
        status = folders_collect(plan, err);
    if (status == IMG_OK)
        status = clash_of_outputs(plan, gathered->first_listed, settings, err);
    if (status == IMG_OK)
        status = clash_of_links(plan, err);
    return status == IMG_OK ? clash_with_inputs(plan, err) : status;
}

ImgStatus batch_plan_make(const char *const *operands, size_t operand_count,
                          const char *output_folder, const Settings *settings, BatchPlan *plan,
                          ImgError *err)
{
    ImgStatus status = check_settings(operand_count, output_folder, settings, err);
    if (status == IMG_OK && settings->in_place == 0)
        status = check_output_folder(output_folder, err);
    if (status != IMG_OK)
        return status;
    Gathered gathered = GATHERED_NONE;
    status = gather_inputs(operands, operand_count, settings->in_place != 0 ? NULL : output_folder,
                           settings, &gathered, err);
    if (status == IMG_OK)
        status = make_outputs(plan, &gathered, output_folder, settings, err);
    plan->failures = gathered.inputs.failures;
    plan->failure_code = gathered.inputs.failure_code;
    plan->messages = gathered.inputs.messages;
    plan->message_count = gathered.inputs.message_count;
    gathered.inputs.messages = NULL;
    gathered.inputs.message_count = 0;
    inputs_free(&gathered.inputs);
    return status;
}

static void free_list(char **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

void batch_plan_free(BatchPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->files[i].input);
        if (plan->files[i].output != plan->files[i].input)
            free(plan->files[i].output);
    }
    free(plan->files);
    free_list(plan->roots, plan->root_count);
    free_list(plan->folders, plan->folder_count);
    free_list(plan->messages, plan->message_count);
    *plan = BATCH_PLAN_NONE;
}
