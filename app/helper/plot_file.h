/* The file that a plot is written to. */
#ifndef IMGTOOL_APP_HELPER_PLOT_FILE_H
#define IMGTOOL_APP_HELPER_PLOT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* The bytes of a plot or of a request. Initialise it with PLOT_BYTES_NONE. The caller frees
 * `data`. */
typedef struct PlotBytes {
    uint8_t *data;
    size_t size;
} PlotBytes;

#define PLOT_BYTES_NONE ((PlotBytes){NULL, 0})

/* Fails with IMG_E_USAGE unless `path` ends in .png or .svg, in upper or lower case, or is "-" (a
 * PNG on standard output). Call it before the plot is made. */
ImgStatus plot_file_check(const char *path, ImgError *err);

/* Returns true for the path of an SVG file, and false for a PNG. `path` must have passed
 * plot_file_check. */
bool plot_file_is_svg(const char *path);

/* Checks that the file can be written. Call it before the plot is made. Does not open pipes and
 * devices, since their readers would notice. Messages name the file. `path` may be NULL if there is
 * no plot. */
ImgStatus plot_file_try(const char *path, ImgError *err);

/* Writes the picture to the file atomically. Messages do not contain the name of the file. */
ImgStatus plot_file_write(const char *path, const PlotBytes *picture, ImgError *err);

#endif
