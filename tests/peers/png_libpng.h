/* Reads and writes PNGs in memory with libpng, in the way that programs use it. PNG codecs are
 * compared with it, and it checks their output. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H
#define IMGTOOL_TESTS_PEERS_PNG_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Settings for writing. LIBPNG_UNSET keeps a default of libpng. */
typedef struct LibpngSettings {
    int level, strategy, filters; /* zlib's level and strategy, and libpng's PNG_FILTER_ flags */
} LibpngSettings;

enum { LIBPNG_UNSET = -100 };

extern const LibpngSettings LIBPNG_DEFAULTS;
/* the settings of cv::imwrite: level 1, filter Sub, matches of runs only */
extern const LibpngSettings LIBPNG_LIKE_OPENCV;

/* Reads with png_read_image into an allocated image. Samples stay as in the file; 16 bits are in
 * native order. Returns false after a message on stderr, and sets `image` to IMG_IMAGE_NONE. */
bool libpng_decode(const uint8_t *data, size_t size, ImgShape shape, ImgImage *image);

/* Encodes the picture and discards the result. Returns its number of bytes, or 0 after a message.
 * Uses only the palette of `metadata`. */
size_t libpng_encode(const ImgView *view, const ImgMetadata *metadata, LibpngSettings settings);

#endif
