/* Resolves a path component by component, as the kernel does, to find out whether it passes through
 * procfs. Resolving the whole path at once would not show that, because a link in procfs can point
 * to a file elsewhere. */
#include "app/serve/serve_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

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

/* Opens the component `name`. Tries to open it as a directory first, because only that mounts an
 * automount. */
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
