/* The formats that are written, and which of them the name of a file asks for. */
#ifndef IMGTOOL_IO_FILE_FORMAT_H
#define IMGTOOL_IO_FILE_FORMAT_H

#include "kernels/core/status.h"

typedef enum ImgFileFormat {
    IMG_FILE_PNG,
    IMG_FILE_JPEG, /* .jpg .jpeg: 8-bit gray or RGB */
    IMG_FILE_BMP,  /* .bmp: 8-bit RGB or RGBA */
    IMG_FILE_TGA,  /* .tga: 8-bit */
} ImgFileFormat;

/* By extension, letter case ignored; "-", devices and open descriptors (/dev/fd/N) are PNG.
 * IMG_E_USAGE for an extension that is not known, with those that are; IMG_E_IO for the name of a
 * directory. */
ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err);

#endif
