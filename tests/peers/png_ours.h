/* imgtool's codec in memory, for the programs that time it. Failures print a message on stderr. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_OURS_H
#define IMGTOOL_TESTS_PEERS_PNG_OURS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/decode.h"

/* A file in memory. Free `data`. */
typedef struct File {
    uint8_t *data;
    size_t size;
} File;

/* Prints "png_codec: WHAT: MESSAGE" and returns false. */
bool complain(const char *what, const char *message);

bool file_read(const char *path, File *file);

/* Decodes everything: header, chunks and pixels. */
bool our_decode(const File *file, int threads, ImgImage *image, ImgPngDecodeReport *report);

/* Encodes to a device or descriptor, which is written in place. */
bool our_encode(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                const char *path, size_t *bytes);

/* Encodes to memory. */
bool our_encode_to(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                   File *file);

bool same_pixels(const ImgView *a, const ImgView *b);

#endif
