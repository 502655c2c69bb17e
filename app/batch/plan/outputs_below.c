/* Makes the paths of the outputs below OUTPUT_DIR. The outputs keep the directory tree of the
 * inputs. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/plan/name_pattern.h"
#include "app/batch/plan/plan_priv.h"
#include "app/engine/result.h"

/* The part of an output's path that follows OUTPUT_DIR: directories, then the name. */
typedef struct Mirrored {
    const char *directories; /* directories_length bytes, which end in a slash */
    size_t directories_length;
    const char *name;
    size_t name_length;
} Mirrored;

/* State while the outputs are named. */
typedef struct Naming {
    const char *output_directory;
    size_t output_directory_length; /* length of output_directory without trailing slashes */
    const char *pattern;
    int32_t format;
    NameValues values;
} Naming;

static Mirrored split(const char *path, size_t start)
{
    size_t end = strlen(path);
    while (end > start && path[end - 1] == '/')
        end--;
    const char *slash = memrchr(path + start, '/', end - start);
    const char *name = slash != NULL ? slash + 1 : path + start;
    return (Mirrored){path + start, (size_t)(name - path) - start, name,
                      (size_t)(path + end - name)};
}

/* Splits the directories of the file: In the result, `name` is the last directory, and
 * `directories` are the directories before it. */
static Mirrored split_directory(const Mirrored *file)
{
    const char *end = file->directories + file->directories_length;
    while (end > file->directories && end[-1] == '/')
        end--;
    const char *slash = memrchr(file->directories, '/', (size_t)(end - file->directories));
    const char *name = slash != NULL ? slash + 1 : file->directories;
    return (Mirrored){file->directories, (size_t)(name - file->directories), name,
                      (size_t)(end - name)};
}

static size_t part_length(const char *at, const char *end)
{
    const char *slash = memchr(at, '/', (size_t)(end - at));
    return (size_t)((slash != NULL ? slash : end) - at);
}

static bool has_parent_part(const Mirrored *mirrored)
{
    const char *end = mirrored->directories + mirrored->directories_length;
    for (const char *at = mirrored->directories; at < end;) {
        size_t length = part_length(at, end);
        if (length == 2 && memcmp(at, "..", 2) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

/* Sets {dir} to the name of the directory that contains the file. A path such as "x.png" or
 * "../x.png" does not contain that name, so its directory is resolved with realpath. For "/x.png",
 * and if the directory cannot be resolved, {dir} is empty. */
static void find_directory(const char *path, char own[PATH_MAX], NameValues *values)
{
    const Mirrored file = split(path, 0), last = split_directory(&file);
    values->directory = last.name;
    values->directory_length = last.name_length;
    const bool says_nothing =
        last.name_length == 0 ||
        (last.name_length <= 2 && memcmp(last.name, "..", last.name_length) == 0);
    if (!says_nothing)
        return;
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s.", (int)file.directories_length, file.directories);
    if (realpath(parent, own) == NULL)
        own[0] = '\0';
    const char *slash = strrchr(own, '/');
    values->directory = slash != NULL ? slash + 1 : own;
    values->directory_length = strlen(values->directory);
}

static ImgStatus mirror(const Gathered *gathered, size_t index, bool recursive, Mirrored *mirrored,
                        ImgError *err)
{
    const char *path = gathered->inputs.paths[index];
    *mirrored = split(path, gathered->inputs.tops[index]);
    const bool is_listed = recursive && index >= gathered->first_listed;
    if (gathered->inputs.tops[index] == 0 && (!is_listed || path[0] == '/')) {
        mirrored->directories_length = 0;
        return IMG_OK;
    }
    if (has_parent_part(mirrored))
        return img_fail(err, IMG_E_USAGE,
                        "%s: '..' would lead out of OUTPUT_DIR; with --recursive, list names "
                        "without '..', or absolute names, which keep no directories",
                        path);
    return IMG_OK;
}

/* Copies the directories to `to`, without "." and empty components. Returns the end of the copy. */
static char *copy_directories(char *to, const Mirrored *mirrored)
{
    const char *end = mirrored->directories + mirrored->directories_length;
    for (const char *at = mirrored->directories; at < end;) {
        size_t length = part_length(at, end);
        if (length > 0 && !(length == 1 && *at == '.')) {
            memcpy(to, at, length);
            to[length] = '/';
            to += length + 1;
        }
        at += length + 1;
    }
    return to;
}

/* Returns whether `format` is not PNG and comes only from the name of the input. The caller rejects
 * this: inputs are PNG, whatever their names say, and a name must not cause a lossy conversion. */
static bool is_format_of_input(const Naming *naming, int32_t format)
{
    return naming->format < 0 && format != IMG_FILE_PNG &&
           name_format(naming->pattern, strlen(naming->pattern)) < 0;
}

static ImgStatus make_output(const Naming *naming, const Mirrored *mirrored, char **output,
                             ImgError *err)
{
    size_t name_size = name_pattern_expand(naming->pattern, &naming->values, NULL, 0);
    char *path =
        malloc(naming->output_directory_length + 1 + mirrored->directories_length + name_size + 1);
    *output = path;
    if (path == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    memcpy(path, naming->output_directory, naming->output_directory_length);
    path[naming->output_directory_length] = '/';
    char *name = copy_directories(path + naming->output_directory_length + 1, mirrored);
    name_pattern_expand(naming->pattern, &naming->values, name, name_size);
    name[name_size] = '\0';
    int32_t format = name_format(name, name_size);
    if (format < 0)
        return img_fail(
            err, IMG_E_USAGE,
            "the output '%s' would have no extension to choose a format; end --name with '.{ext}'",
            name);
    if (is_format_of_input(naming, format))
        return img_fail(err, IMG_E_USAGE,
                        "the output '%s' would be a %s by the name of its input; end --name with "
                        "'.{ext}', or use --format",
                        name, img_result_format_name((ImgFileFormat)format));
    if (naming->format >= 0 && format != naming->format)
        return img_fail(
            err, IMG_E_USAGE,
            "the output '%s' would contradict --format by its extension; end --name with '.{ext}'",
            name);
    return IMG_OK;
}

static ImgStatus add_file(BatchPlan *plan, Gathered *gathered, size_t index, Naming *naming,
                          bool recursive, ImgError *err)
{
    Mirrored mirrored;
    char own[PATH_MAX];
    char **input = &gathered->inputs.paths[index];
    ImgStatus status = mirror(gathered, index, recursive, &mirrored, err);
    if (status != IMG_OK)
        return status;
    name_values_set(&naming->values, mirrored.name, mirrored.name_length, naming->format);
    naming->values.number = index + 1;
    find_directory(*input, own, &naming->values);
    BatchFile *file = &plan->files[plan->count++];
    *file = (BatchFile){.input = *input, .relative = gathered->inputs.tops[index]};
    *input = NULL;
    status = make_output(naming, &mirrored, &file->output, err);
    naming->values.directory = NULL; /* find_directory may have set it to point into `own` */
    if (status != IMG_OK)
        img_error_prefix(err, "%s", file->input);
    return status;
}

static int digits_of(size_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

ImgStatus outputs_below(BatchPlan *plan, Gathered *gathered, const char *output_directory,
                        const Settings *settings, ImgError *err)
{
    const char *pattern = settings->name_pattern;
    Naming naming = {.output_directory = output_directory,
                     .output_directory_length = strlen(output_directory),
                     .pattern = pattern != NULL ? pattern : name_pattern_usual,
                     .format = settings->output_format,
                     .values.digits = digits_of(gathered->inputs.count)};
    while (naming.output_directory_length > 0 &&
           output_directory[naming.output_directory_length - 1] == '/')
        naming.output_directory_length--;
    plan->files = calloc(gathered->inputs.count + 1, sizeof *plan->files);
    plan->roots = calloc(1, sizeof *plan->roots);
    if (plan->roots != NULL)
        plan->roots[0] = strdup(output_directory);
    plan->root_count = plan->roots != NULL && plan->roots[0] != NULL;
    if (plan->files == NULL || plan->root_count == 0)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; i < gathered->inputs.count; i++) {
        ImgStatus status = add_file(plan, gathered, i, &naming, settings->recursive != 0, err);
        if (status != IMG_OK)
            return status;
    }
    return IMG_OK;
}
