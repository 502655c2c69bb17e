/* The last step of an output: renames the complete file to its final name. If there is a guard
 * (ImgReplaceGuard), the new and the old file first exchange names. The guard then checks the old
 * file again, and the exchange is reversed if the file must not be replaced. So a change by another
 * program is detected up to the last moment. */
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

/* Fails because a rename failed. ENOENT may mean that another machine removed the temporary file as
 * a leftover, because some file systems do not show locks to other machines. */
static ImgStatus fail_rename(int code, ImgError *err)
{
    if (code == ENOENT)
        return img_fail(
            err, IMG_E_TEMPORARY,
            "cannot be written: its temporary file was removed by another program; try again");
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

void img_output_set_guard(ImgOutput *output, const ImgReplaceGuard *guard)
{
    output->guard = *guard;
}

/* --- Guard: replace no file ------------------------------------------------------------------- */

static ImgStatus guard_existing(void *context, const struct stat *made, const struct stat *old,
                                ImgError *err)
{
    (void)context;
    (void)made;
    return old == NULL ? IMG_OK
                       : img_fail(err, IMG_E_IO,
                                  "exists already, and is not replaced; choose another name");
}

ImgStatus img_output_refuse_existing(ImgOutput *output, ImgError *err)
{
    static const struct stat some;
    output->guard = (ImgReplaceGuard){.may_replace = guard_existing};
    return guard_existing(NULL, NULL, output->replaces ? &some : NULL, err);
}

/* --- Guard: replace only the file that was read ----------------------------------------------- */

/* Returns true if a program has the file open for writing, or waits to open it. The kernel grants a
 * read lease only while no program has the file open for writing. It breaks the lease when a
 * program opens the file. Returns false if leases are unavailable. A broken lease sends SIGURG,
 * which is ignored by default. */
static bool is_written(ImgOutput *output)
{
    if (output->has_lease)
        return fcntl(output->expected_fd, F_GETLEASE) != F_RDLCK;
    (void)fcntl(output->expected_fd, F_SETSIG, SIGURG);
    output->has_lease = fcntl(output->expected_fd, F_SETLEASE, F_RDLCK) == 0;
    return !output->has_lease && errno == EAGAIN;
}

/* Allows a commit to replace only the file that was read. overlayfs may change the inode number of
 * a file when the file is linked or renamed. So this function compares the named file with the open
 * file, and the open file with the state before reading. */
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
    output->guard = (ImgReplaceGuard){.may_replace = guard_expected, .context = output};
    output->expected_fd = open(output->target, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const bool is_there =
        output->expected_fd >= 0 && fstat(output->expected_fd, &now) == 0 && is_file(&now, file);
    /* The exchange of names gives the old file the temporary name for a moment. The lock prevents
     * other processes from removing the old file as a leftover. */
    if (is_there)
        (void)img_output_lock(output->expected_fd);
    return guard_expected(output, NULL, is_there ? &now : NULL, err);
}

/* --- Rename ----------------------------------------------------------------------------------- */

static ImgStatus check_guard(const ImgOutput *output, const struct stat *made,
                             const struct stat *old, ImgError *err)
{
    return output->guard.may_replace(output->guard.context, made, old, err);
}

/* Exchanges the names again, to give the old file its name back. `placed` is the file that has the
 * final name, `held` the file that has the temporary name. Another program may save to the final
 * name meanwhile; the exchange then takes that program's file away. So the exchange is repeated
 * until it takes away `placed`. The file that was saved last then has the final name. */
static bool put_back(const ImgOutput *output, struct stat placed, struct stat held)
{
    for (int i = 0; i < TRIES; i++) {
        struct stat out;
        if (rename_with(output, RENAME_EXCHANGE) != 0)
            return false;
        /* The file that now has the temporary name cannot be examined, so the exchange counts as
         * successful. */
        if (lstat(output->temporary, &out) != 0)
            return true;
        if (is_file(&out, &placed) && is_in_state(&out, &placed))
            return true;
        placed = held;
        held = out;
    }
    return false;
}

/* Checks the old file again after the exchange of names, when it has the temporary name. `ours` is
 * the state of the new file before the exchange. */
static ImgStatus check_again(ImgOutput *output, const struct stat *ours, ImgError *err)
{
    struct stat out;
    ImgError failure = {IMG_OK, ""};
    if (lstat(output->temporary, &out) != 0) {
        const int code = errno;
        if (code == ENOENT || rename_with(output, RENAME_EXCHANGE) != 0) {
            img_output_forget_temporary(output);
            return IMG_OK;
        }
        return img_output_fail(code, err);
    }
    if (check_guard(output, ours, &out, &failure) == IMG_OK) {
        img_output_remove_in_step(output);
        return IMG_OK;
    }
    if (put_back(output, *ours, out))
        return img_fail(err, failure.status, "%s", failure.message);
    (void)img_fail(err, IMG_E_IO,
                   "was changed by another program meanwhile, whose file is now '%s'",
                   output->temporary);
    img_output_forget_temporary(output); /* forgets only the name; the file itself stays */
    return IMG_E_IO;
}

/* Sets *is_there to true if a file has the final name, and *old to its state. At first, a name that
 * did not exist when the output was prepared is not looked up again, because the rename fails if it
 * exists now. A file that appeared since then is replaced only after the new one is on the disk. */
static ImgStatus look_at_target(ImgOutput *output, bool is_first, bool *is_there, struct stat *old,
                                ImgError *err)
{
    *is_there = false;
    if (is_first && !output->replaces)
        return IMG_OK;
    *is_there = lstat(output->target, old) == 0;
    if (!*is_there)
        return errno == ENOENT ? IMG_OK : img_output_fail(errno, err);
    return output->replaces || output->lock_fd < 0 ? IMG_OK : img_output_sync(output->lock_fd, err);
}

/* Tries to rename the file. Sets `*again` to true if the caller must try again: the final name was
 * taken or freed since the check. Sets `*exchanges` to false if the file system can neither
 * exchange names nor rename without replacing. */
static ImgStatus try_to_install(ImgOutput *output, const struct stat *ours, bool is_first,
                                bool *exchanges, bool *again, ImgError *err)
{
    struct stat old;
    bool is_there;
    *again = false;
    ImgStatus status = look_at_target(output, is_first, &is_there, &old, err);
    if (status == IMG_OK)
        status = check_guard(output, ours, is_there ? &old : NULL, err);
    if (status != IMG_OK || !*exchanges)
        return status == IMG_OK ? rename_plainly(output, err) : status;
    const int code = rename_with(output, is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE);
    *exchanges = code != EINVAL && code != ENOSYS && code != EPERM;
    *again = code == EEXIST || code == ENOENT || !*exchanges;
    if (code != 0)
        return *again ? IMG_OK : fail_rename(code, err);
    if (is_there)
        return check_again(output, ours, err);
    img_output_forget_temporary(output);
    return IMG_OK;
}

static ImgStatus install_locked(ImgOutput *output, const struct stat *ours, ImgError *err)
{
    bool exchanges = false, again;
    const ImgReplaceGuard *guard = &output->guard;
    if (guard->lock != NULL)
        guard->lock(guard->context);
    const ImgStatus status = try_to_install(output, ours, false, &exchanges, &again, err);
    if (guard->unlock != NULL)
        guard->unlock(guard->context);
    return status;
}

ImgStatus img_output_install(ImgOutput *output, ImgError *err)
{
    struct stat ours;
    bool exchanges = true, again = true;
    if (output->guard.may_replace == NULL)
        return rename_plainly(output, err);
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && again && i < TRIES; i++) {
        if (lstat(output->temporary, &ours) != 0)
            return fail_rename(errno, err);
        status = try_to_install(output, &ours, i == 0, &exchanges, &again, err);
        if (!exchanges)
            return install_locked(output, &ours, err);
    }
    return status == IMG_OK && again ? fail_rename(EEXIST, err) : status;
}
