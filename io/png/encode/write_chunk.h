/* Private: the container of a PNG, written. */
#ifndef IMGTOOL_IO_PNG_ENCODE_WRITE_CHUNK_H
#define IMGTOOL_IO_PNG_ENCODE_WRITE_CHUNK_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "kernels/core/image.h"

ImgStatus img_png_write_chunk(ImgOutput *output, const char type[4], const void *data,
                              uint32_t size, ImgError *err);

/* Everything before IDAT: signature, IHDR, PLTE, and of `metadata` what has its place there.
 * IMG_E_FORMAT for a palette image without a palette, or with more entries than it can name. */
ImgStatus img_png_write_start(ImgOutput *output, ImgShape shape, const ImgMetadata *metadata,
                              ImgError *err);

/* Everything after IDAT, with IEND. */
ImgStatus img_png_write_end(ImgOutput *output, const ImgMetadata *metadata, ImgError *err);

#endif
