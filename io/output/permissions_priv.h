/* Private: permissions of a file that replaces another file or is a copy of it. No user gets more
 * permissions than on the other file. Group and POSIX ACL are copied if the system allows it.
 * Otherwise some users fall into another class (owner, group, others). These users get only the
 * permissions that both the old and the new class allow. */
#ifndef IMGTOOL_IO_OUTPUT_PERMISSIONS_PRIV_H
#define IMGTOOL_IO_OUTPUT_PERMISSIONS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

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

#endif
