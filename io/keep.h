/* What of an old file outlives the new one: its times and rights on the result (--preserve), and
 * the file itself under another name (--backup). Messages do not name the file. */
#ifndef IMGTOOL_IO_KEEP_H
#define IMGTOOL_IO_KEEP_H

#include <sys/stat.h>

#include "kernels/core/status.h"

/* Gives `to` the permissions and times of a file, `path` as it was in `old`; owner, group and
 * extended attributes of users as far as the system allows. IMG_E_IO where times or permissions
 * cannot be set. */
ImgStatus img_keep_attributes(const char *path, const struct stat *old, const char *to,
                              ImgError *err);

/* IMG_E_IO if a file that is there would need a backup, and the name `path` with `suffix` is taken
 * by another one; `remedy` says how the user takes another suffix, "choose another
 * --backup=SUFFIX". `path` is followed if it is a link. */
ImgStatus img_keep_backup_check(const char *path, const char *suffix, const char *remedy,
                                ImgError *err);

/* Gives the file at `path`, if there is one, the name with `suffix` as well, in the same directory:
 * a hard link, or a copy where the file system has none. What is there already is never replaced:
 * IMG_E_IO, but for a link to the very same file. *made (to be freed; NULL: none) is its path. */
ImgStatus img_keep_backup(const char *path, const char *suffix, const char *remedy, char **made,
                          ImgError *err);

#endif
