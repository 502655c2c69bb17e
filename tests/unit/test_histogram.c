/* Tests of histograms: the reference compared with cases worked out by hand, properties that hold
 * for every picture, and img_histogram_count, which chooses an implementation. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/select.h"
#include "kernels/histogram/histogram.h"

enum { ROWS_MAX = 5, ENTRIES_MAX = 65536 };

static uint64_t table[ROWS_MAX * ENTRIES_MAX], other[ROWS_MAX * ENTRIES_MAX];

static const ImgHistogramParams PLAIN = {IMG_LUMA_709, IMG_TRANSPARENT_COUNT};

/* Counts samples with the reference. The rows of the picture are `stride` bytes apart. */
static void count_rows(const void *pixels, size_t stride, ImgShape shape, ImgHistogramParams params,
                       uint64_t *counts)
{
    const ImgOp *op = &img_measure_histogram;
    ImgShape result;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(op->shape(shape, &params, &result, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(result.width, 1 << shape.format.bits);
    cr_assert_eq(result.height, img_histogram_rows(shape.format, &params));
    memset(counts, 0xa5, sizeof table);
    ImgCall call = {.op = op,
                    .src = img_view_make((void *)pixels, stride, shape),
                    .dst = img_view_make(counts, (size_t)result.width * sizeof *counts, result),
                    .params = &params,
                    .threads = 1};
    cr_assert_eq(op->impls[0].run(&call, &err), IMG_OK, "%s", err.message);
}

static void count(const void *pixels, int32_t width, int32_t height, ImgFormat format,
                  ImgHistogramParams params)
{
    ImgShape shape = {width, height, format};
    count_rows(pixels, (size_t)width * img_format_pixel_size(format), shape, params, table);
}

/* An expected count that is not zero. expect_row checks that all other counts of a row are zero. */
typedef struct Entry {
    uint32_t value;
    uint64_t count;
} Entry;

static void expect_row(int bits, int row, const Entry *entries, size_t length)
{
    uint32_t next = 0;
    const uint64_t *counts = table + ((size_t)row << bits);
    for (size_t i = 0; i < length; next = entries[i++].value + 1) {
        for (; next < entries[i].value; next++)
            cr_expect_eq(counts[next], 0, "row %d, value %u", row, next);
        cr_expect_eq(counts[next], entries[i].count, "row %d, value %u", row, next);
    }
    for (; next < 1U << bits; next++)
        cr_expect_eq(counts[next], 0, "row %d, value %u", row, next);
}

#define EXPECT_ROW(bits, row, ...)                                                                 \
    expect_row(bits, row, (const Entry[]){__VA_ARGS__},                                            \
               sizeof((const Entry[]){__VA_ARGS__}) / sizeof(Entry))

Test(histogram, gray_of_every_depth_is_counted)
{
    const uint8_t one[] = {0, 1, 1}, two[] = {3, 0, 3}, four[] = {15, 7, 15};
    const uint8_t eight[] = {255, 0, 255, 254};
    const uint16_t sixteen[] = {65535, 256, 1, 65535};
    count(one, 3, 1, (ImgFormat){IMG_COLOR_GRAY, 1}, PLAIN);
    EXPECT_ROW(1, 0, {0, 1}, {1, 2});
    count(two, 1, 3, (ImgFormat){IMG_COLOR_GRAY, 2}, PLAIN);
    EXPECT_ROW(2, 0, {0, 1}, {3, 2});
    count(four, 3, 1, (ImgFormat){IMG_COLOR_GRAY, 4}, PLAIN);
    EXPECT_ROW(4, 0, {7, 1}, {15, 2});
    count(eight, 2, 2, (ImgFormat){IMG_COLOR_GRAY, 8}, PLAIN);
    EXPECT_ROW(8, 0, {0, 1}, {254, 1}, {255, 2});
    count(sixteen, 2, 2, (ImgFormat){IMG_COLOR_GRAY, 16}, PLAIN);
    EXPECT_ROW(16, 0, {1, 1}, {256, 1}, {65535, 2});
}

Test(histogram, palette_pictures_count_indices)
{
    const uint8_t indices[] = {2, 0, 2, 1};
    count(indices, 4, 1, (ImgFormat){IMG_COLOR_PALETTE, 2}, PLAIN);
    EXPECT_ROW(2, 0, {0, 1}, {1, 1}, {2, 2});
}

Test(histogram, gray_with_alpha_has_two_rows)
{
    const uint8_t eight[] = {10, 0, /**/ 10, 255, /**/ 20, 0};
    count(eight, 3, 1, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, PLAIN);
    EXPECT_ROW(8, 0, {10, 2}, {20, 1});
    EXPECT_ROW(8, 1, {0, 2}, {255, 1});
    const uint16_t sixteen[] = {1000, 65535, /**/ 2000, 256};
    count(sixteen, 1, 2, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 16}, PLAIN);
    EXPECT_ROW(16, 0, {1000, 1}, {2000, 1});
    EXPECT_ROW(16, 1, {256, 1}, {65535, 1});
}

/* The luma of the second pixel is (6966 * 1 + 23436 * 2 + 2366 * 3 + 16384) >> 15 = 77320 >> 15 =
 * 2. */
Test(histogram, rgb_has_a_row_for_luma)
{
    const uint8_t pixels[] = {255, 255, 255, /**/ 1, 2, 3, /**/ 1, 0, 0};
    count(pixels, 3, 1, (ImgFormat){IMG_COLOR_RGB, 8}, PLAIN);
    EXPECT_ROW(8, 0, {1, 2}, {255, 1});
    EXPECT_ROW(8, 1, {0, 1}, {2, 1}, {255, 1});
    EXPECT_ROW(8, 2, {0, 1}, {3, 1}, {255, 1});
    EXPECT_ROW(8, 3, {0, 1}, {2, 1}, {255, 1});
}

Test(histogram, without_luma_rgb_has_three_rows)
{
    ImgHistogramParams none = {IMG_LUMA_NONE, IMG_TRANSPARENT_COUNT};
    const uint16_t pixels[] = {1, 2, 3};
    cr_expect_eq(img_histogram_rows((ImgFormat){IMG_COLOR_RGB, 16}, &none), 3);
    cr_expect_eq(img_histogram_rows((ImgFormat){IMG_COLOR_RGBA, 16}, &PLAIN), 5);
    cr_expect_eq(img_histogram_rows((ImgFormat){IMG_COLOR_PALETTE, 8}, &PLAIN), 1);
    count(pixels, 1, 1, (ImgFormat){IMG_COLOR_RGB, 16}, none);
    EXPECT_ROW(16, 0, {1, 1});
    EXPECT_ROW(16, 1, {2, 1});
    EXPECT_ROW(16, 2, {3, 1});
}

/* 255 times the weights 0.2126, 0.7152 and 0.0722 is 54.2, 182.4 and 18.4. 65535 times the integer
 * weights, in units of 1/32768, is 13931.8, 46871.3 and 4731.9. */
Test(histogram, luma_of_primaries_follows_bt709)
{
    ImgFormat eight = {IMG_COLOR_RGB, 8}, sixteen = {IMG_COLOR_RGBA, 16};
    const uint8_t small[] = {0, 0, 0,  /**/ 255, 255, 255, /**/ 255, 0, 0, /**/ 0, 255, 0, /**/
                             0, 0, 255};
    count(small, 5, 1, eight, PLAIN);
    EXPECT_ROW(8, 3, {0, 1}, {18, 1}, {54, 1}, {182, 1}, {255, 1});
    const uint16_t large[] = {0,     0, 0,     9, /**/ 65535, 65535, 65535, 9, /**/
                              65535, 0, 0,     9, /**/ 0,     65535, 0,     9, /**/
                              0,     0, 65535, 9};
    count(large, 5, 1, sixteen, PLAIN);
    EXPECT_ROW(16, 4, {0, 1}, {4732, 1}, {13932, 1}, {46871, 1}, {65535, 1});
}

/* 255 times 0.299, 0.587 and 0.114 is 76.2, 149.7 and 29.1. */
Test(histogram, luma_of_primaries_follows_bt601)
{
    ImgHistogramParams params = {IMG_LUMA_601, IMG_TRANSPARENT_COUNT};
    const uint8_t pixels[] = {0, 0,   0, 9, /**/ 255, 255, 255, 9, /**/ 255, 0, 0, 9, /**/
                              0, 255, 0, 9, /**/ 0,   0,   255, 9};
    count(pixels, 5, 1, (ImgFormat){IMG_COLOR_RGBA, 8}, params);
    EXPECT_ROW(8, 4, {0, 1}, {29, 1}, {76, 1}, {150, 1}, {255, 1});
}

/* Weights are in units of 2^-15, so one half is 16384. Blue 6 gives 2366 * 6 = 14196, less than one
 * half, and blue 7 gives 16562. Red 8 and blue 206 give 6966 * 8 + 2366 * 206 = 543124, which is
 * 16.57. */
Test(histogram, luma_rounds_half_up)
{
    const uint8_t pixels[] = {0, 0, 6, /**/ 0, 0, 7, /**/ 8, 0, 206};
    count(pixels, 3, 1, (ImgFormat){IMG_COLOR_RGB, 8}, PLAIN);
    EXPECT_ROW(8, 3, {0, 1}, {1, 1}, {17, 1});
    for (uint32_t gray = 0; gray < 65536; gray++) {
        cr_assert_eq(img_luma(img_luma_weights(IMG_LUMA_709), gray, gray, gray), gray);
        cr_assert_eq(img_luma(img_luma_weights(IMG_LUMA_601), gray, gray, gray), gray);
    }
}

Test(histogram, transparent_pixels_are_skipped_on_request)
{
    ImgHistogramParams skip = {IMG_LUMA_709, IMG_TRANSPARENT_SKIP};
    const uint8_t pixels[] = {9, 9, 9, 0, /**/ 5, 5, 5, 1, /**/ 7, 7, 7, 255};
    count(pixels, 3, 1, (ImgFormat){IMG_COLOR_RGBA, 8}, skip);
    for (int row = 0; row < 3; row++)
        EXPECT_ROW(8, row, {5, 1}, {7, 1});
    EXPECT_ROW(8, 3, {1, 1}, {255, 1});
    EXPECT_ROW(8, 4, {5, 1}, {7, 1});
    /* An alpha of 256 is not 0, although its low byte is 0. */
    const uint16_t sixteen[] = {3, 256, /**/ 4, 0};
    count(sixteen, 2, 1, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 16}, skip);
    EXPECT_ROW(16, 0, {3, 1});
    EXPECT_ROW(16, 1, {256, 1});
    /* Without alpha nothing is transparent. */
    const uint8_t black[] = {0, 0, 0};
    count(black, 1, 1, (ImgFormat){IMG_COLOR_RGB, 8}, skip);
    EXPECT_ROW(8, 2, {0, 1});
}

Test(histogram, padding_is_not_counted)
{
    const uint8_t pixels[] = {1, 2, 99, 99, /**/ 3, 4, 99, 99, /**/ 1, 1};
    count_rows(pixels, 4, (ImgShape){2, 3, {IMG_COLOR_GRAY, 8}}, PLAIN, table);
    EXPECT_ROW(8, 0, {1, 3}, {2, 1}, {3, 1}, {4, 1});
}

Test(histogram, a_table_of_counts_is_not_a_picture)
{
    ImgShape result, counts = {256, 1, {IMG_COLOR_COUNTS, 64}};
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_measure_histogram.shape(counts, &PLAIN, &result, &err), IMG_E_UNSUPPORTED);
}

static uint8_t *random_bytes(size_t size)
{
    uint8_t *bytes = malloc(size);
    uint32_t state = 1;
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
    }
    return bytes;
}

/* Each row counts every pixel once. The counts of the two halves of a picture add up to the counts
 * of the whole picture. */
Test(histogram, rows_sum_to_the_pixels_and_halves_to_the_whole)
{
    enum { WIDTH = 37, HEIGHT = 29, UPPER = 11 };
    const ImgFormat formats[] = {{IMG_COLOR_RGB, 8}, {IMG_COLOR_RGBA, 16}};
    for (size_t f = 0; f < 2; f++) {
        size_t stride = WIDTH * img_format_pixel_size(formats[f]) + 5;
        stride -= stride % 2;
        uint8_t *pixels = random_bytes(stride * HEIGHT);
        size_t entries = (size_t)1 << formats[f].bits;
        int32_t rows = img_histogram_rows(formats[f], &PLAIN);
        uint64_t *sum = calloc((size_t)rows * entries, sizeof *sum);
        cr_assert_not_null(sum);
        count_rows(pixels, stride, (ImgShape){WIDTH, UPPER, formats[f]}, PLAIN, table);
        count_rows(pixels + UPPER * stride, stride, (ImgShape){WIDTH, HEIGHT - UPPER, formats[f]},
                   PLAIN, other);
        for (size_t i = 0; i < (size_t)rows * entries; i++)
            sum[i] = table[i] + other[i];
        count_rows(pixels, stride, (ImgShape){WIDTH, HEIGHT, formats[f]}, PLAIN, table);
        cr_expect_eq(memcmp(sum, table, (size_t)rows * entries * sizeof *sum), 0);
        for (int32_t row = 0; row < rows; row++) {
            uint64_t pixels_counted = 0;
            for (size_t v = 0; v < entries; v++)
                pixels_counted += table[(size_t)row * entries + v];
            cr_expect_eq(pixels_counted, WIDTH * HEIGHT);
        }
        free(sum);
        free(pixels);
    }
}

Test(histogram, the_function_matches_the_reference_for_any_threads)
{
    const ImgShape shape = {701, 499, {IMG_COLOR_RGBA, 8}};
    ImgHistogramParams skip = {IMG_LUMA_601, IMG_TRANSPARENT_SKIP};
    size_t stride = (size_t)shape.width * 4;
    uint8_t *pixels = random_bytes(stride * (size_t)shape.height);
    ImgView view = img_view_make(pixels, stride, shape);
    count_rows(pixels, stride, shape, skip, table);
    for (int threads = 1; threads <= 3; threads++) {
        ImgError err = {IMG_OK, ""};
        memset(other, 0x77, sizeof other);
        cr_assert_eq(img_histogram_count(&view, &skip, NULL, threads, other, &err), IMG_OK, "%s",
                     err.message);
        cr_expect_eq(memcmp(table, other, 5 * 256 * sizeof *table), 0);
    }
    free(pixels);
}

/* --- Rows that arrive in order ---------------------------------------------------------------- */

/* Counts a picture with the row-by-row form of an implementation, `size` rows per call. Each call
 * gets a copy of its rows, which is freed afterwards, so that sanitizers report a later access. */
static void count_by_rows(const ImgImpl *impl, const ImgView *src, const ImgHistogramParams *params,
                          int32_t size, uint64_t *counts)
{
    ImgShape result;
    void *state;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_measure_histogram.shape(img_view_shape(src), params, &result, &err), IMG_OK);
    const ImgCall call = {.op = &img_measure_histogram,
                          .src = img_view_make(NULL, 0, img_view_shape(src)),
                          .dst = img_view_make(counts, (size_t)result.width * 8, result),
                          .params = params,
                          .threads = 1};
    memset(counts, 0xa5, sizeof table);
    cr_assert_eq(impl->by_rows->begin(&call, &state, &err), IMG_OK, "%s", err.message);
    for (int32_t y = 0; y < src->height; y += size) {
        const int32_t rows = src->height - y < size ? src->height - y : size;
        const size_t bytes = (size_t)(rows - 1) * src->stride +
                             (size_t)src->width * img_format_pixel_size(src->format);
        uint8_t *copy = malloc(bytes);
        memcpy(copy, src->data + (size_t)y * src->stride, bytes);
        const ImgView band =
            img_view_make(copy, src->stride, (ImgShape){src->width, rows, src->format});
        impl->by_rows->take(state, &band, y);
        free(copy);
    }
    impl->by_rows->end(state);
}

/* Compares all row-by-row forms with the reference, for bands of 1 row, of prime heights, and of
 * more rows than the picture has. */
static void expect_by_rows(const ImgView *src, ImgHistogramParams params)
{
    static const int32_t sizes[] = {1, 2, 7, 13, 101, 1000};
    const size_t entries = (size_t)img_histogram_rows(src->format, &params)
                           << (unsigned)src->format.bits;
    count_rows(src->data, src->stride, img_view_shape(src), params, table);
    int checked = 0;
    for (const ImgImpl *impl = img_measure_histogram.impls; impl->name != NULL; impl++) {
        if (impl->by_rows == NULL || impl->run == NULL || impl->cpu_level > img_cpu_level())
            continue;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, checked++) {
            count_by_rows(impl, src, &params, sizes[i], other);
            cr_expect_eq(memcmp(table, other, entries * sizeof *table), 0,
                         "%s: color %d, %d bits, %d rows at a time", impl->name,
                         (int)src->format.color, src->format.bits, sizes[i]);
        }
    }
    cr_expect_gt(checked, 0);
}

Test(histogram, rows_in_order_give_the_counts_of_the_whole_picture)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},
        {IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_GRAY_ALPHA, 8},
        {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 8},     {IMG_COLOR_RGB, 16},
        {IMG_COLOR_RGBA, 8},        {IMG_COLOR_RGBA, 16},   {IMG_COLOR_PALETTE, 1},
        {IMG_COLOR_PALETTE, 2},     {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_PALETTE, 8}};
    const ImgShape shape = {97, 53, {IMG_COLOR_RGBA, 16}};
    uint8_t *bytes = random_bytes((size_t)(shape.width * 8 + 6) * (size_t)shape.height);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const size_t row = (size_t)shape.width * img_format_pixel_size(formats[f]);
        uint8_t *pixels = malloc((row + 6) * (size_t)shape.height);
        for (size_t i = 0; i < (row + 6) * (size_t)shape.height; i++)
            pixels[i] = formats[f].bits < 8 ? bytes[i] >> (8 - formats[f].bits) : bytes[i];
        for (size_t padding = 0; padding <= 6; padding += 6) {
            const ImgView view = img_view_make(pixels, row + padding,
                                               (ImgShape){shape.width, shape.height, formats[f]});
            expect_by_rows(&view, PLAIN);
            expect_by_rows(&view, (ImgHistogramParams){IMG_LUMA_NONE, IMG_TRANSPARENT_SKIP});
            expect_by_rows(&view, (ImgHistogramParams){IMG_LUMA_601, IMG_TRANSPARENT_SKIP});
        }
        free(pixels);
    }
    free(bytes);
}

/* Pairs of pixels are counted only in large pictures. An odd number of pixels per band leaves one
 * pixel without a partner. */
Test(histogram, rows_in_order_are_counted_in_pairs)
{
    enum { WIDTH = 1031, HEIGHT = 521 };
    uint8_t *pixels = random_bytes((size_t)2 * WIDTH * HEIGHT);
    const ImgFormat gray = {IMG_COLOR_GRAY, 8}, alpha = {IMG_COLOR_GRAY_ALPHA, 8};
    const ImgHistogramParams skip = {IMG_LUMA_709, IMG_TRANSPARENT_SKIP};
    ImgView view = img_view_make(pixels, WIDTH, (ImgShape){WIDTH, HEIGHT, gray});
    expect_by_rows(&view, PLAIN);
    view = img_view_make(pixels, (size_t)2 * WIDTH, (ImgShape){WIDTH, HEIGHT, alpha});
    expect_by_rows(&view, PLAIN);
    expect_by_rows(&view, skip);
    free(pixels);
}

Test(histogram, rows_in_order_are_counted_in_parts_in_large_pictures)
{
    enum { WIDTH = 1 << 20, HEIGHT = 257, AT_ONCE = 100 };
    uint8_t *row = calloc(WIDTH, 1);
    cr_assert_not_null(row);
    row[WIDTH - 1] = 3;
    void *state;
    const ImgFormat gray = {IMG_COLOR_GRAY, 8};
    const ImgImpl *impl = img_measure_histogram.impls + 1;
    const ImgCall call = {.op = &img_measure_histogram,
                          .src = img_view_make(NULL, 0, (ImgShape){WIDTH, HEIGHT, gray}),
                          .dst = img_view_make(table, 256 * 8, (ImgShape){256, 1, gray}),
                          .params = &PLAIN,
                          .threads = 1};
    cr_assert_eq(impl->by_rows->begin(&call, &state, NULL), IMG_OK);
    for (int32_t y = 0; y < HEIGHT; y += AT_ONCE) {
        const int32_t rows = HEIGHT - y < AT_ONCE ? HEIGHT - y : AT_ONCE;
        const ImgView band = img_view_make(row, 0, (ImgShape){WIDTH, rows, gray});
        impl->by_rows->take(state, &band, y);
    }
    impl->by_rows->end(state);
    EXPECT_ROW(8, 0, {0, (uint64_t)(WIDTH - 1) * HEIGHT}, {3, HEIGHT});
    free(row);
}

/* A stride of 0 repeats one row. It simulates more pixels than one counting pass allows, without
 * allocating them. */
Test(histogram, large_pictures_are_counted_in_parts)
{
    enum { WIDTH = 1 << 20, HEIGHT = 257 };
    uint8_t *row = calloc(WIDTH, 1);
    cr_assert_not_null(row);
    row[WIDTH - 1] = 3;
    ImgView view = img_view_make(row, 0, (ImgShape){WIDTH, HEIGHT, {IMG_COLOR_GRAY, 8}});
    cr_assert_eq(img_histogram_count(&view, &PLAIN, NULL, 2, table, NULL), IMG_OK);
    EXPECT_ROW(8, 0, {0, (uint64_t)(WIDTH - 1) * HEIGHT}, {3, HEIGHT});
    free(row);
}
