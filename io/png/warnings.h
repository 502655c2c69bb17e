/* Private: what a user should know of a file that is read although something in it is not right. */
#ifndef IMGTOOL_IO_PNG_WARNINGS_H
#define IMGTOOL_IO_PNG_WARNINGS_H

#include "io/png/chunks.h"

enum { IMG_PNG_WARNINGS_MAX = 10 };

/* Start with {0}; stays where it is, since lines may point into it. */
typedef struct ImgPngWarnings {
    const char *lines[IMG_PNG_WARNINGS_MAX + 1]; /* without the file's name; ends with NULL */
    char wrong_crc[sizeof((ImgPngScan *)NULL)->wrong_crc + 64];
} ImgPngWarnings;

/* Of the chunks of a file of `file_bytes`. */
void img_png_warn_of_scan(const ImgPngScan *scan, size_t file_bytes, ImgPngWarnings *warnings);

/* Once the pixels are decoded (ImgPngDecodeReport.extra_data). */
void img_png_warn_of_extra_data(const ImgPngScan *scan, ImgPngWarnings *warnings);

#endif
