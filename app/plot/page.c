#include "app/plot/page.h"

#include <cairo-svg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/interrupt.h"
#include "app/report.h"
#include "io/output.h"

struct PlotPage {
    ImgOutput *output;
    ImgError failure; /* of writing: Cairo only hands on that there was one */
    bool svg;
    cairo_surface_t *surface;
    cairo_t *cairo;
};

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

ImgStatus plot_page_check(const char *path, ImgError *err)
{
    if (strcmp(path, "-") == 0 || ends_in(path, ".png") || ends_in(path, ".svg"))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "is no name for a plot: one that ends in .png or .svg is needed");
}

int plot_page_limit(const char *path)
{
    enum { IMAGE_SIDE = 32767 }; /* of Cairo's image surfaces, in pixels */
    return ends_in(path, ".svg") ? 1 << 24 : IMAGE_SIDE / PLOT_PNG_SCALE;
}

ImgStatus plot_page_try(const char *path, ImgError *err)
{
    struct stat info;
    if (path == NULL ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return IMG_OK;
    ImgOutput *output = NULL;
    ImgStatus status = img_output_open(path, interrupt_hooks(), &output, err);
    img_output_discard(&output);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", report_output_name(path));
    return status;
}

static cairo_status_t write_bytes(void *context, const unsigned char *data, unsigned size)
{
    PlotPage *page = context;
    if (img_output_write(page->output, data, size, &page->failure) != IMG_OK)
        return CAIRO_STATUS_WRITE_ERROR;
    return CAIRO_STATUS_SUCCESS;
}

static ImgStatus fail_cairo(const PlotPage *page, cairo_status_t code, ImgError *err)
{
    if (page->failure.status != IMG_OK)
        return img_fail(err, page->failure.status, "%s", page->failure.message);
    return img_fail(err, code == CAIRO_STATUS_NO_MEMORY ? IMG_E_MEMORY : IMG_E_IO,
                    "cannot be drawn: %s", cairo_status_to_string(code));
}

/* The same shapes at any scale and on any screen: no hints, no colours at the edges of letters. */
static void set_up(cairo_t *cairo)
{
    cairo_font_options_t *font = cairo_font_options_create();
    cairo_font_options_set_antialias(font, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(font, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(font, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, font);
    cairo_font_options_destroy(font);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
}

void plot_page_discard(PlotPage **page)
{
    PlotPage *old = *page;
    *page = NULL;
    if (old == NULL)
        return;
    cairo_destroy(old->cairo);
    cairo_surface_destroy(old->surface);
    img_output_discard(&old->output);
    free(old);
}

ImgStatus plot_page_open(const char *path, int width, int height, PlotPage **page, ImgError *err)
{
    *page = NULL;
    ImgStatus status = plot_page_check(path, err);
    if (status != IMG_OK)
        return status;
    PlotPage *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    made->svg = ends_in(path, ".svg");
    status = img_output_open(path, interrupt_hooks(), &made->output, err);
    if (status != IMG_OK) {
        plot_page_discard(&made);
        return status;
    }
    if (made->svg)
        made->surface = cairo_svg_surface_create_for_stream(write_bytes, made, width, height);
    else
        made->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width * PLOT_PNG_SCALE,
                                                   height * PLOT_PNG_SCALE);
    made->cairo = cairo_create(made->surface);
    if (!made->svg)
        cairo_scale(made->cairo, PLOT_PNG_SCALE, PLOT_PNG_SCALE);
    set_up(made->cairo);
    *page = made;
    return IMG_OK;
}

cairo_t *plot_page_cairo(const PlotPage *page)
{
    return page->cairo;
}

ImgStatus plot_page_finish(PlotPage **page, ImgError *err)
{
    PlotPage *own = *page;
    *page = NULL;
    cairo_status_t code = cairo_status(own->cairo);
    if (code == CAIRO_STATUS_SUCCESS && own->svg) {
        cairo_surface_finish(own->surface);
        code = cairo_surface_status(own->surface);
    } else if (code == CAIRO_STATUS_SUCCESS) {
        code = cairo_surface_write_to_png_stream(own->surface, write_bytes, own);
    }
    ImgStatus status = IMG_OK;
    /* An SVG can fail to be written without Cairo noticing at the end: ask both. */
    if (code != CAIRO_STATUS_SUCCESS || own->failure.status != IMG_OK)
        status = fail_cairo(own, code, err);
    else
        status = img_output_commit(&own->output, err);
    plot_page_discard(&own);
    return status;
}
