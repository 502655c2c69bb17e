/* Private: permissions of a file that replaces another file or is a copy of it. No user gets more
 * permissions than on the other file. Group and POSIX ACL are copied if the system allows it.
 * Otherwise another rule (owner, group, others) applies to some users; these get only the
 * permissions that the old and the new rule both allow. */
#ifndef IMGTOOL_IO_OUTPUT_PERMISSIONS_PRIV_H
#define IMGTOOL_IO_OUTPUT_PERMISSIONS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef enum ImgAclState {
    IMG_ACL_NONE,
    IMG_ACL_KNOWN,
    IMG_ACL_UNKNOWN, /* the ACL could not be read: the file may have one */
} ImgAclState;

/* Owner, group and ACL of a file. All zeros mean a file of root and group 0, without an ACL. */
typedef struct ImgPermissions {
    uid_t owner;
    /* True if the new file also gets the owner; set and applied by output_open.c. */
    bool gives_owner;
    gid_t group;
    ImgAclState acl_state;
    uint8_t *own_acl; /* the value of the extended attribute */
    size_t acl_size;
} ImgPermissions;

/* Reads owner and group from `info`, and the ACL of the file `path`. Never fails. Free with
 * img_permissions_free. */
void img_permissions_read(const char *path, const struct stat *info, ImgPermissions *permissions);

/* Returns true if a new file in the directory of `target` would have another owner, group or ACL
 * than `permissions`. */
bool img_permissions_differ(const char *target, const ImgPermissions *permissions);

/* Gives the open file `fd`, or the file `path` if `fd` is -1, the group and the ACL. Returns the
 * part of `mode` (within 07777) that is safe with the group and ACL that could be set; the caller
 * sets it. */
mode_t img_permissions_apply(int fd, const char *path, const ImgPermissions *permissions,
                             mode_t mode);

/* Returns the part of `mode` that is safe for a file that loses this ACL. */
mode_t img_permissions_without_acl(mode_t mode, const ImgPermissions *permissions);

/* Frees the ACLs. May be called twice. */
void img_permissions_free(ImgPermissions *permissions);

#endif
