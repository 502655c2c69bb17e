/* Decodes and encodes PNG on a GPU, as the source and the sink of an operation that runs there
 * (kernels/core/cuda/device_end.h). Only compressed bytes are copied between the CPU and the GPU.
 * In a build without CUDA the functions report that the GPU is unavailable.
 *
 * Pixels and files equal those of the CPU codec. The CPU must handle files that the GPU does not
 * support or cannot verify. A failure on the GPU does not mean that the file is damaged. */
#ifndef IMGTOOL_IO_PNG_DEVICE_H
#define IMGTOOL_IO_PNG_DEVICE_H

#include "io/png/chunks.h"
#include "io/png/encode.h"
#include "kernels/core/cuda/device_end.h"

/* --- Reading on the GPU ----------------------------------------------------------------------- */

typedef struct ImgPngDeviceReader ImgPngDeviceReader;

/* Creates a reader for a file in memory that img_png_scan accepted. The file is borrowed until the
 * reader is freed. `is_pinned` is true if the file is in pinned memory; otherwise the reader copies
 * it to pinned memory. The index of blocks comes from `metadata`. Returns NULL if the GPU does not
 * support the file or memory is short. Then sets `*why_not` to the reason, for the user. */
ImgPngDeviceReader *img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                          const ImgPngScan *scan, const ImgMetadata *metadata,
                                          bool is_pinned, const char **why_not);

/* Returns the reader as the source of an operation on the GPU. The function `end` of the source
 * fails with IMG_E_UNSUPPORTED if the GPU could not verify the pixels. */
ImgDeviceEnd img_png_device_source(ImgPngDeviceReader *reader);

/* Frees the reader. Does nothing if it is NULL. */
void img_png_device_reader_free(ImgPngDeviceReader *reader);

/* --- Writing on the GPU ----------------------------------------------------------------------- */

typedef struct ImgPngDeviceWriter ImgPngDeviceWriter;

/* Creates a writer for a picture of this shape, with the options of img_png_encode. `expected` is
 * an estimate of the file's size in bytes, which determines the size of buffers. Returns NULL if
 * the CPU must write this file, and sets `*why_not` to the reason. */
ImgPngDeviceWriter *img_png_device_writer(ImgShape shape, const ImgPngEncodeOptions *options,
                                          bool interlaced, size_t expected, const char **why_not);

ImgDeviceEnd img_png_device_sink(ImgPngDeviceWriter *writer);

/* Returns the strips that the GPU has encoded, after the operation has ended. img_png_encode can
 * write them instead of encoding pixels. The strips are valid until the writer is freed or the
 * executor runs another picture. */
const ImgPngEncodedStrips *img_png_device_strips(const ImgPngDeviceWriter *writer);

/* Frees the writer. Does nothing if it is NULL. */
void img_png_device_writer_free(ImgPngDeviceWriter *writer);

#endif
