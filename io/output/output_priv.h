/* Private: the state of an output. output_open.c creates the state; output.c writes the data. */
#ifndef IMGTOOL_IO_OUTPUT_OUTPUT_PRIV_H
#define IMGTOOL_IO_OUTPUT_OUTPUT_PRIV_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "io/output/output.h"

typedef enum ImgAclState {
    IMG_ACL_NONE,
    IMG_ACL_KNOWN,
    IMG_ACL_UNKNOWN, /* the file may have an ACL, which could not be read */
} ImgAclState;

/* Owner, group and ACL of a file. All zeros mean a file of root and group 0, without an ACL. */
typedef struct ImgPermissions {
    uid_t owner;
    /* True if the new file also gets the owner of the old file. output_open.c sets and applies
     * this. */
    bool gives_owner;
    gid_t group;
    ImgAclState acl_state;
    uint8_t *own_acl; /* ACL as the value of its extended attribute; NULL: none */
    size_t acl_size;
} ImgPermissions;

/* Reads owner and group from `info`, and the ACL of the file `path`. Never fails: if the ACL cannot
 * be read, its state is IMG_ACL_UNKNOWN. The caller frees `permissions` with
 * img_permissions_free. */
void img_permissions_read(const char *path, const struct stat *info, ImgPermissions *permissions);

/* Returns true if a new file in the directory of `target` would have another owner, group or ACL
 * than `permissions`. */
bool img_permissions_differ(const char *target, const ImgPermissions *permissions);

/* Sets group and ACL of the open file `fd`, or of the file `path` if `fd` is -1. Returns the part
 * of `mode` (within 07777) that is safe with the group and ACL that could be set. The caller sets
 * this mode. */
mode_t img_permissions_apply(int fd, const char *path, const ImgPermissions *permissions,
                             mode_t mode);

/* Returns the permissions of `mode` that are safe for a file without this ACL: they give no user
 * more rights than the ACL gave. */
mode_t img_permissions_without_acl(mode_t mode, const ImgPermissions *permissions);

/* Frees the ACL and clears `permissions`. A second call does nothing. */
void img_permissions_free(ImgPermissions *permissions);

enum { IMG_OUTPUT_BUFFER_BYTES = 1 << 18, IMG_OUTPUT_NAMES_KEPT = 4 };

struct ImgOutput {
    ImgWriteFunction *write; /* function that receives the data; NULL: the data goes to `fd` */
    void *write_context;
    int fd; /* descriptor that is written; -1: not open yet, or closed */
    /* Descriptor that holds the lock of a finished file until the file is renamed; -1: none. */
    int lock_fd;
    bool finished;   /* true after the file was flushed and closed */
    mode_t mode;     /* mode for the new file, before the umask */
    bool replaces;   /* true if an existing file, with the permissions `old`, is replaced */
    bool differs;    /* true if a new file would get permissions other than `old` */
    nlink_t links;   /* number of hard links to the file that is replaced */
    ImgError unkept; /* error of the first attribute that could not be copied; IMG_OK: all copied */
    ImgPermissions old;
    ImgReplaceGuard guard; /* decides which files may be replaced; `may_replace` NULL: all */
    struct stat expected;  /* state of the file that was read (img_output_expect) */
    int expected_fd;       /* descriptor of the file that was read; -1: none */
    bool has_lease;        /* true if a read lease on expected_fd is held */
    /* Each name points to the string own_... of the same name. After img_output_names it points to
     * memory of the caller instead. NULL: this output has no such name. */
    const char *in_place, *target, *temporary;
    char *own_in_place, *own_target, *own_temporary;
    /* Names for `temporary` that img_output_names has reserved. If the first is NULL, any new name
     * may be used. */
    const char *kept[IMG_OUTPUT_NAMES_KEPT];
    char *own_kept[IMG_OUTPUT_NAMES_KEPT];
    const ImgOutputHooks *hooks;
    ImgInterrupt interrupt;
    char note[IMG_MESSAGE_SIZE];
    ImgError failure; /* the first error, which later calls return again */
    uint64_t bytes;
    double seconds;
    size_t used;
    uint8_t buffer[IMG_OUTPUT_BUFFER_BYTES];
};

/* A step creates, renames or removes a temporary file. img_output_enter calls hooks->enter before a
 * step, and img_output_leave calls hooks->leave after it. img_output_leave preserves errno. */
static inline void img_output_enter(const ImgOutputHooks *hooks)
{
    if (hooks != NULL && hooks->enter != NULL)
        hooks->enter(hooks->context);
}

static inline void img_output_leave(const ImgOutputHooks *hooks)
{
    const int code = errno;
    if (hooks != NULL && hooks->leave != NULL)
        hooks->leave(hooks->context);
    errno = code;
}

/* Fails with a message for the errno value `code`. */
ImgStatus img_output_fail(int code, ImgError *err);

/* Calls ImgOutputHooks.gone, because the temporary file was renamed or removed, or could not be
 * created. Called between img_output_enter and img_output_leave. */
void img_output_forget_temporary(ImgOutput *output);

/* Both functions remove the temporary file. If the removal fails, ImgOutputHooks.gone is not
 * called, so that the program can try again at exit. img_output_remove_temporary calls
 * img_output_enter and img_output_leave itself; img_output_remove_in_step is called between
 * them. */
void img_output_remove_temporary(ImgOutput *output);
void img_output_remove_in_step(ImgOutput *output);

/* Writes the file of a descriptor to the disk, so that a crash cannot lose both the old and the new
 * file. EINVAL of fsync is ignored, because it means that the file system cannot sync. */
ImgStatus img_output_sync(int fd, ImgError *err);

/* Renames the finished temporary file to the final name (replace.c). Called between
 * img_output_enter and img_output_leave. */
ImgStatus img_output_install(ImgOutput *output, ImgError *err);

/* Closes the descriptor `*fd` and sets it to -1. Ignores errors, and does nothing if `*fd` is
 * negative. */
void img_output_drop_descriptor(int *fd);

#endif
