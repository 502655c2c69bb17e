/* Private: writes a PNG with libpng, including all ancillary chunks as they were read. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_WRITE_H
#define IMGTOOL_IO_PNG_LIBPNG_WRITE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"

/* Writes the whole file to `output`, with only a few rows in memory. `level` is the compression
 * level of zlib, 0 to 9. `progress` receives the number of rows written, and may be NULL. */
ImgStatus img_libpng_encode(const ImgImage *image, const ImgMetadata *metadata, int level,
                            ImgProgress *progress, ImgOutput *output, ImgError *err);

/* Returns an upper bound of the memory in bytes that libpng needs for a picture of this shape. */
uint64_t img_libpng_encode_bytes(ImgShape shape);

#endif
