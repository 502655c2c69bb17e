/* Copies owner, permissions, times and user extended attributes from one file to another. */
#include "io/output/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/output/rights_priv.h"

/* Buffers of the largest sizes that the system allows: all names together, and one value. */
typedef struct Attributes {
    char names[XATTR_LIST_MAX], value[XATTR_SIZE_MAX];
} Attributes;

/* Keeps only the first error. */
static void note_lost(const char *name, int code, ImgError *lost)
{
    if (lost != NULL && lost->status == IMG_OK)
        (void)img_fail(lost, IMG_E_IO, "%s not kept: %s", name, strerror(code));
}

static bool set_attribute(int fd, const char *to, const char *name, const void *value, size_t size)
{
    return (fd >= 0 ? fsetxattr(fd, name, value, size, 0) : setxattr(to, name, value, size, 0)) ==
           0;
}

static void copy_attribute(const char *from, int fd, const char *to, const char *name,
                           Attributes *room, ImgError *lost)
{
    char text[XATTR_NAME_MAX + sizeof "the attribute '' is"];
    const ssize_t size = getxattr(from, name, room->value, sizeof room->value);
    if (size >= 0 && set_attribute(fd, to, name, room->value, (size_t)size))
        return;
    const int code = errno;
    snprintf(text, sizeof text, "the attribute '%.*s' is", XATTR_NAME_MAX, name);
    note_lost(text, code, lost);
}

void img_keep_user_attributes(const char *from, int fd, const char *to, ImgError *lost)
{
    ssize_t size = listxattr(from, NULL, 0);
    if (size == 0 || (size < 0 && (errno == EOPNOTSUPP || errno == ENOSYS)))
        return;
    Attributes *room = size > 0 ? malloc(sizeof *room) : NULL;
    if (room != NULL)
        size = listxattr(from, room->names, sizeof room->names);
    if (room == NULL || size < 0)
        note_lost("attributes are", errno, lost);
    for (ssize_t at = 0; room != NULL && at < size; at += (ssize_t)strlen(room->names + at) + 1)
        if (strncmp(room->names + at, "user.", 5) == 0)
            copy_attribute(from, fd, to, room->names + at, room, lost);
    free(room);
}

ImgStatus img_keep_attributes(const char *path, const struct stat *old, const char *to,
                              ImgError *lost, ImgError *err)
{
    const struct timespec times[2] = {old->st_atim, old->st_mtim};
    ImgRights rights;
    img_rights_read(path, old, &rights);
    mode_t mode = img_rights_give(-1, to, &rights, old->st_mode & 07777);
    img_rights_free(&rights);
    /* A set-user-ID program of another user must not become ours. */
    if (chown(to, old->st_uid, (gid_t)-1) != 0)
        mode &= ~(mode_t)S_ISUID;
    img_keep_user_attributes(path, -1, to, lost);
    if (chmod(to, mode) != 0 || utimensat(AT_FDCWD, to, times, 0) != 0)
        return img_fail(err, IMG_E_IO, "times and permissions cannot be preserved: %s",
                        strerror(errno));
    return IMG_OK;
}
