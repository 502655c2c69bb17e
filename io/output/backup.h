/* Keeps the old contents of a file that will be replaced, under another name (--backup). Messages
 * do not name the file. */
#ifndef IMGTOOL_IO_OUTPUT_BACKUP_H
#define IMGTOOL_IO_OUTPUT_BACKUP_H

#include <stdbool.h>

#include "io/names.h"
#include "io/output/output.h"
#include "kernels/core/status.h"

/* The names for a backup of a file that will be replaced: the file itself (links resolved), the
 * backup in the same directory, and the temporary name of a backup that is a copy. Each name points
 * to memory of this struct or, after img_backup_names, of the caller. */
typedef struct ImgBackup {
    const char *target, *name, *temporary; /* NULL: no backup is wanted */
    char *own_target, *own_name, *own_temporary;
    const ImgOutputHooks *hooks;
} ImgBackup;

#define IMG_BACKUP_NONE ((ImgBackup){.target = NULL})

/* Chooses the names: the backup is called like the file, with `suffix` appended. The file need not
 * exist. `hooks` are called for the temporary file of a copy; they may be NULL and must outlive the
 * backup. */
ImgStatus img_backup_find(const char *path, const char *suffix, const ImgOutputHooks *hooks,
                          ImgBackup *backup, ImgError *err);

/* Passes the names of all files that the backup will use to `use`, which may replace each name by
 * an equal string at another address. */
void img_backup_names(ImgBackup *backup, ImgNameFunction *use, void *context);

/* Fails with IMG_E_IO if there is a file to back up and another file has the backup's name.
 * `remedy` is the advice in the message: "choose another --backup=SUFFIX". */
ImgStatus img_backup_check(const ImgBackup *backup, const char *remedy, ImgError *err);

/* Gives an existing file the backup's name as a second name: a hard link, or a copy if the file
 * system has no links. Never replaces a file: fails with IMG_E_IO if another file has the name. A
 * link to the same file may have it already. Sets `*made` to true if a backup was made. */
ImgStatus img_backup_make(const ImgBackup *backup, const char *remedy, bool *made, ImgError *err);

/* Frees the names. IMG_BACKUP_NONE is allowed. */
void img_backup_free(ImgBackup *backup);

#endif
