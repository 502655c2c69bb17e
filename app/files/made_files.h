/* The set of files that a run has made, identified by device and inode. It detects two outputs that
 * a file system which ignores case makes one file. */
#ifndef IMGTOOL_APP_FILES_MADE_FILES_H
#define IMGTOOL_APP_FILES_MADE_FILES_H

#include "io/output/output.h"

typedef struct MadeFiles MadeFiles;

/* Returns NULL if there is no memory. */
MadeFiles *made_files_create(void);
void made_files_free(MadeFiles *files);

/* Returns a guard for img_output_set_guard, valid as long as `files`, and thread-safe. It adds each
 * new file to the set, and rejects replacing one that is in it: IMG_E_USAGE. IMG_E_MEMORY. NULL for
 * NULL. */
const ImgReplaceGuard *made_files_guard(const MadeFiles *files);

#endif
