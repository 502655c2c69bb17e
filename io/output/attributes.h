/* Copies owner, permissions, times and user extended attributes from one file to another
 * (--preserve). Messages do not name the file. */
#ifndef IMGTOOL_IO_OUTPUT_ATTRIBUTES_H
#define IMGTOOL_IO_OUTPUT_ATTRIBUTES_H

#include <sys/stat.h>

#include "kernels/core/status.h"

/* Gives the file `to` the permissions and times of the file `path`, whose state is `old`. Owner,
 * group, POSIX ACL and user extended attributes are copied as far as the system allows.
 *
 * If something cannot be copied, no user gets more permissions than on the old file. Without its
 * group or ACL the new file has fewer permissions for group and others. Without its owner or group
 * it loses the set-user-ID or set-group-ID bit.
 *
 * *lost starts as IMG_OK and receives the first user attribute that is lost; `lost` may be NULL.
 * Fails with IMG_E_IO if times or permissions cannot be set. */
ImgStatus img_attributes_copy(const char *path, const struct stat *old, const char *to,
                              ImgError *lost, ImgError *err);

/* Copies the user extended attributes of `from` to the open file `fd`, or to the file `to` if `fd`
 * is -1. `*lost` receives the first one that is lost, as above. */
void img_attributes_copy_user(const char *from, int fd, const char *to, ImgError *lost);

#endif
