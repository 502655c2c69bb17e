/* Opens an output: finds its target, chooses a temporary name, then creates the temporary file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output/attributes.h"
#include "io/output/output_path.h"
#include "io/output/output_priv.h"

enum { NAME_TRIES = 100 };

static ImgStatus fail_open(int code, ImgError *err)
{
    if (code == ENOENT)
        return img_fail(err, IMG_E_IO,
                        "cannot be written: its directory does not exist; create it first");
    if (code == EACCES)
        return img_fail(err, IMG_E_IO,
                        "cannot be written: no permission to create files in its directory; choose "
                        "another directory");
    return img_output_fail(code, err);
}

/* Returns the temporary name for attempt number `try`. Returns NULL if memory is short, or if all
 * names that img_output_names reserved have been tried. */
static const char *name_temporary(ImgOutput *output, int try)
{
    const bool is_kept = output->kept[0] != NULL;
    if (!is_kept)
        return output->own_temporary = img_output_temporary(output->target);
    return try < IMG_OUTPUT_NAMES_KEPT ? output->kept[try] : NULL;
}

/* Creates and locks the temporary file. Returns 0 or an errno value. EEXIST can also mean that
 * another process removed the new file as a leftover before the lock. After EEXIST the caller tries
 * another name. */
static int try_temporary(ImgOutput *output, mode_t mode)
{
    int code = 0;
    img_output_enter(output->hooks);
    if (output->hooks != NULL && output->hooks->created != NULL)
        output->hooks->created(output->hooks->context, output->temporary);
    output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
    if (output->fd < 0) {
        code = errno;
        img_output_forget_temporary(output);
    } else if (!img_output_lock(output->fd)) {
        code = EEXIST;
        img_output_drop_descriptor(&output->fd);
        img_output_remove_in_step(output);
    }
    img_output_leave(output->hooks);
    return code;
}

/* Creates the temporary file with permissions `mode`. The file never has more permissions than
 * `mode`, not even while it is incomplete. */
static ImgStatus create_temporary(ImgOutput *output, mode_t mode, ImgError *err)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        output->temporary = name_temporary(output, i);
        if (output->temporary == NULL && output->kept[0] != NULL)
            break;
        if (output->temporary == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory");
        const int code = try_temporary(output, mode);
        if (code != EEXIST)
            return code == 0 ? IMG_OK : fail_open(code, err);
    }
    return img_fail(err, IMG_E_IO, "cannot be written: no free name for a temporary file");
}

/* Replaces the temporary file by a new one, which gets the permissions of the file that the output
 * will replace. The existing temporary file is not used, because another user may already have
 * opened it. Only the owner can open the new file until its group is set. */
static ImgStatus create_with_permissions(ImgOutput *output, ImgError *err)
{
    img_output_drop_descriptor(&output->fd);
    img_output_remove_temporary(output);
    ImgStatus status = create_temporary(output, output->mode & 0600, err);
    if (status != IMG_OK)
        return status;
    (void)fchmod(output->fd, img_permissions_apply(output->fd, NULL, &output->old, output->mode));
    /* The owner is changed last, because root without all capabilities can change permissions only
     * of files that it owns. */
    if (output->old.gives_owner) {
        const int ignored = fchown(output->fd, output->old.owner, (gid_t)-1);
        (void)ignored; /* on failure the user of this process stays the owner */
    }
    return IMG_OK;
}

/* Gives the new file the permissions of the old file without applying the umask again. If the new
 * file has another group than expected, for example because it inherits the group of the directory,
 * creates the file again with the old file's group. */
static ImgStatus set_permissions(ImgOutput *output, ImgError *err)
{
    struct stat made;
    if (fstat(output->fd, &made) != 0) {
        const ImgStatus status = img_output_fail(errno, err);
        img_output_drop_descriptor(&output->fd);
        img_output_remove_temporary(output);
        return status;
    }
    if (output->differs || made.st_gid != output->old.group)
        return create_with_permissions(output, err);
    if ((made.st_mode & 07777) != output->mode)
        (void)fchmod(output->fd, output->mode);
    return IMG_OK;
}

static ImgStatus create(ImgOutput *output, ImgError *err)
{
    ImgStatus status = create_temporary(output, output->mode & 0777, err);
    if (status == IMG_OK && output->replaces)
        status = set_permissions(output, err);
    if (status == IMG_OK && output->replaces)
        img_attributes_copy_user(output->target, output->fd, NULL, &output->unkept);
    return status;
}

static ImgStatus use_descriptor(ImgOutput *output, int fd, ImgError *err)
{
    if (fd < 0)
        return img_output_fail(errno, err);
    output->fd = fd;
    if (isatty(fd))
        return img_fail(err, IMG_E_USAGE,
                        "would write image data to a terminal: redirect it or name a file");
    return IMG_OK;
}

/* Duplicates the descriptor `fd` and writes to the duplicate, so that closing it reports late
 * errors. Opening the path again would start at the first byte, or fail without permission for the
 * file. */
static ImgStatus open_descriptor(ImgOutput *output, int fd, ImgError *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        return img_output_fail(EBADF, err);
    return use_descriptor(output, fcntl(fd, F_DUPFD_CLOEXEC, 3), err);
}

/* Sets `*has_name` to true if the output may replace the file named `target`. `existing` is the
 * file that the path led to. A link in procfs (`may_lack_name`) may lead to a file that was removed
 * or replaced. Then `*has_name` is true only if `target` names `existing`. For other paths
 * `*has_name` is always true: if `target` names another file, another program has replaced
 * `existing`, and the output replaces this new file. */
static ImgStatus find_name(const char *target, const struct stat *existing, bool may_lack_name,
                           bool *has_name, ImgError *err)
{
    struct stat info;
    bool found = stat(target, &info) == 0;
    if (!found && !(may_lack_name && errno == ENOENT))
        return img_output_fail(errno, err);
    bool same = found && info.st_dev == existing->st_dev && info.st_ino == existing->st_ino;
    *has_name = same || !may_lack_name;
    return IMG_OK;
}

static ImgStatus prepare_in_place(ImgOutput *output, const char *path, ImgError *err)
{
    output->in_place = output->own_in_place = strdup(path);
    return output->in_place != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

static ImgStatus check_name(const char *path, ImgError *err)
{
    const size_t length = strlen(path);
    return length > 0 && path[length - 1] != '/'
               ? IMG_OK
               : img_fail(err, IMG_E_IO,
                          "is the name of a directory, not of a file; add a file name");
}

/* Prepares an output that creates or replaces a regular file. `existing` is the state of the file
 * that the path leads to, or NULL. */
static ImgStatus prepare_replacing(ImgOutput *output, const char *path, const struct stat *existing,
                                   ImgError *err)
{
    bool may_lack_name, has_name = true;
    ImgStatus status = img_output_resolve(path, &output->own_target, &may_lack_name, err);
    if (status == IMG_OK && existing != NULL)
        status = find_name(output->own_target, existing, may_lack_name, &has_name, err);
    if (status != IMG_OK)
        return status;
    if (!has_name)
        return prepare_in_place(output, path, err);
    output->target = output->own_target;
    if (existing != NULL) {
        /* Checks write permission, because a rename would replace even a write-protected file. */
        if (faccessat(AT_FDCWD, output->target, W_OK, AT_EACCESS) != 0)
            return img_output_fail(errno, err);
    }
    status = check_name(output->target, err);
    if (status != IMG_OK)
        return status;
    /* Leaves out the set-user-ID bit: a picture must never be a set-user-ID program. */
    output->mode = existing != NULL ? existing->st_mode & 07777 & ~(mode_t)S_ISUID : 0666;
    output->replaces = existing != NULL;
    if (existing != NULL) {
        output->links = existing->st_nlink;
        img_permissions_read(output->target, existing, &output->old);
        /* Without this, the file that replaces another user's file would belong to root. */
        output->old.gives_owner = geteuid() == 0 && existing->st_uid != 0;
        output->differs = img_permissions_differ(output->target, &output->old);
    }
    return IMG_OK;
}

/* Prepares an output whose name does not exist. */
static ImgStatus prepare_new(ImgOutput *output, const char *path, ImgError *err)
{
    output->target = output->own_target = strdup(path);
    output->mode = 0666;
    return output->target != NULL ? check_name(output->target, err)
                                  : img_fail(err, IMG_E_MEMORY, "no memory");
}

static ImgStatus prepare(ImgOutput *output, const char *path, ImgError *err)
{
    struct stat info;
    int fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0 || img_output_is_descriptor(path, &fd))
        return open_descriptor(output, fd, err);
    if (lstat(path, &info) != 0 && errno == ENOENT)
        return prepare_new(output, path, err);
    if (stat(path, &info) != 0) {
        if (errno != ENOENT)
            return img_output_fail(errno, err);
        return prepare_replacing(output, path, NULL, err); /* a link to a missing file */
    }
    if (S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO, "is a directory, not a file; add a file name");
    if (!S_ISREG(info.st_mode))
        return prepare_in_place(output, path, err);
    return prepare_replacing(output, path, &info, err);
}

/* Allocates an output. Clears all fields except the buffer, which is large. */
static ImgStatus create_output(const ImgOutputHooks *hooks, ImgOutput **output, ImgError *err)
{
    *output = malloc(sizeof **output);
    if (*output == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    memset(*output, 0, offsetof(ImgOutput, buffer));
    (*output)->fd = -1;
    (*output)->lock_fd = -1;
    (*output)->expected_fd = -1;
    (*output)->hooks = hooks;
    return IMG_OK;
}

ImgStatus img_output_prepare(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                             ImgError *err)
{
    ImgStatus status = create_output(hooks, output, err);
    if (status == IMG_OK)
        status = prepare(*output, path, err);
    if (status != IMG_OK)
        img_output_discard(output);
    return status;
}

ImgStatus img_output_begin(ImgOutput *output, ImgError *err)
{
    if (output->in_place != NULL)
        return use_descriptor(
            output, open(output->in_place, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY), err);
    return output->target != NULL && output->fd < 0 ? create(output, err) : IMG_OK;
}

ImgStatus img_output_open(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                          ImgError *err)
{
    ImgStatus status = img_output_prepare(path, hooks, output, err);
    if (status == IMG_OK)
        status = img_output_begin(*output, err);
    if (status != IMG_OK)
        img_output_discard(output);
    return status;
}

ImgStatus img_output_open_function(ImgWriteFunction *write, void *context, ImgOutput **output,
                                   ImgError *err)
{
    ImgStatus status = create_output(NULL, output, err);
    if (status != IMG_OK)
        return status;
    (*output)->write = write;
    (*output)->write_context = context;
    return IMG_OK;
}

ImgStatus img_output_names(ImgOutput *output, ImgNameFunction *use, void *context, ImgError *err)
{
    ImgError ignored = {IMG_OK, ""};
    if (output->in_place != NULL)
        use(context, IMG_NAME_IN_PLACE, &output->in_place);
    if (output->target == NULL)
        return IMG_OK;
    use(context, IMG_NAME_TARGET, &output->target);
    /* A sandboxed program cannot set permissions later, so the file is created here. Errors are
     * ignored, because img_output_begin tries again and reports them. */
    if (output->replaces && create(output, &ignored) == IMG_OK) {
        use(context, IMG_NAME_TEMPORARY, &output->temporary);
        return IMG_OK;
    }
    for (int i = 0; i < IMG_OUTPUT_NAMES_KEPT; i++) {
        output->own_kept[i] = img_output_temporary(output->own_target);
        if (output->own_kept[i] == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory");
        output->kept[i] = output->own_kept[i];
        use(context, IMG_NAME_TEMPORARY, &output->kept[i]);
    }
    return IMG_OK;
}
