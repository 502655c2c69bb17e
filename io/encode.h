/* Writes a picture in the format that the extension of the file name selects. */
#ifndef IMGTOOL_IO_ENCODE_H
#define IMGTOOL_IO_ENCODE_H

#include "io/file_format.h"
#include "io/metadata/loss.h"
#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode.h"
#include "kernels/core/image.h"

typedef struct ImgEncodeOptions {
    /* PNG: compression level, 0 stored, 1 fastest, 9 smallest; png/encode/level.c has the table. */
    int level;
    int threads; /* PNG: largest number of threads, at least 1; other formats use one */
    /* PNG: write the indexes with which the picture can be decoded in parallel. */
    bool index;
    int quality;                            /* JPEG: 1 to 100; the default is IMG_DEFAULT_QUALITY */
    ImgTeam *team;                          /* PNG: threads that are reused; may be NULL */
    const ImgPngEncodedStrips *pre_encoded; /* PNG: strips that are already encoded; NULL: none */
    ImgProgress *progress;                  /* PNG: receives the progress; NULL: not wanted */
} ImgEncodeOptions;

enum { IMG_DEFAULT_LEVEL = 4, IMG_DEFAULT_QUALITY = 90 };

/* Up to this quality JPEG stores colours at half the resolution in both directions (4:2:0). */
enum { IMG_HALF_COLOUR_QUALITY = 90 };

/* Image size in bytes below which img_encode finishes before threads would have started. */
enum { IMG_BYTES_WORTH_THREADS_TO_ENCODE = 1 << 20 };

/* Describes in one line for the user which properties of this picture, including its metadata, the
 * format cannot store: "16 bits reduced to 8", "no transparency: blended with white". Returns false
 * if nothing is lost. A size that the format cannot store is an error of img_encode, not a loss. */
bool img_encode_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT]);

/* Returns the memory in bytes that img_encode needs besides an image of this shape, so that the
 * caller can check limits before it decodes. Returns 0 for PNG, which encodes a few strips at a
 * time, and for formats that use the pixels in place. `shape` is that of the result; `metadata`
 * shows whether there is transparency. */
uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata);

/* Returns the same as img_encode_bytes, for a view, whose rows may be longer than those of an
 * image. */
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
