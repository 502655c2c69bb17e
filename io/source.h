/* Reads a picture in steps, so that a caller can check sizes, plan, and time each part:
 *
 *     open    reads the first bytes: is it a PNG, and are its sizes within the limits?
 *     load    reads the rest of the file and its metadata
 *     decode  decodes the pixels
 *
 * Messages do not name the file: the caller adds the name in front (img_error_prefix). */
#ifndef IMGTOOL_IO_SOURCE_H
#define IMGTOOL_IO_SOURCE_H

#include "io/input.h"
#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "io/png/decode.h"
#include "kernels/core/image.h"

typedef struct ImgSource ImgSource;

/* Opens a file, or standard input for "-". Checks signature and IHDR against the limits before it
 * allocates anything of the picture's size. `limits` is copied. Errors:
 *
 *     IMG_E_IO      the file cannot be read: missing, a directory, no permission
 *     IMG_E_USAGE   the input is a terminal
 *     IMG_E_FORMAT  not a PNG (the message names other formats), or an impossible header
 *     IMG_E_LIMIT   over a limit; the message has limit, need and the advice in `limits` */
ImgStatus img_source_open(const char *path, const ImgLimits *limits, ImgSource **source,
                          ImgError *err);

/* Opens a file in memory, which stays borrowed until the source is closed, or one that a function
 * delivers. `by_rows` is for callers of img_source_decode_rows, as in img_source_open_rows. Errors
 * are those of img_source_open except the terminal; if the function fails, `open` or `load` fails
 * with its error. */
ImgStatus img_source_open_bytes(const ImgInputBytes *bytes, bool by_rows, const ImgLimits *limits,
                                ImgSource **source, ImgError *err);

/* Returns the shape of the picture. Valid after `open`. */
ImgShape img_source_shape(const ImgSource *source);
bool img_source_is_interlaced(const ImgSource *source);

/* Opens as img_source_open does, for a caller that may decode row by row (img_source_decode_rows).
 * If the file allows this, its pixels count as memory only after img_source_hold_pixels.
 * `interrupt` is called when a signal interrupts a wait for the file, here and in `load`; it is
 * copied and may be NULL. */
ImgStatus img_source_open_rows(const char *path, const ImgLimits *limits,
                               const ImgInterrupt *interrupt, ImgSource **source, ImgError *err);

/* Opens as img_source_open does, for a caller that needs no pixels. They never count as memory, and
 * the source must not be decoded. */
ImgStatus img_source_open_chunks(const char *path, const ImgLimits *limits, ImgSource **source,
                                 ImgError *err);

/* Declares, before `decode`, that all pixels will be in memory at once. Fails with IMG_E_LIMIT if
 * max_memory does not allow it. */
ImgStatus img_source_hold_pixels(ImgSource *source, ImgError *err);

/* Returns true if the pixels can be decoded row by row. Valid after `open`. */
bool img_source_can_decode_rows(const ImgSource *source);

/* Returns the size of a regular file in bytes; 0 if the input has no size. Valid after `open`. */
uint64_t img_source_file_bytes(const ImgSource *source);

/* Returns the bytes of the file that are in memory; the whole file after `load`. */
uint64_t img_source_bytes(const ImgSource *source);

/* Offers a buffer of the caller for the contents of the file; called before `load`. The source uses
 * it if the file fits, until the file's bytes are freed or the source is closed. */
void img_source_set_buffer(ImgSource *source, void *memory, size_t bytes);

/* Reads the rest of the file and scans the chunks. Fails with IMG_E_LIMIT if the file is larger
 * than max_memory allows. */
ImgStatus img_source_load(ImgSource *source, ImgError *err);

/* Declares, before `load`, how many bytes of max_memory the caller holds while the file is read. */
void img_source_reserve_memory(ImgSource *source, uint64_t bytes);

/* Returns the metadata. Valid after `load`; owned by the source until img_source_take_metadata. */
const ImgMetadata *img_source_metadata(const ImgSource *source);

/* Returns warnings about the parts of the file that are not read, one line each ("animated: only
 * the still picture is kept"); a NULL ends the list. Valid from `load` until the source is
 * closed. */
const char *const *img_source_warnings(const ImgSource *source);

/* Returns true for an APNG, of which only the still picture is decoded. Valid after `load`. */
bool img_source_is_animated(const ImgSource *source);

/* Returns the number of frames that an APNG states; 0 for a still picture. */
uint32_t img_source_frames(const ImgSource *source);

/* Returns the types of the ancillary chunks that are dropped because of a wrong CRC: "iCCP, tEXt",
 * as many as fit; "" if there are none. Valid after `load`. */
const char *img_source_dropped_chunks(const ImgSource *source);

/* Estimates the memory in bytes that decoding needs besides the file and the pixels. Valid after
 * `load`. */
uint64_t img_source_decode_bytes(const ImgSource *source, int threads);

/* Decodes the pixels, then frees the file's bytes or stops using the caller's buffer. Any damage is
 * IMG_E_FORMAT: truncation anywhere, a wrong CRC or Adler-32, image data too short or too long. On
 * failure `image` is IMG_IMAGE_NONE. `options` may be NULL (one thread), and so may `report`. The
 * source finds the index of strips itself. */
ImgStatus img_source_decode(ImgSource *source, const ImgPngDecodeOptions *options, ImgImage *image,
                            ImgPngDecodeReport *report, ImgError *err);

/* Decodes as img_source_decode does, into pixels of the caller, which must have the shape of the
 * source. On failure the pixels are undefined. */
ImgStatus img_source_decode_into(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* Decodes row by row (img_png_decode_rows). Only allowed if img_source_can_decode_rows returned
 * true. On failure the file stays in memory; after IMG_E_FORMAT img_source_decode decides whether
 * the file is damaged. */
ImgStatus img_source_decode_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* The contents of the file, for another decoder. Valid between `load` and `decode`. All pointers
 * are borrowed. */
typedef struct ImgSourceFile {
    const uint8_t *data;
    size_t size;
    const ImgPngHeader *header;
    const ImgPngScan *scan;
    bool in_caller_buffer; /* true if the bytes lie in the buffer of img_source_set_buffer */
} ImgSourceFile;

ImgSourceFile img_source_file(const ImgSource *source);

/* Frees the file's bytes, as img_source_decode does, after another decoder has read the pixels. */
void img_source_free_file(ImgSource *source);

/* Moves the metadata to the caller. */
ImgMetadata img_source_take_metadata(ImgSource *source);

/* Closes the source, which may be NULL. */
void img_source_close(ImgSource *source);

#endif
