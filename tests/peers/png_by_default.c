/* png_by_default [--alpha] IN.pnm OUT.png: writes a PNG with the defaults of libpng: level 6, and a
 * filter chosen for each row. Sizes and times of other files are compared with this file. --alpha
 * adds an alpha channel that fades out towards the corners. */
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/peers/pnm.h"

/* Returns the alpha of a pixel: 255 inside, 0 in the corners. Computes with integers, so that every
 * machine makes the same file. */
static uint8_t alpha_at(const Pnm *pnm, uint32_t x, uint32_t y)
{
    int64_t width = pnm->width;
    int64_t height = pnm->height;
    int64_t from_x = 2 * (int64_t)x + 1 - width;
    int64_t from_y = 2 * (int64_t)y + 1 - height;
    int64_t away =
        from_x * from_x * 1024 / (width * width) +
        from_y * from_y * 1024 / (height * height); /* 0 in the centre, 2048 in a corner */
    int64_t alpha = (1700 - away) * 255 / 1000;
    return (uint8_t)(alpha < 0 ? 0 : alpha > 255 ? 255 : alpha);
}

static Pnm with_alpha(Pnm rgb)
{
    Pnm rgba = rgb;
    size_t pixels = (size_t)rgb.width * rgb.height;
    rgba.channels = 4;
    rgba.data = malloc(pixels * 4);
    if (rgba.data == NULL || rgb.channels != 3 || rgb.bytes != 1) {
        fprintf(stderr, "png_by_default: --alpha is for 8-bit RGB\n");
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < pixels; i++) {
        memcpy(rgba.data + 4 * i, rgb.data + 3 * i, 3);
        rgba.data[4 * i + 3] = alpha_at(&rgb, (uint32_t)(i % rgb.width), (uint32_t)(i / rgb.width));
    }
    free(rgb.data);
    return rgba;
}

static void write_png(const char *path, const Pnm *pnm)
{
    static const int colors[] = {0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGB_ALPHA};
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (file == NULL || info == NULL || setjmp(png_jmpbuf(png)) != 0) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(EXIT_FAILURE);
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, pnm->width, pnm->height, (int)pnm->bytes * 8, colors[pnm->channels],
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    size_t row = (size_t)pnm->width * pnm->channels * pnm->bytes;
    for (uint32_t y = 0; y < pnm->height; y++)
        png_write_row(png, pnm->data + y * row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    if (fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    bool alpha = argc > 1 && strcmp(argv[1], "--alpha") == 0;
    if (argc != (alpha ? 4 : 3)) {
        fprintf(stderr, "usage: png_by_default [--alpha] IN.pnm OUT.png\n");
        return 2;
    }
    Pnm pnm = pnm_read(argv[argc - 2]);
    if (alpha)
        pnm = with_alpha(pnm);
    write_png(argv[argc - 1], &pnm);
    free(pnm.data);
    return 0;
}
