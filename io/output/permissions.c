/* Reads and applies permissions and ACLs. An ACL (acl(5)) is an extended attribute: a version of 4
 * bytes, then entries of 8 bytes. An entry has a tag and permissions (2 bytes each) and a user or
 * group ID (4 bytes). If a file has an ACL, the group bits of its mode are the ACL's mask. The mask
 * limits the permissions of named users, named groups and the owning group. */
#include "io/output/output_priv.h"

#include <errno.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/bytes.h"

static const char ACCESS_LIST[] = "system.posix_acl_access";
static const char DEFAULT_LIST[] = "system.posix_acl_default";

enum { VERSION_BYTES = 4, ENTRY_BYTES = 8, PLAIN_BYTES = VERSION_BYTES + 3 * ENTRY_BYTES };

/* --- Permissions of the old file -------------------------------------------------------------- */

static bool is_none(int code)
{
    return code == ENODATA || code == EOPNOTSUPP || code == ENOSYS;
}

static void read_acl(const char *path, ImgPermissions *permissions)
{
    ssize_t size = getxattr(path, ACCESS_LIST, NULL, 0);
    if (size <= 0) {
        permissions->acl_state = size < 0 && !is_none(errno) ? IMG_ACL_UNKNOWN : IMG_ACL_NONE;
        return;
    }
    permissions->acl_state = IMG_ACL_UNKNOWN;
    permissions->own_acl = malloc((size_t)size);
    if (permissions->own_acl == NULL)
        return;
    size = getxattr(path, ACCESS_LIST, permissions->own_acl, (size_t)size);
    if (size < VERSION_BYTES || (size - VERSION_BYTES) % ENTRY_BYTES != 0 ||
        img_get_le32(permissions->own_acl) != POSIX_ACL_XATTR_VERSION)
        return;
    permissions->acl_state = IMG_ACL_KNOWN;
    permissions->acl_size = (size_t)size;
}

void img_permissions_read(const char *path, const struct stat *info, ImgPermissions *permissions)
{
    *permissions = (ImgPermissions){.owner = info->st_uid, .group = info->st_gid};
    read_acl(path, permissions);
}

void img_permissions_free(ImgPermissions *permissions)
{
    free(permissions->own_acl);
    *permissions = (ImgPermissions){.acl_state = IMG_ACL_NONE};
}

static bool directory_differs(const char *directory, gid_t group)
{
    struct stat info;
    if (stat(directory, &info) != 0)
        return true;
    const gid_t given = (info.st_mode & S_ISGID) != 0 ? info.st_gid : getegid();
    if (given != group)
        return true;
    const ssize_t size = getxattr(directory, DEFAULT_LIST, NULL, 0);
    return size > 0 || (size < 0 && !is_none(errno));
}

bool img_permissions_differ(const char *target, const ImgPermissions *permissions)
{
    if (permissions->acl_state != IMG_ACL_NONE || permissions->gives_owner)
        return true;
    const char *slash = strrchr(target, '/');
    if (slash == NULL)
        return directory_differs(".", permissions->group);
    char *directory = strndup(target, (size_t)(slash - target) + 1);
    const bool differs = directory == NULL || directory_differs(directory, permissions->group);
    free(directory);
    return differs;
}

/* --- Permissions of the new file -------------------------------------------------------------- */

/* Returns the mode for a file whose group could not be copied. Members of the old group may now
 * count as others, and others as group. So group and others get only the permissions that both
 * classes had. */
static mode_t without_group(mode_t mode)
{
    const mode_t both = mode >> 3 & mode & 7;
    return (mode & ~(mode_t)(S_ISGID | 077)) | both << 3 | both;
}

/* The users of the missing ACL entries now count as group or others. So these two classes keep only
 * permissions that every ACL entry of a user or group allows. */
mode_t img_permissions_without_acl(mode_t mode, const ImgPermissions *permissions)
{
    mode_t group = 7, named = 7, mask = 7;
    bool has_named = false;
    if (permissions->acl_state == IMG_ACL_UNKNOWN)
        return without_group(mode);
    for (size_t at = VERSION_BYTES; at < permissions->acl_size; at += ENTRY_BYTES) {
        const uint8_t *entry = permissions->own_acl + at;
        const mode_t allowed = entry[2] & 7;
        const bool is_named = entry[0] == ACL_USER || entry[0] == ACL_GROUP;
        has_named |= is_named;
        named &= is_named ? allowed : 7;
        group = entry[0] == ACL_GROUP_OBJ ? allowed : group;
        mask = entry[0] == ACL_MASK ? allowed : mask;
    }
    const mode_t most = has_named ? named & mask : 7;
    return (mode & ~(mode_t)077) | (mode & (group & most) << 3) | (mode & most);
}

/* Writes to `list` the ACL that is equivalent to `mode`. If the caller sets this ACL, the system
 * stores none, and removes an ACL that the file inherited from its directory. */
static void write_plain(mode_t mode, uint8_t list[PLAIN_BYTES])
{
    static const uint8_t tags[] = {ACL_USER_OBJ, ACL_GROUP_OBJ, ACL_OTHER};
    img_put_le32(list, POSIX_ACL_XATTR_VERSION);
    for (int i = 0; i < 3; i++) {
        uint8_t *entry = list + VERSION_BYTES + (ptrdiff_t)i * ENTRY_BYTES;
        img_put_le32(entry, tags[i] | (uint32_t)(mode >> (6 - 3 * i) & 7) << 16);
        img_put_le32(entry + 4, (uint32_t)ACL_UNDEFINED_ID);
    }
}

static bool set_group(int fd, const char *path, gid_t group)
{
    return (fd >= 0 ? fchown(fd, (uid_t)-1, group) : chown(path, (uid_t)-1, group)) == 0;
}

static bool set_acl(int fd, const char *path, const uint8_t *list, size_t size)
{
    return (fd >= 0 ? fsetxattr(fd, ACCESS_LIST, list, size, 0)
                    : setxattr(path, ACCESS_LIST, list, size, 0)) == 0;
}

mode_t img_permissions_apply(int fd, const char *path, const ImgPermissions *permissions,
                             mode_t mode)
{
    uint8_t plain[PLAIN_BYTES];
    const bool has_group = set_group(fd, path, permissions->group);
    if (has_group && permissions->acl_state == IMG_ACL_KNOWN &&
        set_acl(fd, path, permissions->own_acl, permissions->acl_size))
        return mode;
    if (permissions->acl_state != IMG_ACL_NONE)
        mode = img_permissions_without_acl(mode, permissions);
    if (!has_group)
        mode = without_group(mode);
    write_plain(mode, plain);
    (void)set_acl(fd, path, plain, sizeof plain);
    return mode;
}
