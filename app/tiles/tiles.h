/* Cuts pictures into tiles, and writes each tile to a file. */
#ifndef IMGTOOL_APP_TILES_TILES_H
#define IMGTOOL_APP_TILES_TILES_H

#include <stddef.h>

#include "app/cli/options.h"
#include "io/output/output.h"
#include "kernels/core/op.h"

/* A job for tiles_run. All pointers are borrowed. */
typedef struct Tiles {
    char *const *paths; /* paths of the pictures; "-" is standard input */
    size_t count;
    size_t missing;   /* number of inputs that led to no picture; a failure was printed for each */
    int missing_code; /* exit code of the last failure that `missing` counts */
    const char *pattern;  /* pattern of the names (tile_names.h), or a directory */
    const ImgStep *steps; /* steps that are applied to each picture before it is cut */
    size_t step_count;
    const Settings *settings;     /* the options, such as --size and --overlap */
    const ImgReplaceGuard *guard; /* guard for each tile; NULL: any existing file may be replaced */
} Tiles;

/* Cuts the pictures. Before any picture is opened, fails if tiles of two pictures could have the
 * same name. Before the first tile of a picture is written, checks all its names. The picture fails
 * if two tiles have the same name, or if there are more than --max-tiles. It also fails if a name
 * is an input, a file that a step reads, or a link. Each tile is written atomically. If a picture
 * fails, its new tiles are removed, and the next picture follows. Returns the exit code. */
int tiles_run(const Tiles *tiles);

#endif
