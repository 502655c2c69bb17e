/* Rejects a plan in which outputs clash with each other or with inputs. Compares by sorting, since
 * a batch can have millions of files. */
#include "app/batch/plan/plan_priv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/name_pattern.h"

/* --- Outputs among themselves ----------------------------------------------------------------- */

/* One file of the plan, in an array that is sorted by output. */
typedef struct Entry {
    const BatchFile *file;
} Entry;

static int by_output(const void *a, const void *b)
{
    const BatchFile *left = ((const Entry *)a)->file, *right = ((const Entry *)b)->file;
    int order = strcmp(left->output, right->output);
    if (order != 0)
        return order;
    return left < right ? -1 : left > right; /* equal outputs keep the order of the plan */
}

static const char *remedy_of(const BatchFile *first, const BatchFile *second, const BatchPlan *plan,
                             size_t first_listed, const Settings *settings)
{
    /* True if the second file comes from a list (--from-file). The message then names a remedy for
     * lists, even if the first file does not come from the list. */
    bool listed = second >= plan->files + first_listed;
    if (strcmp(first->input, second->input) == 0)
        return "it is named twice; name it once";
    if (listed && settings->recursive == 0 && second->input[0] != '/')
        return "--recursive keeps the directories of names in a list, and --name with {number} "
               "keeps outputs apart";
    if (settings->name_pattern != NULL && !name_pattern_counts(settings->name_pattern))
        return "{number} in --name keeps outputs apart";
    return "--name '{number}-{stem}.{ext}' keeps outputs apart";
}

static ImgStatus find_equal(const BatchPlan *plan, const Entry *sorted, size_t first_listed,
                            const Settings *settings, ImgError *err)
{
    /* The two inputs of the clash to report. If there are several clashes, the one whose second
     * file comes first in the plan is reported. */
    const BatchFile *first = NULL, *second = NULL;
    for (size_t i = 1; i < plan->count; i++) {
        if (strcmp(sorted[i - 1].file->output, sorted[i].file->output) == 0 &&
            (second == NULL || sorted[i].file < second)) {
            first = sorted[i - 1].file;
            second = sorted[i].file;
        }
    }
    if (second == NULL)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE, "%s and %s would both become %s; %s", first->input,
                    second->input, first->output,
                    remedy_of(first, second, plan, first_listed, settings));
}

static int output_to_directory(const void *output, const void *directory)
{
    return strcmp(output, *(char *const *)directory);
}

static ImgStatus find_directory(const BatchPlan *plan, ImgError *err)
{
    for (size_t i = 0; i < plan->count; i++) {
        const BatchFile *file = &plan->files[i];
        if (bsearch(file->output, plan->directories, plan->directory_count,
                    sizeof *plan->directories, output_to_directory) != NULL)
            return img_fail(err, IMG_E_USAGE,
                            "%s would become %s, which is also a directory of other outputs; "
                            "--name can give it another name",
                            file->input, file->output);
    }
    return IMG_OK;
}

ImgStatus clash_of_outputs(const BatchPlan *plan, size_t first_listed, const Settings *settings,
                           ImgError *err)
{
    if (plan->count == 0)
        return IMG_OK;
    Entry *sorted = malloc(plan->count * sizeof *sorted);
    if (sorted == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; i < plan->count; i++)
        sorted[i].file = &plan->files[i];
    qsort(sorted, plan->count, sizeof *sorted, by_output);
    ImgStatus status = find_equal(plan, sorted, first_listed, settings, err);
    free(sorted);
    return status == IMG_OK ? find_directory(plan, err) : status;
}

/* --- Outputs and inputs ----------------------------------------------------------------------- */

typedef struct Identity {
    dev_t device;
    ino_t inode;
    const BatchFile *file;
} Identity;

static int by_identity(const void *a, const void *b)
{
    const Identity *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

/* Sets *identity to device and inode of the directory, which is the first `length` bytes of a path.
 * Returns false if there is no such directory. */
static bool identify_directory(const char *path, size_t length, Identity *identity)
{
    struct stat info;
    char *directory = length > 0 ? strndup(path, length) : strdup(".");
    bool there = directory != NULL && stat(directory, &info) == 0;
    free(directory);
    if (there)
        *identity = (Identity){info.st_dev, info.st_ino, NULL};
    return there;
}

static bool is_output_directory(const BatchPlan *plan, const Identity *input)
{
    Identity output;
    for (size_t i = 0; i < plan->directory_count; i++)
        if (identify_directory(plan->directories[i], strlen(plan->directories[i]), &output) &&
            by_identity(&output, input) == 0)
            return true;
    return false;
}

bool clash_has_links(const BatchPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (output_may_be_link(&plan->files[i]))
            return true;
    return false;
}

/* Returns the number of inputs that must be compared with the outputs. Usually these are only the
 * inputs of this part. Calling stat for the inputs of all other parts would take as long as the
 * work itself. All inputs are compared if another part has an input in a directory of outputs, or
 * if an output may be a symbolic link. */
static size_t count_to_compare(const BatchPlan *plan)
{
    size_t all = plan->count + plan->others, before = 0;
    if (clash_has_links(plan))
        return all;
    for (size_t i = plan->count; i < all; i++) {
        const char *path = plan->files[i].input, *slash = strrchr(path, '/');
        size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
        Identity directory;
        bool same = i > plan->count && length == before &&
                    memcmp(plan->files[i - 1].input, path, length) == 0;
        if (!same && identify_directory(path, length, &directory) &&
            is_output_directory(plan, &directory))
            return all;
        before = length;
    }
    return plan->count;
}

/* Collects device and inode of each existing file among the first `candidates` inputs in the array
 * `inputs`, and sorts the array. Returns the number of its elements. */
static size_t identify_inputs(const BatchPlan *plan, size_t candidates, Identity *inputs)
{
    size_t count = 0;
    for (size_t i = 0; i < candidates; i++) {
        Identity found = {.file = &plan->files[i]};
        if (stat_input(found.file, &found.device, &found.inode))
            inputs[count++] = found;
    }
    qsort(inputs, count, sizeof *inputs, by_identity);
    return count;
}

static ImgStatus refuse(const BatchFile *file, const BatchFile *input, ImgError *err)
{
    if (file == input)
        return img_fail(err, IMG_E_USAGE,
                        "%s would be replaced by its own output %s; name another OUTPUT_DIR, give "
                        "outputs other names with --name, or ask for that with --in-place",
                        input->input, file->output);
    return img_fail(err, IMG_E_USAGE,
                    "%s is an input, and would be replaced by %s, the output of %s; name another "
                    "OUTPUT_DIR, or give outputs other names with --name",
                    input->input, file->output, file->input);
}

ImgStatus clash_with_inputs(const BatchPlan *plan, ImgError *err)
{
    if (plan->count == 0 || !directory_may_exist(plan->roots[0]))
        return IMG_OK;
    size_t candidates = count_to_compare(plan);
    Identity *inputs = malloc(candidates * sizeof *inputs);
    if (inputs == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    size_t count = identify_inputs(plan, candidates, inputs);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < plan->count && status == IMG_OK; i++) {
        Identity key = {.file = &plan->files[i]};
        if (!stat_output(key.file, &key.device, &key.inode))
            continue;
        Identity *found = bsearch(&key, inputs, count, sizeof key, by_identity);
        if (found != NULL)
            status = refuse(&plan->files[i], found->file, err);
    }
    free(inputs);
    return status;
}
