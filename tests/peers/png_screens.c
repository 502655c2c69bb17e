/* png_screens PHOTO.ppm TEXT OUT.ppm: draws 4000 x 3000 pixels of typical screen content. Four
 * screenshots stand side by side: an editor, a document, a desktop with windows, and a page with a
 * picture. Glyphs are antialiased and flat areas flat, as on a screen. The same fonts give the same
 * pixels. */
#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/peers/pnm.h"

enum { SCREEN_WIDTH = 2000, SCREEN_HEIGHT = 1500, LINE_MAX_BYTES = 160 };

typedef struct Rectangle {
    double x, y, width, height;
} Rectangle;

static cairo_t *cairo;
static FILE *text; /* source of all text; at its end it is read again from the start */

static void color(unsigned rgb)
{
    cairo_set_source_rgb(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                         (rgb & 255) / 255.0);
}

static void fill(Rectangle r, unsigned rgb)
{
    color(rgb);
    cairo_rectangle(cairo, r.x, r.y, r.width, r.height);
    cairo_fill(cairo);
}

static void font(const char *family, bool bold, double size)
{
    cairo_select_font_face(cairo, family, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

static void write_at(double x, double y, const char *words)
{
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, words);
}

/* Returns the next line of the text, without its line end. */
static const char *next_line(void)
{
    static char line[LINE_MAX_BYTES];
    if (fgets(line, sizeof line, text) == NULL) {
        rewind(text);
        if (fgets(line, sizeof line, text) == NULL)
            line[0] = '\0';
    }
    line[strcspn(line, "\n")] = '\0';
    for (char *c = line; *c != '\0'; c++) {
        if (*c < ' ') /* replaces tabs and characters that are not ASCII */
            *c = ' ';
    }
    return line;
}

/* Writes lines of the text into the rectangle, and clips them to it. */
static void write_lines(Rectangle r, double size, unsigned rgb)
{
    cairo_save(cairo);
    cairo_rectangle(cairo, r.x, r.y, r.width, r.height);
    cairo_clip(cairo);
    color(rgb);
    int lines = (int)(r.height / (size * 1.45));
    for (int i = 0; i < lines; i++)
        write_at(r.x, r.y + size + i * size * 1.45, next_line());
    cairo_restore(cairo);
}

static void window(Rectangle r, const char *title, unsigned bar, unsigned body)
{
    for (int i = 12; i > 0; i--) { /* draws the shadow */
        cairo_set_source_rgba(cairo, 0, 0, 0, 0.02);
        cairo_rectangle(cairo, r.x - i, r.y - i + 6, r.width + 2 * i, r.height + 2 * i);
        cairo_fill(cairo);
    }
    fill(r, body);
    fill((Rectangle){r.x, r.y, r.width, 44}, bar);
    font("DejaVu Sans", true, 18);
    color(bar > 0x808080 ? 0x303030 : 0xf0f0f0);
    write_at(r.x + 16, r.y + 29, title);
    static const unsigned buttons[] = {0xe0443e, 0xdea123, 0x1aab29};
    for (int i = 0; i < 3; i++) {
        color(buttons[i]);
        cairo_new_path(cairo); /* otherwise a line would begin at the end of the text */
        cairo_arc(cairo, r.x + r.width - 30 - 32 * i, r.y + 22, 9, 0, 7);
        cairo_fill(cairo);
    }
}

static void draw_editor(void)
{
    static const unsigned colors[] = {0xd4d4d4, 0x6a9955, 0x569cd6, 0xce9178};
    fill((Rectangle){0, 0, SCREEN_WIDTH, SCREEN_HEIGHT}, 0x1e1e1e);
    fill((Rectangle){0, 0, SCREEN_WIDTH, 40}, 0x3c3c3c);
    fill((Rectangle){0, 40, 320, SCREEN_HEIGHT}, 0x252526);
    fill((Rectangle){0, SCREEN_HEIGHT - 30, SCREEN_WIDTH, 30}, 0x007acc);
    font("DejaVu Sans", false, 17);
    write_lines((Rectangle){24, 56, 280, 1380}, 17, 0xcccccc);
    font("DejaVu Sans Mono", false, 19);
    for (int i = 0; i < 50; i++) {
        double y = 70 + 28 * i;
        char number[16];
        snprintf(number, sizeof number, "%4d", i + 1);
        color(0x858585);
        write_at(340, y, number);
        const char *line = next_line();
        color(colors[strlen(line) % 4]);
        write_at(410, y, line);
    }
}

static void draw_document(void)
{
    fill((Rectangle){0, 0, SCREEN_WIDTH, SCREEN_HEIGHT}, 0xe8e8e8);
    fill((Rectangle){0, 0, SCREEN_WIDTH, 110}, 0xf5f6f7);
    for (int i = 0; i < 34; i++)
        fill((Rectangle){30 + 56 * i, 60, 36, 36}, 0x4a6fa5 + 0x050300 * (unsigned)i);
    for (int page = 0; page < 2; page++) {
        Rectangle sheet = {120 + 900 * page, 150, 840, 1350};
        fill(sheet, 0xffffff);
        font("DejaVu Serif", true, 30);
        color(0x1f3864);
        write_at(sheet.x + 70, sheet.y + 90, page == 0 ? "1. Preamble" : "2. Terms");
        font("DejaVu Serif", false, 17);
        write_lines((Rectangle){sheet.x + 70, sheet.y + 120, 700, 1180}, 17, 0x202020);
    }
}

static void draw_photo(const Pnm *photo, Rectangle r)
{
    int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, (int)photo->width);
    uint32_t *pixels = malloc((size_t)stride * photo->height);
    if (pixels == NULL)
        exit(EXIT_FAILURE);
    /* fills all rows as one array, because the stride is 4 bytes per pixel without padding */
    size_t count = (size_t)photo->width * photo->height;
    for (size_t i = 0; i < count; i++)
        pixels[i] = (uint32_t)photo->data[3 * i] << 16 | (uint32_t)photo->data[3 * i + 1] << 8 |
                    photo->data[3 * i + 2];
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (uint8_t *)pixels, CAIRO_FORMAT_RGB24, (int)photo->width, (int)photo->height, stride);
    cairo_save(cairo);
    cairo_translate(cairo, r.x, r.y);
    cairo_scale(cairo, r.width / photo->width, r.height / photo->height);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(surface);
    free(pixels);
}

/* Draws icons, a window with thumbnails, and a window with text over it. */
static void draw_desktop(const Pnm *photo)
{
    cairo_pattern_t *sky = cairo_pattern_create_linear(0, 0, 0, SCREEN_HEIGHT);
    cairo_pattern_add_color_stop_rgb(sky, 0, 0.10, 0.25, 0.45);
    cairo_pattern_add_color_stop_rgb(sky, 1, 0.35, 0.60, 0.75);
    cairo_set_source(cairo, sky);
    cairo_paint(cairo);
    cairo_pattern_destroy(sky);
    for (int i = 0; i < 8; i++) {
        fill((Rectangle){40, 40 + 170 * i, 90, 90}, 0xf0c040 + 0x001808 * (unsigned)i);
        font("DejaVu Sans", false, 16);
        color(0xffffff);
        write_at(40, 155 + 170 * i, "Folder");
    }
    window((Rectangle){220, 90, 1000, 700}, "Files", 0xdadada, 0xffffff);
    for (int i = 0; i < 35; i++) {
        double x = 270 + 134 * (i % 7);
        double y = 170 + 120 * (i / 7); /* NOLINT(bugprone-integer-division): rows of icons */
        if (i % 3 == 0)
            fill((Rectangle){x, y, 60, 60}, 0x5294e2);
        else
            draw_photo(photo, (Rectangle){x - 20, y, 80, 60});
        font("DejaVu Sans", false, 14);
        color(0x303030);
        char name[24];
        snprintf(name, sizeof name, "image-%03d", i);
        write_at(x - 10, y + 82, name);
    }
    window((Rectangle){800, 500, 1100, 860}, "Terminal", 0x2d2d2d, 0x101418);
    font("DejaVu Sans Mono", false, 17);
    write_lines((Rectangle){816, 556, 1070, 790}, 17, 0x9fd89f);
}

static void draw_page(const Pnm *photo)
{
    fill((Rectangle){0, 0, SCREEN_WIDTH, SCREEN_HEIGHT}, 0xffffff);
    fill((Rectangle){0, 0, SCREEN_WIDTH, 96}, 0xdee1e6);
    fill((Rectangle){120, 50, 1500, 36}, 0xffffff);
    fill((Rectangle){0, 96, SCREEN_WIDTH, 70}, 0x24292f);
    draw_photo(photo, (Rectangle){60, 190, 1160, 870});
    font("DejaVu Sans", true, 34);
    color(0x101010);
    write_at(1260, 230, "A nuthatch on its tree");
    font("DejaVu Sans", false, 18);
    write_lines((Rectangle){1260, 260, 700, 800}, 18, 0x404040);
    for (int i = 0; i < 3; i++) {
        Rectangle card = {60 + 640 * i, 1090, 600, 380};
        fill(card, 0xf6f8fa);
        fill((Rectangle){card.x, card.y + card.height - 70, 180, 46}, 0x2da44e);
        font("DejaVu Sans", false, 17);
        write_lines((Rectangle){card.x + 20, card.y + 20, 560, 280}, 17, 0x24292f);
    }
}

static Pnm to_pnm(cairo_surface_t *surface)
{
    Pnm pnm = {2 * SCREEN_WIDTH, 2 * SCREEN_HEIGHT, 3, 1, NULL};
    size_t count = (size_t)pnm.width * pnm.height;
    pnm.data = malloc(3 * count);
    if (pnm.data == NULL)
        exit(EXIT_FAILURE);
    cairo_surface_flush(surface);
    /* all rows as one array: 4 bytes per pixel, and no padding between rows */
    const uint8_t *data = cairo_image_surface_get_data(surface);
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel;
        memcpy(&pixel, data + 4 * i, 4);
        pnm.data[3 * i] = (uint8_t)(pixel >> 16);
        pnm.data[3 * i + 1] = (uint8_t)(pixel >> 8);
        pnm.data[3 * i + 2] = (uint8_t)pixel;
    }
    return pnm;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: png_screens PHOTO.ppm TEXT OUT.ppm\n");
        return 2;
    }
    Pnm photo = pnm_read(argv[1]);
    text = fopen(argv[2], "r");
    if (text == NULL || photo.channels != 3 || photo.bytes != 1) {
        fprintf(stderr, "png_screens: needs an 8-bit PPM and a text that can be read\n");
        return 1;
    }
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * SCREEN_WIDTH, 2 * SCREEN_HEIGHT);
    cairo = cairo_create(surface);
    for (int i = 0; i < 4; i++) {
        cairo_save(cairo);
        cairo_translate(cairo, i % 2 * SCREEN_WIDTH,
                        i / 2 * SCREEN_HEIGHT); /* NOLINT(bugprone-integer-division): two rows */
        cairo_rectangle(cairo, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
        cairo_clip(cairo);
        if (i == 0)
            draw_editor();
        else if (i == 1)
            draw_document();
        else if (i == 2)
            draw_desktop(&photo);
        else
            draw_page(&photo);
        cairo_restore(cairo);
    }
    Pnm screens = to_pnm(surface);
    pnm_write(argv[3], &screens);
    free(screens.data);
    free(photo.data);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    (void)fclose(text);
    return 0;
}
