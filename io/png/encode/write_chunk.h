/* Private: writes the chunks of a PNG file. */
#ifndef IMGTOOL_IO_PNG_ENCODE_WRITE_CHUNK_H
#define IMGTOOL_IO_PNG_ENCODE_WRITE_CHUNK_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "kernels/core/image.h"

ImgStatus img_png_write_chunk(ImgOutput *output, const char type[4], const void *data,
                              uint32_t size, ImgError *err);

/* Writes everything before IDAT: the signature, IHDR, PLTE, and the chunks of `metadata` that must
 * precede IDAT, except indexes. Fails with IMG_E_FORMAT if a palette image has no palette, or more
 * palette entries than its indices can reach. */
ImgStatus img_png_write_start(ImgOutput *output, ImgShape shape, const ImgMetadata *metadata,
                              ImgError *err);

/* Writes everything after IDAT: the remaining chunks of `metadata`, and IEND. */
ImgStatus img_png_write_end(ImgOutput *output, const ImgMetadata *metadata, ImgError *err);

/* Returns the number of bytes that img_png_write_start and img_png_write_end write together. */
uint64_t img_png_chunks_bytes(ImgShape shape, const ImgMetadata *metadata);

#endif
