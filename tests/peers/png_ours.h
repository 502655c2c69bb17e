/* imgtool's PNG codec in memory, for the programs that time it. Functions that fail print a message
 * on stderr. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_OURS_H
#define IMGTOOL_TESTS_PEERS_PNG_OURS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/decode.h"

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

/* Encodes to the device or descriptor `path`, which is written in place. Sets `bytes` to the size
 * of the file. */
bool our_encode(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                const char *path, size_t *bytes);

/* Encodes to memory. The caller frees `file->data`. */
bool our_encode_to(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                   File *file);

bool same_pixels(const ImgView *a, const ImgView *b);

#endif
