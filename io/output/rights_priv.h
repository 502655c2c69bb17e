/* Private: who may do what with a file that takes the place of another, or is a copy of it: nobody
 * more than with the other. Its group and its list of rights (POSIX ACL) are kept where the system
 * allows it; else those who would fall under another rule get no more than both rules allow. */
#ifndef IMGTOOL_IO_OUTPUT_RIGHTS_PRIV_H
#define IMGTOOL_IO_OUTPUT_RIGHTS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef enum ImgAclState {
    IMG_ACL_NONE,
    IMG_ACL_KNOWN,
    IMG_ACL_UNKNOWN, /* there may be one */
} ImgAclState;

/* Zeros are those of a file of root and group 0, without a list. */
typedef struct ImgRights {
    uid_t owner;
    bool gives_owner; /* a new file is to get the owner, too; set and done by whoever wants that */
    gid_t group;
    ImgAclState acl_state;
    uint8_t *own_acl; /* as the system has it in an extended attribute */
    size_t acl_size;
} ImgRights;

/* `info` is of the file `path`, whose list is read. Never fails; to be freed. */
void img_rights_read(const char *path, const struct stat *info, ImgRights *rights);

/* Would a new file in the directory of `target` have others than `rights`, whatever its mode? */
bool img_rights_differ(const char *target, const ImgRights *rights);

/* Gives the open file `fd`, or where that is -1 the file `path`, group and list. Returns what of
 * `mode`, of 07777, it may have then, which the caller sets. */
mode_t img_rights_give(int fd, const char *path, const ImgRights *rights, mode_t mode);

/* What of `mode` a file may have that loses this list. */
mode_t img_rights_without_acl(mode_t mode, const ImgRights *rights);

/* Harmless twice. */
void img_rights_free(ImgRights *rights);

#endif
