/* The set of files that a run has made, identified by device and inode. It detects that two outputs
 * with different names are one file, as happens on a file system that ignores case. */
#ifndef IMGTOOL_APP_FILES_MADE_FILES_H
#define IMGTOOL_APP_FILES_MADE_FILES_H

#include "io/output/output.h"

typedef struct MadeFiles MadeFiles;

/* Returns an empty set, or NULL if there is no memory. */
MadeFiles *made_files_create(void);
void made_files_free(MadeFiles *files);

/* Returns a guard for img_output_set_guard. The guard adds each new file to the set. It rejects,
 * with IMG_E_USAGE, an output that would replace a file in the set. It fails with IMG_E_MEMORY if
 * there is no memory. It is thread-safe, and valid as long as `files`. If `files` is NULL, returns
 * NULL. */
const ImgReplaceGuard *made_files_guard(const MadeFiles *files);

#endif
