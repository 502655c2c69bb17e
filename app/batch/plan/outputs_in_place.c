/* Makes the outputs of --in-place, which replace their inputs, and the list of the directories that
 * hold records. A file that several inputs name gets only one output. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/batch/plan/plan_priv.h"
#include "app/text/list.h"
#include "app/text/paths.h"

/* --- Files that are named several times ------------------------------------------------------ */

/* A file to be replaced. If the input is a link, the link stays, and the file that it points to is
 * replaced. */
typedef struct Resolved {
    FileId id;  /* set if `single` */
    char *path; /* the resolved path; if the file is missing, a copy of the input's path; owned */
    size_t index;
    bool single; /* the file has one hard link, so that `id` identifies it even across mounts */
} Resolved;

static void free_resolved(Resolved *resolved, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(resolved[i].path);
    free(resolved);
}

static int by_index(const void *a, const void *b)
{
    const Resolved *left = a, *right = b;
    return left->index < right->index ? -1 : left->index > right->index;
}

static int by_path(const void *a, const void *b)
{
    int order = strcmp(((const Resolved *)a)->path, ((const Resolved *)b)->path);
    return order != 0 ? order : by_index(a, b);
}

/* Sorts files with a single hard link first, by device and inode. The others follow in the order of
 * the inputs. */
static int by_file(const void *a, const void *b)
{
    const Resolved *left = a, *right = b;
    if (left->single != right->single)
        return left->single ? -1 : 1;
    int order = left->single ? file_id_compare(a, b) : 0;
    return order != 0 ? order : by_index(a, b);
}

static bool is_same_path(const Resolved *a, const Resolved *b)
{
    return strcmp(a->path, b->path) == 0;
}

/* Returns whether `a` and `b` are the same file: equal device and inode, and the same name apart
 * from case. Names are compared because some file systems reuse inode numbers. A file that is
 * dropped by mistake would never be processed. */
static bool is_same_file(const Resolved *a, const Resolved *b)
{
    return a->single && b->single && file_id_compare(a, b) == 0 &&
           strcasecmp(path_name(a->path), path_name(b->path)) == 0;
}

static size_t drop(Resolved *resolved, size_t count, int (*order)(const void *, const void *),
                   bool (*is_same)(const Resolved *, const Resolved *))
{
    size_t kept = 0;
    qsort(resolved, count, sizeof *resolved, order);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && is_same(&resolved[kept - 1], &resolved[i]))
            free(resolved[i].path);
        else
            resolved[kept++] = resolved[i];
    }
    return kept;
}

/* Removes each file that an earlier input also resolves to. Returns the number of remaining files,
 * which keep the order of the inputs. Other hard links of a file stay, since replacing one name
 * does not change the file under the other names. */
static size_t drop_repeated(Resolved *resolved, size_t count)
{
    size_t kept = drop(resolved, count, by_path, is_same_path);
    kept = drop(resolved, kept, by_file, is_same_file);
    qsort(resolved, kept, sizeof *resolved, by_index);
    return kept;
}

static Resolved resolved_file(char *path, size_t index)
{
    struct stat info;
    Resolved resolved = {.path = path, .index = index};
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        resolved.single = info.st_nlink == 1;
        resolved.id = file_id(&info);
    }
    return resolved;
}

/* Resolves one input. The caller frees *path. A missing file gets its unresolved path. After any
 * other failure *path is NULL, and the failure is reported: under its unresolved path, the file
 * might be processed twice. Fails with IMG_E_MEMORY. */
static ImgStatus resolve(Inputs *inputs, size_t index, char **path, ImgError *err)
{
    const char *input = inputs->paths[index];
    ImgError failure = {IMG_OK, ""};
    *path = realpath(input, NULL);
    int code = *path != NULL ? 0 : errno;
    if (code != 0 && code != ENOMEM && img_errno_is_of_path(code)) {
        /* The missing file keeps its path; a later attempt to open it reports the error. */
        *path = strdup(input);
        code = *path != NULL ? 0 : ENOMEM;
    }
    if (code == ENOMEM)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    if (code != 0) {
        img_fail(&failure, img_errno_status(code), "%s: cannot be examined: %s", input,
                 strerror(code));
        inputs_fail(inputs, input, &failure);
    }
    return IMG_OK;
}

/* Resolves all inputs, and removes repeated files. The caller frees *resolved. */
static ImgStatus resolve_all(Inputs *inputs, Resolved **resolved, size_t *count, ImgError *err)
{
    *count = 0;
    *resolved = calloc(inputs->count + 1, sizeof **resolved);
    if (*resolved == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    for (size_t i = 0; i < inputs->count; i++) {
        char *path;
        if (resolve(inputs, i, &path, err) != IMG_OK)
            return err->status;
        if (path != NULL)
            (*resolved)[(*count)++] = resolved_file(path, i);
    }
    *count = drop_repeated(*resolved, *count);
    return IMG_OK;
}

/* --- Roots ------------------------------------------------------------------------------------ */

/* A root, as a key for tsearch. The root of a file is the directory that contains it. Each
 * directory has one record, regardless of the operands through which its files were found. */
typedef struct RootKey {
    FileId id;
    size_t number;
} RootKey;

/* Appends a root to the plan. Takes ownership of `directory`. */
static ImgStatus add_root(BatchPlan *plan, char *directory, ImgError *err)
{
    char **roots = list_grow(plan->roots, plan->root_count, sizeof *roots);
    if (roots == NULL) {
        free(directory);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    plan->roots = roots;
    plan->roots[plan->root_count++] = directory;
    return IMG_OK;
}

/* Sets *number to the index of the root `directory`, and adds the root if it is new. Takes
 * ownership of `directory`. Fails with IMG_E_IO if the directory does not exist. */
static ImgStatus number_root(BatchPlan *plan, void **tree, char *directory, size_t *number,
                             ImgError *err)
{
    struct stat info;
    if (stat(directory, &info) != 0) {
        img_fail(err, IMG_E_IO, "%s: %s", directory, strerror(errno));
        free(directory);
        return IMG_E_IO;
    }
    RootKey *key = malloc(sizeof *key);
    RootKey **found = NULL;
    if (key != NULL) {
        *key = (RootKey){file_id(&info), plan->root_count};
        found = (RootKey **)tsearch(key, tree, file_id_compare);
    }
    if (found == NULL) {
        free(key);
        free(directory);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    *number = (*found)->number;
    if (*found == key)
        return add_root(plan, directory, err);
    free(key);
    free(directory);
    return IMG_OK;
}

static bool is_root(const BatchPlan *plan, size_t number, const char *directory)
{
    return number < plan->root_count && strcmp(plan->roots[number], directory) == 0;
}

/* Changes the path of the output so that it starts with the path of its root. It may start
 * differently if the same directory was found in two ways, such as through a second mount. The
 * output must start with the root because records contain paths relative to it. */
static ImgStatus name_below(const char *root, Resolved *resolved, ImgError *err)
{
    char *directory = path_directory(resolved->path);
    const bool as_is = directory != NULL &&
                       (path_directory_length(resolved->path) == 0 || strcmp(directory, root) == 0);
    char *path = directory != NULL && !as_is ? path_join(root, path_name(resolved->path)) : NULL;
    free(directory);
    if (as_is)
        return IMG_OK;
    if (path == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    free(resolved->path);
    resolved->path = path;
    return IMG_OK;
}

/* Adds a file to the plan. Takes ownership of its path and of the resolved path. If the directory
 * of the file does not exist, the file is reported and left out. */
static ImgStatus add_file(BatchPlan *plan, Inputs *inputs, Resolved *resolved, void **tree,
                          size_t *root, ImgError *err)
{
    char *path = inputs->paths[resolved->index], *directory = path_directory(resolved->path);
    ImgError failure = {IMG_OK, ""};
    if (directory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    if (is_root(plan, *root, directory))
        free(directory);
    else if (number_root(plan, tree, directory, root, &failure) == IMG_E_IO) {
        img_error_prefix(&failure, "%s", path);
        inputs_fail(inputs, path, &failure);
        return IMG_OK;
    }
    if (failure.status != IMG_OK)
        return img_fail(err, failure.status, "%s", failure.message);
    if (name_below(plan->roots[*root], resolved, err) != IMG_OK)
        return err->status;
    plan->files[plan->count++] = (BatchFile){.input = path,
                                             .output = resolved->path,
                                             .root = *root,
                                             .relative = inputs->tops[resolved->index]};
    inputs->paths[resolved->index] = NULL;
    resolved->path = NULL;
    return IMG_OK;
}

ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err)
{
    Inputs *inputs = &gathered->inputs;
    plan->files = calloc(inputs->count + 1, sizeof *plan->files);
    if (plan->files == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    void *tree = NULL;
    Resolved *resolved = NULL;
    size_t root = 0, count;
    ImgStatus status = resolve_all(inputs, &resolved, &count, err);
    for (size_t i = 0; i < count && status == IMG_OK; i++)
        status = add_file(plan, inputs, &resolved[i], &tree, &root, err);
    tdestroy(tree, free);
    free_resolved(resolved, count);
    return status;
}
