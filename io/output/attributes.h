/* Copies owner, permissions, times and user extended attributes from one file to another
 * (--preserve). Error messages do not contain the file's name; the caller adds it. */
#ifndef IMGTOOL_IO_OUTPUT_ATTRIBUTES_H
#define IMGTOOL_IO_OUTPUT_ATTRIBUTES_H

#include <sys/stat.h>

#include "kernels/core/status.h"

/* Gives the file `to` the permissions and times of the file `path`; `old` is the result of stat for
 * `path`. Copies owner, group, POSIX ACL and user extended attributes as far as the system allows.
 *
 * If something cannot be copied, no user gets more permissions than on the old file. If the group
 * or ACL cannot be copied, group and others get fewer permissions. If the owner cannot be copied,
 * the new file loses the set-user-ID bit; if the group cannot be copied, it loses the set-group-ID
 * bit.
 *
 * `*lost`, which the caller sets to IMG_OK, receives an error for the first user attribute that
 * could not be copied. `lost` may be NULL. Fails with IMG_E_IO if times or permissions cannot be
 * set. */
ImgStatus img_attributes_copy(const char *path, const struct stat *old, const char *to,
                              ImgError *lost, ImgError *err);

/* Copies the user extended attributes of the file `from` to the open file `fd`, or to the file `to`
 * if `fd` is -1. `*lost` receives an error for the first attribute that could not be copied, as in
 * img_attributes_copy. */
void img_attributes_copy_user(const char *from, int fd, const char *to, ImgError *lost);

#endif
