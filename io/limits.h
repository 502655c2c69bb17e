/* Limits against files that claim, or inflate to, more than the user expects. The caller sets them;
 * this code does not query the machine. */
#ifndef IMGTOOL_IO_LIMITS_H
#define IMGTOOL_IO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgLimits {
    uint64_t max_pixels; /* largest width times height of any image */
    uint64_t max_memory; /* bytes of the file and of all images alive at the same time */
    size_t max_text;     /* bytes that the compressed texts of one file may inflate to */
    /* Advice for the end of a message on how to raise the first two limits: "raise it with
     * --max-pixels". NULL: the message states only the limit. */
    const char *more_pixels, *more_memory;
    /* If true, only regular files are accepted. Opening or reading a pipe or a device could block
     * for ever; with this flag it fails at once. For servers and batches. */
    bool only_files;
} ImgLimits;

enum { IMG_DEFAULT_MAX_TEXT = 8 << 20 };

/* Upper bound of max_pixels. Source and result at 8 bytes per pixel are then 8 TB: beyond any
 * machine, and far from where sums of bytes would overflow. */
#define IMG_PIXELS_MAX UINT64_C(500000000000)

#endif
