/* Reports the names of the files that an operation will use. A program that sandboxes itself needs
 * them to grant access in advance. */
#ifndef IMGTOOL_IO_NAMES_H
#define IMGTOOL_IO_NAMES_H

typedef enum ImgNameUse {
    IMG_NAME_SEEN,     /* The file is only checked: whether it exists and its type. */
    IMG_NAME_READ,     /* The file is opened for reading. */
    IMG_NAME_IN_PLACE, /* The file is opened for writing and truncated, without a temporary file. */
    /* The file is created and written; then it is renamed to the target or removed. */
    IMG_NAME_TEMPORARY,
    IMG_NAME_TARGET, /* The file name that the temporary file finally gets. */
    /* The directory of temporary files without names (kernels/core/store.h). */
    IMG_NAME_SCRATCH,
    /* A path in that directory, for file systems that do not support files without names. There,
     * each temporary file is created at this path and unlinked at once. */
    IMG_NAME_SCRATCH_FILE,
    IMG_NAME_BACKUP, /* The name of the target's backup, which is a hard link or a copy. */
    IMG_NAME_USES
} ImgNameUse;

/* Receives a file name and its use. The function may replace `*name`, immediately or later, by an
 * equal string at another address. The string must live as long as the name is used. */
typedef void ImgNameFunction(void *context, ImgNameUse use, const char **name);

#endif
