/* The pictures that random jobs read. They cover every kind of PNG, odd sizes and extreme shapes,
 * and contents from noise to almost nothing. Each file is written when it is first needed. */
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

/* The description from which a picture is made. */
typedef struct PictureSpec {
    int kind; /* index of the kind in the array png_kinds */
    int32_t width, height;
    Content content;
    bool interlaced, has_trns;
} PictureSpec;

typedef struct Drawn {
    char path[PICTURE_PATH];
    ImgShape shape; /* shape of the picture as the file states it */
    bool interlaced, has_trns;
} Drawn;

/* Makes the file of a picture with this description. `number` is a part of its name. Returns false
 * and prints a message if the file cannot be written. */
bool picture_of(const char *directory, const PictureSpec *spec, uint32_t number, Drawn *picture);

/* Makes the file of random picture `number` for a seed, in this directory. Returns false and prints
 * a message if the file cannot be written. */
bool picture_get(const char *directory, uint64_t seed, uint32_t number, Drawn *picture);

#endif
