/* Is it safe to write the report there? A slip of the hand would cost a picture. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_name.h"
#include "app/batch/report/report_file.h"
#include "io/output/output_path.h"
#include "io/step_files.h"

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool leads_to(const char *path, const struct stat *file)
{
    struct stat there;
    return stat(path, &there) == 0 && is_same(&there, file);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The directory that the last part of the path lies in; false where there is none. */
static bool directory_of(const char *path, struct stat *directory)
{
    char text[4096] = ".";
    size_t length = (size_t)(last_part(path) - path);
    if (length >= sizeof text)
        return false;
    if (length > 0) {
        memcpy(text, path, length);
        text[length] = '\0';
    }
    return stat(text, directory) == 0;
}

/* Will `output`, which is not there yet, be the file that `path` names? Where there is no directory
 * either, as far as letters tell; once it was created, it is asked again. */
static bool will_be(const char *output, const char *path, const struct stat *directory)
{
    struct stat its_directory;
    if (directory == NULL)
        return strcmp(output, path) == 0;
    return strcmp(last_part(output), last_part(path)) == 0 &&
           directory_of(output, &its_directory) && is_same(&its_directory, directory);
}

static ImgStatus refuse(const char *path, const char *file, const char *what, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "--report '%s' would replace '%s', which is %s; name another file", path, file,
                    what);
}

/* Also where the record is not there yet: the name is its. */
static ImgStatus check_records(const char *path, const BatchPlan *plan, ImgError *err)
{
    struct stat directory, root;
    if (!record_is_name(last_part(path)) || !directory_of(path, &directory))
        return IMG_OK;
    for (size_t i = 0; i < plan->root_count; i++)
        if (stat(plan->roots[i], &root) == 0 && is_same(&root, &directory))
            return refuse(path, path, "the record that --resume reads", err);
    return IMG_OK;
}

static ImgStatus check_new(const char *path, const BatchFile *files, size_t count, ImgError *err)
{
    struct stat info;
    const struct stat *directory = directory_of(path, &info) ? &info : NULL;
    for (size_t i = 0; i < count; i++)
        if (files[i].output != NULL && will_be(files[i].output, path, directory))
            return refuse(path, files[i].output, "an output", err);
    return IMG_OK;
}

/* Is it a file of its own, with a name? */
static bool is_named(const char *path)
{
    int fd;
    return strcmp(path, "-") != 0 && !img_output_is_descriptor(path, &fd);
}

static ImgStatus check_file(const char *path, const struct stat *there, const BatchFile *file,
                            ImgError *err)
{
    if (leads_to(file->input, there))
        return refuse(path, file->input, "an input", err);
    if (file->output != NULL && leads_to(file->output, there))
        return refuse(path, file->output, "an output", err);
    return IMG_OK;
}

/* `real` is where the path leads. */
static bool may_be(const char *file, const char *path, const char *real)
{
    const char *name = last_part(file);
    return strcmp(name, last_part(path)) == 0 || strcmp(name, last_part(real)) == 0;
}

/* By their names, as looking at the files of all others takes long; all of them only if the report
 * has further names. */
static ImgStatus check_others_there(const char *path, const struct stat *there,
                                    const BatchPlan *plan, ImgError *err)
{
    ImgStatus status = IMG_OK;
    char *real = realpath(path, NULL);
    const bool all = there->st_nlink > 1 || real == NULL;
    for (size_t i = plan->count; status == IMG_OK && i < plan->count + plan->others; i++) {
        const BatchFile *file = &plan->files[i];
        if (all || may_be(file->input, path, real) ||
            (file->output != NULL && may_be(file->output, path, real)))
            status = check_file(path, there, file, err);
    }
    free(real);
    return status;
}

ImgStatus report_file_check_others(const char *path, const BatchPlan *plan, ImgError *err)
{
    struct stat there;
    if (!is_named(path))
        return IMG_OK;
    if (stat(path, &there) != 0)
        return check_new(path, plan->files + plan->count, plan->others, err);
    return S_ISREG(there.st_mode) ? check_others_there(path, &there, plan, err) : IMG_OK;
}

/* The list may be what standard input was opened from. */
static bool is_list(const char *from_file, const struct stat *report)
{
    struct stat list;
    if (strcmp(from_file, "-") == 0)
        return fstat(STDIN_FILENO, &list) == 0 && is_same(&list, report);
    return leads_to(from_file, report);
}

ImgStatus report_file_check_read(const char *path, const Settings *settings, const ImgStep *steps,
                                 size_t step_count, ImgError *err)
{
    struct stat there;
    if (!is_named(path) || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return IMG_OK;
    if (settings->from_file != NULL && is_list(settings->from_file, &there))
        return refuse(path, settings->from_file, "the list of inputs", err);
    if (settings->pipeline_file != NULL && leads_to(settings->pipeline_file, &there))
        return refuse(path, settings->pipeline_file, "the file of steps", err);
    const char *read = img_step_files_same(steps, step_count, path);
    return read != NULL ? refuse(path, read, "read by a step", err) : IMG_OK;
}

ImgStatus report_file_check(const char *path, const BatchPlan *plan, ImgError *err)
{
    struct stat there;
    if (!is_named(path))
        return IMG_OK;
    ImgStatus status = check_records(path, plan, err);
    if (status != IMG_OK)
        return status;
    if (stat(path, &there) != 0)
        return check_new(path, plan->files, plan->count, err);
    if (!S_ISREG(there.st_mode))
        return IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        status = check_file(path, &there, &plan->files[i], err);
    return status;
}
