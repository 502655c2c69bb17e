/* Which files will be used, by whoever knows, and for what: for a program that takes itself the
 * right to use any other. */
#ifndef IMGTOOL_IO_NAMES_H
#define IMGTOOL_IO_NAMES_H

typedef enum ImgNameUse {
    IMG_NAME_SEEN,      /* only asked about */
    IMG_NAME_READ,      /* opened, to be read */
    IMG_NAME_IN_PLACE,  /* opened, to be written, and emptied by that */
    IMG_NAME_TEMPORARY, /* created, written, renamed to the target, or removed */
    IMG_NAME_TARGET,    /* what the temporary file becomes */
    IMG_NAME_BACKUP,    /* what the target is called as well, by a link or as a copy */
    IMG_NAME_USES
} ImgNameUse;

/* Is given each name, and may put another in its place, then or later: the same letters, in memory
 * that lives as long as they are used. */
typedef void ImgNameFunction(void *context, ImgNameUse use, const char **name);

#endif
