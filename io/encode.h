/* Writing a picture in the format that a file's name asks for. */
#ifndef IMGTOOL_IO_ENCODE_H
#define IMGTOOL_IO_ENCODE_H

#include "io/file_format.h"
#include "io/metadata/lost.h"
#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode.h"
#include "kernels/core/image.h"

typedef struct ImgEncodeOptions {
    int level;     /* PNG: 0 stored, 1 fastest .. 9 smallest (png/encode/level.c has the table) */
    int threads;   /* PNG: at most so many, at least 1; others use one */
    bool index;    /* PNG: say where strips start that can be decoded at the same time */
    int quality;   /* JPEG: 1..100; IMG_DEFAULT_QUALITY */
    ImgTeam *team; /* PNG: where threads come from; may be NULL */
    const ImgPngMade *made; /* PNG: strips that are made already; NULL: none are */
    ImgWatch *watch;        /* PNG: who asks how far it is; NULL: nobody */
} ImgEncodeOptions;

enum { IMG_DEFAULT_LEVEL = 4, IMG_DEFAULT_QUALITY = 90 };

/* JPEG of up to this quality has colours at half the resolution in both directions (4:2:0). */
enum { IMG_HALF_COLOUR_QUALITY = 90 };

/* Bytes of an image below which img_encode is done before threads have started. */
enum { IMG_BYTES_WORTH_THREADS_TO_ENCODE = 1 << 20 };

/* What the format cannot hold of this picture ("16 bits reduced to 8", "no transparency: laid over
 * white"), one line for the user, which names what of the metadata is lost. False if nothing is.
 * IMG_E_UNSUPPORTED, in img_encode, where the format cannot hold it at all (sizes). */
bool img_encode_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT]);

/* Bytes of memory that img_encode takes beside such an image: 0 for exports whose pixels can be
 * handed over as they are, and for PNG, of which a few strips per thread are in memory. To be added
 * to the need before anything is decoded; `shape` is that of the result, and `metadata` tells of
 * transparency. */
uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata);

/* The same of a view, whose rows may be longer than those of such an image. */
uint64_t img_encode_view_bytes(ImgFileFormat format, const ImgView *view,
                               const ImgMetadata *metadata);

/* IMG_E_UNSUPPORTED where the format cannot hold a picture of that shape, as img_encode says. */
ImgStatus img_encode_check(ImgFileFormat format, ImgShape shape, ImgError *err);

/* Writes the whole file to `output`, without committing it. The same input gives the same bytes,
 * whatever the number of threads. `report` may be NULL, and only speaks of PNG. */
ImgStatus img_encode(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     const ImgEncodeOptions *options, ImgOutput *output, ImgPngEncodeReport *report,
                     ImgError *err);

#endif
