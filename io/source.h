/* Reading a picture in steps, so that a caller can check sizes, plan, and time each part:
 *
 *     open    the first bytes only: is it a PNG, and are its sizes within the limits?
 *     load    the rest of the file, and its metadata; after it facts and metadata are known
 *     decode  the pixels
 *
 * Messages do not name the file: the caller puts its name in front (img_error_prefix). */
#ifndef IMGTOOL_IO_SOURCE_H
#define IMGTOOL_IO_SOURCE_H

#include "io/input.h"
#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "io/png/decode.h"
#include "kernels/core/image.h"

typedef struct ImgSource ImgSource;

/* Opens a file, or standard input for "-", and checks signature and IHDR against the limits before
 * anything of the picture's size is allocated. `limits` is copied. IMG_E_IO for what cannot be read
 * (missing, a directory, no permission), IMG_E_USAGE for a terminal, IMG_E_FORMAT for what is not
 * a PNG or has an impossible header (other formats are named), IMG_E_LIMIT naming limit and need,
 * and what limits->more_... says. */
ImgStatus img_source_open(const char *path, const ImgLimits *limits, ImgSource **source,
                          ImgError *err);

/* A file in memory, which is borrowed until the source is closed, or whatever a function reads;
 * with `by_rows` as img_source_open_rows. Fails as img_source_open does, but never for a terminal;
 * what the function fails with, so do `open` and `load`. */
ImgStatus img_source_open_bytes(const ImgInputBytes *bytes, bool by_rows, const ImgLimits *limits,
                                ImgSource **source, ImgError *err);

/* Known from `open` on. */
ImgShape img_source_shape(const ImgSource *source);
bool img_source_is_interlaced(const ImgSource *source);

/* The same for who may want no more than rows (img_source_decode_rows): the pixels of a file that
 * comes so do not count as memory until img_source_hold_pixels. `interrupt`, which is copied and
 * may be NULL, is of waits for the file, here and in `load`. */
ImgStatus img_source_open_rows(const char *path, const ImgLimits *limits,
                               const ImgInterrupt *interrupt, ImgSource **source, ImgError *err);

/* The same for who wants no pixels, which never count; not to be decoded. */
ImgStatus img_source_open_chunks(const char *path, const ImgLimits *limits, ImgSource **source,
                                 ImgError *err);

/* Before `decode`: the pixels will be in memory as a whole. IMG_E_LIMIT if that is more than
 * max_memory allows. */
ImgStatus img_source_hold_pixels(ImgSource *source, ImgError *err);

/* Known from `open` on: may the pixels be had row by row? */
bool img_source_comes_by_rows(const ImgSource *source);

/* Known from `open` on: how large a regular file is; 0 for what has no size. */
uint64_t img_source_file_bytes(const ImgSource *source);

/* Bytes of the file in memory; complete after `load`. */
uint64_t img_source_bytes(const ImgSource *source);

/* Before `load`: memory of the caller's for the file, instead of the source's own, where the file
 * fits in; in use until the file's bytes are freed or the source is closed. */
void img_source_lend(ImgSource *source, void *memory, size_t bytes);

/* Reads the rest and scans the chunks. IMG_E_LIMIT if the file is larger than max_memory allows. */
ImgStatus img_source_load(ImgSource *source, ImgError *err);

/* Before that: bytes that the caller has beside the file while it is read, of max_memory. */
void img_source_leave_room(ImgSource *source, uint64_t bytes);

/* Valid from `load` on; owned by the source until img_source_take_metadata. */
const ImgMetadata *img_source_metadata(const ImgSource *source);

/* Warnings about what this reader will not carry over, one line each ("animated: only the still
 * picture is kept"); NULL ends them. Valid from `load` until the source is closed. */
const char *const *img_source_warnings(const ImgSource *source);

/* Valid from `load` on: an APNG, of which only the still picture is read. */
bool img_source_is_animated(const ImgSource *source);

/* The number of frames that an APNG states; 0 for a still picture. */
uint32_t img_source_frames(const ImgSource *source);

/* Valid from `load` on: which ancillary chunks are dropped because their CRC is wrong, "iCCP,
 * tEXt", as many as fit; "" where none is. */
const char *img_source_dropped_chunks(const ImgSource *source);

/* About how much memory decoding takes beside the file and the pixels; valid from `load` on. */
uint64_t img_source_decode_bytes(const ImgSource *source, int threads);

/* Decodes the pixels and frees the file's bytes, or has done with them where they were lent. Any
 * damage is IMG_E_FORMAT: truncation anywhere, a wrong CRC or Adler-32, image data too short or too
 * long. On failure `image` is IMG_IMAGE_NONE. `options` may be NULL: one thread; so may `report`.
 * The index is found by the source itself. */
ImgStatus img_source_decode(ImgSource *source, const ImgPngDecodeOptions *options, ImgImage *image,
                            ImgPngDecodeReport *report, ImgError *err);

/* The same into pixels of the caller's, of the shape of the source; undefined on failure. */
ImgStatus img_source_decode_into(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* The same row by row (img_png_decode_rows), as img_source_comes_by_rows said. On failure the file
 * is still there, and after IMG_E_FORMAT img_source_decode has the verdict. */
ImgStatus img_source_decode_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* The file as it lies in memory between `load` and `decode`, for another decoder; borrowed. */
typedef struct ImgSourceFile {
    const uint8_t *data;
    size_t size;
    const ImgPngHeader *header;
    const ImgPngScan *scan;
    bool is_lent; /* it lies in memory of img_source_lend */
} ImgSourceFile;

ImgSourceFile img_source_file(const ImgSource *source);

/* Another decoder has the pixels: frees the file's bytes, as img_source_decode does. */
void img_source_free_file(ImgSource *source);

/* Moves the metadata to the caller. */
ImgMetadata img_source_take_metadata(ImgSource *source);

/* Harmless on NULL. */
void img_source_close(ImgSource *source);

#endif
