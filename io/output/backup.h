/* Keeps the old contents of a file that will be replaced, under another name (--backup). Error
 * messages do not contain the file's name; the caller adds it. */
#ifndef IMGTOOL_IO_OUTPUT_BACKUP_H
#define IMGTOOL_IO_OUTPUT_BACKUP_H

#include <stdbool.h>

#include "io/names.h"
#include "io/output/output.h"
#include "kernels/core/status.h"

/* The names for the backup of a file that will be replaced. `target` is the file itself, with links
 * resolved. `name` is the backup, in the same directory. `temporary` is used while the backup is
 * written as a copy. After img_backup_names the names may point to memory of the caller. */
typedef struct ImgBackup {
    const char *target, *name, *temporary; /* all NULL: no backup is wanted */
    char *own_target, *own_name, *own_temporary;
    const ImgOutputHooks *hooks;
} ImgBackup;

#define IMG_BACKUP_NONE ((ImgBackup){.target = NULL})

/* Chooses the names. The backup has the name of the file `path` with `suffix` appended. The file
 * need not exist. `hooks` are called for the temporary file of a copy; they may be NULL and must
 * outlive the backup. */
ImgStatus img_backup_find(const char *path, const char *suffix, const ImgOutputHooks *hooks,
                          ImgBackup *backup, ImgError *err);

/* Passes the names of all files that the backup will use to the function `use`. This function may
 * replace the pointer to a name by a pointer to an equal string. */
void img_backup_names(ImgBackup *backup, ImgNameFunction *use, void *context);

/* Fails with IMG_E_IO if the file to back up exists and another file already has the name of the
 * backup. `remedy` is advice for the error message, such as "choose another --backup=SUFFIX". */
ImgStatus img_backup_check(const ImgBackup *backup, const char *remedy, ImgError *err);

/* Makes the backup of an existing file: a hard link, or a copy if the file system has no links.
 * Never replaces a file: fails with IMG_E_IO if another file has the backup's name. Succeeds if
 * that name is already a link to the same file. Sets `*made` to true if a backup exists, to false
 * if there was no file to back up. */
ImgStatus img_backup_make(const ImgBackup *backup, const char *remedy, bool *made, ImgError *err);

/* Frees the names. `*backup` may be IMG_BACKUP_NONE. */
void img_backup_free(ImgBackup *backup);

#endif
