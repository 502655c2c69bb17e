/* Outputs that replace the inputs: each file once, and the directories that keep records. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/batch/plan/outputs.h"

/* --- Files that are named twice --------------------------------------------------------------- */

typedef struct Resolved {
    char *path; /* as realpath says; never NULL */
    size_t index;
} Resolved;

static int by_path(const void *a, const void *b)
{
    const Resolved *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    if (order != 0)
        return order;
    return left->index < right->index ? -1 : left->index > right->index;
}

/* Frees the paths of inputs that lead to a file which an earlier one leads to. Hard links stay:
 * replacing one leaves the other as it is. */
static void drop_repeated(Inputs *inputs, Resolved *resolved, size_t count)
{
    qsort(resolved, count, sizeof *resolved, by_path);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(resolved[i].path, resolved[i - 1].path) == 0) {
            free(inputs->paths[resolved[i].index]);
            inputs->paths[resolved[i].index] = NULL;
        }
    }
}

static ImgStatus take_once(Inputs *inputs, ImgError *err)
{
    size_t count = 0;
    Resolved *resolved = calloc(inputs->count + 1, sizeof *resolved);
    if (resolved == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < inputs->count && status == IMG_OK; i++) {
        char *path = realpath(inputs->paths[i], NULL);
        if (path != NULL)
            resolved[count++] = (Resolved){path, i};
        else if (errno == ENOMEM)
            status = img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    if (status == IMG_OK)
        drop_repeated(inputs, resolved, count);
    for (size_t i = 0; i < count; i++)
        free(resolved[i].path);
    free(resolved);
    return status;
}

/* --- Roots ------------------------------------------------------------------------------------ */

/* A root by what it is, for a tree of search.h. */
typedef struct RootKey {
    dev_t device;
    ino_t inode;
    size_t number;
} RootKey;

static int by_inode(const void *a, const void *b)
{
    const RootKey *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

/* The directory of a file: whatever operand leads to it, what was done to it is told in one place,
 * and nothing is done twice. To be freed; NULL without memory. */
static char *root_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length > 0 ? strndup(path, length) : strdup(".");
}

/* What will be replaced: the file itself, as a link to it stays a link. To be freed; NULL without
 * memory. */
static char *file_itself(const char *path)
{
    char *itself = realpath(path, NULL);
    return itself != NULL || errno == ENOMEM ? itself : strdup(path);
}

/* Takes `directory` over. */
static ImgStatus add_root(BatchPlan *plan, char *directory, ImgError *err)
{
    char **roots = realloc(plan->roots, (plan->root_count + 1) * sizeof *roots);
    if (roots == NULL) {
        free(directory);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    plan->roots = roots;
    plan->roots[plan->root_count++] = directory;
    return IMG_OK;
}

/* Sets *number. Takes `directory` over. IMG_E_IO where there is no such directory. */
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
        *key = (RootKey){info.st_dev, info.st_ino, plan->root_count};
        found = (RootKey **)tsearch(key, tree, by_inode);
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

/* Takes the path over. Where the directory is not there: reported, and left out of the plan. */
static ImgStatus add_file(BatchPlan *plan, Inputs *inputs, size_t index, void **tree, size_t *root,
                          ImgError *err)
{
    char *path = inputs->paths[index], *output = file_itself(path);
    char *directory = output != NULL ? root_of(output) : NULL;
    ImgError failure = {IMG_OK, ""};
    if (directory == NULL) {
        free(output);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    if (is_root(plan, *root, directory))
        free(directory);
    else if (number_root(plan, tree, directory, root, &failure) == IMG_E_IO) {
        img_error_prefix(&failure, "%s", path);
        inputs_fail(inputs, path, &failure);
        free(output);
        return IMG_OK;
    }
    if (failure.status != IMG_OK) {
        free(output);
        return img_fail(err, failure.status, "%s", failure.message);
    }
    plan->files[plan->count++] = (BatchFile){
        .input = path, .output = output, .root = *root, .relative = inputs->tops[index]};
    inputs->paths[index] = NULL;
    return IMG_OK;
}

ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err)
{
    Inputs *inputs = &gathered->inputs;
    plan->files = calloc(inputs->count + 1, sizeof *plan->files);
    if (plan->files == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    void *tree = NULL;
    size_t root = 0;
    ImgStatus status = take_once(inputs, err);
    for (size_t i = 0; i < inputs->count && status == IMG_OK; i++)
        if (inputs->paths[i] != NULL)
            status = add_file(plan, inputs, i, &tree, &root, err);
    tdestroy(tree, free);
    return status;
}
