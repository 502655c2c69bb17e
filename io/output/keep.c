#include "io/output/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static void copy_attribute(const char *from, const char *to, const char *name)
{
    char value[4096]; /* longer ones are not a user's notes on a picture */
    ssize_t size = getxattr(from, name, value, sizeof value);
    if (size >= 0)
        (void)setxattr(to, name, value, (size_t)size, 0);
}

static void copy_attributes(const char *from, const char *to)
{
    char names[4096];
    ssize_t size = listxattr(from, names, sizeof names);
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1)
        if (strncmp(names + at, "user.", 5) == 0)
            copy_attribute(from, to, names + at);
}

ImgStatus img_keep_attributes(const char *path, const struct stat *old, const char *to,
                              ImgError *err)
{
    const struct timespec times[2] = {old->st_atim, old->st_mtim};
    mode_t mode = old->st_mode & 07777;
    /* Bits of another owner's program must not become ours. */
    if (chown(to, old->st_uid, old->st_gid) != 0 && chown(to, (uid_t)-1, old->st_gid) != 0)
        mode &= 0777;
    copy_attributes(path, to);
    if (chmod(to, mode) != 0 || utimensat(AT_FDCWD, to, times, 0) != 0)
        return img_fail(err, IMG_E_IO, "times and permissions cannot be preserved: %s",
                        strerror(errno));
    return IMG_OK;
}
