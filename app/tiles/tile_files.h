/* Tiles of one picture become files. */
#ifndef IMGTOOL_APP_TILES_TILE_FILES_H
#define IMGTOOL_APP_TILES_TILE_FILES_H

#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* All borrowed. */
typedef struct TileFiles {
    char *const *names;
    bool *made; /* of each file: set where it is there now, and was not before */
    int64_t count;
    const TileGrid *grid; /* fits the image */
    const ImgImage *image;
    const ImgMetadata *metadata; /* of each tile */
    ImgFileFormat format;
    ImgEncodeOptions how;         /* on one thread */
    const ImgReplaceGuard *guard; /* of each tile; NULL: it may replace anything */
    bool no_clobber;
} TileFiles;

/* Writes them, one at a time on each thread of the team, which may be NULL. After a failure, which
 * names its file, no further ones are begun. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

/* Writes a text likewise, to the file whose name stands behind those of the tiles. */
ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err);

/* After a failure: removes the files that were made. Those that replaced a file stay. */
void tile_files_remove(char *const *names, const bool *made, int64_t count);

#endif
