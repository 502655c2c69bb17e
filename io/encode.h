/* Writes a picture in the format that the extension of the file name selects. */
#ifndef IMGTOOL_IO_ENCODE_H
#define IMGTOOL_IO_ENCODE_H

#include "io/file_format.h"
#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode.h"
#include "kernels/core/image.h"

typedef struct ImgEncodeOptions {
    /* For PNG: compression level from 0 (stored) to 9 (smallest); png/encode/level.c explains each
     * level. */
    int level;
    int threads; /* for PNG: largest number of threads, at least 1; other formats use one thread */
    /* For PNG: true if the file should contain the indexes that allow parallel decoding. */
    bool index;
    /* For JPEG: quality from 1 to 100; the default is IMG_DEFAULT_QUALITY. */
    int quality;
    /* For PNG: existing threads to use instead of starting new ones; may be NULL. */
    ImgTeam *team;
    /* For PNG: strips of the picture that are already compressed; NULL if there are none. */
    const ImgPngEncodedStrips *pre_encoded;
    /* For PNG: receives the progress, and can cancel the work; may be NULL. */
    ImgProgress *progress;
} ImgEncodeOptions;

enum { IMG_DEFAULT_LEVEL = 4, IMG_DEFAULT_QUALITY = 90 };

/* Highest JPEG quality at which chroma is stored at half the resolution in both directions
 * (4:2:0). */
enum { IMG_HALF_COLOUR_QUALITY = 90 };

/* Smallest image, in bytes, that several threads encode faster than one. For smaller images,
 * starting the threads takes longer than it saves. */
enum { IMG_BYTES_WORTH_THREADS_TO_ENCODE = 1 << 20 };

/* Describes for the user, in one line, the losses if the picture is stored in this format: "16 bits
 * reduced to 8", "no transparency: blended with white". The losses include metadata. Returns false
 * if nothing is lost. A size that the format cannot store is an error of img_encode, not a loss. */
bool img_encode_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT]);

/* Returns the memory in bytes that img_encode needs besides an image of this shape, so that the
 * caller can check limits before it decodes. `shape` is the shape of the result; `metadata` shows
 * whether the picture has transparency.
 *
 * Returns 0 for PNG: its encoder holds only a few strips (groups of rows) at a time, whatever the
 * size of the picture. Also returns 0 if the encoder can read the pixels without converting a copy
 * of them. */
uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata);

/* Returns the largest number of threads, from 1 to `threads`, with which the pixels of a picture
 * and the memory of its encoder fit into `room` bytes. Returns 1 even if one thread does not fit.
 * Sets `*bytes`, unless it is NULL, to the memory in bytes for the returned number of threads. */
int img_encode_threads(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata, int level,
                       uint64_t room, int threads, uint64_t *bytes);

/* Returns the memory in bytes that img_encode needs besides the pixels of `view`. If the rows of
 * the view are not contiguous, this can include a packed copy of the pixels. */
uint64_t img_encode_view_bytes(ImgFileFormat format, const ImgView *view,
                               const ImgMetadata *metadata);

/* Fails with IMG_E_UNSUPPORTED, as img_encode does, if the format cannot store a picture of this
 * shape. */
ImgStatus img_encode_check(ImgFileFormat format, ImgShape shape, ImgError *err);

/* Writes the whole file to `output`, without committing it. The same input gives the same bytes for
 * any number of threads. `report` may be NULL; it is filled only for PNG. */
ImgStatus img_encode(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     const ImgEncodeOptions *options, ImgOutput *output, ImgPngEncodeReport *report,
                     ImgError *err);

#endif
