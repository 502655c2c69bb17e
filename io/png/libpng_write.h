/* Private: writes a PNG with libpng, with every ancillary chunk as it was read. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_WRITE_H
#define IMGTOOL_IO_PNG_LIBPNG_WRITE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"

/* Writes to `output`, with only a few rows in memory. `level` is that of zlib, 0 to 9. `progress`
 * counts rows and may be NULL. */
ImgStatus img_libpng_encode(const ImgImage *image, const ImgMetadata *metadata, int level,
                            ImgProgress *progress, ImgOutput *output, ImgError *err);

/* Returns an upper bound of the memory in bytes that libpng needs for a picture of this shape. */
uint64_t img_libpng_encode_bytes(ImgShape shape);

#endif
