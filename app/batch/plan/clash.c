/* Rejects a plan in which outputs clash with each other or with inputs. Compares by sorting, since
 * a batch can have millions of files. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/name_pattern.h"
#include "app/batch/plan/plan_priv.h"
#include "app/text/paths.h"
#include "io/output/output_path.h"
#include "io/step_files.h"
#include "kernels/core/parallel/parallel.h"

/* --- Files on disk ---------------------------------------------------------------------------- */

enum { THREADS_MOST = 64, FILES_PER_THREAD = 16 };

typedef struct Search {
    BatchPlan *plan;
    bool outputs;
    atomic_size_t next;
} Search;

/* Converts the results of stat: its return value `answer`, and `info`. After a failure that is not
 * about the path (img_errno_is_of_path), `known` is false, so that later checks call stat again. */
static FileStat result_of(int answer, const struct stat *info)
{
    if (answer != 0)
        return (FileStat){.known = img_errno_is_of_path(errno)};
    return (FileStat){.known = true,
                      .exists = true,
                      .is_link = S_ISLNK(info->st_mode),
                      .id = file_id(info),
                      .bytes = info->st_size > 0 ? (uint64_t)info->st_size : 0};
}

/* Returns false only if the directory certainly does not exist, so that no file can be in it. */
static bool directory_may_exist(const char *directory)
{
    struct stat info;
    return stat(directory, &info) == 0 || !img_errno_is_of_path(errno);
}

static void stat_files(void *context, int part)
{
    (void)part;
    Search *search = context;
    for (size_t i; (i = search->next++) < search->plan->count;) {
        BatchFile *file = &search->plan->files[i];
        struct stat info;
        file->input_stat = result_of(stat(file->input, &info), &info);
        if (search->outputs)
            file->output_stat = result_of(lstat(file->output, &info), &info);
        else
            file->output_stat = (FileStat){.known = true};
    }
}

void plan_stat_files(BatchPlan *plan, int threads)
{
    Search search = {.plan = plan, .outputs = directory_may_exist(plan->roots[0])};
    const size_t wanted = plan->count / FILES_PER_THREAD;
    const int most = threads < THREADS_MOST ? threads : THREADS_MOST;
    const int parts = wanted < (size_t)most ? (int)wanted : most;
    img_parallel_run(NULL, parts > 1 ? parts : 1, stat_files, &search);
}

static bool identify(const FileStat *seen, const char *path, FileId *id)
{
    struct stat info;
    FileStat now = *seen;
    if (!seen->known || seen->is_link)
        now = result_of(stat(path, &info), &info);
    *id = now.id;
    return now.exists;
}

/* Sets device and inode of the existing file that the output's path resolves to. Returns false if
 * there is none. Uses the stored result of lstat unless the output is a link. */
static bool stat_output(const BatchFile *file, FileId *id)
{
    return identify(&file->output_stat, file->output, id);
}

/* Sets device and inode of the input. Returns false if it does not exist. */
static bool stat_input(const BatchFile *file, FileId *id)
{
    return identify(&file->input_stat, file->input, id);
}

bool output_may_be_link(const BatchFile *file)
{
    return !file->output_stat.known || file->output_stat.is_link;
}

/* --- Outputs among themselves ----------------------------------------------------------------- */

static int by_output(const void *a, const void *b)
{
    const BatchFile *left = *(const BatchFile *const *)a, *right = *(const BatchFile *const *)b;
    int order = strcmp(left->output, right->output);
    if (order != 0)
        return order;
    return left < right ? -1 : left > right; /* equal outputs keep the order of the plan */
}

static const char *remedy_of(const BatchFile *first, const BatchFile *second, const BatchPlan *plan,
                             size_t first_listed, const Settings *settings)
{
    /* True if the second file comes from a list (--from-file). The advice for lists then applies,
     * even if the first file was named on the command line. */
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

static ImgStatus find_equal(const BatchPlan *plan, const BatchFile *const *sorted,
                            size_t first_listed, const Settings *settings, ImgError *err)
{
    /* The two inputs of the clash to report. If there are several clashes, the one whose second
     * file comes first in the plan is reported. */
    const BatchFile *first = NULL, *second = NULL;
    for (size_t i = 1; i < plan->count; i++) {
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0 &&
            (second == NULL || sorted[i] < second)) {
            first = sorted[i - 1];
            second = sorted[i];
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
    const BatchFile **sorted = malloc(plan->count * sizeof(const BatchFile *));
    if (sorted == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; i < plan->count; i++)
        sorted[i] = &plan->files[i];
    qsort(sorted, plan->count, sizeof(const BatchFile *), by_output);
    ImgStatus status = find_equal(plan, sorted, first_listed, settings, err);
    free(sorted);
    return status == IMG_OK ? find_directory(plan, err) : status;
}

/* --- Outputs and inputs ----------------------------------------------------------------------- */

typedef struct Identity {
    FileId id;
    const BatchFile *file;
} Identity;

static bool is_output_directory(const BatchPlan *plan, const struct stat *directory)
{
    for (size_t i = 0; i < plan->directory_count; i++)
        if (path_leads_to(plan->directories[i], directory))
            return true;
    return false;
}

/* Returns true if an output of this part is an existing symbolic link, or if lstat failed, so that
 * it may be one. */
static bool clash_has_links(const BatchPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (output_may_be_link(&plan->files[i]))
            return true;
    return false;
}

/* Returns the number of inputs that must be compared with the outputs. Usually these are only the
 * inputs of this part. Calling stat for the inputs of all other parts would take as long as the
 * work itself. Those inputs are included only if one of them is in a directory to which this batch
 * writes, or if an output of this part may be a symbolic link. */
static size_t count_to_compare(const BatchPlan *plan)
{
    size_t all = plan->count + plan->others, before = 0;
    if (clash_has_links(plan))
        return all;
    for (size_t i = plan->count; i < all; i++) {
        const char *path = plan->files[i].input;
        size_t length = path_directory_length(path);
        struct stat directory;
        bool same = i > plan->count && length == before &&
                    memcmp(plan->files[i - 1].input, path, length) == 0;
        if (!same && path_stat_directory(path, &directory) && is_output_directory(plan, &directory))
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
        if (stat_input(found.file, &found.id))
            inputs[count++] = found;
    }
    qsort(inputs, count, sizeof *inputs, file_id_compare);
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
        if (!stat_output(key.file, &key.id))
            continue;
        Identity *found = bsearch(&key, inputs, count, sizeof key, file_id_compare);
        if (found != NULL)
            status = refuse(&plan->files[i], found->file, err);
    }
    free(inputs);
    return status;
}

/* --- Outputs that are the same file, because a symbolic link leads from one to the other ---------
 */

/* An output after symbolic links are resolved: device and inode of its directory, and its name
 * there. */
typedef struct Place {
    FileId directory;
    char *path; /* resolved path of the output; owned */
    const char *name;
    const BatchFile *file;
} Place;

static int by_place(const void *a, const void *b)
{
    const Place *left = a, *right = b;
    int order = file_id_compare(a, b);
    if (order == 0)
        order = strcmp(left->name, right->name);
    if (order != 0)
        return order;
    return left->file < right->file ? -1 : left->file > right->file;
}

static bool is_same(const Place *a, const Place *b)
{
    return file_id_compare(a, b) == 0 && strcmp(a->name, b->name) == 0;
}

/* Sets place->directory. If `before`, the previous output, has the same directory, its value is
 * copied, which saves a call of stat. Returns false if the directory does
 * not exist. */
static bool find_place_directory(Place *place, const Place *before)
{
    size_t length = path_directory_length(place->path);
    struct stat info;
    if (before != NULL && (size_t)(before->name - before->path) == length &&
        memcmp(before->path, place->path, length) == 0) {
        place->directory = before->directory;
        return true;
    }
    const bool there = path_stat_directory(place->path, &info);
    if (there)
        place->directory = file_id(&info);
    return there;
}

/* Sets *place to the output of the file, after symbolic links are resolved. `path` stays NULL if
 * the output cannot be resolved or its directory does not exist; the output is then not
 * compared. */
static ImgStatus find_place(const BatchFile *file, bool may_be_link, const Place *before,
                            Place *place, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *place = (Place){.file = file};
    if (may_be_link)
        status = img_output_resolve(file->output, &place->path, NULL, NULL);
    else if ((place->path = strdup(file->output)) == NULL)
        status = IMG_E_MEMORY;
    if (status == IMG_E_MEMORY)
        return img_fail(err, status, "no memory for the list of files");
    if (status != IMG_OK)
        return IMG_OK;
    place->name = path_name(place->path);
    if (!find_place_directory(place, before)) {
        free(place->path);
        place->path = NULL;
    }
    return IMG_OK;
}

/* Fails with IMG_E_USAGE if two outputs are the same name in the same directory. `places` are
 * sorted, so equal ones are neighbours. */
static ImgStatus find_same(const Place *places, size_t count, ImgError *err)
{
    for (size_t i = 1; i < count; i++)
        if (is_same(&places[i - 1], &places[i]))
            return img_fail(err, IMG_E_USAGE,
                            "%s and %s would both become %s, through a link; remove the link, or "
                            "name another OUTPUT_DIR",
                            places[i - 1].file->input, places[i].file->input, places[i].path);
    return IMG_OK;
}

ImgStatus clash_of_links(const BatchPlan *plan, ImgError *err)
{
    if (plan->count + plan->others < 2 || !directory_may_exist(plan->roots[0]))
        return IMG_OK;
    const size_t all = plan->count + plan->others;
    const bool has_links = clash_has_links(plan);
    Place *places = malloc(all * sizeof *places);
    if (places == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    size_t count = 0;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < all && status == IMG_OK; i++) {
        const Place *before = count > 0 ? &places[count - 1] : NULL;
        const BatchFile *file = &plan->files[i];
        const bool may_be_link = i < plan->count ? output_may_be_link(file) : has_links;
        status = find_place(file, may_be_link, before, &places[count], err);
        count += places[count].path != NULL;
    }
    qsort(places, count, sizeof *places, by_place);
    if (status == IMG_OK)
        status = find_same(places, count, err);
    for (size_t i = 0; i < count; i++)
        free(places[i].path);
    free(places);
    return status;
}

/* --- Outputs and files that steps read -----------------------------------------------------------
 *
 * Rejects a plan in which an output is a file that a step reads, such as a mask. Writing this
 * output would change the results of all later files. */

typedef struct ReadFile {
    const char *path; /* path of the file as the step names it; borrowed */
    char *real;       /* resolved path; owned */
    bool single; /* The file has only one hard link, so an output with the same device and inode is
                    this file. */
    FileId id;
} ReadFile;

static void free_read(ReadFile *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(files[i].real);
    free(files);
}

static ReadFile read_file(const char *path, const struct stat *info)
{
    return (ReadFile){path, realpath(path, NULL), info->st_nlink == 1, file_id(info)};
}

/* Sets *files to the existing regular files that steps read. The caller frees them with
 * free_read. */
static ImgStatus find_read(const ImgStep *steps, size_t step_count, ReadFile **files, size_t *count,
                           ImgError *err)
{
    size_t most = 0;
    *count = 0;
    for (size_t i = 0; i < step_count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++)
            most += img_step_file_path(&steps[i], param) != NULL;
    *files = calloc(most + 1, sizeof **files);
    if (*files == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; i < step_count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++) {
            const char *path = img_step_file_path(&steps[i], param);
            struct stat info;
            if (path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode))
                (*files)[(*count)++] = read_file(path, &info);
        }
    return IMG_OK;
}

static bool is_one_name(const char *a, const char *b)
{
    struct stat directory, other;
    return strcasecmp(path_name(a), path_name(b)) == 0 && path_stat_directory(a, &directory) &&
           path_stat_directory(b, &other) && path_is_same_file(&directory, &other);
}

/* Returns true if writing the output changes what the step reads. Call it only if both have the
 * same device and inode. If the output is another hard link of the file that the step reads,
 * writing it replaces only that link, and the step still reads the old contents. */
static bool would_replace(const BatchFile *file, const ReadFile *read)
{
    if (read->single || read->real == NULL)
        return true;
    char *output = realpath(file->output, NULL);
    const bool same = output == NULL || is_one_name(output, read->real);
    free(output);
    return same;
}

static ImgStatus check(const BatchFile *file, const ReadFile *files, size_t count, ImgError *err)
{
    FileId id;
    if (!stat_output(file, &id))
        return IMG_OK;
    for (size_t i = 0; i < count; i++)
        if (file_id_compare(&files[i].id, &id) == 0 && would_replace(file, &files[i]))
            return img_fail(err, IMG_E_USAGE,
                            "%s is read by a step, and would be replaced by the output of %s; move "
                            "it, or leave that picture out",
                            files[i].path, file->input);
    return IMG_OK;
}

/* Returns true if the output may be one of `files`, which steps read, judged by its name alone,
 * without its directory. Used for outputs of other parts, because calling stat for all of them
 * would take long. */
static bool may_be_read(const BatchFile *file, const ReadFile *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].real == NULL ||
            strcasecmp(path_name(file->output), path_name(files[i].real)) == 0)
            return true;
    return false;
}

ImgStatus clash_with_steps(const BatchPlan *plan, const ImgStep *steps, size_t step_count,
                           ImgError *err)
{
    ReadFile *files;
    size_t count;
    ImgStatus status = find_read(steps, step_count, &files, &count, err);
    for (size_t i = 0; status == IMG_OK && count > 0 && i < plan->count + plan->others; i++)
        if (i < plan->count || may_be_read(&plan->files[i], files, count))
            status = check(&plan->files[i], files, count, err);
    free_read(files, count);
    return status;
}
