/* Writes the tiles of one picture to files. */
#ifndef IMGTOOL_APP_TILES_TILE_FILES_H
#define IMGTOOL_APP_TILES_TILE_FILES_H

#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* A job for tile_files_write; everything is borrowed. */
typedef struct TileFiles {
    char *const *names;
    bool *made; /* for each file, set to whether it is new and did not replace another */
    int64_t count;
    const TileGrid *grid; /* fits the image */
    const ImgImage *image;
    const ImgMetadata *metadata; /* of each tile */
    ImgFileFormat format;
    ImgEncodeOptions how;         /* of each tile, on one thread */
    const ImgReplaceGuard *guard; /* of each tile; NULL: it may replace any file */
    bool no_clobber;
} TileFiles;

/* Writes the tiles, each thread of the team one at a time; the team may be NULL. After a failure,
 * whose message names the file, no more tiles are started. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

/* Writes a text in the same way, to the name after those of the tiles. */
ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err);

/* After a failure: removes new files. Files that replaced others stay. */
void tile_files_remove(char *const *names, const bool *made, int64_t count);

#endif
