#include "app/plot/page.h"

#include <cairo-svg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct PlotPage {
    PlotBytes picture;
    size_t capacity; /* allocated bytes of picture.data */
    bool svg;
    cairo_surface_t *surface;
    cairo_t *cairo;
};

int plot_page_limit(bool svg)
{
    enum { IMAGE_SIDE = 32767 }; /* maximum width and height of Cairo's image surfaces, in pixels */
    return svg ? 1 << 24 : IMAGE_SIDE / PLOT_PNG_SCALE;
}

static cairo_status_t write_bytes(void *context, const unsigned char *data, unsigned size)
{
    PlotPage *page = context;
    PlotBytes *picture = &page->picture;
    if (page->capacity - picture->size < size) {
        size_t capacity = 2 * page->capacity + size;
        uint8_t *grown = realloc(picture->data, capacity);
        if (grown == NULL)
            return CAIRO_STATUS_NO_MEMORY;
        picture->data = grown;
        page->capacity = capacity;
    }
    memcpy(picture->data + picture->size, data, size);
    picture->size += size;
    return CAIRO_STATUS_SUCCESS;
}

static ImgStatus fail_cairo(cairo_status_t code, ImgError *err)
{
    return img_fail(err, code == CAIRO_STATUS_NO_MEMORY ? IMG_E_MEMORY : IMG_E_IO,
                    "cannot be drawn: %s", cairo_status_to_string(code));
}

/* Turns off hinting and subpixel antialiasing. Glyphs then have the same shapes at any scale and on
 * any screen. */
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

/* Checks that the font exists and can be read. Without any font, Cairo draws text with a built-in
 * font of strokes, or draws none. For an unreadable font, Cairo's error would be that memory is
 * short. */
static ImgStatus check_font(cairo_t *cairo, cairo_font_weight_t weight, ImgError *err)
{
    cairo_select_font_face(cairo, PLOT_FONT, CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_scaled_font_t *font = cairo_get_scaled_font(cairo);
    cairo_text_extents_t extents;
    cairo_scaled_font_text_extents(font, "0", &extents);
    if (cairo_status(cairo) != CAIRO_STATUS_SUCCESS ||
        cairo_scaled_font_status(font) != CAIRO_STATUS_SUCCESS)
        return img_fail(err, IMG_E_IO,
                        "cannot be drawn: the font for its texts cannot be loaded, or there is too "
                        "little memory; 'fc-match -v " PLOT_FONT "' shows which font it is");
    if (extents.x_advance > 0 && cairo_scaled_font_get_type(font) != CAIRO_FONT_TYPE_USER)
        return IMG_OK;
    return img_fail(err, IMG_E_IO,
                    "cannot be drawn: fontconfig finds no font for its texts; install one, such as "
                    "the package fonts-dejavu-core");
}

void plot_page_discard(PlotPage **page)
{
    PlotPage *old = *page;
    *page = NULL;
    if (old == NULL)
        return;
    cairo_destroy(old->cairo);
    cairo_surface_destroy(old->surface);
    free(old->picture.data);
    free(old);
}

/* Returns true if enough memory is free for the pixels and the fonts. It is checked before drawing,
 * because fontconfig crashes or hangs if an allocation fails. */
static bool has_room(size_t pixels)
{
    const size_t fonts = (size_t)32 << 20;
    void *room = malloc(fonts + pixels);
    free(room);
    return room != NULL;
}

ImgStatus plot_page_open(bool svg, int width, int height, PlotPage **page, ImgError *err)
{
    *page = NULL;
    if (!has_room(svg ? 0 : (size_t)width * (size_t)height * PLOT_PNG_SCALE * PLOT_PNG_SCALE * 4))
        return img_fail(err, IMG_E_MEMORY,
                        "cannot be drawn: too little memory for fonts and pixels");
    PlotPage *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    made->svg = svg;
    if (made->svg)
        made->surface = cairo_svg_surface_create_for_stream(write_bytes, made, width, height);
    else
        made->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width * PLOT_PNG_SCALE,
                                                   height * PLOT_PNG_SCALE);
    made->cairo = cairo_create(made->surface);
    if (!made->svg)
        cairo_scale(made->cairo, PLOT_PNG_SCALE, PLOT_PNG_SCALE);
    set_up(made->cairo);
    ImgStatus status = check_font(made->cairo, CAIRO_FONT_WEIGHT_NORMAL, err);
    if (status == IMG_OK)
        status = check_font(made->cairo, CAIRO_FONT_WEIGHT_BOLD, err);
    if (status != IMG_OK)
        plot_page_discard(&made);
    *page = made;
    return status;
}

cairo_t *plot_page_cairo(const PlotPage *page)
{
    return page->cairo;
}

ImgStatus plot_page_finish(PlotPage **page, PlotBytes *picture, ImgError *err)
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
    ImgStatus status = code == CAIRO_STATUS_SUCCESS ? IMG_OK : fail_cairo(code, err);
    *picture = PLOT_BYTES_NONE;
    if (status == IMG_OK) {
        *picture = own->picture;
        own->picture = PLOT_BYTES_NONE;
    }
    plot_page_discard(&own);
    return status;
}
