/* Decodes and encodes PNG on a GPU, as source and sink of a run there
 * (kernels/core/cuda/device_end.h). Only compressed bytes cross the bus. In a build without CUDA
 * the functions report that it is unavailable.
 *
 * Pixels and files equal those of the CPU codec. The CPU handles files that the GPU does not
 * support or cannot verify; no failure here is a verdict about a file. */
#ifndef IMGTOOL_IO_PNG_DEVICE_H
#define IMGTOOL_IO_PNG_DEVICE_H

#include "io/png/chunks.h"
#include "io/png/encode.h"
#include "kernels/core/cuda/device_end.h"

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct ImgPngDeviceReader ImgPngDeviceReader;

/* Creates a reader for a file in memory that passed img_png_scan and stays borrowed until the
 * reader is freed. `is_pinned` states that the file is in pinned memory; otherwise it is copied
 * to pinned memory. The index of blocks is taken from `metadata`. Returns NULL, with *why_not for
 * users, if the GPU does not support the file or memory is short. */
ImgPngDeviceReader *img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                          const ImgPngScan *scan, const ImgMetadata *metadata,
                                          bool is_pinned, const char **why_not);

/* Returns the source. Its `end` fails with IMG_E_UNSUPPORTED if the GPU could not verify the
 * pixels. */
ImgDeviceEnd img_png_device_source(ImgPngDeviceReader *reader);

/* NULL is allowed. */
void img_png_device_reader_free(ImgPngDeviceReader *reader);

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct ImgPngDeviceWriter ImgPngDeviceWriter;

/* Creates a writer for a picture of that shape and the options of img_png_encode. `expected` is an
 * estimate of the file's size in bytes, for allocation. Returns NULL, with *why_not, if the CPU
 * must write such a file. */
ImgPngDeviceWriter *img_png_device_writer(ImgShape shape, const ImgPngEncodeOptions *options,
                                          bool interlaced, size_t expected, const char **why_not);

ImgDeviceEnd img_png_device_sink(ImgPngDeviceWriter *writer);

/* Returns, after the run, the encoded strips that img_png_encode takes instead of pixels. Valid
 * until the writer is freed or the executor runs another picture. */
const ImgPngEncodedStrips *img_png_device_strips(const ImgPngDeviceWriter *writer);

/* NULL is allowed. */
void img_png_device_writer_free(ImgPngDeviceWriter *writer);

#endif
