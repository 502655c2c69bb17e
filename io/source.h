/* Reads a picture in three steps, so that a caller can check sizes, plan, and measure each step:
 *
 *     open    reads the header: checks that the file is a PNG and its size is within the limits
 *     load    reads the rest of the file and its metadata
 *     decode  decodes the pixels
 *
 * Error messages do not contain the file's name; the caller adds it (img_error_prefix). */
#ifndef IMGTOOL_IO_SOURCE_H
#define IMGTOOL_IO_SOURCE_H

#include "io/input.h"
#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/decode.h"
#include "kernels/core/image.h"

typedef struct ImgSource ImgSource;
struct ImgStore;

/* Opens a file, or standard input if `path` is "-". Checks the signature and IHDR against the
 * limits before it allocates memory for the picture. Copies `limits`. Errors:
 *
 *     IMG_E_IO      the file cannot be read: missing, a directory, no permission
 *     IMG_E_USAGE   the input is a terminal
 *     IMG_E_FORMAT  not a PNG (the message names the format if known), or an impossible header
 *     IMG_E_LIMIT   a limit is exceeded; the message has the limit, the need and an advice */
ImgStatus img_source_open(const char *path, const ImgLimits *limits, ImgSource **source,
                          ImgError *err);

/* Opens a file that is in memory, or whose bytes a function of the caller returns. The memory is
 * borrowed until the source is closed. With `by_rows` it works as img_source_open_rows does. Errors
 * are those of img_source_open, except IMG_E_USAGE for a terminal. If the caller's function fails,
 * this call or img_source_load fails with the same error. */
ImgStatus img_source_open_bytes(const ImgInputBytes *bytes, bool by_rows, const ImgLimits *limits,
                                ImgSource **source, ImgError *err);

/* Returns the width, height and format of the picture, as the header states them. Valid as soon as
 * the source is open. */
ImgShape img_source_shape(const ImgSource *source);
bool img_source_is_interlaced(const ImgSource *source);

/* Opens as img_source_open does, for a caller that may decode row by row (img_source_decode_rows)
 * or into a store. The pixels count against max_memory only after img_source_hold_pixels.
 *
 * `interrupt` is called when a signal interrupts a wait for the file, here and in img_source_load.
 * It is copied, and may be NULL. */
ImgStatus img_source_open_rows(const char *path, const ImgLimits *limits,
                               const ImgInterrupt *interrupt, ImgSource **source, ImgError *err);

/* Opens as img_source_open does, for a caller that needs only the chunks. The pixels do not count
 * against max_memory, and the source must not be decoded. */
ImgStatus img_source_open_chunks(const char *path, const ImgLimits *limits, ImgSource **source,
                                 ImgError *err);

/* Declares that all pixels will be in memory at once; must be called before decoding. Fails with
 * IMG_E_LIMIT if max_memory does not allow this. */
ImgStatus img_source_hold_pixels(ImgSource *source, ImgError *err);

/* Returns true if the pixels can be decoded row by row. Valid as soon as the source is open. */
bool img_source_can_decode_rows(const ImgSource *source);

/* Returns the size of the file in bytes, or 0 if the input is not a regular file. Valid as soon as
 * the source is open. */
uint64_t img_source_file_bytes(const ImgSource *source);

/* Returns the number of bytes of the file that were read. After img_source_load this is the whole
 * file, even if it is read in pieces. */
uint64_t img_source_bytes(const ImgSource *source);

/* Offers a buffer of the caller for the contents of the file; must be called before
 * img_source_load. If the file fits, the source uses the buffer until it frees the file's bytes or
 * is closed. */
void img_source_set_buffer(ImgSource *source, void *memory, size_t bytes);

/* Puts the pixels into a store (kernels/core/store.h), which is borrowed. They then do not count
 * against max_memory. */
void img_source_set_store(ImgSource *source, struct ImgStore *store);

/* Files of up to this number of bytes are always in memory. */
enum { IMG_SOURCE_SMALL = 4 << 20 };

/* Makes the source read a large regular file in pieces, instead of keeping it in memory; must be
 * called before img_source_load. The file stays open until its pixels are decoded. If it changes
 * meanwhile, loading or decoding fails with IMG_E_IO. Does nothing for other inputs. */
void img_source_read_in_pieces(ImgSource *source);

/* Returns true if the file is read in pieces. */
bool img_source_is_in_pieces(const ImgSource *source);

/* Lets img_source_load read a large file with `threads` threads; otherwise it uses one. */
void img_source_set_read_threads(ImgSource *source, int threads);

/* Reads the rest of the file and scans its chunks. Fails with IMG_E_LIMIT if the file is larger
 * than max_memory allows. */
ImgStatus img_source_load(ImgSource *source, ImgError *err);

/* Declares how many bytes of max_memory the caller uses while the file is read; must be called
 * before img_source_load. */
void img_source_reserve_memory(ImgSource *source, uint64_t bytes);

/* Returns the metadata of the file. Valid after img_source_load. The source owns it until
 * img_source_take_metadata is called. */
const ImgMetadata *img_source_metadata(const ImgSource *source);

/* Returns warnings about the parts of the file that are dropped, one line each: "animated PNG: only
 * the still picture is kept". NULL ends the list. Valid from img_source_load until the source is
 * closed. */
const char *const *img_source_warnings(const ImgSource *source);

/* Returns true if the file is an animated PNG (APNG). Only its still picture is decoded. Valid
 * after img_source_load. */
bool img_source_is_animated(const ImgSource *source);

/* Returns the number of frames that the chunk acTL of an animated PNG states, or 0 for a still
 * picture. Valid after img_source_load. */
uint32_t img_source_frames(const ImgSource *source);

/* Returns the types of the ancillary chunks that were dropped because of a wrong CRC, as many as
 * fit: "iCCP, tEXt". Returns "" if there are none. Valid after img_source_load. */
const char *img_source_dropped_chunks(const ImgSource *source);

/* Returns an upper bound of the memory in bytes that decoding needs besides the file and the
 * pixels. Valid after img_source_load. */
uint64_t img_source_decode_bytes(const ImgSource *source, int threads);

/* Decodes the pixels. Then frees the file's bytes, or stops using the caller's buffer, unless
 * img_source_keep_file forbids that. Fails with IMG_E_FORMAT if the file is damaged: truncated, a
 * wrong CRC or Adler-32, too little or too much image data. On failure `image` is IMG_IMAGE_NONE.
 *
 * `options` may be NULL, which means one thread; `report` may be NULL. The source finds the index
 * of strips itself. */
ImgStatus img_source_decode(ImgSource *source, const ImgPngDecodeOptions *options, ImgImage *image,
                            ImgPngDecodeReport *report, ImgError *err);

/* Decodes as img_source_decode does, but into pixels of the caller. `view` must have the shape of
 * the source. On failure the pixels are undefined. */
ImgStatus img_source_decode_into(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* Decodes row by row (img_png_decode_rows). Must be called only if img_source_can_decode_rows
 * returned true. On failure the file stays in memory. The error IMG_E_FORMAT does not prove that
 * the file is damaged: only img_source_decode can determine that. */
ImgStatus img_source_decode_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* If `keeps` is true, the file's bytes are not freed after decoding. The pixels can then be decoded
 * again row by row, or be written as they are (img_source_write_pixels). */
void img_source_keep_file(ImgSource *source, bool keeps);

/* Writes a PNG with the pixels of the file, whose compressed data is copied, and with `metadata`,
 * if that is smaller than what was written to `output`, which it replaces. Otherwise leaves the
 * output as it is. Sets *writes to whether it wrote. The file must have been kept and decoded
 * without a warning, and `output` must not be written in place. With `index`, indexes of the file
 * are copied. img_source_check_file must be called afterwards. */
ImgStatus img_source_write_pixels(const ImgSource *source, const ImgMetadata *metadata, bool index,
                                  ImgOutput *output, bool *writes, ImgError *err);

/* Fails with IMG_E_IO if a piece of the file could not be read, or the file has changed since it
 * was opened. */
ImgStatus img_source_check_file(ImgSource *source, ImgError *err);

/* Returns true if img_source_begin_rows can decode the pixels. Valid as soon as the source is
 * open. */
bool img_source_can_request_rows(const ImgSource *source);

/* Prepares decoding rows on request (img_png_rows_begin). After the last row, or after a failure of
 * img_png_rows_next, img_source_finish_rows must be called with its status. It frees the file's
 * bytes as img_source_decode_rows does, and returns `status`. If a piece of the file could not be
 * read, or the file has changed, it fails for this reason instead. */
ImgStatus img_source_begin_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                ImgPngRows **rows, ImgError *err);
ImgStatus img_source_finish_rows(ImgSource *source, ImgStatus status, ImgError *err);

/* The bytes of the file and the results of scanning them, for a decoder that reads them instead of
 * img_source_decode. Valid from img_source_load until the pixels are decoded. All pointers are
 * borrowed: the user of this struct must not free them. */
typedef struct ImgSourceFile {
    const uint8_t *data; /* NULL if the file is read in pieces */
    size_t size;
    const ImgPngHeader *header;
    const ImgPngScan *scan;
    bool in_caller_buffer; /* true if `data` is in the buffer of img_source_set_buffer */
} ImgSourceFile;

ImgSourceFile img_source_file(const ImgSource *source);

/* Frees the file's bytes after another decoder has decoded the pixels. After img_source_decode no
 * call is necessary. */
void img_source_free_file(ImgSource *source);

/* Returns the metadata and transfers its ownership to the caller. */
ImgMetadata img_source_take_metadata(ImgSource *source);

/* Reads the metadata again after img_source_take_metadata. The bytes of the file must still be in
 * memory. Fails in the same cases as img_source_load. */
ImgStatus img_source_read_metadata(ImgSource *source, ImgError *err);

/* Closes the source and frees its memory. `source` may be NULL. */
void img_source_close(ImgSource *source);

#endif
