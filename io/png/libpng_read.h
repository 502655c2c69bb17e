/* Private: decodes the pixels of a PNG in memory with libpng. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_READ_H
#define IMGTOOL_IO_PNG_LIBPNG_READ_H

#include "io/png/chunks.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/row_sink.h"

/* Returns the bytes that libpng needs besides the file and the pixels, except for about 100 KiB. */
uint64_t img_libpng_decode_bytes(ImgShape shape);

/* Decodes into `view`. `data` passed img_png_header and img_png_scan. *extra is true if data after
 * the last row was dropped. Any damage is IMG_E_FORMAT; the pixels are undefined then. `progress`
 * was started, or is NULL. */
ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgProgress *progress, bool *extra,
                                   const ImgView *view, ImgError *err);

/* Like img_png_decode_by_libpng, but row by row, for a picture that is not interlaced; only one row
 * is in memory. */
ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, const ImgRowSink *sink, bool *extra,
                                        ImgError *err);

#endif
