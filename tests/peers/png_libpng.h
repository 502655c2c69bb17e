/* libpng as programs use it, in memory: what PNG codecs are measured against, and the judge of what
 * they make. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H
#define IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* How to write. LIBPNG_UNSET leaves what libpng does by itself. */
typedef struct LibpngSettings {
    int level, strategy, filters; /* zlib's, zlib's, PNG_FILTER_... */
} LibpngSettings;

enum { LIBPNG_UNSET = -100 };

extern const LibpngSettings LIBPNG_DEFAULTS;
extern const LibpngSettings LIBPNG_LIKE_OPENCV; /* level 1, Sub, runs only: cv::imwrite's choice */

/* Through png_read_image, to an image that is allocated; samples as in the file, 16 bits in native
 * order. False after a message on stderr; then `image` is IMG_IMAGE_NONE. */
bool libpng_decode(const uint8_t *data, size_t size, ImgShape shape, ImgImage *image);

/* Bytes that were written, to nowhere, or 0 after a message. Of `metadata` only the palette is. */
size_t libpng_encode(const ImgView *view, const ImgMetadata *metadata, LibpngSettings settings);

#endif
