/* One picture cut into many files. */
#ifndef IMGTOOL_APP_TILES_TILES_H
#define IMGTOOL_APP_TILES_TILES_H

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Cuts the picture `input`, or "-", as --size and --overlap say, into files by `pattern`
 * (tile_names.h). All names are known before the first file is written: IMG_E_USAGE where two tiles
 * would have the same, or one that of the input. Each file appears whole or not at all; after a
 * failure no further ones are begun. Messages name the file that they are about. */
ImgStatus tiles_run(const char *input, const char *pattern, const Settings *settings,
                    ImgError *err);

#endif
