/* Pictures of random jobs (pictures.h). Each row is generated just before libpng writes it, so that
 * this program uses little memory: child processes start with its size. */
#include "tests/memory/pictures.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "samples/png_file.h"

enum { BYTES_MOST = 20 << 20 };

/* Kinds of sizes, with the percentage of pictures of each kind and their maximum sides. */
static const struct {
    uint32_t share;
    int32_t width, height;
    bool thin; /* true if one side is only a few pixels long */
} sizes[] = {
    {20, 64, 64, false},     {40, 500, 400, false},  {12, 200000, 4, true},
    {19, 1500, 1200, false}, {7, 3200, 2600, false}, {2, 4000000, 2, true},
};

static int32_t draw_side(Random *random, int32_t most)
{
    return 1 + (int32_t)random_below(random, (uint32_t)most);
}

static void draw_size(Random *random, ImgShape *shape)
{
    uint32_t at = random_below(random, 100);
    size_t i = 0;
    while (at >= sizes[i].share)
        at -= sizes[i++].share;
    shape->width = draw_side(random, sizes[i].width);
    shape->height = draw_side(random, sizes[i].height);
    if (sizes[i].thin && random_below(random, 2) == 0)
        *shape = (ImgShape){shape->height, shape->width, shape->format};
}

static ImgColor color_of(int png_color)
{
    switch (png_color) {
    case PNG_RGB:
        return IMG_COLOR_RGB;
    case PNG_PALETTE:
        return IMG_COLOR_PALETTE;
    case PNG_GRAY_ALPHA:
        return IMG_COLOR_GRAY_ALPHA;
    case PNG_RGBA:
        return IMG_COLOR_RGBA;
    default:
        return IMG_COLOR_GRAY;
    }
}

typedef struct Rows {
    Random random;
    Content content;
} Rows;

static void make_row(Rows *rows, uint8_t *row, size_t bytes, int32_t y)
{
    for (size_t x = 0; x < bytes; x++) {
        const uint8_t noise =
            rows->content >= CONTENT_SOME_NOISE ? (uint8_t)(random_next(&rows->random) >> 40) : 0;
        const uint8_t slope = rows->content == CONTENT_FLAT ? 7 : (uint8_t)((x + (size_t)y) >> 4);
        row[x] = rows->content == CONTENT_NOISE ? noise : (uint8_t)(slope + (noise >> 6));
    }
}

static void put_colours(png_struct *png, png_info *info, const Drawn *picture, int depth)
{
    png_color colours[256];
    png_byte alphas[256];
    const int count = 1 << depth;
    png_color_16 key = {.red = 1, .green = 1, .blue = 1, .gray = 1};
    for (int i = 0; i < 256; i++) {
        colours[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i * 7)};
        alphas[i] = (png_byte)(i * 3);
    }
    const bool indexed = picture->shape.format.color == IMG_COLOR_PALETTE;
    if (indexed)
        png_set_PLTE(png, info, colours, count);
    if (picture->has_trns)
        png_set_tRNS(png, info, alphas, indexed ? count : 0, indexed ? NULL : &key);
}

static void write_png(FILE *file, const Drawn *picture, int color, Rows *rows)
{
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *info = png_create_info_struct(png);
    const ImgShape shape = picture->shape;
    png_init_io(png, file);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, (png_uint_32)shape.width, (png_uint_32)shape.height, shape.format.bits,
                 color, picture->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    put_colours(png, info, picture, shape.format.bits);
    png_set_compression_level(png, 1);
    png_write_info(png, info);
    const size_t bytes = png_get_rowbytes(png, info);
    uint8_t *row = malloc(bytes);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; row != NULL && pass < passes; pass++) {
        for (int32_t y = 0; y < shape.height; y++) {
            make_row(rows, row, bytes, y);
            png_write_row(png, row);
        }
    }
    free(row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

static bool write_file(const Drawn *picture, int color, Rows *rows)
{
    FILE *file = fopen(picture->path, "wb");
    if (file == NULL) {
        perror(picture->path);
        return false;
    }
    write_png(file, picture, color, rows);
    if (fclose(file) == 0)
        return true;
    perror(picture->path);
    return false;
}

bool picture_of(const char *directory, const PictureSpec *spec, uint32_t number, Drawn *picture)
{
    const PngKind *kind = &png_kinds[spec->kind];
    Rows rows = {random_start(number, 0), spec->content};
    picture->shape = (ImgShape){spec->width, spec->height, {color_of(kind->color), kind->depth}};
    picture->interlaced = spec->interlaced;
    picture->has_trns = spec->has_trns && !img_format_has_alpha(picture->shape.format);
    snprintf(picture->path, sizeof picture->path, "%s/%s-%dx%d-%u.png", directory, kind->name,
             spec->width, spec->height, (unsigned)number);
    return access(picture->path, R_OK) == 0 || write_file(picture, kind->color, &rows);
}

bool picture_get(const char *directory, uint64_t seed, uint32_t number, Drawn *picture)
{
    Random random = random_start(seed, number);
    PictureSpec spec = {.kind = (int)random_below(&random, PNG_KINDS)};
    ImgShape shape = {.format = {color_of(png_kinds[spec.kind].color), png_kinds[spec.kind].depth}};
    size_t bytes = 0;
    do {
        draw_size(&random, &shape);
        (void)img_shape_bytes(shape, &bytes, NULL);
    } while (bytes > BYTES_MOST);
    spec.width = shape.width;
    spec.height = shape.height;
    spec.interlaced = random_below(&random, 4) == 0;
    spec.has_trns = random_below(&random, 4) == 0;
    spec.content = (Content)random_below(&random, CONTENTS);
    return picture_of(directory, &spec, number, picture);
}
