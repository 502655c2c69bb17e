/* The pictures that random jobs read: of every kind that PNG has, of odd sizes and extreme shapes,
 * from noise to nearly nothing. Each is written when it is first asked for. */
#ifndef IMGTOOL_TESTS_MEMORY_PICTURES_H
#define IMGTOOL_TESTS_MEMORY_PICTURES_H

#include <stdbool.h>

#include "kernels/core/image.h"
#include "tests/checkkernels/fill.h"

enum { PICTURES = 400, PICTURE_PATH = 256 };

typedef enum Content {
    CONTENT_FLAT,
    CONTENT_SLOPE,
    CONTENT_SOME_NOISE,
    CONTENT_NOISE,
    CONTENTS
} Content;

/* A picture to be made. */
typedef struct PictureSpec {
    int kind; /* of png_kinds */
    int32_t width, height;
    Content content;
    bool interlaced, has_trns;
} PictureSpec;

typedef struct Drawn {
    char path[PICTURE_PATH];
    ImgShape shape; /* in the file */
    bool interlaced, has_trns;
} Drawn;

/* Of that specification; `number` is part of its name. False, with a message, where it cannot be
 * written. */
bool picture_of(const char *directory, const PictureSpec *spec, uint32_t number, Drawn *picture);

/* Picture `number` of the seed, in that directory; false, with a message, where it cannot be
 * written. */
bool picture_get(const char *directory, uint64_t seed, uint32_t number, Drawn *picture);

#endif
