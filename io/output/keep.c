#include "io/output/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/errno_status.h"
#include "io/output/output_path.h"

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

ImgStatus img_backup_find(const char *path, const char *suffix, ImgBackup *backup, ImgError *err)
{
    *backup = IMG_BACKUP_NONE;
    ImgStatus status = img_output_resolve(path, &backup->own_target, NULL, err);
    if (status != IMG_OK)
        return status;
    if (asprintf(&backup->own_name, "%s%s", backup->own_target, suffix) < 0) {
        backup->own_name = NULL;
        img_backup_free(backup);
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    backup->target = backup->own_target;
    backup->name = backup->own_name;
    return IMG_OK;
}

void img_backup_names(ImgBackup *backup, ImgNameFunction *use, void *context)
{
    if (backup->target == NULL)
        return;
    use(context, IMG_NAME_TARGET, &backup->target);
    use(context, IMG_NAME_BACKUP, &backup->name);
}

void img_backup_free(ImgBackup *backup)
{
    free(backup->own_target);
    free(backup->own_name);
    *backup = IMG_BACKUP_NONE;
}

/* Where nobody knows what there is, nothing is replaced. */
static ImgStatus fail_look(int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "the backup cannot be made: %s", strerror(code));
}

/* *found: there is something of that name. */
static ImgStatus look(const char *name, bool *found, struct stat *info, ImgError *err)
{
    int code = lstat(name, info) == 0 ? 0 : errno;
    *found = code == 0;
    return code == 0 || img_errno_is_of_path(code) ? IMG_OK : fail_look(code, err);
}

/* *found: there is a file to keep. */
static ImgStatus look_for_file(const ImgBackup *backup, bool *found, struct stat *info,
                               ImgError *err)
{
    ImgStatus status = look(backup->target, found, info, err);
    *found = *found && S_ISREG(info->st_mode);
    return status;
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

ImgStatus img_backup_check(const ImgBackup *backup, const char *remedy, ImgError *err)
{
    struct stat info, taken;
    bool found, is_taken;
    ImgStatus status = look_for_file(backup, &found, &info, err);
    if (status != IMG_OK || !found)
        return status;
    status = look(backup->name, &is_taken, &taken, err);
    if (status == IMG_OK && is_taken && !is_same(backup->name, &info))
        status = fail_taken(backup->name, remedy, err);
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

ImgStatus img_backup_make(const ImgBackup *backup, const char *remedy, bool *made, ImgError *err)
{
    struct stat info;
    bool found;
    *made = false;
    ImgStatus status = look_for_file(backup, &found, &info, err);
    if (status != IMG_OK || !found)
        return status;
    status = make_backup(backup->target, backup->name, &info, remedy, err);
    *made = status == IMG_OK;
    return status;
}
