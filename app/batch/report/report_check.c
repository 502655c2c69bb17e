/* Checks that the report does not overwrite a picture or another file of the batch, as a typing
 * error in --report could. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record.h"
#include "app/batch/report/report_file.h"
#include "app/text/paths.h"
#include "io/output/output_path.h"
#include "io/step_files.h"

static ImgStatus refuse(const char *path, const char *file, const char *what, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "--report '%s' would replace '%s', which is %s; name another file", path, file,
                    what);
}

/* Fails if the path of the report is the name of a record in a root, even if that record does not
 * exist yet. */
static ImgStatus check_records(const char *path, const BatchPlan *plan, ImgError *err)
{
    struct stat directory;
    if (!record_is_name(path_name(path)) || !path_stat_directory(path, &directory))
        return IMG_OK;
    for (size_t i = 0; i < plan->root_count; i++)
        if (path_leads_to(plan->roots[i], &directory))
            return refuse(path, path, "the record that --resume reads", err);
    return IMG_OK;
}

static ImgStatus check_new(const char *path, const BatchFile *files, size_t count, ImgError *err)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].output != NULL && path_will_be_same(files[i].output, path))
            return refuse(path, files[i].output, "an output", err);
    return IMG_OK;
}

/* Returns whether the path names a file, and not standard output or another descriptor. */
static bool is_named(const char *path)
{
    int fd;
    return strcmp(path, "-") != 0 && !img_output_is_descriptor(path, &fd);
}

static ImgStatus check_file(const char *path, const struct stat *there, const BatchFile *file,
                            ImgError *err)
{
    if (path_leads_to(file->input, there))
        return refuse(path, file->input, "an input", err);
    if (file->output != NULL && path_leads_to(file->output, there))
        return refuse(path, file->output, "an output", err);
    return IMG_OK;
}

/* Returns whether the file is an earlier report, or empty. Such a file may be replaced without the
 * slow comparison with the files of other parts. */
static bool is_report(const char *path)
{
    static const char start[] = "{\"imgtool\":";
    char text[sizeof start] = "";
    /* O_NONBLOCK, since the file may be a pipe. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL && fd >= 0)
        close(fd);
    if (file == NULL)
        return false;
    const bool is_empty = fgets(text, sizeof text, file) == NULL && feof(file);
    fclose(file);
    return is_empty || strcmp(text, start) == 0;
}

static ImgStatus check_others_there(const char *path, const struct stat *there,
                                    const BatchPlan *plan, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = plan->count; status == IMG_OK && i < plan->count + plan->others; i++)
        status = check_file(path, there, &plan->files[i], err);
    return status;
}

ImgStatus report_file_check_others(const char *path, const BatchPlan *plan, ImgError *err)
{
    struct stat there;
    if (!is_named(path))
        return IMG_OK;
    if (stat(path, &there) != 0)
        return check_new(path, plan->files + plan->count, plan->others, err);
    return S_ISREG(there.st_mode) && !is_report(path) ? check_others_there(path, &there, plan, err)
                                                      : IMG_OK;
}

/* Fails if the path of the report is the name of a backup. A backup of an earlier run may be the
 * only copy of the original. */
static ImgStatus check_backups(const char *path, const BatchPlan *plan, const char *suffix,
                               ImgError *err)
{
    const char *name = path_name(path);
    for (size_t i = 0; i < plan->count + plan->others; i++) {
        const char *output = plan->files[i].output;
        const size_t length = output != NULL ? strlen(path_name(output)) : 0;
        if (length == 0 || strncmp(name, path_name(output), length) != 0 ||
            strcmp(name + length, suffix) != 0)
            continue;
        struct stat directory, other;
        if (path_stat_directory(path, &directory) && path_stat_directory(output, &other) &&
            path_is_same_file(&directory, &other))
            return refuse(path, path, "a backup", err);
    }
    return IMG_OK;
}

/* Returns whether the report is the file that contains the list of inputs. A list named "-" is
 * standard input. */
static bool is_list(const char *from_file, const struct stat *report)
{
    struct stat list;
    if (strcmp(from_file, "-") == 0)
        return fstat(STDIN_FILENO, &list) == 0 && path_is_same_file(&list, report);
    return path_leads_to(from_file, report);
}

ImgStatus report_file_check_read(const char *path, const Settings *settings, const ImgStep *steps,
                                 size_t step_count, ImgError *err)
{
    struct stat there;
    if (!is_named(path) || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return IMG_OK;
    if (settings->from_file != NULL && is_list(settings->from_file, &there))
        return refuse(path, settings->from_file, "the list of inputs", err);
    if (settings->pipeline_file != NULL && path_leads_to(settings->pipeline_file, &there))
        return refuse(path, settings->pipeline_file, "the file of steps", err);
    const char *read = img_step_files_find_same(steps, step_count, path);
    return read != NULL ? refuse(path, read, "read by a step", err) : IMG_OK;
}

ImgStatus report_file_check(const char *path, const BatchPlan *plan, const char *backup,
                            ImgError *err)
{
    struct stat there;
    if (!is_named(path))
        return IMG_OK;
    ImgStatus status = check_records(path, plan, err);
    if (status == IMG_OK && backup != NULL)
        status = check_backups(path, plan, backup, err);
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
