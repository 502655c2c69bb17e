/* Cuts pictures into many files. */
#ifndef IMGTOOL_APP_TILES_TILES_H
#define IMGTOOL_APP_TILES_TILES_H

#include <stddef.h>

#include "app/cli/options.h"
#include "io/output/output.h"
#include "kernels/core/op.h"

/* A job for tiles_run; everything is borrowed. */
typedef struct Tiles {
    char *const *paths; /* paths, or "-" */
    size_t count;
    size_t missing;       /* inputs that gave no picture; each was reported */
    int missing_code;     /* exit code of the last of them */
    const char *pattern;  /* of names (tile_names.h), or a directory */
    const ImgStep *steps; /* applied to each picture before it is cut */
    size_t step_count;
    const Settings *settings;     /* --size, --overlap and others */
    const ImgReplaceGuard *guard; /* of each tile; NULL: it may replace any file */
} Tiles;

/* Cuts the pictures. If tiles of two pictures would have the same name, that is rejected before a
 * picture is opened. All names of a picture are checked before its first tile is written. It fails
 * if two tiles have the same name, a name is an input, a file that a step reads or a link, or there
 * are more than --max-tiles. Each tile is written atomically, and new tiles of a picture that fails
 * are removed. Continues after a picture that fails. Returns the exit code. */
int tiles_run(const Tiles *tiles);

#endif
