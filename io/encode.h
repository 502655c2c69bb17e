/* Writing a picture in the format that a file's name asks for. */
#ifndef IMGTOOL_IO_ENCODE_H
#define IMGTOOL_IO_ENCODE_H

#include "io/metadata.h"
#include "io/output.h"
#include "io/png/encode.h"
#include "kernels/core/image.h"

typedef enum ImgFileFormat {
    IMG_FILE_PNG,
    IMG_FILE_JPEG, /* .jpg .jpeg: 8-bit gray or RGB */
    IMG_FILE_BMP,  /* .bmp: 8-bit RGB or RGBA */
    IMG_FILE_TGA,  /* .tga: 8-bit */
} ImgFileFormat;

typedef struct ImgEncodeOptions {
    int level;   /* PNG: 0 stored, 1 fastest .. 9 smallest (png/encode/level.c has the table) */
    int threads; /* PNG: at most so many, at least 1; others use one */
    bool index;  /* PNG: say where strips start that can be decoded at the same time */
    int quality; /* JPEG: 1..100; IMG_DEFAULT_QUALITY */
} ImgEncodeOptions;

enum { IMG_DEFAULT_LEVEL = 4, IMG_DEFAULT_QUALITY = 90 };

/* Bytes of an image below which img_encode is done before threads have started. */
enum { IMG_BYTES_WORTH_THREADS_TO_ENCODE = 1 << 20 };

/* By extension, letter case ignored; "-", devices and open descriptors (/dev/fd/N) are PNG.
 * IMG_E_USAGE for an extension that is not known, with those that are; IMG_E_IO for the name of a
 * folder. */
ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err);

/* What the format cannot hold of this picture ("16 bits reduced to 8", "no transparency: laid over
 * white"), one line for the user; NULL if nothing is lost. IMG_E_UNSUPPORTED, in img_encode, where
 * the format cannot hold it at all (sizes). */
const char *img_encode_loss(ImgFileFormat format, const ImgImage *image,
                            const ImgMetadata *metadata);

/* Bytes of memory that img_encode takes beside such an image: 0 for exports whose pixels can be
 * handed over as they are, and for PNG, of which a few strips a thread are in memory. To be added
 * to the need before anything is decoded; `shape` is that of the result, and `metadata` tells of
 * transparency. */
uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata);

/* Writes the whole file to `output`, without committing it. The same input gives the same bytes,
 * whatever the number of threads. `report` may be NULL, and only speaks of PNG. */
ImgStatus img_encode(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     const ImgEncodeOptions *options, ImgOutput *output, ImgPngEncodeReport *report,
                     ImgError *err);

#endif
