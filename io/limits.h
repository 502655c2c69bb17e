/* Limits against files that claim or inflate to more than the user expects. The caller decides;
 * nothing here asks the machine. */
#ifndef IMGTOOL_IO_LIMITS_H
#define IMGTOOL_IO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgLimits {
    uint64_t max_pixels; /* width times height of any image */
    uint64_t max_memory; /* bytes of the file and of all images alive at one time */
    size_t max_text;     /* bytes that the compressed texts of one file may inflate to */
    /* How the user gets past the first two, for the end of a message: "raise it with --max-pixels".
     * NULL: he is told the limit only. */
    const char *more_pixels, *more_memory;
    /* Paths must lead to regular files. A pipe or a device fails at once, where opening or reading
     * it could wait for ever: for a server or a batch. */
    bool only_files;
} ImgLimits;

enum { IMG_DEFAULT_MAX_TEXT = 8 << 20 };

/* What max_pixels may be. Two pictures of 8 bytes per pixel, source and result, are then 8 TB:
 * beyond any machine, and far from where sums of bytes would overflow. */
#define IMG_PIXELS_MAX UINT64_C(500000000000)

#endif
