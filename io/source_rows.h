/* Decodes a file on request: the caller reads rows in order, and never holds the whole picture.
 *
 * A helper thread decodes into a window of rows: ahead of the caller, or only while the caller
 * waits in img_source_rows_read, so that one of both runs at a time. */
#ifndef IMGTOOL_IO_SOURCE_ROWS_H
#define IMGTOOL_IO_SOURCE_ROWS_H

#include "io/source.h"

typedef struct ImgSourceRows ImgSourceRows;

/* Starts to decode a source for which img_source_can_decode_rows returns true, ahead of the caller
 * or not. No request will have more than `most` rows. Everything that `options` points to stays
 * borrowed until img_source_rows_end. Errors:
 *
 *     IMG_E_MEMORY       no memory for the window
 *     IMG_E_UNAVAILABLE  the system gives no helper thread; img_source_decode needs none */
ImgStatus img_source_rows_start(ImgSource *source, const ImgPngDecodeOptions *options, bool ahead,
                                int32_t most, ImgSourceRows **rows, ImgError *err);

/* Sets *view to `count` rows from row `first` on, which are valid until the next call. A request
 * may overlap the previous one, but neither its first nor its last row may lie before that of the
 * previous one. The picture's last row is given only after the end of the file has been checked.
 * Errors are those of img_source_decode_rows: after IMG_E_FORMAT img_source_decode decides whether
 * the file is damaged. */
ImgStatus img_source_rows_read(ImgSourceRows *rows, int32_t first, int32_t count, ImgView *view,
                               ImgError *err);

/* Decodes the rows that were not requested, and checks the end of the file. Sets *report. */
ImgStatus img_source_rows_finish(ImgSourceRows *rows, ImgPngDecodeReport *report, ImgError *err);

/* Stops decoding and frees the rows, which may be NULL. */
void img_source_rows_end(ImgSourceRows *rows);

/* Returns the memory in bytes of the window for requests of up to `most` rows. */
uint64_t img_source_rows_bytes(ImgShape shape, int32_t most, bool ahead);

#endif
