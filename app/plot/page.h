/* A page to draw on with Cairo that becomes a PNG or SVG file, whole or not at all. */
#ifndef IMGTOOL_APP_PLOT_PAGE_H
#define IMGTOOL_APP_PLOT_PAGE_H

#include <cairo.h>

#include "kernels/core/status.h"

typedef struct PlotPage PlotPage;

/* PNG pixels a unit, across and down: sharp on dense screens too. */
enum { PLOT_PNG_SCALE = 2 };

/* Tells, before any work is done for a plot, whether `path` ends in .png or .svg, in any case of
 * letters, or is "-": a PNG on standard output. IMG_E_USAGE otherwise. */
ImgStatus plot_page_check(const char *path, ImgError *err);

/* The greatest height of a page, in units; of an SVG more than anybody needs. */
int plot_page_limit(const char *path);

/* Tells, before any work is done for a plot, that the file can be written. Pipes and devices are
 * not tried: whoever reads them would see that try too. Messages name the file; NULL: no plot. */
ImgStatus plot_page_try(const char *path, ImgError *err);

/* A white page of so many units. Fails where nothing can be written, as img_output_open does.
 * Messages do not name the file. */
ImgStatus plot_page_open(const char *path, int width, int height, PlotPage **page, ImgError *err);

/* Borrowed; the unit is one pixel of an SVG. */
cairo_t *plot_page_cairo(const PlotPage *page);

/* Writes the file and puts it in its place; closes and frees the page in any case, sets *page to
 * NULL. */
ImgStatus plot_page_finish(PlotPage **page, ImgError *err);

/* Leaves no file; harmless on NULL. */
void plot_page_discard(PlotPage **page);

#endif
