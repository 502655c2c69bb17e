/* Writes PNG files with the lowest level of libpng, which writes chunks as given, without
 * checks. */
#include "samples/png_file.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const PngKind png_kinds[PNG_KINDS] = {
    {"gray-1", PNG_GRAY, 1},
    {"gray-2", PNG_GRAY, 2},
    {"gray-4", PNG_GRAY, 4},
    {"gray-8", PNG_GRAY, 8},
    {"gray-16", PNG_GRAY, 16},
    {"gray-alpha-8", PNG_GRAY_ALPHA, 8},
    {"gray-alpha-16", PNG_GRAY_ALPHA, 16},
    {"rgb-8", PNG_RGB, 8},
    {"rgb-16", PNG_RGB, 16},
    {"rgba-8", PNG_RGBA, 8},
    {"rgba-16", PNG_RGBA, 16},
    {"palette-1", PNG_PALETTE, 1},
    {"palette-2", PNG_PALETTE, 2},
    {"palette-4", PNG_PALETTE, 4},
    {"palette-8", PNG_PALETTE, 8},
};

int png_channels(int color)
{
    switch (color) {
    case PNG_GRAY_ALPHA:
        return 2;
    case PNG_RGB:
        return 3;
    case PNG_RGBA:
        return 4;
    default:
        return 1;
    }
}

static _Noreturn void die(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(EXIT_FAILURE);
}

Picture picture_make(uint32_t width, uint32_t height, int color, int depth)
{
    Picture picture = {.width = width, .height = height, .color = color, .depth = depth};
    size_t count = (size_t)width * height * (size_t)png_channels(color);
    picture.samples = calloc(count, sizeof *picture.samples);
    if (picture.samples == NULL) {
        die("picture", "out of memory");
    }
    return picture;
}

uint16_t *picture_at(const Picture *picture, uint32_t x, uint32_t y)
{
    size_t pixel = (size_t)y * picture->width + x;
    return picture->samples + pixel * (size_t)png_channels(picture->color);
}

/* Packs one row of samples as in a PNG file. 16-bit samples become big-endian; in a byte the first
 * sample is in the highest bits. */
static void pack_row(const uint16_t *samples, size_t count, int depth, uint8_t *row)
{
    if (depth == 16) {
        for (size_t i = 0; i < count; i++) {
            row[2 * i] = (uint8_t)(samples[i] >> 8);
            row[2 * i + 1] = (uint8_t)samples[i];
        }
        return;
    }
    size_t per_byte = 8 / (size_t)depth;
    memset(row, 0, (count + per_byte - 1) / per_byte);
    for (size_t i = 0; i < count; i++) {
        size_t shift = (per_byte - 1 - i % per_byte) * (size_t)depth;
        row[i / per_byte] |= (uint8_t)(samples[i] << shift);
    }
}

static uint8_t **pack_rows(const Picture *picture)
{
    size_t count = (size_t)picture->width * (size_t)png_channels(picture->color);
    size_t bytes = (count * (size_t)picture->depth + 7) / 8;
    uint8_t **rows = malloc(picture->height * sizeof *rows);
    uint8_t *data = malloc(picture->height * bytes);
    if (rows == NULL || data == NULL) {
        die("picture", "out of memory");
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        rows[y] = data + y * bytes;
        pack_row(picture_at(picture, 0, y), count, picture->depth, rows[y]);
    }
    return rows;
}

static void write_extras(png_structp png, const PngExtra *extras, size_t count, PngPlace place)
{
    for (size_t i = 0; i < count; i++) {
        if (extras[i].place == place) {
            png_write_chunk(png, (png_const_bytep)extras[i].type, extras[i].data, extras[i].size);
        }
    }
}

static void write_all(png_structp png, png_infop info, const Picture *picture, uint8_t **rows,
                      const PngExtra *extras, size_t count)
{
    png_set_IHDR(png, info, picture->width, picture->height, picture->depth, picture->color,
                 picture->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_compression_level(png, 9);
    png_write_info_before_PLTE(png, info);
    write_extras(png, extras, count, PLACE_BEFORE_PLTE);
    if (picture->palette_size > 0) {
        png_write_chunk(png, (png_const_bytep) "PLTE", picture->palette[0],
                        3 * (size_t)picture->palette_size);
    }
    if (picture->trns_size > 0) {
        png_write_chunk(png, (png_const_bytep) "tRNS", picture->trns, (size_t)picture->trns_size);
    }
    write_extras(png, extras, count, PLACE_BEFORE_IDAT);
    png_write_image(png, rows);
    write_extras(png, extras, count, PLACE_AFTER_IDAT);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

static void on_error(png_structp png, png_const_charp message)
{
    (void)png;
    die("libpng", message);
}

void png_file_write(const char *path, const Picture *picture, const PngExtra *extras, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        die(path, strerror(errno));
    }
    uint8_t **rows = pack_rows(picture);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        die("libpng", "cannot start");
    }
    png_init_io(png, file);
    write_all(png, info, picture, rows, extras, count);
    png_destroy_write_struct(&png, &info);
    free(rows[0]);
    free(rows);
    if (fclose(file) != 0) {
        die(path, strerror(errno));
    }
}
