/* Private: decoding the pixels of a PNG in memory through libpng. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_READ_H
#define IMGTOOL_IO_PNG_LIBPNG_READ_H

#include "io/png/chunks.h"
#include "io/png/watch.h"
#include "kernels/core/image.h"
#include "kernels/core/row_sink.h"

/* What that takes beside the file and the pixels, but for some 100 KiB. */
uint64_t img_libpng_decode_bytes(ImgShape shape);

/* `data` passed img_png_header and img_png_scan. *extra: there was data past the last row, which is
 * dropped. Any damage is IMG_E_FORMAT; the pixels of `view` are undefined then. `watch` was
 * started, or is NULL. */
ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgWatch *watch, bool *extra,
                                   const ImgView *view, ImgError *err);

/* The same row by row, of a picture that is not interlaced: no more than one is in memory. */
ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, const ImgRowSink *sink, bool *extra,
                                        ImgError *err);

#endif
