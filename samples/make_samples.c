/* make_samples DIR: writes all PNG files of samples/ into DIR. Pixels and chunks are the same on
 * every machine, and a test compares them with the committed files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "samples/pictures.h"
#include "samples/png_file.h"

static const char *directory;

static void save(const char *name, Picture *picture, const PngExtra *extras, size_t count)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.png", directory, name) >= (int)sizeof path) {
        fprintf(stderr, "make_samples: the directory's name is too long\n");
        exit(EXIT_FAILURE);
    }
    png_file_write(path, picture, extras, count);
    free(picture->samples);
    picture->samples = NULL;
}

static void make_kinds(void)
{
    for (int i = 0; i < PNG_KINDS; i++) {
        Picture picture = test_card(80, 60, png_kinds[i].color, png_kinds[i].depth);
        save(png_kinds[i].name, &picture, NULL, 0);
    }
}

static void make_sizes(void)
{
    static const struct {
        uint32_t width, height;
        int color, depth;
    } sizes[] = {
        {76, 62, PNG_RGB, 8},    {1003, 7, PNG_RGB, 8}, {7, 1003, PNG_RGB, 8},
        {1, 1, PNG_RGB, 8},      {1, 37, PNG_RGBA, 8},  {37, 1, PNG_GRAY, 1},
        {31, 33, PNG_RGB, 8},    {32, 32, PNG_RGB, 8},  {33, 31, PNG_PALETTE, 4},
        {127, 131, PNG_GRAY, 2},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "size-%ux%u", sizes[i].width, sizes[i].height);
        Picture picture =
            test_card(sizes[i].width, sizes[i].height, sizes[i].color, sizes[i].depth);
        save(name, &picture, NULL, 0);
    }
}

static void make_variants(void)
{
    static const struct {
        const char *name;
        int color, depth;
        bool interlaced, trns;
    } variants[] = {
        {"interlaced-gray-1", PNG_GRAY, 1, true, false},
        {"interlaced-palette-4", PNG_PALETTE, 4, true, false},
        {"interlaced-rgb-8", PNG_RGB, 8, true, false},
        {"interlaced-rgba-16", PNG_RGBA, 16, true, false},
        {"trns-gray-2", PNG_GRAY, 2, false, true},
        {"trns-gray-8", PNG_GRAY, 8, false, true},
        {"trns-gray-16", PNG_GRAY, 16, false, true},
        {"trns-rgb-8", PNG_RGB, 8, false, true},
        {"trns-rgb-16", PNG_RGB, 16, false, true},
        {"trns-palette-2", PNG_PALETTE, 2, false, true},
        {"trns-palette-8", PNG_PALETTE, 8, false, true},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Picture picture = test_card(62, 47, variants[i].color, variants[i].depth);
        picture.interlaced = variants[i].interlaced;
        if (variants[i].trns) {
            test_card_add_trns(&picture);
        }
        save(variants[i].name, &picture, NULL, 0);
    }
}

/* Rearranges an upright picture as a camera with this orientation would store it. The orientation
 * determines the edges of the upright picture that become the first row and the first column (EXIF
 * 2.32, tag 274). */
static Picture store_as(const Picture *upright, int orientation)
{
    bool swapped = orientation >= 5;
    Picture stored = picture_make(swapped ? upright->height : upright->width,
                                  swapped ? upright->width : upright->height, PNG_RGB, 8);
    bool from_right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    bool from_bottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    for (uint32_t y = 0; y < stored.height; y++) {
        for (uint32_t x = 0; x < stored.width; x++) {
            uint32_t u = swapped ? y : x;
            uint32_t v = swapped ? x : y;
            u = from_right ? upright->width - 1 - u : u;
            v = from_bottom ? upright->height - 1 - v : v;
            memcpy(picture_at(&stored, x, y), picture_at(upright, u, v), 3 * sizeof(uint16_t));
        }
    }
    return stored;
}

static void make_orientations(void)
{
    Picture upright = test_card(76, 62, PNG_RGB, 8);
    for (int orientation = 1; orientation <= 8; orientation++) {
        Picture stored = store_as(&upright, orientation);
        uint8_t exif[EXIF_SIZE];
        exif_make(exif, orientation, orientation % 2 == 1);
        PngExtra extra = {"eXIf", PLACE_BEFORE_IDAT, exif, sizeof exif};
        char name[32];
        snprintf(name, sizeof name, "orientation-%d", orientation);
        save(name, &stored, &extra, 1);
    }
    free(upright.samples);
}

static void make_metadata(void)
{
    PngExtra extras[RICH_CHUNKS_MAX];
    size_t count = rich_chunks(extras);
    Picture picture = test_card(80, 60, PNG_RGB, 8);
    save("metadata", &picture, extras, count);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_samples DIR\n");
        return 2;
    }
    directory = argv[1];
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        perror(directory);
        return 3;
    }
    make_kinds();
    make_sizes();
    make_variants();
    make_orientations();
    make_metadata();
    Picture picture = landscape(640, 427);
    save("landscape", &picture, NULL, 0);
    return 0;
}
