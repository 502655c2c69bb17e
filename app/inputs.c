#include "app/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/report.h"

/* A search below one operand. */
typedef struct Search {
    Inputs *inputs;
    bool recursive;
    size_t top; /* bytes of the operand at the start of each path */
    size_t found, subfolders, unreadable;
} Search;

/* Without memory it was reported nevertheless, and counts. */
static void keep_message(Inputs *inputs, const char *message)
{
    char **messages = realloc(inputs->messages, (inputs->message_count + 1) * sizeof *messages);
    if (messages == NULL)
        return;
    inputs->messages = messages;
    messages[inputs->message_count] = strdup(message);
    inputs->message_count += messages[inputs->message_count] != NULL;
}

void inputs_fail(Inputs *inputs, const ImgError *err)
{
    inputs->failure_code = report_failure(err);
    inputs->failures++;
    keep_message(inputs, err->message);
}

static void no_memory(Inputs *inputs)
{
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_MEMORY, "no memory for the list of files");
    inputs_fail(inputs, &err);
}

static void grow(Inputs *inputs)
{
    size_t capacity = inputs->capacity > 0 ? 2 * inputs->capacity : 16;
    char **paths = realloc(inputs->paths, capacity * sizeof *paths);
    if (paths != NULL)
        inputs->paths = paths;
    size_t *tops = realloc(inputs->tops, capacity * sizeof *tops);
    if (tops != NULL)
        inputs->tops = tops;
    if (paths != NULL && tops != NULL)
        inputs->capacity = capacity;
}

/* Takes the path over. */
static void append(Inputs *inputs, char *path, size_t top)
{
    if (path != NULL && inputs->count == inputs->capacity)
        grow(inputs);
    if (path == NULL || inputs->count == inputs->capacity) {
        free(path);
        no_memory(inputs);
        return;
    }
    inputs->paths[inputs->count] = path;
    inputs->tops[inputs->count++] = top;
}

static bool is_left_out(const Inputs *inputs, const struct stat *info)
{
    return inputs->leaves_out && S_ISDIR(info->st_mode) &&
           info->st_dev == inputs->left_out_device && info->st_ino == inputs->left_out_inode;
}

void inputs_leave_out(Inputs *inputs, const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return;
    inputs->leaves_out = true;
    inputs->left_out_device = info.st_dev;
    inputs->left_out_inode = info.st_ino;
}

bool inputs_is_left_out(const Inputs *inputs, const char *path)
{
    struct stat info;
    return inputs->leaves_out && stat(path, &info) == 0 && is_left_out(inputs, &info);
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", folder, slash, name) >= 0 ? path : NULL;
}

static bool is_called_png(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".png") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void search_folder(Search *search, const char *folder);

/* Takes the path over. Pipes and devices are left out, even if they are called *.png: opening one
 * could wait for ever. */
static void search_entry(Search *search, char *path)
{
    struct stat info, target;
    if (path == NULL) {
        no_memory(search->inputs);
        return;
    }
    bool there = lstat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) {
        bool searched = !is_left_out(search->inputs, &info);
        search->subfolders += searched;
        if (search->recursive && searched)
            search_folder(search, path);
    } else if (is_called_png(path) &&
               (!there || stat(path, &target) != 0 || S_ISREG(target.st_mode))) {
        search->found++;
        append(search->inputs, path, search->top);
        return;
    }
    free(path);
}

static void search_folder(Search *search, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_shown, by_bytes);
    if (count < 0) {
        ImgError err = {IMG_OK, ""};
        img_fail(&err, IMG_E_IO, "%s: the folder cannot be read: %s", folder, strerror(errno));
        inputs_fail(search->inputs, &err);
        search->unreadable++;
        return;
    }
    for (int i = 0; i < count; i++) {
        search_entry(search, join(folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
}

static void report_nothing_found(const Search *search, const char *folder)
{
    const char *remedy = "name one that has, or single files";
    if (search->subfolders > 0)
        remedy = search->recursive ? "nor have its subfolders; name one that has, or single files"
                                   : "--recursive looks into its subfolders too";
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: the folder has no file *.png%s %s", folder,
             search->subfolders > 0 && search->recursive ? "," : ";", remedy);
    inputs_fail(search->inputs, &err);
}

void inputs_add(Inputs *inputs, const char *operand, bool recursive)
{
    struct stat info;
    bool standard_input = strcmp(operand, "-") == 0;
    if (standard_input || stat(operand, &info) != 0 || !S_ISDIR(info.st_mode)) {
        append(inputs, strdup(operand), 0);
        return;
    }
    size_t length = strlen(operand);
    Search search = {.inputs = inputs,
                     .recursive = recursive,
                     .top = operand[length - 1] == '/' ? length : length + 1};
    search_folder(&search, operand);
    if (search.found == 0 && search.unreadable == 0)
        report_nothing_found(&search, operand);
}

void inputs_free(Inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    for (size_t i = 0; i < inputs->message_count; i++)
        free(inputs->messages[i]);
    free(inputs->messages);
    free(inputs->paths);
    free(inputs->tops);
    *inputs = INPUTS_NONE;
}
