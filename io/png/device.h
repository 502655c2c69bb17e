/* PNG decoded and encoded on a GPU, as the ends of a run there (kernels/core/cuda/device_end.h):
 * the compressed bytes cross the bus, and no pixel does. In a build without CUDA there is no such
 * way.
 *
 * Pixels and files are those of the CPU codec. What the GPU does not take, or cannot prove, is left
 * to that: no failure here is a verdict about a file. */
#ifndef IMGTOOL_IO_PNG_DEVICE_H
#define IMGTOOL_IO_PNG_DEVICE_H

#include "io/png/chunks.h"
#include "io/png/encode.h"
#include "kernels/core/cuda/device_end.h"

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct ImgPngDeviceReader ImgPngDeviceReader;

/* For a file in memory that passed img_png_scan; it is borrowed until the reader is freed, and
 * `goes_itself` where it is pinned: else it is copied to memory that is. `metadata` are its chunks,
 * of which the index of blocks is read. NULL, with *why_not for users, where the GPU does not take
 * it, or there is no memory. */
ImgPngDeviceReader *img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                          const ImgPngScan *scan, const ImgMetadata *metadata,
                                          bool goes_itself, const char **why_not);

/* Its `end` fails with IMG_E_UNSUPPORTED where the pixels are not proved. */
ImgDeviceEnd img_png_device_source(ImgPngDeviceReader *reader);

/* Harmless on NULL. */
void img_png_device_reader_free(ImgPngDeviceReader *reader);

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct ImgPngDeviceWriter ImgPngDeviceWriter;

/* For a picture of that shape and the options of img_png_encode; `expected` is how many bytes the
 * file may have, for memory. NULL, with *why_not, where the CPU writes such files. */
ImgPngDeviceWriter *img_png_device_writer(ImgShape shape, const ImgPngEncodeOptions *options,
                                          bool interlaced, size_t expected, const char **why_not);

ImgDeviceEnd img_png_device_sink(ImgPngDeviceWriter *writer);

/* Once the run is over: what img_png_encode takes instead of pixels. Valid until the writer is
 * freed or the executor runs another picture. */
const ImgPngMade *img_png_device_made(const ImgPngDeviceWriter *writer);

/* Harmless on NULL. */
void img_png_device_writer_free(ImgPngDeviceWriter *writer);

#endif
