/* Cuts pictures into tiles, and writes each tile to a file. */
#ifndef IMGTOOL_APP_TILES_TILES_H
#define IMGTOOL_APP_TILES_TILES_H

#include "app/files/inputs.h"

/* Cuts the pictures. `tiles->last` is the pattern of the names (tile_names.h), or a directory.
 * Before any picture is opened, fails if tiles of two pictures could have the same name. Before the
 * first tile of a picture is written, checks all its names. The picture fails if two tiles have the
 * same name, or if there are more than --max-tiles. It also fails if a name is an input, a file
 * that a step reads, or a link. Each tile is written atomically. If a picture fails, its new tiles
 * are removed, and the next picture follows. */
int tiles_run(const ManyPictures *tiles);

#endif
