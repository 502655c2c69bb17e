/* What of an old file outlives the new one: its times and rights on the result (--preserve), and
 * the file itself under another name (--backup). Messages do not name the file. */
#ifndef IMGTOOL_IO_KEEP_H
#define IMGTOOL_IO_KEEP_H

#include <stdbool.h>
#include <sys/stat.h>

#include "io/names.h"
#include "io/output/output.h"
#include "kernels/core/status.h"

/* Gives `to` the permissions and times of a file, `path` as it was in `old`; owner, group, list of
 * rights (POSIX ACL) and extended attributes of users as far as the system allows. What `to` cannot
 * have of these gives nobody more permissions than he has on the file: without its group or list
 * those of group and others are fewer, and without its owner or group there is no set-user-ID or
 * set-group-ID bit. *lost, unless NULL, which begins with IMG_OK, says the first attribute of users
 * that is not kept, if there is one. IMG_E_IO where times or permissions cannot be set. */
ImgStatus img_keep_attributes(const char *path, const struct stat *old, const char *to,
                              ImgError *lost, ImgError *err);

/* Gives the open file `fd`, or where that is -1 the file `to`, the attributes of users that `from`
 * has. *lost as above. */
void img_keep_user_attributes(const char *from, int fd, const char *to, ImgError *lost);

/* The names of a file that will be replaced: its own, links followed, that of its backup in the
 * same directory, and what the backup is called until it is complete, where it is a copy. Each may
 * be another's memory (img_backup_names). */
typedef struct ImgBackup {
    const char *target, *name, *temporary; /* NULL: no backup is wanted */
    char *own_target, *own_name, *own_temporary;
    const ImgOutputHooks *hooks;
} ImgBackup;

#define IMG_BACKUP_NONE ((ImgBackup){.target = NULL})

/* The name is that of the file with `suffix`. There need not be a file yet. `hooks`, which may be
 * NULL and must outlive the backup, hear of a copy as of an output that is not complete. */
ImgStatus img_backup_find(const char *path, const char *suffix, const ImgOutputHooks *hooks,
                          ImgBackup *backup, ImgError *err);

/* Gives `use` the names of all files that the backup will use. */
void img_backup_names(ImgBackup *backup, ImgNameFunction *use, void *context);

/* IMG_E_IO if a file that is there would need a backup, and the name is taken by another one;
 * `remedy` says how the user takes another suffix, "choose another --backup=SUFFIX". */
ImgStatus img_backup_check(const ImgBackup *backup, const char *remedy, ImgError *err);

/* Gives the file, if there is one, the other name as well: a hard link, or a copy where the file
 * system has none. What is there already is never replaced: IMG_E_IO, but for a link to the very
 * same file. *made: there is a backup now. */
ImgStatus img_backup_make(const ImgBackup *backup, const char *remedy, bool *made, ImgError *err);

/* Harmless on none. */
void img_backup_free(ImgBackup *backup);

#endif
