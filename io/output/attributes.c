/* Copies owner, permissions, times and user extended attributes from one file to another. */
#include "io/output/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/output/output_priv.h"

/* Buffers for all attribute names of a file and for the value of one attribute. They have the
 * largest sizes that the system allows. */
typedef struct Attributes {
    char names[XATTR_LIST_MAX], value[XATTR_SIZE_MAX];
} Attributes;

/* Stores in `*lost` that attribute `name` was lost, unless `*lost` already holds an error. */
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
                           Attributes *buffers, ImgError *lost)
{
    char text[XATTR_NAME_MAX + sizeof "the attribute '' is"];
    const ssize_t size = getxattr(from, name, buffers->value, sizeof buffers->value);
    if (size >= 0 && set_attribute(fd, to, name, buffers->value, (size_t)size))
        return;
    const int code = errno;
    snprintf(text, sizeof text, "the attribute '%.*s' is", XATTR_NAME_MAX, name);
    note_lost(text, code, lost);
}

void img_attributes_copy_user(const char *from, int fd, const char *to, ImgError *lost)
{
    ssize_t size = listxattr(from, NULL, 0);
    if (size == 0 || (size < 0 && (errno == EOPNOTSUPP || errno == ENOSYS)))
        return;
    Attributes *buffers = size > 0 ? malloc(sizeof *buffers) : NULL;
    if (buffers != NULL)
        size = listxattr(from, buffers->names, sizeof buffers->names);
    if (buffers == NULL || size < 0)
        note_lost("attributes are", errno, lost);
    for (ssize_t at = 0; buffers != NULL && at < size;
         at += (ssize_t)strlen(buffers->names + at) + 1)
        if (strncmp(buffers->names + at, "user.", 5) == 0)
            copy_attribute(from, fd, to, buffers->names + at, buffers, lost);
    free(buffers);
}

ImgStatus img_attributes_copy(const char *path, const struct stat *old, const char *to,
                              ImgError *lost, ImgError *err)
{
    const struct timespec times[2] = {old->st_atim, old->st_mtim};
    ImgPermissions permissions;
    img_permissions_read(path, old, &permissions);
    mode_t mode = img_permissions_apply(-1, to, &permissions, old->st_mode & 07777);
    img_permissions_free(&permissions);
    /* If the owner cannot be copied, clears the set-user-ID bit, so that a program of another user
     * does not run with the rights of this user. */
    if (chown(to, old->st_uid, (gid_t)-1) != 0)
        mode &= ~(mode_t)S_ISUID;
    img_attributes_copy_user(path, -1, to, lost);
    if (chmod(to, mode) != 0 || utimensat(AT_FDCWD, to, times, 0) != 0)
        return img_fail(err, IMG_E_IO, "times and permissions cannot be preserved: %s",
                        strerror(errno));
    return IMG_OK;
}
