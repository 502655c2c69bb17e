/* A page to draw on with Cairo that becomes a PNG or SVG picture. */
#ifndef IMGTOOL_APP_PLOT_PAGE_H
#define IMGTOOL_APP_PLOT_PAGE_H

#include <cairo.h>

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef struct PlotPage PlotPage;

/* PNG pixels a unit, across and down: sharp on dense screens too. */
enum { PLOT_PNG_SCALE = 2 };

/* The font of all texts. */
#define PLOT_FONT "sans-serif"

/* The greatest height of a page, in units; of an SVG more than anybody needs. */
int plot_page_limit(bool svg);

/* A white page of so many units. IMG_E_IO where there is no font. */
ImgStatus plot_page_open(bool svg, int width, int height, PlotPage **page, ImgError *err);

/* Borrowed; the unit is one pixel of an SVG. */
cairo_t *plot_page_cairo(const PlotPage *page);

/* The whole picture, to be freed; frees the page in any case, sets *page to NULL. */
ImgStatus plot_page_finish(PlotPage **page, PlotBytes *picture, ImgError *err);

/* Harmless on NULL. */
void plot_page_discard(PlotPage **page);

#endif
