/* Outputs that are files which the steps read: the first one written would change what the others
 * get. */
#include <stdlib.h>
#include <sys/stat.h>

#include "app/batch/plan/clash.h"
#include "app/batch/plan/look.h"
#include "io/step_files.h"

typedef struct ReadFile {
    const char *path; /* borrowed */
    dev_t device;
    ino_t inode;
} ReadFile;

/* Regular ones that are there. *files is to be freed. */
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
                (*files)[(*count)++] = (ReadFile){path, info.st_dev, info.st_ino};
        }
    return IMG_OK;
}

static ImgStatus check(const BatchFile *file, const ReadFile *files, size_t count, ImgError *err)
{
    dev_t device;
    ino_t inode;
    if (!look_output(file, &device, &inode))
        return IMG_OK;
    for (size_t i = 0; i < count; i++)
        if (files[i].device == device && files[i].inode == inode)
            return img_fail(err, IMG_E_USAGE,
                            "%s is read by a step, and would be replaced by the output of %s; keep "
                            "it elsewhere, or leave that picture out",
                            files[i].path, file->input);
    return IMG_OK;
}

ImgStatus clash_with_steps(const BatchPlan *plan, const ImgStep *steps, size_t step_count,
                           ImgError *err)
{
    ReadFile *files;
    size_t count;
    ImgStatus status = find_read(steps, step_count, &files, &count, err);
    for (size_t i = 0; status == IMG_OK && count > 0 && i < plan->count + plan->others; i++)
        status = check(&plan->files[i], files, count, err);
    free(files);
    return status;
}
