/* Writes the tiles of one picture to files. */
#ifndef IMGTOOL_APP_TILES_TILE_FILES_H
#define IMGTOOL_APP_TILES_TILE_FILES_H

#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* A job for tile_files_write. All pointers are borrowed. */
typedef struct TileFiles {
    char *const *names;
    bool *made; /* set for each file: true if it is new, so that it did not replace another file */
    int64_t count;
    const TileGrid *grid; /* the grid, fitted to the image by tile_grid_fit */
    const ImgImage *image;
    const ImgMetadata *metadata; /* metadata that each tile gets */
    ImgFileFormat format;
    ImgEncodeOptions how;         /* options for encoding each tile, which is done by one thread */
    const ImgReplaceGuard *guard; /* guard for each tile; NULL: any existing file may be replaced */
    bool no_clobber;
} TileFiles;

/* Writes the tiles. Each thread of the team writes one tile at a time; the team may be NULL. After
 * a failure no more tiles are started. The message names the file. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

/* Writes a text in the same way as a tile. Its name is the one that follows the names of the
 * tiles. */
ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err);

/* Removes the files that are new, after a failure. Files that replaced others stay. */
void tile_files_remove(char *const *names, const bool *made, int64_t count);

#endif
