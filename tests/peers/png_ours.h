/* imgtool's codec for the programs that measure it, in memory. What fails says so on stderr. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_OURS_H
#define IMGTOOL_TESTS_PEERS_PNG_OURS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/decode.h"

/* In memory. Free `data`. */
typedef struct File {
    uint8_t *data;
    size_t size;
} File;

/* False, after "png_codec: WHAT: MESSAGE". */
bool complain(const char *what, const char *message);

bool file_read(const char *path, File *file);

/* All of it: header, chunks and pixels. */
bool our_decode(const File *file, int threads, ImgImage *image, ImgPngDecodeReport *report);

/* To a device or descriptor, which is written in place. */
bool our_encode(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                const char *path, size_t *bytes);

/* The same to memory. */
bool our_encode_to(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                   File *file);

bool same_pixels(const ImgView *a, const ImgView *b);

#endif
