/* Pictures cut into many files. */
#ifndef IMGTOOL_APP_TILES_TILES_H
#define IMGTOOL_APP_TILES_TILES_H

#include <stddef.h>

#include "app/cli/options.h"
#include "io/output/output.h"
#include "kernels/core/op.h"

/* All borrowed. */
typedef struct Tiles {
    char *const *paths; /* or "-" */
    size_t count;
    size_t missing;       /* inputs that gave no picture, each of which was reported */
    int missing_code;     /* the exit code of the last of them */
    const char *pattern;  /* of names (tile_names.h), or a directory */
    const ImgStep *steps; /* done to each picture before it is cut */
    size_t step_count;
    const Settings *settings;     /* --size, --overlap and so on */
    const ImgReplaceGuard *guard; /* of each tile; NULL: it may replace anything */
} Tiles;

/* Cuts the pictures. Names of two pictures that would meet are refused before one is opened, and
 * before the first tile of a picture is written all its names are known: two tiles of one name, one
 * of an input's or of a file that a step reads, a link, and more than --max-tiles fail it. Each
 * tile appears whole or not at all, and those of a picture that fails are removed again. Continues
 * past a picture that fails. Returns the exit code. */
int tiles_run(const Tiles *tiles);

#endif
