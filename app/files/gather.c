#include "app/files/gather.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/text/streams.h"

typedef struct Gathering {
    Gathered *gathered;
    bool recursive;
    const char *base;  /* directory that relative names in the list refer to, or NULL */
    bool has_comments; /* lines of the list that start with '#' are comments */
    size_t names;      /* number of names in the list */
    bool has_stdin;
} Gathering;

/* Adds a name from the operands or from the list. Also adds a file that does not exist; opening it
 * later reports the error. Rejects pipes and devices, because a batch must not block while it reads
 * them. If "-" comes from a pattern or from the list, it is a file with this name. */
static void add_name(Gathering *gathering, const char *name)
{
    struct stat info;
    const char *path = strcmp(name, "-") == 0 ? "./-" : name;
    if (gathering->gathered->streams || stat(path, &info) != 0 || S_ISREG(info.st_mode) ||
        S_ISDIR(info.st_mode)) {
        inputs_add(&gathering->gathered->inputs, path, gathering->recursive);
        return;
    }
    ImgError failure = {IMG_OK, ""};
    img_fail(
        &failure, IMG_E_IO,
        "%s: is a pipe or a device, and a batch takes files and directories; copy its contents "
        "into a file",
        name);
    inputs_fail(&gathering->gathered->inputs, name, &failure);
}

/* --- Globs ------------------------------------------------------------------------------------ */

static bool is_glob(const char *operand)
{
    struct stat info;
    return strpbrk(operand, "*?[") != NULL && lstat(operand, &info) != 0 &&
           img_errno_is_of_path(errno);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The inputs that note_unreadable adds failures to, since glob passes it only a path. */
static _Thread_local Inputs *globbed;

/* Reports a directory that cannot be read, while glob expands a pattern. glob then continues. */
static int note_unreadable(const char *path, int code)
{
    if (code == ENOTDIR || code == ENOENT)
        return 0;
    ImgError failure = {IMG_OK, ""};
    img_fail(&failure, img_errno_status(code), "%s: cannot be searched: %s%s", path, strerror(code),
             img_errno_remedy(code));
    inputs_fail(globbed, path, &failure);
    return 0;
}

static void *open_directory(const char *path)
{
    return opendir(path);
}

static void close_directory(void *directory)
{
    (void)closedir(directory);
}

/* Returns the next entry except "." and "..". Patterns such as ".*" and ".?" would otherwise match
 * them, and a batch with --in-place would change all files below. A user can still name these
 * directories explicitly. */
static struct dirent *next_entry(void *directory)
{
    struct dirent *entry = readdir(directory);
    while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = readdir(directory);
    return entry;
}

static void add_matches(Gathering *gathering, const char *pattern)
{
    Inputs *inputs = &gathering->gathered->inputs;
    const size_t failures = inputs->failures;
    glob_t found = {.gl_opendir = open_directory,
                    .gl_readdir = next_entry,
                    .gl_closedir = close_directory,
                    .gl_stat = stat,
                    .gl_lstat = lstat};
    globbed = inputs;
    /* The matches are sorted below, as the order of glob depends on the locale. */
    int result = glob(pattern, GLOB_NOSORT | GLOB_ALTDIRFUNC, note_unreadable, &found);
    globbed = NULL;
    if (result == GLOB_NOMATCH && inputs->failures > failures)
        return; /* note_unreadable has reported the reason */
    if (result != 0) {
        ImgError failure = {IMG_OK, ""};
        if (result == GLOB_NOSPACE)
            img_fail(&failure, IMG_E_MEMORY, "%s: no memory for the list of files", pattern);
        else
            img_fail(&failure, IMG_E_IO,
                     "%s: there is no such file, and none that matches; check the pattern",
                     pattern);
        inputs_fail(inputs, pattern, &failure);
        return;
    }
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_bytes);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!inputs_is_left_out(inputs, found.gl_pathv[i]))
            add_name(gathering, found.gl_pathv[i]);
    globfree(&found);
}

/* --- Operands and list ------------------------------------------------------------------------ */

static ImgStatus add_operand(Gathering *gathering, const char *operand, ImgError *err)
{
    if (*operand == '\0')
        return img_fail(err, IMG_E_USAGE, "the name of an input is empty");
    if (strcmp(operand, "-") == 0 && gathering->has_stdin)
        return img_fail(err, IMG_E_USAGE, "standard input can be read only once; name it once");
    if (strcmp(operand, "-") == 0 && gathering->gathered->streams) {
        gathering->has_stdin = true;
        inputs_add(&gathering->gathered->inputs, operand, false);
        return IMG_OK;
    }
    if (strcmp(operand, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "standard input has no name for an output; for one picture use 'imgtool "
                        "run', for a list of names --from-file -");
    if (is_glob(operand))
        add_matches(gathering, operand);
    else
        add_name(gathering, operand);
    return IMG_OK;
}

static ImgStatus add_listed(void *context, const char *name, ImgError *err)
{
    (void)err;
    Gathering *gathering = context;
    Inputs *inputs = &gathering->gathered->inputs;
    const char *base = name[0] != '/' && gathering->base != NULL ? gathering->base : "";
    const char *slash = base[0] == '\0' || base[strlen(base) - 1] == '/' ? "" : "/";
    const size_t before = inputs->count, top = strlen(base) + strlen(slash);
    char path[2 * PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s%s%s", base, slash, name);
    if (gathering->has_comments && name[0] == '#' && lstat(path, &info) != 0)
        return IMG_OK; /* A line with '#' is a comment only if no file has this name. */
    gathering->names++;
    add_name(gathering, path);
    for (size_t i = before; i < inputs->count && gathering->recursive; i++)
        if (inputs->tops[i] == 0)
            inputs->tops[i] = top;
    return IMG_OK;
}

static ImgStatus add_list(Gathering *gathering, const Settings *settings, ImgError *err)
{
    ImgStatus status = name_list_read(settings->from_file, settings->null_separated != 0,
                                      add_listed, gathering, err);
    if (status == IMG_OK && gathering->names == 0) {
        ImgError failure = {IMG_OK, ""};
        img_fail(&failure, IMG_E_IO, "%s: the list has no names; add at least one",
                 img_streams_input_name(settings->from_file));
        inputs_fail(&gathering->gathered->inputs, settings->from_file, &failure);
    }
    return status;
}

ImgStatus gather_inputs(const char *const *operands, size_t operand_count,
                        const char *output_directory, const Settings *settings, Gathered *gathered,
                        ImgError *err)
{
    const char *list = settings->from_file;
    Gathering gathering = {.gathered = gathered,
                           .recursive = settings->recursive != 0,
                           .base = settings->list_base,
                           .has_comments = settings->null_separated == 0,
                           .has_stdin = list != NULL && strcmp(list, "-") == 0};
    if (settings->null_separated != 0 && settings->from_file == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--null applies to a list of names; name the list with --from-file");
    if (settings->list_base != NULL && settings->from_file == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--base applies to a list of names; name the list with --from-file");
    if (settings->list_base != NULL && strlen(settings->list_base) >= PATH_MAX)
        return img_fail(err, IMG_E_USAGE, "--base is longer than a path can be");
    if (settings->list_base != NULL && settings->list_base[0] == '\0')
        return img_fail(err, IMG_E_USAGE, "--base is empty; name a directory, or leave it out");
    if (output_directory != NULL &&
        inputs_leave_out(&gathered->inputs, output_directory, err) != IMG_OK)
        return err->status;
    for (size_t i = 0; i < operand_count; i++) {
        ImgStatus status = add_operand(&gathering, operands[i], err);
        if (status != IMG_OK)
            return status;
    }
    gathered->first_listed = gathered->inputs.count;
    return settings->from_file != NULL ? add_list(&gathering, settings, err) : IMG_OK;
}

Inputs inputs_in_sandbox(const Inputs *inputs, const Settings *settings, Sandbox *sandbox)
{
    Inputs readable = *inputs;
    char *const *paths = sandbox_paths(sandbox, inputs->paths, inputs->count);
    readable.paths = (char **)paths;
    sandbox_enter(sandbox, settings);
    return readable;
}
