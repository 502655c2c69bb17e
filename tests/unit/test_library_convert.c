/* Tests of the pictures of libimgtool, and of conversion between pixel formats. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/library/imgtool.h"

static imgtool_context *context;

static void open_context(void)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 2;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
}

static void close_context(void)
{
    imgtool_context_destroy(context);
}

TestSuite(library_convert, .init = open_context, .fini = close_context);

static imgtool_picture picture_of(imgtool_color color, int32_t bits, int32_t width, int32_t height,
                                  void *pixels)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.width = width;
    picture.height = height;
    picture.format = (imgtool_format){color, bits};
    picture.pixels = pixels;
    picture.stride = (size_t)width * imgtool_pixel_size(picture.format);
    return picture;
}

/* Converts one row of pixels, and expects that the result has exactly the bytes of `expected`. */
static void expect_row(imgtool_color from_color, int32_t from_bits, const void *from, int32_t width,
                       imgtool_color to_color, int32_t to_bits, const void *expected)
{
    unsigned char pixels[256] __attribute__((aligned(8))), copy[256] __attribute__((aligned(8)));
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture source = picture_of(from_color, from_bits, width, 1, copy);
    imgtool_picture to = picture_of(to_color, to_bits, width, 1, pixels);
    memcpy(copy, from, source.stride);
    memset(pixels, 0xEE, sizeof pixels);
    cr_assert_eq(imgtool_convert(context, &source, &to, &error), IMGTOOL_OK, "%s", error.message);
    cr_expect_arr_eq(pixels, expected, to.stride);
    cr_expect_eq(pixels[to.stride], 0xEE);
}

#define U8(...)  ((const uint8_t[]){__VA_ARGS__})
#define U16(...) ((const uint16_t[]){__VA_ARGS__})
#define F32(...) ((const float[]){__VA_ARGS__})

Test(library_convert, channels_are_reordered)
{
    const uint8_t *rgba = U8(1, 2, 3, 4, 5, 6, 7, 8);
    expect_row(IMGTOOL_RGBA, 8, rgba, 2, IMGTOOL_BGRA, 8, U8(3, 2, 1, 4, 7, 6, 5, 8));
    expect_row(IMGTOOL_BGRA, 8, rgba, 2, IMGTOOL_RGB, 8, U8(3, 2, 1, 7, 6, 5));
    expect_row(IMGTOOL_RGB, 8, U8(1, 2, 3), 1, IMGTOOL_BGRA, 8, U8(3, 2, 1, 255));
    expect_row(IMGTOOL_RGB, 8, U8(1, 2, 3), 1, IMGTOOL_RGBA, 8, U8(1, 2, 3, 255));
    expect_row(IMGTOOL_RGBA, 8, rgba, 2, IMGTOOL_RGBA, 8, rgba);
}

Test(library_convert, gray_becomes_equal_colours)
{
    expect_row(IMGTOOL_GRAY, 8, U8(7, 9), 2, IMGTOOL_RGB, 8, U8(7, 7, 7, 9, 9, 9));
    expect_row(IMGTOOL_GRAY, 8, U8(7), 1, IMGTOOL_GRAY_ALPHA, 8, U8(7, 255));
    expect_row(IMGTOOL_GRAY_ALPHA, 8, U8(7, 3), 1, IMGTOOL_BGRA, 8, U8(7, 7, 7, 3));
    expect_row(IMGTOOL_GRAY_ALPHA, 8, U8(7, 3), 1, IMGTOOL_GRAY, 8, U8(7));
}

/* Luma is 0.2126 R + 0.7152 G + 0.0722 B. For the primaries that is 54.213, 182.376 and 18.411 of
 * 255. */
Test(library_convert, colours_become_luma)
{
    const uint8_t primaries[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    expect_row(IMGTOOL_RGB, 8, primaries, 4, IMGTOOL_GRAY, 8, U8(54, 182, 18, 255));
    expect_row(IMGTOOL_BGRA, 8, U8(255, 0, 0, 9), 1, IMGTOOL_GRAY_ALPHA, 8, U8(18, 9));
    /* The luma is 13932.7 with 16 bits and 54.2 with 8 bits. */
    expect_row(IMGTOOL_RGB, 16, U16(65535, 0, 0), 1, IMGTOOL_GRAY, 16, U16(13933));
    expect_row(IMGTOOL_RGB, 16, U16(65535, 0, 0), 1, IMGTOOL_GRAY, 8, U8(54));
    expect_row(IMGTOOL_RGB, 8, U8(255, 0, 0), 1, IMGTOOL_GRAY, 16, U16(54 * 257));
}

Test(library_convert, depths_are_rounded_and_widened)
{
    expect_row(IMGTOOL_GRAY, 8, U8(0, 1, 255), 3, IMGTOOL_GRAY, 16, U16(0, 257, 65535));
    /* 128 / 257 = 0.498 is rounded down, and 129 / 257 = 0.502 is rounded up. */
    expect_row(IMGTOOL_GRAY, 16, U16(0, 128, 129, 65406, 65407), 5, IMGTOOL_GRAY, 8,
               U8(0, 0, 1, 254, 255));
    expect_row(IMGTOOL_GRAY, 1, U8(0, 1), 2, IMGTOOL_GRAY, 8, U8(0, 255));
    expect_row(IMGTOOL_GRAY, 2, U8(0, 1, 2, 3), 4, IMGTOOL_GRAY, 8, U8(0, 85, 170, 255));
    expect_row(IMGTOOL_GRAY, 4, U8(1, 15), 2, IMGTOOL_RGB, 16,
               U16(4369, 4369, 4369, 65535, 65535, 65535));
    expect_row(IMGTOOL_RGBA, 16, U16(65535, 257, 0, 514), 1, IMGTOOL_BGRA, 8, U8(0, 1, 255, 2));
}

Test(library_convert, floats_range_from_0_to_1)
{
    expect_row(IMGTOOL_GRAY, 8, U8(0, 51, 255), 3, IMGTOOL_GRAY, 32, F32(0, 0.2F, 1));
    expect_row(IMGTOOL_GRAY, 16, U16(65535, 13107), 2, IMGTOOL_GRAY, 32, F32(1, 0.2F));
    expect_row(IMGTOOL_GRAY, 2, U8(3), 1, IMGTOOL_RGBA, 32, F32(1, 1, 1, 1));
    expect_row(IMGTOOL_GRAY, 32, F32(-1, 0.5F, 2, (float)(0.0 / 0.0)), 4, IMGTOOL_GRAY, 8,
               U8(0, 128, 255, 0));
    expect_row(IMGTOOL_RGB, 32, F32(1, 1, 1), 1, IMGTOOL_GRAY, 16, U16(65535));
    expect_row(IMGTOOL_RGB, 32, F32(3, -2, 0.5F), 1, IMGTOOL_RGB, 32, F32(3, -2, 0.5F));
}

/* Converts every pair of formats with channels there and back. The picture has more rows than there
 * are threads. */
Test(library_convert, conversions_keep_the_information_that_both_formats_have)
{
    static const imgtool_format formats[] = {
        {IMGTOOL_GRAY, 8},        {IMGTOOL_GRAY_ALPHA, 8},  {IMGTOOL_RGB, 8},   {IMGTOOL_RGBA, 8},
        {IMGTOOL_BGRA, 8},        {IMGTOOL_GRAY, 16},       {IMGTOOL_RGB, 16},  {IMGTOOL_RGBA, 16},
        {IMGTOOL_GRAY_ALPHA, 16}, {IMGTOOL_GRAY_ALPHA, 32}, {IMGTOOL_GRAY, 32}, {IMGTOOL_RGBA, 32},
        {IMGTOOL_RGB, 32},
    };
    enum { FORMATS = sizeof formats / sizeof *formats, WIDTH = 3, HEIGHT = 7 };
    for (int i = 0; i < FORMATS; i++)
        for (int j = 0; j < FORMATS; j++) {
            uint8_t first[WIDTH * HEIGHT], last[WIDTH * HEIGHT];
            for (int k = 0; k < WIDTH * HEIGHT; k++)
                first[k] = (uint8_t)(12 * k);
            imgtool_picture gray = picture_of(IMGTOOL_GRAY, 8, WIDTH, HEIGHT, first);
            imgtool_picture ways[2] = {IMGTOOL_PICTURE_INIT, IMGTOOL_PICTURE_INIT};
            imgtool_picture back = picture_of(IMGTOOL_GRAY, 8, WIDTH, HEIGHT, last);
            for (int k = 0; k < 2; k++) {
                ways[k].width = WIDTH;
                ways[k].height = HEIGHT;
                ways[k].format = formats[k == 0 ? i : j];
                cr_assert_eq(imgtool_picture_allocate(context, &ways[k], NULL), IMGTOOL_OK);
            }
            cr_expect_eq(imgtool_convert(context, &gray, &ways[0], NULL), IMGTOOL_OK);
            cr_expect_eq(imgtool_convert(context, &ways[0], &ways[1], NULL), IMGTOOL_OK);
            cr_expect_eq(imgtool_convert(context, &ways[1], &back, NULL), IMGTOOL_OK);
            cr_expect_arr_eq(first, last, sizeof first, "%d to %d", i, j);
            imgtool_picture_free(context, &ways[0]);
            imgtool_picture_free(context, &ways[1]);
        }
}

Test(library_convert, bytes_between_rows_are_not_changed)
{
    uint8_t from[] = {1, 2, 9, 3, 4, 9}, to[] = {9, 9, 9, 9, 9, 9, 9, 9};
    imgtool_picture source = picture_of(IMGTOOL_GRAY, 8, 2, 2, from);
    imgtool_picture result = picture_of(IMGTOOL_GRAY, 8, 2, 2, to);
    source.stride = 3;
    result.stride = 4;
    cr_assert_eq(imgtool_convert(context, &source, &result, NULL), IMGTOOL_OK);
    cr_expect_arr_eq(to, ((const uint8_t[]){1, 2, 9, 9, 3, 4, 9, 9}), sizeof to);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void expect_refused(const imgtool_picture *from, imgtool_picture *to, imgtool_status status,
                           const char *message)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    cr_expect_eq(imgtool_convert(context, from, to, &error), status);
    cr_expect_eq(error.status, status);
    cr_expect_str_eq(error.message, message);
}

Test(library_convert, mistakes_are_named)
{
    uint8_t pixels[64] __attribute__((aligned(8))) = {0}, others[64] = {0};
    imgtool_picture from = picture_of(IMGTOOL_RGB, 8, 2, 2, pixels);
    imgtool_picture to = picture_of(IMGTOOL_GRAY, 8, 2, 2, others);
    imgtool_picture broken = from;
    broken.size = 0;
    expect_refused(
        &broken, &to, IMGTOOL_E_USAGE,
        "imgtool_picture: the size 0 is invalid; fill it with the initialiser of its name");
    broken = from;
    broken.height = 0;
    expect_refused(&broken, &to, IMGTOOL_E_USAGE,
                   "from: 2 x 0 pixels is not a picture; width and height must be at least 1");
    broken = from;
    broken.stride = 5;
    expect_refused(&broken, &to, IMGTOOL_E_USAGE,
                   "from: a stride of 5 bytes is less than the 6 of a row");
    broken = from;
    broken.format.bits = 12;
    expect_refused(&broken, &to, IMGTOOL_E_USAGE, "from: unknown pixel format RGB of 12 bits");
    broken = from;
    broken.pixels = NULL;
    expect_refused(&broken, &to, IMGTOOL_E_USAGE, "from: pixels is NULL");
    broken = picture_of(IMGTOOL_GRAY, 16, 2, 2, pixels + 1);
    expect_refused(&broken, &to, IMGTOOL_E_USAGE,
                   "from: pixels and stride must be multiples of a sample's 2 bytes");
    broken = to;
    broken.width = 1;
    expect_refused(&from, &broken, IMGTOOL_E_USAGE, "to: it has 1 x 2 pixels, and from 2 x 2");
    broken = to;
    broken.pixels = pixels + 11;
    expect_refused(&from, &broken, IMGTOOL_E_USAGE, "the pixels of to and from overlap");
    broken = picture_of(IMGTOOL_PALETTE, 8, 2, 2, others);
    expect_refused(&from, &broken, IMGTOOL_E_UNSUPPORTED,
                   "RGB of 8 bits cannot be converted to palette of 8 bits here");
    expect_refused(NULL, &to, IMGTOOL_E_USAGE, "from is NULL");
    cr_expect_eq(imgtool_convert(NULL, &from, &to, NULL), IMGTOOL_E_USAGE);
}

Test(library_convert, samples_must_fit_their_bits)
{
    uint8_t pixels[] = {0, 15, 16}, others[] = {9, 9, 9};
    imgtool_picture from = picture_of(IMGTOOL_GRAY, 4, 3, 1, pixels);
    for (int32_t bits = 4; bits <= 8; bits += 4) {
        imgtool_picture to = picture_of(IMGTOOL_GRAY, bits, 3, 1, others);
        expect_refused(&from, &to, IMGTOOL_E_USAGE, "from: a sample is more than 4 bits can hold");
        cr_expect_arr_eq(others, ((const uint8_t[]){9, 9, 9}), sizeof others);
    }
}

/* --- Pictures and contexts -------------------------------------------------------------------- */

Test(library_convert, pixel_sizes_are_known)
{
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_GRAY, 1}), 1);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_RGB, 16}), 6);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_RGBA, 32}), 16);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_BGRA, 16}), 0);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_AS_IT_IS, 8}), 0);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){IMGTOOL_PALETTE, 16}), 0);
    cr_expect_eq(imgtool_pixel_size((imgtool_format){(imgtool_color)99, 8}), 0);
}

typedef struct Counter {
    int taken, given;
    bool refuses;
} Counter;

static void *take(void *user, size_t size)
{
    Counter *counter = user;
    if (counter->refuses)
        return NULL;
    counter->taken++;
    return malloc(size);
}

static void give(void *user, void *memory)
{
    ((Counter *)user)->given++;
    free(memory);
}

Test(library_convert, pixels_come_from_the_callers_allocator)
{
    Counter counter = {0};
    imgtool_context *own = NULL;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    config.allocator = (imgtool_allocator){take, give, &counter};
    cr_assert_eq(imgtool_context_create(&config, &own, &error), IMGTOOL_OK);
    picture.width = picture.height = 100;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    cr_assert_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_OK);
    cr_expect(picture.owned);
    cr_expect_geq(picture.stride, 400);
    memset(picture.pixels, 1, 100 * picture.stride);
    cr_expect_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_E_USAGE);
    cr_assert_eq(imgtool_run_text(own, "rotate | crop width=20", &picture, &error), IMGTOOL_OK);
    cr_expect_eq(counter.taken, 2);
    cr_expect_eq(counter.given, 1);
    imgtool_picture_free(own, &picture);
    imgtool_picture_free(own, &picture);
    cr_expect_eq(counter.given, 2);
    cr_expect_null(picture.pixels);
    counter.refuses = true;
    picture.width = picture.height = 2;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    cr_expect_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_E_MEMORY);
    cr_expect_not(picture.owned);
    imgtool_context_destroy(own);
}

Test(library_convert, limits_are_enforced)
{
    imgtool_context *own = NULL;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    config.max_pixels = 100;
    config.max_memory = 1000;
    cr_assert_eq(imgtool_context_create(&config, &own, NULL), IMGTOOL_OK);
    picture.width = 10;
    picture.height = 11;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    cr_expect_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_E_LIMIT);
    cr_expect_str_eq(error.message, "picture: 10 x 11 is 110 pixels, more than the limit of 100");
    picture.height = 10;
    picture.format.bits = 32;
    cr_expect_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_E_LIMIT);
    picture.width = picture.height = INT32_MAX;
    cr_expect_eq(imgtool_picture_allocate(own, &picture, &error), IMGTOOL_E_LIMIT);
    imgtool_context_destroy(own);
}

static void expect_no_context(imgtool_config config, imgtool_status status)
{
    imgtool_context *none = context;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    cr_expect_eq(imgtool_context_create(&config, &none, &error), status);
    cr_expect_null(none);
    cr_expect(error.message[0] != '\0');
}

Test(library_convert, contexts_are_checked)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = -1;
    expect_no_context(config, IMGTOOL_E_USAGE);
    config.threads = 0;
    config.backend = (imgtool_backend)7;
    expect_no_context(config, IMGTOOL_E_USAGE);
    config.backend = IMGTOOL_BACKEND_AUTO;
    config.allocator.allocate = take;
    expect_no_context(config, IMGTOOL_E_USAGE);
    config.allocator.allocate = NULL;
    config.size = 8;
    expect_no_context(config, IMGTOOL_E_USAGE);
    config.size = sizeof config;
    config.max_pixels = UINT64_MAX;
    expect_no_context(config, IMGTOOL_E_USAGE);
    imgtool_context_destroy(NULL);
}

/* A caller that was built with another version of the library has a struct of another size. */
Test(library_convert, messages_fit_the_callers_struct)
{
    char memory[sizeof(imgtool_error) + 8];
    imgtool_error *error = (imgtool_error *)(void *)memory;
    memset(memory, 'x', sizeof memory);
    error->size = offsetof(imgtool_error, message) + 6;
    cr_expect_eq(imgtool_context_create(NULL, NULL, error), IMGTOOL_E_USAGE);
    cr_expect_str_eq(error->message, "conte");
    cr_expect_eq(error->message[6], 'x');
    error->size = 4;
    cr_expect_eq(imgtool_context_create(NULL, NULL, error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_context_create(NULL, NULL, NULL), IMGTOOL_E_USAGE);
    for (int status = IMGTOOL_OK; status <= IMGTOOL_E_CANCELLED; status++)
        cr_expect(imgtool_status_text((imgtool_status)status)[0] != '\0');
}

/* Two views may be halves of one sheet, in either direction, if they do not overlap. Moving the
 * right view shows where the overlap begins. */
Test(library_convert, views_may_share_a_sheet_but_not_overlap)
{
    enum { STRIDE = 64, ROWS = 5, WIDTH = 30 };
    static uint8_t sheet[STRIDE * ROWS];
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (int at = 0; at <= STRIDE - WIDTH; at++) {
        imgtool_picture left = picture_of(IMGTOOL_GRAY, 8, WIDTH, ROWS, sheet);
        imgtool_picture right = picture_of(IMGTOOL_GRAY, 8, WIDTH, ROWS, sheet + at);
        left.stride = right.stride = STRIDE;
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < STRIDE; x++)
                sheet[y * STRIDE + x] = (uint8_t)(x + y);
        const bool apart = at >= WIDTH;
        cr_expect_eq(imgtool_convert(context, &left, &right, &error),
                     apart ? IMGTOOL_OK : IMGTOOL_E_USAGE, "%d", at);
        cr_expect_eq(imgtool_convert(context, &right, &left, &error),
                     apart ? IMGTOOL_OK : IMGTOOL_E_USAGE, "%d", at);
        for (int y = 0; apart && y < ROWS; y++)
            for (int x = 0; x < STRIDE; x++)
                cr_expect_eq(sheet[y * STRIDE + x], (x >= at && x < at + WIDTH ? x - at : x) + y);
    }
}
