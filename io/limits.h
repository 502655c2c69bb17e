/* Limits that protect against files that claim a larger size, or inflate to more bytes, than the
 * user expects. The caller sets the limits: this code does not query the memory of the machine. */
#ifndef IMGTOOL_IO_LIMITS_H
#define IMGTOOL_IO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgLimits {
    uint64_t max_pixels; /* largest number of pixels of any image: width times height */
    /* Largest memory in bytes for the file and all images that exist at the same time. */
    uint64_t max_memory;
    size_t max_text; /* largest total size in bytes of the texts of one file after inflation */
    /* Advice on how to raise max_pixels and max_memory, for the end of an error message: "raise it
     * with --max-pixels". NULL: the message states only the limit. */
    const char *more_pixels, *more_memory;
    /* True if only regular files are accepted, for servers and batches. Opening or reading a pipe
     * or a device could block for ever; if this is true, it is an error instead. */
    bool only_files;
} ImgLimits;

enum { IMG_DEFAULT_MAX_TEXT = 8 << 20 };

/* Upper bound of max_pixels. At 8 bytes per pixel, a source and a result of this size take 8 TB
 * together. That is more memory than machines have, and sums of such sizes cannot overflow 64
 * bits. */
#define IMG_PIXELS_MAX UINT64_C(500000000000)

#endif
