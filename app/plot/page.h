/* A page on which Cairo draws, and which then becomes a PNG or SVG picture. */
#ifndef IMGTOOL_APP_PLOT_PAGE_H
#define IMGTOOL_APP_PLOT_PAGE_H

#include <cairo.h>

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef struct PlotPage PlotPage;

/* Pixels of a PNG per unit, in both directions: 2, so that text is sharp on high-density
 * screens. */
enum { PLOT_PNG_SCALE = 2 };

/* Font of all texts. */
#define PLOT_FONT "sans-serif"

/* Returns the maximum height of a page in units. For an SVG it is higher than any plot. */
int plot_page_limit(bool svg);

/* Creates a white page, with sizes in units. IMG_E_IO if there is no font. */
ImgStatus plot_page_open(bool svg, int width, int height, PlotPage **page, ImgError *err);

/* Returns the page's Cairo context, borrowed. One unit is one pixel of an SVG. */
cairo_t *plot_page_cairo(const PlotPage *page);

/* Returns the complete picture, which the caller frees. Always frees the page and sets *page to
 * NULL, also on failure. */
ImgStatus plot_page_finish(PlotPage **page, PlotBytes *picture, ImgError *err);

/* Frees the page. Does nothing for NULL. */
void plot_page_discard(PlotPage **page);

#endif
