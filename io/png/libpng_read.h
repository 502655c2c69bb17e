/* Private: decodes the pixels of a PNG in memory with libpng. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_READ_H
#define IMGTOOL_IO_PNG_LIBPNG_READ_H

#include "io/png/chunks.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/row_sink.h"

/* Returns the memory in bytes that libpng needs besides the file and the pixels, less about 100
 * KiB. */
uint64_t img_libpng_decode_bytes(ImgShape shape);

/* Decodes into `view`. `data` must have passed img_png_header and img_png_scan. Sets `*extra` to
 * true if data after the last row was dropped. Fails with IMG_E_FORMAT for any damage; the pixels
 * are then undefined. img_progress_start was called for `progress`, or `progress` is NULL. */
ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgProgress *progress, bool *extra,
                                   const ImgView *view, ImgError *err);

/* Decodes as img_png_decode_by_libpng does, but row by row, with only one row in memory. Not for
 * interlaced pictures. */
ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, const ImgRowSink *sink, bool *extra,
                                        ImgError *err);

#endif
