/* cut_rectangles IN X,Y,WxH=OUT...: writes rectangles of a PNG as PNG files, without imgtool. Reads
 * the file once, row by row, and to its end, so that libpng checks all of it. Rejects interlaced
 * files, and rectangles whose left edge lies within a byte. */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Rectangle {
    uint32_t x, y, width, height;
    const char *name;
    FILE *file;
    png_structp png;
    png_infop info;
} Rectangle;

typedef struct Input {
    FILE *file;
    png_structp png;
    png_infop info;
    uint32_t width, height;
    int depth, color;
    unsigned pixel_bits;
} Input;

static void fail(const char *name, const char *what)
{
    fprintf(stderr, "cut_rectangles: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

static void on_error(png_structp png, png_const_charp message)
{
    fail((const char *)png_get_error_ptr(png), message);
}

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL) {
        fail(name, "cannot open");
    }
    return file;
}

static Input open_input(char *name)
{
    Input input = {.file = opened(name, "rb")};
    input.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, name, on_error, NULL);
    input.info = png_create_info_struct(input.png);
    png_init_io(input.png, input.file);
    png_set_user_limits(input.png, 0x7fffffff, 0x7fffffff);
    png_read_info(input.png, input.info);
    int interlace = 0;
    png_get_IHDR(input.png, input.info, &input.width, &input.height, &input.depth, &input.color,
                 &interlace, NULL, NULL);
    if (interlace != PNG_INTERLACE_NONE) {
        fail(name, "is interlaced");
    }
    input.pixel_bits = (unsigned)input.depth * png_get_channels(input.png, input.info);
    return input;
}

/* Parses X,Y,WxH=OUT. Cuts `text` at '='. */
static Rectangle parse(char *text, const Input *input)
{
    Rectangle r = {0};
    int end = 0;
    if (sscanf(text, "%u,%u,%ux%u=%n", &r.x, &r.y, &r.width, &r.height, &end) != 4 || end == 0 ||
        text[end] == 0) {
        fail(text, "is not X,Y,WxH=OUT");
    }
    r.name = text + end;
    if (r.width < 1 || r.height < 1 || (uint64_t)r.x + r.width > input->width ||
        (uint64_t)r.y + r.height > input->height || r.x * input->pixel_bits % 8 != 0) {
        fail(text, "is outside the picture, or begins inside a byte");
    }
    return r;
}

static void copy_colors(const Input *input, Rectangle *r)
{
    png_colorp palette;
    png_bytep alpha;
    png_color_16p transparent;
    int count = 0;
    if (png_get_PLTE(input->png, input->info, &palette, &count) != 0) {
        png_set_PLTE(r->png, r->info, palette, count);
    }
    if (png_get_tRNS(input->png, input->info, &alpha, &count, &transparent) != 0) {
        png_set_tRNS(r->png, r->info, alpha, count, transparent);
    }
}

static void open_output(const Input *input, Rectangle *r)
{
    r->file = opened(r->name, "wb");
    r->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, (png_voidp)r->name, on_error, NULL);
    r->info = png_create_info_struct(r->png);
    png_init_io(r->png, r->file);
    png_set_compression_level(r->png, 1);
    png_set_IHDR(r->png, r->info, r->width, r->height, input->depth, input->color,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    copy_colors(input, r);
    png_write_info(r->png, r->info);
}

static void close_output(Rectangle *r)
{
    png_write_end(r->png, NULL);
    png_destroy_write_struct(&r->png, &r->info);
    if (fclose(r->file) != 0) {
        fail(r->name, "cannot write");
    }
}

static void cut(const Input *input, Rectangle *rectangles, int count)
{
    png_bytep row = malloc(png_get_rowbytes(input->png, input->info));
    if (row == NULL) {
        fail("row", "out of memory");
    }
    for (uint32_t y = 0; y < input->height; y++) {
        png_read_row(input->png, row, NULL);
        for (int i = 0; i < count; i++) {
            const Rectangle *r = &rectangles[i];
            if (y >= r->y && y - r->y < r->height) {
                png_write_row(r->png, row + (size_t)r->x * input->pixel_bits / 8);
            }
        }
    }
    png_read_end(input->png, NULL);
    free(row);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: cut_rectangles IN X,Y,WxH=OUT...\n", stderr);
        return 2;
    }
    const int count = argc - 2;
    Input input = open_input(argv[1]);
    Rectangle *rectangles = calloc((size_t)count, sizeof *rectangles);
    if (rectangles == NULL) {
        fail("rectangles", "out of memory");
    }
    for (int i = 0; i < count; i++) {
        rectangles[i] = parse(argv[2 + i], &input);
        open_output(&input, &rectangles[i]);
    }
    cut(&input, rectangles, count);
    for (int i = 0; i < count; i++) {
        close_output(&rectangles[i]);
    }
    free(rectangles);
    png_destroy_read_struct(&input.png, &input.info, NULL);
    fclose(input.file);
    return 0;
}
