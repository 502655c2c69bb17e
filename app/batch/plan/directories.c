#include "app/batch/plan/batch_plan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/output/output.h"

/* --- Finding directories ---------------------------------------------------------------------- */

static ImgStatus add_directory(BatchPlan *plan, size_t *capacity, const char *path, size_t length,
                               ImgError *err)
{
    if (plan->directory_count == *capacity) {
        size_t more = *capacity > 0 ? 2 * *capacity : 16;
        char **directories = realloc(plan->directories, more * sizeof *directories);
        if (directories == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for the list of directories");
        plan->directories = directories;
        *capacity = more;
    }
    char *directory = strndup(path, length);
    if (directory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of directories");
    plan->directories[plan->directory_count++] = directory;
    return IMG_OK;
}

/* Adds the directories of `output`, except those that are also in the path of `before`, the
 * previous output (NULL: none). Files of one directory follow each other, so few directories are
 * added twice. The first `start` bytes of both paths are equal, and are skipped. */
static ImgStatus add_directories_of(BatchPlan *plan, size_t *capacity, const char *output,
                                    const char *before, size_t start, ImgError *err)
{
    bool same = before != NULL;
    for (size_t i = start; output[i] != '\0'; i++) {
        same = same && output[i] == before[i];
        if (output[i] != '/' || same)
            continue;
        ImgStatus status = add_directory(plan, capacity, output, i, err);
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

ImgStatus directories_collect(BatchPlan *plan, ImgError *err)
{
    size_t capacity = 0;
    const char *root = plan->roots[0];
    size_t length = strlen(root);
    while (length > 1 && root[length - 1] == '/')
        length--;
    ImgStatus status = add_directory(plan, &capacity, root, length, err);
    size_t start = root[length - 1] == '/' ? length : length + 1;
    for (size_t i = 0; i < plan->count && status == IMG_OK; i++) {
        const char *before = i > 0 ? plan->files[i - 1].output : NULL;
        status = add_directories_of(plan, &capacity, plan->files[i].output, before, start, err);
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
