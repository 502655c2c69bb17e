/* The last step of an output: the complete file gets its name. Where it may not replace every file,
 * the two files exchange their names first. What has come out is then looked at once more, and put
 * back where it is not to be replaced: other programs can save it until the very last moment. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output/output_path.h"
#include "io/output/output_priv.h"
#include "io/output/rename.h"

enum { TRIES = 16 };

/* On file systems whose locks other machines do not see, those may take the file for a leftover. */
static ImgStatus fail_rename(int code, ImgError *err)
{
    if (code == ENOENT)
        return img_fail(err, IMG_E_TEMPORARY,
                        "cannot be written: its temporary file was removed by another program");
    return img_output_fail(code, err);
}

static int rename_with(const ImgOutput *output, unsigned flags)
{
    return img_rename_with(output->temporary, output->target, flags);
}

static ImgStatus rename_plainly(ImgOutput *output, ImgError *err)
{
    if (rename(output->temporary, output->target) != 0)
        return fail_rename(errno, err);
    img_output_forget_temporary(output);
    return IMG_OK;
}

static bool is_in_state(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

void img_output_guard(ImgOutput *output, const ImgReplaceGuard *guard)
{
    output->guard = *guard;
}

/* --- No file at all --------------------------------------------------------------------------- */

static ImgStatus guard_existing(void *context, const struct stat *made, const struct stat *old,
                                ImgError *err)
{
    (void)context;
    (void)made;
    return old == NULL ? IMG_OK : img_fail(err, IMG_E_IO, "exists already, and is not replaced");
}

ImgStatus img_output_refuse_existing(ImgOutput *output, ImgError *err)
{
    static const struct stat some;
    output->guard = (ImgReplaceGuard){.may = guard_existing};
    return guard_existing(NULL, NULL, output->replaces ? &some : NULL, err);
}

/* --- The file that was read ------------------------------------------------------------------- */

/* Is a program writing to it, or about to? A lease is granted only where no file is open for
 * writing, and is broken by the next one that opens it. Some file systems have none; then it is not
 * known. The signal that tells of a break is one that does nothing by itself. */
static bool is_written(ImgOutput *output)
{
    if (output->has_lease)
        return fcntl(output->expected_fd, F_GETLEASE) != F_RDLCK;
    (void)fcntl(output->expected_fd, F_SETSIG, SIGURG);
    output->has_lease = fcntl(output->expected_fd, F_SETLEASE, F_RDLCK) == 0;
    return !output->has_lease && errno == EAGAIN;
}

/* The number of a file may change while it is linked or renamed, as on overlayfs: so it is compared
 * with what is open, and only that with what was read. */
static ImgStatus guard_expected(void *context, const struct stat *made, const struct stat *old,
                                ImgError *err)
{
    ImgOutput *output = context;
    struct stat now;
    (void)made;
    if (old != NULL && fstat(output->expected_fd, &now) == 0 && is_file(&now, old) &&
        is_in_state(&now, &output->expected) && !is_written(output))
        return IMG_OK;
    return img_fail(err, IMG_E_TEMPORARY,
                    "was changed by another program meanwhile, and not replaced; try again");
}

ImgStatus img_output_expect(ImgOutput *output, const struct stat *file, ImgError *err)
{
    struct stat now;
    if (output->target == NULL)
        return IMG_OK;
    output->expected = *file;
    output->guard = (ImgReplaceGuard){.may = guard_expected, .context = output};
    output->expected_fd = open(output->target, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const bool is_there =
        output->expected_fd >= 0 && fstat(output->expected_fd, &now) == 0 && is_file(&now, file);
    /* While it has the temporary name it must not pass for what a killed program has left. */
    if (is_there)
        (void)img_output_claim(output->expected_fd);
    return guard_expected(output, NULL, is_there ? &now : NULL, err);
}

/* --- Getting the name ------------------------------------------------------------------------- */

static ImgStatus may_replace(const ImgOutput *output, const struct stat *made,
                             const struct stat *old, ImgError *err)
{
    return output->guard.may(output->guard.context, made, old, err);
}

/* Exchanges the names until what comes out is what was put there last: a program may save over
 * either of them meanwhile, and what was saved last stays. */
static bool put_back(const ImgOutput *output, struct stat placed, struct stat held)
{
    for (int i = 0; i < TRIES; i++) {
        struct stat out;
        if (rename_with(output, RENAME_EXCHANGE) != 0)
            return false;
        if (lstat(output->temporary, &out) != 0) /* then nothing else is known */
            return true;
        if (is_file(&out, &placed) && is_in_state(&out, &placed))
            return true;
        placed = held;
        held = out;
    }
    return false;
}

/* After an exchange. `ours` was the new file before it. */
static ImgStatus look_again(ImgOutput *output, const struct stat *ours, ImgError *err)
{
    struct stat out;
    ImgError failure = {IMG_OK, ""};
    if (lstat(output->temporary, &out) != 0) {
        const int code = errno;
        if (code == ENOENT ||
            rename_with(output, RENAME_EXCHANGE) != 0) { /* or it stays as it is */
            img_output_forget_temporary(output);
            return IMG_OK;
        }
        return img_output_fail(code, err);
    }
    if (may_replace(output, ours, &out, &failure) == IMG_OK) {
        img_output_remove_in_step(output);
        return IMG_OK;
    }
    if (put_back(output, *ours, out))
        return img_fail(err, failure.status, "%s", failure.message);
    (void)img_fail(err, IMG_E_IO,
                   "was changed by another program meanwhile, whose file is now '%s'",
                   output->temporary);
    img_output_forget_temporary(output); /* without removing it */
    return IMG_E_IO;
}

/* *again: the name was taken, or given up, since it was looked at. `exchanges`: the file system can
 * exchange names, and take one only if it is free. */
static ImgStatus try_to_put(ImgOutput *output, const struct stat *ours, bool *exchanges,
                            bool *again, ImgError *err)
{
    struct stat old;
    const bool is_there = lstat(output->target, &old) == 0;
    *again = false;
    if (!is_there && errno != ENOENT)
        return img_output_fail(errno, err);
    const ImgStatus status = may_replace(output, ours, is_there ? &old : NULL, err);
    if (status != IMG_OK || !*exchanges)
        return status == IMG_OK ? rename_plainly(output, err) : status;
    const int code = rename_with(output, is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE);
    *exchanges = code != EINVAL && code != ENOSYS && code != EPERM;
    *again = code == EEXIST || code == ENOENT || !*exchanges;
    if (code != 0)
        return *again ? IMG_OK : fail_rename(code, err);
    if (is_there)
        return look_again(output, ours, err);
    img_output_forget_temporary(output);
    return IMG_OK;
}

static ImgStatus put_alone(ImgOutput *output, const struct stat *ours, ImgError *err)
{
    bool exchanges = false, again;
    const ImgReplaceGuard *guard = &output->guard;
    if (guard->lock != NULL)
        guard->lock(guard->context);
    const ImgStatus status = try_to_put(output, ours, &exchanges, &again, err);
    if (guard->unlock != NULL)
        guard->unlock(guard->context);
    return status;
}

ImgStatus img_output_put(ImgOutput *output, ImgError *err)
{
    struct stat ours;
    bool exchanges = true, again = true;
    if (output->guard.may == NULL)
        return rename_plainly(output, err);
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && again && i < TRIES; i++) {
        if (lstat(output->temporary, &ours) != 0)
            return fail_rename(errno, err);
        status = try_to_put(output, &ours, &exchanges, &again, err);
        if (!exchanges)
            return put_alone(output, &ours, err);
    }
    return status == IMG_OK && again ? fail_rename(EEXIST, err) : status;
}
