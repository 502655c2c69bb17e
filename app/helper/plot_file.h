/* The file that a plot is written to. */
#ifndef IMGTOOL_APP_HELPER_PLOT_FILE_H
#define IMGTOOL_APP_HELPER_PLOT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Start with PLOT_BYTES_NONE; `data` is to be freed. */
typedef struct PlotBytes {
    uint8_t *data;
    size_t size;
} PlotBytes;

#define PLOT_BYTES_NONE ((PlotBytes){NULL, 0})

/* Tells, before any work is done for a plot, whether `path` ends in .png or .svg, in any case of
 * letters, or is "-": a PNG on standard output. IMG_E_USAGE otherwise. */
ImgStatus plot_file_check(const char *path, ImgError *err);

/* Of a path that is right: SVG, or else PNG. */
bool plot_file_is_svg(const char *path);

/* Tells, before any work is done for a plot, that the file can be written. Pipes and devices are
 * not tried: whoever reads them would see that try too. Messages name the file; NULL: no plot. */
ImgStatus plot_file_try(const char *path, ImgError *err);

/* The file appears whole or not at all. Messages do not name it. */
ImgStatus plot_file_write(const char *path, const PlotBytes *picture, ImgError *err);

#endif
