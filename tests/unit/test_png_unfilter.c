/* Tests of undoing the PNG row filters. Every instruction level is compared with the reference, in
 * whole rows, in tiles and in place. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/filter/filter.h"
#include "tests/checkcodec/filter_versions.h"
#include "tests/unit/sanitizers.h"

enum { MIXED = IMG_FILTERS, UPWARDS, NO_PAETH, KINDS, GUARD = 5, PATTERN = 0xA5 };

static const size_t PIXELS[] = {1, 2, 3, 4, 6, 8};

/* A filtered image and its expected rows. Each buffer ends where its allocation ends, so that
 * checkers of memory find accesses past it. */
typedef struct Image {
    size_t pixel, bytes;
    int32_t height;
    uint8_t *filtered, *above, *expected;
} Image;

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 16;
}

static uint8_t type_of(int kind, unsigned random)
{
    static const uint8_t UPWARD_TYPES[2] = {IMG_FILTER_NONE, IMG_FILTER_UP};
    if (kind < MIXED)
        return (uint8_t)kind;
    return kind == UPWARDS ? UPWARD_TYPES[random % 2]
                           : (uint8_t)(random % (kind == MIXED ? IMG_FILTERS : IMG_FILTER_PAETH));
}

/* Returns an image of noise or of small differences. Small differences make neighbours similar, so
 * that two predictors of Paeth are often equally near. */
static Image make(size_t pixel, size_t width, int32_t height, int kind, unsigned *state)
{
    Image image = {.pixel = pixel, .bytes = width * pixel, .height = height};
    size_t row = image.bytes + 1, size = row * (size_t)height;
    bool noise = next_random(state) % 2;
    image.filtered = malloc(size);
    image.above = malloc(image.bytes);
    image.expected = malloc(image.bytes * (size_t)height);
    cr_assert(image.filtered != NULL && image.above != NULL && image.expected != NULL);
    for (size_t i = 0; i < size; i++)
        image.filtered[i] = (uint8_t)(noise ? next_random(state) : next_random(state) % 5 - 2);
    for (size_t i = 0; i < image.bytes; i++)
        image.above[i] = (uint8_t)next_random(state);
    for (int32_t y = 0; y < height; y++)
        image.filtered[(size_t)y * row] = type_of(kind, next_random(state));
    return image;
}

static void release(Image *image)
{
    free(image->filtered);
    free(image->above);
    free(image->expected);
}

/* Undoes the filters of the bytes from `from` to `to` of each row with `loops`, or if `loops` is
 * NULL, with the loops that img_png_unfilter chooses for this processor. */
static void undo(ImgUnfilterLoops *loops, const ImgUnfilter *unfilter, size_t from, size_t to)
{
    if (loops != NULL)
        loops(unfilter, from, to);
    else
        cr_assert(img_png_unfilter(unfilter, from, to));
}

/* Undoes filters in tiles of `step` pixels. Bytes to the right of a tile and after a row must not
 * change. */
static void expect_tiles(const Image *image, ImgUnfilter unfilter, ImgUnfilterLoops *loops,
                         size_t step)
{
    const size_t bytes = image->bytes, height = (size_t)image->height;
    size_t stride = bytes + GUARD;
    uint8_t *rows = malloc(stride * height - GUARD);
    cr_assert_not_null(rows);
    memset(rows, PATTERN, stride * height - GUARD);
    unfilter.rows = rows;
    unfilter.stride = stride;
    for (size_t from = 0; from < bytes; from += step * image->pixel) {
        size_t to = from + step * image->pixel < bytes ? from + step * image->pixel : bytes;
        undo(loops, &unfilter, from, to);
        for (size_t y = 0; y < height; y++) {
            size_t end = y + 1 < height ? stride : bytes;
            cr_assert_arr_eq(rows + y * stride + from, image->expected + y * bytes + from,
                             to - from, "pixel %zu, row %zu of %zu bytes, from %zu to %zu",
                             image->pixel, y, bytes, from, to);
            for (size_t i = to; i < end; i++)
                cr_assert_eq(rows[y * stride + i], PATTERN, "pixel %zu, row %zu, byte %zu of %zu",
                             image->pixel, y, i, bytes);
        }
    }
    free(rows);
}

/* Undoes filters in place, in two tiles. The filter types and the rest of the row must not
 * change. */
static void expect_in_place(const Image *image, ImgUnfilter unfilter, ImgUnfilterLoops *loops,
                            size_t middle)
{
    const size_t row = image->bytes + 1, size = row * (size_t)image->height;
    uint8_t *copy = malloc(size);
    cr_assert_not_null(copy);
    memcpy(copy, image->filtered, size);
    unfilter.filtered = copy;
    unfilter.rows = copy + 1;
    unfilter.stride = row;
    if (middle > 0)
        undo(loops, &unfilter, 0, middle);
    if (middle < image->bytes)
        undo(loops, &unfilter, middle, image->bytes);
    for (size_t y = 0; y < (size_t)image->height; y++) {
        cr_assert_eq(copy[y * row], image->filtered[y * row]);
        cr_assert_arr_eq(copy + y * row + 1, image->expected + y * image->bytes, image->bytes,
                         "pixel %zu, row %zu of %zu bytes", image->pixel, y, image->bytes);
    }
    free(copy);
}

static void expect_same(size_t pixel, size_t width, int32_t height, int kind, unsigned *state)
{
    ImgUnfilterLoops *loops[1 + UNFILTER_VERSIONS_MOST] = {NULL};
    const int count = 1 + unfilter_versions(loops + 1);
    Image image = make(pixel, width, height, kind, state);
    ImgUnfilter unfilter = {.pixel = pixel,
                            .row_bytes = image.bytes,
                            .filtered = image.filtered,
                            .rows = image.expected,
                            .stride = image.bytes,
                            .above = next_random(state) % 2 ? image.above : NULL,
                            .count = height};
    cr_assert(img_png_unfilter_reference(&unfilter, 0, image.bytes));
    for (int i = 0; i < count; i++) {
        expect_tiles(&image, unfilter, loops[i], width);
        expect_tiles(&image, unfilter, loops[i], 1 + next_random(state) % width);
        expect_in_place(&image, unfilter, loops[i], pixel * (next_random(state) % (width + 1)));
    }
    release(&image);
}

Test(png_unfilter, results_match_the_reference_for_every_size_and_type)
{
    static const size_t WIDTHS[] = {1, 2, 3, 5, 8, 17, 31, 50};
    static const int32_t HEIGHTS[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33};
    unsigned state = 1;
    for (size_t p = 0; p < 6; p++)
        for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++)
            for (size_t h = 0; h < sizeof HEIGHTS / sizeof HEIGHTS[0]; h++)
                for (int kind = 0; kind < KINDS; kind++)
                    expect_same(PIXELS[p], WIDTHS[w], HEIGHTS[h], kind, &state);
}

/* In long rows the state of the filter is carried over many blocks of pixels. */
Test(png_unfilter, long_rows_match)
{
    unsigned state = 2;
    for (size_t p = 0; p < 6; p++) {
        expect_same(PIXELS[p], 1000, 40, MIXED, &state);
        expect_same(PIXELS[p], 1003, 33, IMG_FILTER_PAETH, &state);
    }
}

/* Tests each combination of all values of left and above with every fifth value of the corner;
 * builds with sanitizers use every fiftieth, because they are slower. */
Test(png_unfilter, every_value_of_left_above_and_corner_matches)
{
    ImgUnfilterLoops *loops[1 + UNFILTER_VERSIONS_MOST] = {NULL};
    const int count = 1 + unfilter_versions(loops + 1);
    static uint8_t filtered[2 * 65536 + 1], expected[2 * 65536], rows[2 * 65536], above[2 * 65536];
    for (ImgFilter filter = IMG_FILTER_AVERAGE; filter <= IMG_FILTER_PAETH; filter++)
        for (int corner = 0; corner < 256; corner += 5 * EVERY(10)) {
            /* Pixels form pairs. The first pixel of a pair provides the left and the corner
             * neighbour of the second pixel, which tests the combination. */
            for (int i = 0; i < 65536; i++) {
                above[2 * i] = (uint8_t)corner;
                above[2 * i + 1] = (uint8_t)(i >> 8);
                expected[2 * i] = (uint8_t)i;
                expected[2 * i + 1] = (uint8_t)(i * 7);
            }
            img_png_filter_row_reference(filter, 1, sizeof expected, expected, above, filtered);
            for (int i = 0; i < count; i++) {
                ImgUnfilter unfilter = {1, sizeof rows, filtered, rows, sizeof rows, above, 1};
                undo(loops[i], &unfilter, 0, sizeof rows);
                cr_assert_eq(memcmp(rows, expected, sizeof rows), 0, "filter %d, corner %d", filter,
                             corner);
            }
        }
}

Test(png_unfilter, unknown_types_are_rejected)
{
    uint8_t filtered[3 * 5] = {0}, rows[3 * 4];
    for (int type = IMG_FILTERS; type < 256; type++)
        for (size_t y = 0; y < 3; y++) {
            ImgUnfilter unfilter = {4, 4, filtered, rows, 4, NULL, 3};
            filtered[5 * y] = (uint8_t)type;
            cr_expect_not(img_png_unfilter(&unfilter, 0, 4), "type %d in row %zu", type, y);
            cr_expect_not(img_png_unfilter_reference(&unfilter, 0, 4), "type %d", type);
            filtered[5 * y] = 0;
            cr_expect(img_png_unfilter(&unfilter, 0, 4));
        }
}

/* A tile may end at the end of a row whose length is not a multiple of the pixel size. */
Test(png_unfilter, a_partial_pixel_at_the_end_is_undone)
{
    unsigned state = 3;
    Image image = make(3, 24, 19, MIXED, &state);
    image.bytes = 3 * 20 + 2;
    for (size_t y = 0; y < 19; y++)
        image.filtered[y * (image.bytes + 1)] = (uint8_t)(y % IMG_FILTERS);
    ImgUnfilter unfilter = {3, image.bytes, image.filtered, image.expected, image.bytes, NULL, 19};
    cr_assert(img_png_unfilter_reference(&unfilter, 0, image.bytes));
    expect_tiles(&image, unfilter, NULL, 7);
    expect_in_place(&image, unfilter, NULL, 30);
    release(&image);
}
