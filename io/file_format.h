/* The formats that imgtool writes, how a file name selects one, and names of other formats for
 * error messages. */
#ifndef IMGTOOL_IO_FILE_FORMAT_H
#define IMGTOOL_IO_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef enum ImgFileFormat {
    IMG_FILE_PNG,
    IMG_FILE_JPEG, /* extensions .jpg and .jpeg; 8-bit gray or RGB */
    IMG_FILE_BMP,  /* extension .bmp; 8-bit RGB or RGBA */
    IMG_FILE_TGA,  /* extension .tga; 8-bit gray, RGB or RGBA */
} ImgFileFormat;

/* Sets `*format` to the format of the extension of `name`, ignoring case. Returns false if `name`
 * has no extension or an unknown one. Never accesses a file. */
bool img_file_format_from_extension(const char *name, ImgFileFormat *format);

/* Sets `*format` to the format of the file name's extension, ignoring case. "-", devices and open
 * descriptors (/dev/fd/N) select PNG. Fails with IMG_E_USAGE for an unknown extension; the message
 * lists the known ones. Fails with IMG_E_IO for the name of a directory. */
ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err);

/* Recognises a file that is not a PNG. Returns the name of the format that `data` starts with, such
 * as "JPEG" or "WebP". Returns NULL if the format is unknown. */
const char *img_sniff(const uint8_t *data, size_t size);

/* Returns the article that the name of a format needs in a sentence: "a" or "an". */
const char *img_sniff_article(const char *name);

#endif
