/* Makes a backup as a hard link. If the file system has no links, the backup is a copy. A copy is
 * written under a temporary name and renamed when it is complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/output/attributes.h"
#include "io/output/backup.h"
#include "io/output/output_path.h"
#include "io/output/output_priv.h"
#include "io/output/rename.h"

ImgStatus img_backup_find(const char *path, const char *suffix, const ImgOutputHooks *hooks,
                          ImgBackup *backup, ImgError *err)
{
    *backup = IMG_BACKUP_NONE;
    ImgStatus status = img_output_resolve(path, &backup->own_target, NULL, err);
    if (status != IMG_OK)
        return status;
    if (asprintf(&backup->own_name, "%s%s", backup->own_target, suffix) < 0)
        backup->own_name = NULL;
    backup->own_temporary = img_output_temporary(backup->own_target);
    if (backup->own_name == NULL || backup->own_temporary == NULL) {
        img_backup_free(backup);
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    backup->target = backup->own_target;
    backup->name = backup->own_name;
    backup->temporary = backup->own_temporary;
    backup->hooks = hooks;
    return IMG_OK;
}

void img_backup_names(ImgBackup *backup, ImgNameFunction *use, void *context)
{
    if (backup->target == NULL)
        return;
    use(context, IMG_NAME_TARGET, &backup->target);
    use(context, IMG_NAME_BACKUP, &backup->name);
    use(context, IMG_NAME_BACKUP, &backup->temporary);
}

void img_backup_free(ImgBackup *backup)
{
    free(backup->own_target);
    free(backup->own_name);
    free(backup->own_temporary);
    *backup = IMG_BACKUP_NONE;
}

/* Fails because lstat could not determine whether a file exists. The caller then replaces
 * nothing. */
static ImgStatus fail_stat(int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "the backup cannot be made: %s", strerror(code));
}

/* Sets `*found` to true if a file of any type has the name `name`, and `*info` to its state. */
static ImgStatus find_name(const char *name, bool *found, struct stat *info, ImgError *err)
{
    int code = lstat(name, info) == 0 ? 0 : errno;
    *found = code == 0;
    return code == 0 || img_errno_is_of_path(code) ? IMG_OK : fail_stat(code, err);
}

/* Sets `*found` to true if the target is an existing regular file, and `*info` to its state. */
static ImgStatus find_file(const ImgBackup *backup, bool *found, struct stat *info, ImgError *err)
{
    ImgStatus status = find_name(backup->target, found, info, err);
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
    return img_fail(err, IMG_E_IO, "the backup '%s' exists already; move it away, or %s", backup,
                    remedy);
}

ImgStatus img_backup_check(const ImgBackup *backup, const char *remedy, ImgError *err)
{
    struct stat info, taken;
    bool found, is_taken;
    ImgStatus status = find_file(backup, &found, &info, err);
    if (status != IMG_OK || !found)
        return status;
    status = find_name(backup->name, &is_taken, &taken, err);
    if (status == IMG_OK && is_taken && !is_same(backup->name, &info))
        status = fail_taken(backup->name, remedy, err);
    return status;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static bool write_bytes(int to, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = write(to, bytes, size);
        if (sent == 0)
            errno = ENOSPC;
        if (sent == 0 || (sent < 0 && errno != EINTR))
            return false;
        bytes += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool copy_bytes(int from, int to)
{
    char buffer[1 << 16];
    ssize_t size;
    while ((size = read(from, buffer, sizeof buffer)) != 0) {
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 || !write_bytes(to, buffer, (size_t)size))
            return false;
    }
    return fsync(to) == 0 || errno == EINVAL;
}

/* Copies all data and closes `to`. Returns 0 or an errno value. Sets `*lock_fd` to a second
 * descriptor of the copy, which keeps the copy locked after `to` is closed. Without the lock
 * another process could remove the copy as a leftover of a killed program. */
static int copy_to_open_file(int from, int to, int *lock_fd)
{
    (void)img_output_lock(to);
    *lock_fd = fcntl(to, F_DUPFD_CLOEXEC, 3);
    int reason = copy_bytes(from, to) ? 0 : errno;
    /* On EINTR Linux has already closed the descriptor, so EINTR is not reported as a failure. */
    if (close(to) != 0 && errno != EINTR && reason == 0)
        reason = errno;
    return reason;
}

static void forget_temporary(const ImgBackup *backup)
{
    if (backup->hooks != NULL && backup->hooks->gone != NULL)
        backup->hooks->gone(backup->hooks->context, backup->temporary);
}

/* Creates the temporary file of the copy. Returns its descriptor, or -1 with errno set. */
static int create_temporary(const ImgBackup *backup)
{
    const ImgOutputHooks *hooks = backup->hooks;
    img_output_enter(hooks);
    if (hooks != NULL && hooks->created != NULL)
        hooks->created(hooks->context, backup->temporary);
    const int fd = open(backup->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const int code = errno;
    if (fd < 0)
        forget_temporary(backup);
    errno = code;
    img_output_leave(hooks);
    return fd;
}

/* Opens the file to copy. O_NONBLOCK prevents blocking if another program has replaced the file by
 * a pipe. Returns -1 with errno set on failure, also if the file is not a regular file. */
static int open_target(const ImgBackup *backup)
{
    struct stat info;
    const int fd = open(backup->target, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
        return fd;
    close(fd);
    errno = EOPNOTSUPP;
    return -1;
}

/* Copies the file to the temporary name, with its attributes. Returns 0 or an errno value. Sets
 * `*created` to true if the temporary file exists. */
static int copy_file(const ImgBackup *backup, const struct stat *info, bool *created, int *lock_fd)
{
    ImgError unkept = {IMG_OK, ""};
    const int from = open_target(backup);
    if (from < 0)
        return errno;
    const int to = create_temporary(backup);
    int reason = to < 0 ? errno : 0;
    *created = to >= 0;
    if (to >= 0)
        reason = copy_to_open_file(from, to, lock_fd);
    if (reason == 0)
        (void)img_attributes_copy(backup->target, info, backup->temporary, NULL, &unkept);
    close(from);
    return reason;
}

/* Renames `from` to `to`, on file systems with neither links nor RENAME_NOREPLACE. Creates an empty
 * file `to` first, because O_EXCL fails if the name is taken. Returns 0 or an errno value. */
static int rename_to_reserved(const char *from, const char *to)
{
    const int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    (void)close(fd);
    if (rename(from, to) == 0)
        return 0;
    const int reason = errno;
    (void)unlink(to);
    return reason;
}

static int rename_to_new(const char *from, const char *to)
{
    const int reason = img_rename_with(from, to, RENAME_NOREPLACE);
    return reason == EINVAL || reason == ENOSYS ? rename_to_reserved(from, to) : reason;
}

/* Makes a backup that is a copy. Returns 0 or an errno value. Sets `*taken` to true if another file
 * has the name of the backup. */
static int make_copy(const ImgBackup *backup, const struct stat *info, bool *taken)
{
    bool created = false;
    int lock_fd = -1;
    int reason = copy_file(backup, info, &created, &lock_fd);
    if (created) {
        img_output_enter(backup->hooks);
        if (reason == 0)
            reason = rename_to_new(backup->temporary, backup->name);
        *taken = reason == EEXIST;
        /* If the temporary file cannot be removed, ImgOutputHooks.gone is not called, so that the
         * program can try again at exit. */
        if (reason == 0 || unlink(backup->temporary) == 0 || errno == ENOENT)
            forget_temporary(backup);
        img_output_leave(backup->hooks);
    }
    if (lock_fd >= 0)
        (void)close(lock_fd);
    return reason;
}

/* --- Making the backup ------------------------------------------------------------------------ */

static ImgStatus make_backup(const ImgBackup *backup, const struct stat *info, const char *remedy,
                             ImgError *err)
{
    int reason = link(backup->target, backup->name) == 0 ? 0 : errno;
    bool taken = reason == EEXIST;
    if (taken && is_same(backup->name, info))
        return IMG_OK;
    if (reason == EPERM || reason == EOPNOTSUPP || reason == EMLINK || reason == ENOSYS)
        reason = make_copy(backup, info, &taken);
    if (taken)
        return fail_taken(backup->name, remedy, err);
    return reason == 0 ? IMG_OK
                       : img_fail(err, IMG_E_IO, "the backup '%s' cannot be made: %s", backup->name,
                                  strerror(reason));
}

ImgStatus img_backup_make(const ImgBackup *backup, const char *remedy, bool *made, ImgError *err)
{
    struct stat info;
    bool found;
    *made = false;
    ImgStatus status = find_file(backup, &found, &info, err);
    if (status != IMG_OK || !found)
        return status;
    status = make_backup(backup, &info, remedy, err);
    *made = status == IMG_OK;
    return status;
}
