/* libpng in memory, as programs use it: the standard of comparison for PNG codecs, and the check of
 * their output. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H
#define IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Settings for writing. LIBPNG_UNSET keeps libpng's default. */
typedef struct LibpngSettings {
    int level, strategy, filters; /* level and strategy of zlib; PNG_FILTER_... flags */
} LibpngSettings;

enum { LIBPNG_UNSET = -100 };

extern const LibpngSettings LIBPNG_DEFAULTS;
/* level 1, Sub, runs only: the settings of cv::imwrite */
extern const LibpngSettings LIBPNG_LIKE_OPENCV;

/* Reads with png_read_image into an allocated image; samples as in the file, 16 bits in native
 * order. Returns false after a message on stderr; then `image` is IMG_IMAGE_NONE. */
bool libpng_decode(const uint8_t *data, size_t size, ImgShape shape, ImgImage *image);

/* Returns the number of bytes that would be written, or 0 after a message. Only the palette of
 * `metadata` is used. */
size_t libpng_encode(const ImgView *view, const ImgMetadata *metadata, LibpngSettings settings);

#endif
