/* Collects the names of the files that an operation will use, for a program that sandboxes itself
 * and must grant access to them in advance. */
#ifndef IMGTOOL_IO_NAMES_H
#define IMGTOOL_IO_NAMES_H

typedef enum ImgNameUse {
    IMG_NAME_SEEN,      /* only checked for existence or type */
    IMG_NAME_READ,      /* opened for reading */
    IMG_NAME_IN_PLACE,  /* opened and truncated for writing */
    IMG_NAME_TEMPORARY, /* created, written, then renamed to the target or removed */
    IMG_NAME_TARGET,    /* final name of the temporary file */
    IMG_NAME_BACKUP,    /* name of the backup of the target, a hard link or a copy */
    IMG_NAME_USES
} ImgNameUse;

/* Receives a name. It may replace `*name`, now or later, by an equal string at another address that
 * lives as long as the name is used. */
typedef void ImgNameFunction(void *context, ImgNameUse use, const char **name);

#endif
