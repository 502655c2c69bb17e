/* Decodes a file on request: the caller reads rows in order, and never holds the whole picture.
 *
 * If only one thread decodes, it is the caller's thread, in img_source_rows_read. A helper thread
 * decodes into a buffer of some rows in three cases: several threads decode, rows are decoded
 * ahead, or libpng decodes because img_source_can_request_rows returns false. Without decoding
 * ahead, the helper thread runs only while the caller waits in img_source_rows_read. */
#ifndef IMGTOOL_IO_SOURCE_ROWS_H
#define IMGTOOL_IO_SOURCE_ROWS_H

#include "io/source.h"

typedef struct ImgSourceRows ImgSourceRows;

/* Starts to decode a source for which img_source_can_decode_rows returns true. If `ahead` is true,
 * decodes ahead of the caller. No request may have more than `most` rows. Everything that `options`
 * points to stays borrowed until img_source_rows_end, which must be called even after a failure.
 * Errors:
 *
 *     IMG_E_MEMORY       no memory for the buffer
 *     IMG_E_UNAVAILABLE  the system gives no helper thread; img_source_decode needs none */
ImgStatus img_source_rows_start(ImgSource *source, const ImgPngDecodeOptions *options, bool ahead,
                                int32_t most, ImgSourceRows **rows, ImgError *err);

/* Sets `*view` to `count` rows from row `first` onwards, which are valid until the next call. A
 * request may overlap the previous request. Its first row must not lie before the first row of the
 * previous request, nor its last row before the last row of that request. A request for the
 * picture's last row succeeds only after the end of the file has been checked. Errors are those of
 * img_source_decode_rows. After IMG_E_FORMAT only img_source_decode can determine whether the file
 * is damaged. */
ImgStatus img_source_rows_read(ImgSourceRows *rows, int32_t first, int32_t count, ImgView *view,
                               ImgError *err);

/* Decodes the rows that were not requested, and checks the end of the file. Sets `*report`. */
ImgStatus img_source_rows_finish(ImgSourceRows *rows, ImgPngDecodeReport *report, ImgError *err);

/* Stops decoding and frees `rows`, which may be NULL. */
void img_source_rows_end(ImgSourceRows *rows);

/* Returns the size in bytes of the buffer for requests of up to `most` rows. */
uint64_t img_source_rows_bytes(ImgShape shape, int32_t most, bool ahead);

#endif
