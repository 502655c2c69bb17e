/* Writes the tiles of one picture to files. */
#ifndef IMGTOOL_APP_TILES_TILE_FILES_H
#define IMGTOOL_APP_TILES_TILE_FILES_H

#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* A job for tile_files_write. All pointers are borrowed. */
typedef struct TileFiles {
    char *const *names;
    bool *made; /* set for each file: it is new and did not replace another file */
    int64_t count;
    const TileGrid *grid; /* grid of the image, after tile_grid_fit */
    const ImgImage *image;
    const ImgMetadata *metadata; /* metadata that each tile gets */
    ImgFileFormat format;
    ImgEncodeOptions how;         /* options to encode each tile, which one thread does */
    const ImgReplaceGuard *guard; /* guard of each tile; NULL: any existing file may be replaced */
    bool no_clobber;
} TileFiles;

/* Writes the tiles. Each thread of the team writes one tile at a time; the team may be NULL. After
 * a failure no more tiles are started. The message names the file. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

/* Writes a text in the same way. Its name is the one that follows the names of the tiles. */
ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err);

/* Called after a failure: removes files that are new. Files that replaced others stay. */
void tile_files_remove(char *const *names, const bool *made, int64_t count);

#endif
