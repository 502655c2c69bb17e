/* Rejects a plan in which an output is a file that a step reads, such as a mask. Writing this
 * output would change the results of all later files. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/plan_priv.h"
#include "app/files/path_parts.h"
#include "io/step_files.h"

typedef struct ReadFile {
    const char *path; /* path of the file as the step names it; borrowed */
    char *real;       /* resolved path; owned */
    /* The file has only one hard link, so an output with its device and inode replaces it. */
    bool single;
    dev_t device;
    ino_t inode;
} ReadFile;

static void free_read(ReadFile *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(files[i].real);
    free(files);
}

static ReadFile read_file(const char *path, const struct stat *info)
{
    return (ReadFile){path, realpath(path, NULL), info->st_nlink == 1, info->st_dev, info->st_ino};
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
    return strcasecmp(path_name(a), path_name(b)) == 0 && path_directory(a, &directory) &&
           path_directory(b, &other) && path_is_same_file(&directory, &other);
}

/* Returns whether writing the output changes what the step reads. Call it if both are the same
 * file. If the output is another hard link of the file, writing it replaces only that link, and the
 * step still reads the old contents. */
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
    dev_t device;
    ino_t inode;
    if (!stat_output(file, &device, &inode))
        return IMG_OK;
    for (size_t i = 0; i < count; i++)
        if (files[i].device == device && files[i].inode == inode && would_replace(file, &files[i]))
            return img_fail(err, IMG_E_USAGE,
                            "%s is read by a step, and would be replaced by the output of %s; move "
                            "it, or leave that picture out",
                            files[i].path, file->input);
    return IMG_OK;
}

/* Returns whether the output may be one of the files, judged by its name alone. Used for outputs of
 * other parts, because calling stat for all of them would take long. */
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
