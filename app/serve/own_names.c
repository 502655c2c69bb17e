/* Follows a name as the system does, part by part, and looks at what it goes through: what such a
 * link of procfs leads to does not tell how one came there. */
#include "app/serve/own_names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

enum { LINKS_MOST = 40 }; /* as the system follows */

typedef struct Walk {
    int at;   /* the part that was reached, opened for its place only; -1: it leads nowhere */
    int from; /* the directory that it is in; both owned, but for AT_FDCWD */
    int links;
    bool too_long; /* for us, if not for the system */
    char *rest;    /* of the name, in `text` */
    char text[2 * PATH_MAX];
} Walk;

static bool is_called_so(const char *path)
{
    static const char *const starts[] = {"/dev/std", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void leave(int *descriptor)
{
    if (*descriptor >= 0)
        (void)close(*descriptor);
    *descriptor = -1;
}

/* What the kernel itself follows, wherever procfs is mounted. */
static bool is_in_procfs(int descriptor)
{
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

/* Asked for as a directory first: one that is mounted on demand is there only then. */
static int open_part(int directory, const char *name)
{
    const int how = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = openat(directory, name, how | O_DIRECTORY);
    return descriptor < 0 && errno == ENOTDIR ? openat(directory, name, how) : descriptor;
}

/* A name, or the target of a link, starts at the root or where it stands. */
static void start(Walk *walk)
{
    if (walk->rest[0] != '/')
        return;
    leave(&walk->from);
    walk->from = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Steps to the next part; false: there is none. */
static bool step(Walk *walk)
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

/* A link's target takes its place before the rest. False: there are too many, or it is too long. */
static bool follow(Walk *walk, const char *target)
{
    char rest[sizeof walk->text];
    const int size = snprintf(rest, sizeof rest, "%s/%s", target, walk->rest);
    walk->too_long = size >= (int)sizeof rest;
    if (walk->too_long || ++walk->links > LINKS_MOST)
        return false;
    walk->rest = memcpy(walk->text, rest, (size_t)size + 1);
    leave(&walk->at);
    start(walk);
    return true;
}

/* Goes on from the part that was reached. False: it does not. */
static bool go_on(Walk *walk)
{
    char target[PATH_MAX];
    const ssize_t size = readlinkat(walk->at, "", target, sizeof target - 1);
    if (size > 0) {
        target[size] = '\0';
        return follow(walk, target);
    }
    leave(&walk->from);
    walk->from = walk->at;
    walk->at = -1;
    return true;
}

bool own_name(const char *path)
{
    const size_t length = strlen(path);
    if (is_called_so(path) || length >= PATH_MAX)
        return is_called_so(path);
    Walk walk = {.at = -1, .from = AT_FDCWD};
    walk.rest = memcpy(walk.text, path, length + 1);
    start(&walk);
    bool leads = false, goes_on = true;
    while (goes_on && step(&walk)) {
        leads = is_in_procfs(walk.at);
        goes_on = !leads && go_on(&walk);
    }
    leave(&walk.at);
    leave(&walk.from);
    return leads || walk.too_long;
}
