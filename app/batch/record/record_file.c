/* Opens, locks, reads and replaces the file of a record. A lock belongs to the file and not to its
 * name. Another process may replace the file between open and lock, so the name is checked again
 * after locking. */
#include "app/batch/record/record_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char record_head[] = "imgtool batch record, version 1\n";

/* Suffix of the temporary file that replaces a record. It is fixed, so that the next run finds and
 * removes the file that a killed run left behind. */
static const char new_suffix[] = ".new";

enum { TRIES = 100 };

static ImgStatus fail_open(const char *path, int code, ImgError *err)
{
    switch (code) {
    case EISDIR:
        return img_fail(err, IMG_E_IO,
                        "%s: is a directory; the batch needs this name for its record", path);
    case ELOOP:
        return img_fail(err, IMG_E_IO, "%s: is a link; the batch needs this name for its record",
                        path);
    case EACCES:
    case EROFS:
        return img_fail(err, IMG_E_IO,
                        "%s: cannot be written, and the batch needs it for its record: %s", path,
                        strerror(code));
    default:
        return img_fail(err, img_errno_status(code), "%s: cannot be opened: %s", path,
                        strerror(code));
    }
}

/* Locks the file without waiting. `kind` is LOCK_EX or LOCK_SH. Returns 0 or errno. Returns 0 also
 * on a file system without locks. */
static int lock(int fd, int kind)
{
    if (flock(fd, kind | LOCK_NB) == 0)
        return 0;
    return errno == EOPNOTSUPP || errno == ENOTSUP || errno == ENOLCK || errno == ENOSYS ||
                   errno == EINVAL
               ? 0
               : errno;
}

static bool has_name(int fd, const char *path)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Locks the file if it is a regular file that can be a record; fails otherwise. Another kind of
 * file may belong to another program, so it is not locked. */
static ImgStatus check_and_lock(const char *directory, const char *path, int fd, ImgError *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_open(path, errno, err);
    if (!S_ISREG(info.st_mode))
        return img_fail(err, IMG_E_IO,
                        "%s: is not a file; the batch needs this name for its record", path);
    int code = lock(fd, LOCK_EX);
    if (code == EWOULDBLOCK)
        return img_fail(err, IMG_E_TEMPORARY, "%s: another imgtool batch is running %s", directory,
                        directory == path ? "on this part" : "in this directory");
    if (code != 0)
        return img_fail(err, IMG_E_IO, "%s: cannot be locked: %s", path, strerror(code));
    return IMG_OK;
}

/* Returns the temporary path at which a new record is written. Returns NULL if there is no memory.
 * The caller frees it. */
static char *new_name(const char *path)
{
    char *name = NULL;
    return asprintf(&name, "%s%s", path, new_suffix) >= 0 ? name : NULL;
}

/* Removes a temporary file that a killed run left behind. Call it while the record is locked. */
static void remove_leftover(const char *path)
{
    char *name = new_name(path);
    if (name != NULL)
        (void)unlink(name);
    free(name);
}

ImgStatus record_file_open(const char *directory, const char *path, int *fd, ImgError *err)
{
    for (int i = 0; i < TRIES; i++) {
        /* O_NONBLOCK, since open must not block if the file is a pipe */
        *fd =
            open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                 0666);
        if (*fd < 0)
            return fail_open(path, errno, err);
        ImgStatus status = check_and_lock(directory, path, *fd, err);
        if (status == IMG_OK && has_name(*fd, path)) {
            remove_leftover(path);
            return IMG_OK;
        }
        close(*fd);
        *fd = -1;
        if (status != IMG_OK)
            return status;
    }
    return img_fail(err, IMG_E_IO, "%s: another program keeps replacing this file; try again",
                    path);
}

/* Tests the lock by taking a shared lock. Opens the file for reading only, as NFS requires that for
 * a shared lock. */
bool record_file_is_held(const char *path)
{
    bool held = false, replaced = true;
    for (int i = 0; replaced && i < TRIES; i++) {
        struct stat info;
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd < 0)
            return false;
        bool is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
        held = is_file && lock(fd, LOCK_SH) == EWOULDBLOCK;
        replaced = is_file && !held && !has_name(fd, path);
        close(fd);
    }
    return held;
}

ImgStatus record_file_read(int fd, const char *path, char **text, size_t *size, ImgError *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_open(path, errno, err);
    size_t all = (size_t)info.st_size;
    *size = 0;
    *text = malloc(all + 1);
    if (*text == NULL)
        return img_fail(err, IMG_E_MEMORY, "%s: no memory to read it", path);
    while (*size < all) {
        ssize_t n = pread(fd, *text + *size, all - *size, (off_t)*size);
        if (n < 0 && errno != EINTR) {
            free(*text);
            *text = NULL;
            return img_fail(err, IMG_E_IO, "%s: cannot be read: %s", path, strerror(errno));
        }
        if (n == 0) /* another process has shortened the file */
            break;
        *size += n > 0 ? (size_t)n : 0;
    }
    (*text)[*size] = '\0';
    return IMG_OK;
}

static bool write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Locks the new file, sets its mode, writes the text and synchronises it. After a power failure
 * either the old record or the complete new one then exists. Returns false with errno set. */
static bool fill(int fd, mode_t mode, const char *text, size_t size)
{
    return lock(fd, LOCK_EX) == 0 && fchmod(fd, mode) == 0 && write_all(fd, text, size) &&
           (fsync(fd) == 0 || errno == EINVAL);
}

bool record_file_replace(const char *path, const char *text, size_t size, int *fd)
{
    struct stat old;
    char *name = new_name(path);
    if (name == NULL || fstat(*fd, &old) != 0) {
        free(name);
        return false;
    }
    int replacement =
        open(name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool done = replacement >= 0 && fill(replacement, old.st_mode & 0777, text, size) &&
                rename(name, path) == 0;
    if (done) {
        close(*fd);
        *fd = replacement;
    } else if (replacement >= 0) {
        int code = errno;
        close(replacement);
        (void)unlink(name);
        errno = code;
    }
    free(name);
    return done;
}
