/* The files that a run has made, by what they are and not by their names: a directory that does not
 * tell upper and lower case apart gives two outputs one file. */
#ifndef IMGTOOL_APP_FILES_MADE_FILES_H
#define IMGTOOL_APP_FILES_MADE_FILES_H

#include "io/output/output.h"

typedef struct MadeFiles MadeFiles;

/* NULL: no memory. */
MadeFiles *made_files_create(void);
void made_files_free(MadeFiles *files);

/* For img_output_guard, as long as the files; safe from several threads. It notes each file that is
 * made, and refuses to replace one that was noted before: IMG_E_USAGE. IMG_E_MEMORY. NULL for NULL.
 */
const ImgReplaceGuard *made_files_guard(const MadeFiles *files);

#endif
