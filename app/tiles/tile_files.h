/* The tiles of one picture become files. */
#ifndef IMGTOOL_APP_TILES_TILE_FILES_H
#define IMGTOOL_APP_TILES_TILE_FILES_H

#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* All borrowed. */
typedef struct TileFiles {
    char *const *names;
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
 * names its file, no further ones are begun, and those that were written are removed, but for those
 * that had replaced a file. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

#endif
