/* The file that a plot is written to. */
#ifndef IMGTOOL_APP_HELPER_PLOT_FILE_H
#define IMGTOOL_APP_HELPER_PLOT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Start with PLOT_BYTES_NONE; the caller frees `data`. */
typedef struct PlotBytes {
    uint8_t *data;
    size_t size;
} PlotBytes;

#define PLOT_BYTES_NONE ((PlotBytes){NULL, 0})

/* Checks, before a plot is made, that `path` ends in .png or .svg, in upper or lower case, or is
 * "-": a PNG on standard output. IMG_E_USAGE otherwise. */
ImgStatus plot_file_check(const char *path, ImgError *err);

/* For a checked path: returns whether it is SVG; otherwise it is PNG. */
bool plot_file_is_svg(const char *path);

/* Checks, before a plot is made, that the file can be written. Pipes and devices are not tried, as
 * their readers would notice. Messages name the file; NULL: no plot. */
ImgStatus plot_file_try(const char *path, ImgError *err);

/* Writes the file atomically. Messages do not name it. */
ImgStatus plot_file_write(const char *path, const PlotBytes *picture, ImgError *err);

#endif
