/* The formats that imgtool writes, and how a file name selects one. */
#ifndef IMGTOOL_IO_FILE_FORMAT_H
#define IMGTOOL_IO_FILE_FORMAT_H

#include <stdbool.h>

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
 * descriptors (/dev/fd/N) are PNG. Fails with IMG_E_USAGE for an unknown extension; the message
 * lists the known ones. Fails with IMG_E_IO for the name of a directory. */
ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err);

#endif
