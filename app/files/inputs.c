#include "app/files/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/term/messages.h"
#include "app/text/list.h"
#include "app/text/paths.h"

/* One directory of the search, with its entries. */
typedef struct Level {
    char *directory; /* path of the directory; owned */
    /* The entries of the directory; owned; those before `next` are already freed. */
    struct dirent **entries;
    int count, next;
} Level;

/* A search of one operand and its subdirectories. The levels are stored on the heap, because a deep
 * tree of directories could overflow the stack. */
typedef struct Search {
    Inputs *inputs;
    bool recursive;
    size_t top; /* length of the operand with its slash; each path starts with the operand */
    size_t found, subdirectories, unreadable;
    Level *levels; /* the directories from the operand to the innermost one */
    size_t depth;
} Search;

void inputs_fail(Inputs *inputs, const char *path, const ImgError *err)
{
    inputs->failure_code = report_failure(err);
    failed_inputs_add(&inputs->failed, path, err);
    inputs->failures++;
}

static void no_memory(Inputs *inputs)
{
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_MEMORY, "no memory for the list of files");
    inputs_fail(inputs, NULL, &err);
}

/* Appends a path to the list, and takes ownership of it. */
static void append(Inputs *inputs, char *path, size_t top)
{
    char **paths = list_grow(inputs->paths, inputs->count, sizeof *paths);
    if (paths != NULL)
        inputs->paths = paths;
    size_t *tops = list_grow(inputs->tops, inputs->count, sizeof *tops);
    if (tops != NULL)
        inputs->tops = tops;
    if (path == NULL || paths == NULL || tops == NULL) {
        free(path);
        no_memory(inputs);
        return;
    }
    inputs->paths[inputs->count] = path;
    inputs->tops[inputs->count++] = top;
}

static bool is_left_out(const Inputs *inputs, const struct stat *info)
{
    const FileId id = file_id(info);
    return inputs->leaves_out && S_ISDIR(info->st_mode) &&
           file_id_compare(&id, &inputs->left_out) == 0;
}

static ImgStatus fail_look(const char *path, int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "%s: cannot be examined: %s", path,
                    strerror(code));
}

ImgStatus inputs_leave_out(Inputs *inputs, const char *directory, ImgError *err)
{
    struct stat info;
    if (stat(directory, &info) != 0)
        return img_errno_is_of_path(errno) ? IMG_OK : fail_look(directory, errno, err);
    inputs->leaves_out = true;
    inputs->left_out = file_id(&info);
    return IMG_OK;
}

bool inputs_is_left_out(const Inputs *inputs, const char *path)
{
    struct stat info;
    return inputs->leaves_out && stat(path, &info) == 0 && is_left_out(inputs, &info);
}

static bool is_called_png(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".png") == 0;
}

/* Returns whether the name has the extension of another picture format, which users may expect to
 * be read. */
static bool is_called_picture(const char *name)
{
    static const char *const extensions[] = {".jpg",  ".jpeg", ".tif",  ".tiff", ".webp",
                                             ".heic", ".heif", ".avif", ".gif",  ".bmp",
                                             ".tga",  ".jxl",  ".jp2",  ".dng"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(dot, extensions[i]) == 0)
            return true;
    return false;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void report_unsearched(Search *search, const char *path, int code)
{
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: cannot be searched for PNG files: %s%s", path, strerror(code),
             img_errno_remedy(code));
    inputs_fail(search->inputs, path, &err);
    search->unreadable++;
}

/* Returns the type of an entry as lstat reports it, or 0 if the entry must be skipped. If `type`,
 * the type from readdir, is a regular file, lstat is not called, since it takes milliseconds on a
 * network file system. If lstat fails, `type` decides: a directory that may contain pictures is
 * reported instead of silently skipped, unless it has disappeared. */
static mode_t entry_kind(Search *search, const char *path, unsigned char type)
{
    struct stat info;
    if (type == DT_REG)
        return S_IFREG;
    if (lstat(path, &info) == 0)
        return S_ISDIR(info.st_mode) && is_left_out(search->inputs, &info) ? 0 : info.st_mode;
    int code = errno;
    bool may_be_searched = type == DT_DIR || (type == DT_UNKNOWN && !is_called_png(path));
    if (code != ENOENT && may_be_searched && search->recursive)
        report_unsearched(search, path, code);
    search->subdirectories += type == DT_DIR && !search->recursive;
    return type == DT_DIR ? 0 : S_IFLNK; /* The entry counts as a file, so that opening it later
                                            reports the error. */
}

/* Returns whether the entry is an input. Pipes and devices are skipped even if their names end in
 * .png, since opening one could block forever. */
static bool is_taken(const char *path, mode_t kind)
{
    struct stat target;
    if (kind == 0 || !is_called_png(path))
        return false;
    return S_ISREG(kind) || stat(path, &target) != 0 || S_ISREG(target.st_mode);
}

/* Reads the entries of a directory, which the search handles next. Takes ownership of the path. */
static void enter_directory(Search *search, char *directory)
{
    Level *levels = list_grow(search->levels, search->depth, sizeof *levels);
    if (levels == NULL) {
        free(directory);
        no_memory(search->inputs);
        return;
    }
    search->levels = levels;
    Level level = {.directory = directory};
    level.count = scandir(directory, &level.entries, is_shown, by_bytes);
    if (level.count >= 0) {
        search->levels[search->depth++] = level;
        return;
    }
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: the directory cannot be read: %s%s", directory, strerror(errno),
             img_errno_remedy(errno));
    inputs_fail(search->inputs, directory, &err);
    search->unreadable++;
    free(directory);
}

static void leave_directory(Search *search)
{
    Level *level = &search->levels[--search->depth];
    free(level->entries);
    free(level->directory);
}

/* Handles one entry of a directory: adds it, enters it or skips it. Takes ownership of the path. */
static void search_entry(Search *search, char *path, unsigned char type)
{
    if (path == NULL) {
        no_memory(search->inputs);
        return;
    }
    mode_t kind = entry_kind(search, path, type);
    if (S_ISDIR(kind)) {
        search->subdirectories++;
        if (search->recursive) {
            enter_directory(search, path);
            return;
        }
    } else if (is_taken(path, kind)) {
        search->found++;
        append(search->inputs, path, search->top);
        return;
    } else if (is_called_picture(path)) {
        search->inputs->other_pictures++;
    }
    free(path);
}

/* Searches the directory that is the operand. The files of a subdirectory appear at the position of
 * its name in the sorted list. */
static void search_below(Search *search, const char *operand)
{
    char *directory = strdup(operand);
    if (directory == NULL)
        no_memory(search->inputs);
    else
        enter_directory(search, directory);
    while (search->depth > 0) {
        Level *level = &search->levels[search->depth - 1];
        if (level->next == level->count) {
            leave_directory(search);
            continue;
        }
        struct dirent *entry = level->entries[level->next++];
        char *path = path_join(level->directory, entry->d_name);
        const unsigned char type = entry->d_type;
        free(entry);
        search_entry(search, path, type);
    }
    free(search->levels);
}

static void report_nothing_found(const Search *search, const char *directory)
{
    const char *where = "here";
    if (search->subdirectories > 0)
        where = search->recursive ? "here or in its subdirectories"
                                  : "here; -r searches subdirectories";
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: no PNG files %s", directory, where);
    inputs_fail(search->inputs, directory, &err);
}

void inputs_add(Inputs *inputs, const char *operand, bool recursive)
{
    struct stat info;
    bool standard_input = strcmp(operand, "-") == 0;
    int code = standard_input || stat(operand, &info) == 0 ? 0 : errno;
    /* stat failed for a reason that leaves open whether the operand is a directory, so it is
     * reported instead of added. */
    if (code != 0 && !img_errno_is_of_path(code)) {
        ImgError err = {IMG_OK, ""};
        (void)fail_look(operand, code, &err);
        inputs_fail(inputs, operand, &err);
        return;
    }
    if (standard_input || code != 0 || !S_ISDIR(info.st_mode)) {
        append(inputs, strdup(operand), 0);
        return;
    }
    size_t length = strlen(operand);
    Search search = {.inputs = inputs,
                     .recursive = recursive,
                     .top = operand[length - 1] == '/' ? length : length + 1};
    search_below(&search, operand);
    if (search.found == 0 && search.unreadable == 0)
        report_nothing_found(&search, operand);
    else if (!recursive)
        inputs->unsearched += search.subdirectories;
}

void inputs_note_left_out(const Inputs *inputs, const Settings *settings)
{
    if (inputs->unsearched > 0)
        img_engine_note(&settings->engine, "%zu subdirector%s not searched; -r searches them too",
                        inputs->unsearched, inputs->unsearched == 1 ? "y was" : "ies were");
    if (inputs->other_pictures > 0)
        img_engine_note(&settings->engine,
                        "%zu picture%s of another format left out; imgtool reads only PNG",
                        inputs->other_pictures, inputs->other_pictures == 1 ? "" : "s");
}

void inputs_free(Inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    free(inputs->tops);
    failed_inputs_free(&inputs->failed);
    *inputs = INPUTS_NONE;
}
