#include "app/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "app/serve/serve_priv.h"

/* Returns the file name that operand `i` contains; NULL if it contains none, such as a pipeline
 * given as text. */
static const char *operand_file(const Args *args, size_t i)
{
    const char *operand = args->operands[i];
    if (args->command->operands[i].kind == OPERAND_PIPELINE)
        return operand[0] == '@' ? operand + 1 : NULL;
    return operand;
}

static ImgStatus fail_stream(const char *file, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "%s: a server cannot use the streams of this command; name a file, or leave "
                    "out --via serve",
                    file);
}

ImgStatus rules_check_command(const Args *args, ImgError *err)
{
    const Settings *settings = &args->settings;
    if (args->command == NULL || (args->command->bit & FOR_IMAGE) == 0 || settings->help ||
        settings->version || settings->via != VIA_SERVE)
        return img_fail(err, IMG_E_USAGE, "a server runs commands on single pictures only");
    if (settings->engine.impl != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--impl and --via serve exclude each other; leave one out");
    for (size_t i = 0; i < args->operand_count; i++) {
        const char *file = operand_file(args, i);
        if (file != NULL && (strcmp(file, "-") == 0 || leads_to_procfs(file)))
            return fail_stream(file, err);
    }
    return IMG_OK;
}

ImgStatus rules_check_file(const char *file, ImgError *err)
{
    struct stat info;
    if (leads_to_procfs(file))
        return fail_stream(file, err);
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_USAGE,
                        "%s: a server uses no pipes and no devices; name a file, or leave out "
                        "--via serve",
                        file);
    return IMG_OK;
}

ImgStatus rules_check_files(const Args *args, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < args->operand_count && status == IMG_OK; i++) {
        const char *file = operand_file(args, i);
        status = file != NULL ? rules_check_file(file, err) : IMG_OK;
    }
    return status;
}

static ImgStatus check_device(const Server *server, const Settings *settings, ImgError *err)
{
    bool has = settings->engine.device == server->settings.engine.device && server->has_gpu;
    if (settings->engine.backend == IMG_BACKEND_CPU || !option_given(settings, "device") || has)
        return IMG_OK;
    if (!server->has_gpu)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "--device %d: the server uses no GPU; leave out --device, or --via serve",
                        settings->engine.device);
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "--device %d: the server uses GPU %d; leave out --device, or start a server "
                    "for that GPU with --device %d and its own --socket",
                    settings->engine.device, server->settings.engine.device,
                    settings->engine.device);
}

static uint64_t bounded(uint64_t asked, uint64_t most)
{
    return asked == 0 || asked > most ? most : asked;
}

ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err)
{
    ImgStatus status = check_device(server, settings, err);
    if (status != IMG_OK)
        return status;
    if (settings->engine.backend == IMG_BACKEND_CUDA && !server->has_gpu)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "--backend cuda: the server uses no GPU; leave out --backend, or --via "
                        "serve");
    if (settings->engine.backend == IMG_BACKEND_AUTO)
        settings->engine.backend = server->settings.engine.backend;
    settings->engine.only_files = true;
    settings->engine.max_memory = bounded(settings->engine.max_memory, server->memory);
    settings->engine.max_pixels =
        bounded(settings->engine.max_pixels, server->settings.engine.max_pixels);
    return IMG_OK;
}

/* --- Paths through procfs --------------------------------------------------------------------- */

/* Resolves a path component by component, as the kernel does, to find out whether it passes through
 * procfs. Resolving the whole path at once would not show that, because a link in procfs can point
 * to a file elsewhere. */

enum { LINKS_MOST = 40 }; /* maximum number of symbolic links in a path, as in the kernel */

typedef struct Walk {
    int at; /* descriptor (O_PATH) of the component that was opened last; -1: there is none */
    /* Descriptor of the directory that contains the component `at`. The Walk owns both descriptors,
     * unless `from` is AT_FDCWD. */
    int from;
    int links;
    /* true if the path with its links is longer than the buffer. The kernel may still accept it */
    bool too_long;
    char *rest; /* part of the path that is not resolved yet; points into `text` */
    char text[2 * PATH_MAX];
} Walk;

static bool is_procfs_name(const char *path)
{
    static const char *const starts[] = {"/dev/std", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        (void)close(*descriptor);
    *descriptor = -1;
}

/* Returns true if the file is in procfs, wherever that is mounted. Links must not be followed
 * there, because the text of a link in procfs is not the target to which the kernel follows it. */
static bool is_in_procfs(int descriptor)
{
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

/* Opens the component `name`. Tries to open it as a directory first, because only opening a
 * directory triggers an automount. */
static int open_part(int directory, const char *name)
{
    const int how = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = openat(directory, name, how | O_DIRECTORY);
    return descriptor < 0 && errno == ENOTDIR ? openat(directory, name, how) : descriptor;
}

/* Sets the directory in which the walk continues: the root if the remaining path is absolute,
 * otherwise the current directory of the walk. */
static void start(Walk *walk)
{
    if (walk->rest[0] != '/')
        return;
    close_descriptor(&walk->from);
    walk->from = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the next component of the path. Returns false if there is none, or if it cannot be
 * opened. */
static bool open_next(Walk *walk)
{
    walk->rest += strspn(walk->rest, "/");
    const size_t length = strcspn(walk->rest, "/");
    char *name = walk->rest;
    if (length == 0)
        return false;
    walk->rest += length;
    if (*walk->rest != '\0')
        *walk->rest++ = '\0';
    walk->at = open_part(walk->from, name);
    return walk->at >= 0;
}

/* Replaces a symbolic link by its target, which is put before the remaining path. Returns false if
 * there are too many links or the path becomes too long. */
static bool follow_link(Walk *walk, const char *target)
{
    char rest[sizeof walk->text];
    const int size = snprintf(rest, sizeof rest, "%s/%s", target, walk->rest);
    walk->too_long = size >= (int)sizeof rest;
    if (walk->too_long || ++walk->links > LINKS_MOST)
        return false;
    walk->rest = memcpy(walk->text, rest, (size_t)size + 1);
    close_descriptor(&walk->at);
    start(walk);
    return true;
}

/* Continues after a component was opened: follows it if it is a link, otherwise enters it. Returns
 * false if the path cannot be resolved. */
static bool resolve_part(Walk *walk)
{
    char target[PATH_MAX];
    const ssize_t size = readlinkat(walk->at, "", target, sizeof target - 1);
    if (size > 0) {
        target[size] = '\0';
        return follow_link(walk, target);
    }
    close_descriptor(&walk->from);
    walk->from = walk->at;
    walk->at = -1;
    return true;
}

bool leads_to_procfs(const char *path)
{
    const size_t length = strlen(path);
    if (is_procfs_name(path) || length >= PATH_MAX)
        return is_procfs_name(path);
    Walk walk = {.at = -1, .from = AT_FDCWD};
    walk.rest = memcpy(walk.text, path, length + 1);
    start(&walk);
    bool leads = false, continues = true;
    while (continues && open_next(&walk)) {
        leads = is_in_procfs(walk.at);
        continues = !leads && resolve_part(&walk);
    }
    close_descriptor(&walk.at);
    close_descriptor(&walk.from);
    return leads || walk.too_long;
}
