#include "app/batch/folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Which there are -------------------------------------------------------------------------- */

static ImgStatus add_folder(BatchPlan *plan, size_t *capacity, const char *path, size_t length,
                            ImgError *err)
{
    if (plan->folder_count == *capacity) {
        size_t more = *capacity > 0 ? 2 * *capacity : 16;
        char **folders = realloc(plan->folders, more * sizeof *folders);
        if (folders == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for the list of folders");
        plan->folders = folders;
        *capacity = more;
    }
    char *folder = strndup(path, length);
    if (folder == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of folders");
    plan->folders[plan->folder_count++] = folder;
    return IMG_OK;
}

/* The folders of `output`, save those that `before` (NULL: nothing) is in as well: files of a
 * folder follow each other, so that hardly any is noted twice. The first `start` bytes are the
 * same. */
static ImgStatus add_folders_of(BatchPlan *plan, size_t *capacity, const char *output,
                                const char *before, size_t start, ImgError *err)
{
    bool same = before != NULL;
    for (size_t i = start; output[i] != '\0'; i++) {
        same = same && output[i] == before[i];
        if (output[i] != '/' || same)
            continue;
        ImgStatus status = add_folder(plan, capacity, output, i, err);
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
    char **folders = plan->folders;
    size_t kept = 1;
    qsort(folders, plan->folder_count, sizeof *folders, by_bytes);
    for (size_t i = 1; i < plan->folder_count; i++) {
        if (strcmp(folders[kept - 1], folders[i]) == 0)
            free(folders[i]);
        else
            folders[kept++] = folders[i];
    }
    plan->folder_count = kept;
}

ImgStatus folders_collect(BatchPlan *plan, ImgError *err)
{
    size_t capacity = 0;
    const char *root = plan->roots[0];
    size_t length = strlen(root);
    while (length > 1 && root[length - 1] == '/')
        length--;
    ImgStatus status = add_folder(plan, &capacity, root, length, err);
    size_t start = root[length - 1] == '/' ? length : length + 1;
    for (size_t i = 0; i < plan->count && status == IMG_OK; i++) {
        const char *before = i > 0 ? plan->files[i - 1].output : NULL;
        status = add_folders_of(plan, &capacity, plan->files[i].output, before, start, err);
    }
    if (status == IMG_OK)
        sort_once(plan);
    return status;
}

/* --- Creating them ---------------------------------------------------------------------------- */

static ImgStatus create(const char *folder, ImgError *err)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0) /* the umask takes from it */
        return IMG_OK;
    int reason = errno;
    if (stat(folder, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return IMG_OK;
        reason = ENOTDIR;
    }
    return img_fail(err, IMG_E_IO, "%s: the folder cannot be created: %s", folder,
                    strerror(reason));
}

/* OUTPUT_DIR with the folders that it is to be in. */
static ImgStatus create_with_parents(const char *folder, ImgError *err)
{
    char *path = strdup(folder);
    if (path == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the name of a folder");
    ImgStatus status = IMG_OK;
    for (char *slash = strchr(path + 1, '/'); slash != NULL && status == IMG_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = create(path, err);
        *slash = '/';
    }
    free(path);
    return status == IMG_OK ? create(folder, err) : status;
}

ImgStatus batch_plan_create_folders(const BatchPlan *plan, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < plan->folder_count && status == IMG_OK; i++)
        status =
            i == 0 ? create_with_parents(plan->folders[i], err) : create(plan->folders[i], err);
    return status;
}
