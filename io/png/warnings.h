/* Private: warnings for the user about a file that is readable although parts of it are invalid. */
#ifndef IMGTOOL_IO_PNG_WARNINGS_H
#define IMGTOOL_IO_PNG_WARNINGS_H

#include "io/png/chunks.h"

enum { IMG_PNG_WARNINGS_MAX = 10 };

/* A list of warnings for the user. Must be initialised with {0}. Must not move in memory, because
 * `lines` may point into it. */
typedef struct ImgPngWarnings {
    /* One warning per line, without the file's name. NULL ends the list. */
    const char *lines[IMG_PNG_WARNINGS_MAX + 1];
    char wrong_crc[sizeof((ImgPngScan *)NULL)->wrong_crc + 64];
} ImgPngWarnings;

/* Adds the warnings about the chunks of a file. `file_bytes` is the size of the file in bytes. */
void img_png_warn_of_scan(const ImgPngScan *scan, size_t file_bytes, ImgPngWarnings *warnings);

/* Adds the warning that there was data after the pixels. Called if decoding found such data
 * (ImgPngDecodeReport.extra_data). */
void img_png_warn_of_extra_data(const ImgPngScan *scan, ImgPngWarnings *warnings);

#endif
