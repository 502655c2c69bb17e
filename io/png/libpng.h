/* Private: decodes the pixels of a PNG in memory with libpng, and writes a PNG with libpng,
 * including all ancillary chunks as they were read. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_H
#define IMGTOOL_IO_PNG_LIBPNG_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/chunks.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/row_source.h"
#include "kernels/core/store.h"

/* Returns the memory in bytes that libpng needs besides the file and the pixels. Does not count a
 * constant amount of about 100 KiB. */
uint64_t img_libpng_decode_bytes(ImgShape shape);

/* Decodes into `view`. `data` must be a file that img_png_header and img_png_scan accepted. Sets
 * `*extra` to true if there was data after the last row, which is ignored. Fails with IMG_E_FORMAT
 * if the image data is damaged; the pixels are then undefined. `progress` may be NULL; otherwise
 * img_progress_start must have been called. `pieces` reads the file if it is not in memory;
 * otherwise it is NULL. `store` holds the pixels of the view; NULL: they are in memory. */
ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgProgress *progress,
                                   const ImgPieces *pieces, bool *extra, const ImgView *view,
                                   ImgStore *store, ImgError *err);

/* Decodes as img_png_decode_by_libpng does, but passes each row to `sink`, so that only one row is
 * in memory. Must not be called for interlaced pictures. */
ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, ImgProgress *progress,
                                        const ImgPieces *pieces, const ImgRowSink *sink,
                                        bool *extra, ImgError *err);

/* Writes the whole file to `output`, with only a few rows in memory. `level` is the compression
 * level of zlib, 0 to 9. `progress` receives the number of rows written, and may be NULL. */
ImgStatus img_libpng_encode(const ImgImage *image, const ImgMetadata *metadata, int level,
                            ImgProgress *progress, ImgOutput *output, ImgError *err);

/* Returns an upper bound of the memory in bytes that libpng needs for a picture of this shape. */
uint64_t img_libpng_encode_bytes(ImgShape shape);

#endif
