/* Private: decodes the pixels of a PNG in memory with libpng. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_READ_H
#define IMGTOOL_IO_PNG_LIBPNG_READ_H

#include "io/png/chunks.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/row_sink.h"

/* Returns the memory in bytes that libpng needs besides the file and the pixels. Does not count a
 * constant amount of about 100 KiB. */
uint64_t img_libpng_decode_bytes(ImgShape shape);

/* Decodes into `view`. `data` must be a file that img_png_header and img_png_scan accepted. Sets
 * `*extra` to true if there was data after the last row, which is ignored. Fails with IMG_E_FORMAT
 * if the image data is damaged; the pixels are then undefined. `progress` may be NULL; otherwise
 * img_progress_start must have been called. */
ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgProgress *progress, bool *extra,
                                   const ImgView *view, ImgError *err);

/* Decodes as img_png_decode_by_libpng does, but passes each row to `sink`, so that only one row is
 * in memory. Must not be called for interlaced pictures. */
ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, const ImgRowSink *sink, bool *extra,
                                        ImgError *err);

#endif
