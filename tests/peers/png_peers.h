/* PNG codecs in memory, for the programs that time and compare them: imgtool's (png_ours.c), those
 * of other libraries (png_peers.c), and libpng as programs use it (png_libpng.c). Functions that
 * fail print a message on stderr. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_PEERS_H
#define IMGTOOL_TESTS_PEERS_PNG_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "io/png/decode.h"
#include "kernels/core/image.h"

/* --- imgtool: png_ours.c ---------------------------------------------------------------------- */

/* A file in memory. The caller frees `data`. */
typedef struct File {
    uint8_t *data;
    size_t size;
} File;

/* Prints "png_codec: WHAT: MESSAGE" and returns false. */
bool complain(const char *what, const char *message);

bool file_read(const char *path, File *file);

/* Decodes header, chunks and pixels of the file. Returns false on failure. */
bool our_decode(const File *file, int threads, ImgImage *image, ImgPngDecodeReport *report);

/* Encodes to `path`, a device or a descriptor such as "/dev/fd/5", which is written in place. Sets
 * `bytes` to the size of the encoded file. */
bool our_encode(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                const char *path, size_t *bytes);

/* Encodes to memory. The caller frees `file->data`. */
bool our_encode_to(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                   File *file);

bool same_pixels(const ImgView *a, const ImgView *b);

/* --- Other libraries, used in the way that their documentation shows: png_peers.c ------------- */

/* The decoders return packed pixels, which the caller frees. They return NULL after a failure, or
 * if the library was missing at build time. */

/* Decodes a PNG file of the given shape. If `rgba` is true, the pixels are RGBA with 8 bits per
 * sample. Otherwise they have the format of the file; samples of 16 bits are in native byte
 * order. */
typedef uint8_t *PeerDecode(const File *file, ImgShape shape, bool rgba);

PeerDecode peer_libpng, peer_spng, peer_lodepng, peer_stb;

bool peer_has_spng(void), peer_has_lodepng(void), peer_has_stb(void);

/* --- libpng, which checks the output of others: png_libpng.c ---------------------------------- */

/* Settings for writing. LIBPNG_UNSET keeps a default of libpng. */
typedef struct LibpngSettings {
    int level, strategy, filters; /* zlib's level and strategy, and libpng's PNG_FILTER_ flags */
} LibpngSettings;

enum { LIBPNG_UNSET = -100 };

extern const LibpngSettings LIBPNG_DEFAULTS;
/* the settings of cv::imwrite: level 1, filter Sub, matches of runs only */
extern const LibpngSettings LIBPNG_LIKE_OPENCV;

/* Reads with png_read_image into an allocated image. Samples stay as in the file; samples of 16
 * bits are in native byte order. Returns false after a message on stderr, and sets `image` to
 * IMG_IMAGE_NONE. */
bool libpng_decode(const uint8_t *data, size_t size, ImgShape shape, ImgImage *image);

/* Encodes the picture and discards the result. Returns its number of bytes, or 0 after a message.
 * Uses only the palette of `metadata`. */
size_t libpng_encode(const ImgView *view, const ImgMetadata *metadata, LibpngSettings settings);

#endif
