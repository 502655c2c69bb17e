/* A page on which plots are drawn with Cairo. It becomes a PNG or SVG picture. */
#ifndef IMGTOOL_APP_PLOT_PAGE_H
#define IMGTOOL_APP_PLOT_PAGE_H

#include <cairo.h>

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef struct PlotPage PlotPage;

/* Pixels of a PNG per unit of the page, in both directions. With 2 pixels, text is sharp on
 * high-density screens. */
enum { PLOT_PNG_SCALE = 2 };

/* Font of all texts in plots. */
#define PLOT_FONT "sans-serif"

/* Returns the maximum height of a page in units. SVG itself has no limit; for it the function
 * returns a number that is larger than any plot. */
int plot_page_limit(bool svg);

/* Creates a white page of `width` x `height` units. Fails with IMG_E_IO if there is no font, and
 * with IMG_E_MEMORY if memory is short. */
ImgStatus plot_page_open(bool svg, int width, int height, PlotPage **page, ImgError *err);

/* Returns the Cairo context of the page, which the page owns. One unit is one pixel of an SVG. */
cairo_t *plot_page_cairo(const PlotPage *page);

/* Returns the finished picture, which the caller frees. The page is freed and *page is set to NULL
 * in any case, also on failure. */
ImgStatus plot_page_finish(PlotPage **page, PlotBytes *picture, ImgError *err);

/* Frees the page and sets *page to NULL. *page may be NULL already. */
void plot_page_discard(PlotPage **page);

#endif
