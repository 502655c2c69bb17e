#include "io/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/errno_status.h"
#include "io/output_path.h"

/* --- Attributes ------------------------------------------------------------------------------- */

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

/* --- Backups ---------------------------------------------------------------------------------- */

/* Where nobody knows what there is, nothing is replaced. */
static ImgStatus fail_look(int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "the backup cannot be made: %s", strerror(code));
}

/* *target and *backup are to be freed; *target is NULL where there is no file to keep. */
static ImgStatus find_names(const char *path, const char *suffix, char **target, char **backup,
                            struct stat *info, ImgError *err)
{
    *backup = NULL;
    ImgStatus status = img_output_resolve(path, target, NULL, err);
    if (status != IMG_OK)
        return status;
    int code = lstat(*target, info) == 0 ? 0 : errno;
    if (code != 0 || !S_ISREG(info->st_mode)) {
        free(*target);
        *target = NULL;
        return code == 0 || img_errno_is_of_path(code) ? IMG_OK : fail_look(code, err);
    }
    if (asprintf(backup, "%s%s", *target, suffix) >= 0)
        return IMG_OK;
    *backup = NULL;
    free(*target);
    *target = NULL;
    return img_fail(err, IMG_E_MEMORY, "no memory");
}

static bool is_same(const char *path, const struct stat *file)
{
    struct stat info;
    return lstat(path, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
}

static ImgStatus fail_taken(const char *backup, const char *remedy, ImgError *err)
{
    return img_fail(err, IMG_E_IO, "there is a backup already, '%s'; move it away, or %s", backup,
                    remedy);
}

ImgStatus img_keep_backup_check(const char *path, const char *suffix, const char *remedy,
                                ImgError *err)
{
    char *target, *backup;
    struct stat info, taken;
    ImgStatus status = find_names(path, suffix, &target, &backup, &info, err);
    if (status == IMG_OK && target != NULL) {
        int code = lstat(backup, &taken) == 0 ? 0 : errno;
        if (code == 0 && !is_same(backup, &info))
            status = fail_taken(backup, remedy, err);
        else if (code != 0 && !img_errno_is_of_path(code))
            status = fail_look(code, err);
    }
    free(target);
    free(backup);
    return status;
}

static bool copy_bytes(int from, int to)
{
    char buffer[1 << 16];
    ssize_t size;
    while ((size = read(from, buffer, sizeof buffer)) != 0) {
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return false;
        for (ssize_t sent = 0, now; sent < size; sent += now)
            if ((now = write(to, buffer + sent, (size_t)(size - sent))) <= 0)
                return false;
    }
    return fsync(to) == 0 || errno == EINVAL;
}

/* 0, or a reason of errno. */
static int copy_file(const char *target, const char *backup, const struct stat *info)
{
    ImgError unkept = {IMG_OK, ""};
    int from = open(target, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (from < 0)
        return errno;
    int to = open(backup, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int reason = to < 0 ? errno : 0;
    if (reason == 0 && !copy_bytes(from, to))
        reason = errno;
    if (to >= 0 && close(to) != 0 && reason == 0)
        reason = errno;
    close(from);
    if (reason != 0 && to >= 0)
        unlink(backup);
    if (reason == 0)
        (void)img_keep_attributes(target, info, backup, &unkept);
    return reason;
}

static ImgStatus make_backup(const char *target, const char *backup, const struct stat *info,
                             const char *remedy, ImgError *err)
{
    int reason = link(target, backup) == 0 ? 0 : errno;
    if (reason == EEXIST)
        return is_same(backup, info) ? IMG_OK : fail_taken(backup, remedy, err);
    if (reason == EPERM || reason == EOPNOTSUPP || reason == EMLINK || reason == ENOSYS)
        reason = copy_file(target, backup, info);
    if (reason == EEXIST)
        return fail_taken(backup, remedy, err);
    return reason == 0 ? IMG_OK
                       : img_fail(err, IMG_E_IO, "the backup '%s' cannot be made: %s", backup,
                                  strerror(reason));
}

ImgStatus img_keep_backup(const char *path, const char *suffix, const char *remedy, char **made,
                          ImgError *err)
{
    char *target;
    struct stat info;
    ImgStatus status = find_names(path, suffix, &target, made, &info, err);
    if (status == IMG_OK && target != NULL)
        status = make_backup(target, *made, &info, remedy, err);
    free(target);
    if (status != IMG_OK) {
        free(*made);
        *made = NULL;
    }
    return status;
}
