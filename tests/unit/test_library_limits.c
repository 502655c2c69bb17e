/* Tests of max_memory. It limits the pictures of a call together with its working memory. Where
 * that memory is known, the limit is exact to the byte. */
#include "io/png/thread_count.h"
#include "kernels/compare/compare.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "test_library.h"

/* Each row fills whole cache lines. The library aligns rows to cache lines, so rows of this width
 * have no padding. */
enum { WIDTH = 576, HEIGHT = 350, PIXELS = WIDTH * HEIGHT };

static imgtool_context *limited(uint64_t bytes, int32_t threads)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_memory = bytes;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

/* Returns a picture of noise. The caller frees it. */
static imgtool_picture made(imgtool_color color, int32_t bits)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = (imgtool_format){color, bits};
    picture.stride = WIDTH * imgtool_pixel_size(picture.format);
    uint8_t *pixels = malloc(picture.stride * HEIGHT);
    for (size_t i = 0; i < picture.stride * HEIGHT; i++)
        pixels[i] = (uint8_t)((i * 2654435761U + 12345) >> 11);
    picture.pixels = pixels;
    return picture;
}

/* --- Measurements ----------------------------------------------------------------------------- */

typedef imgtool_status Call(imgtool_context *context, imgtool_error *error);

/* Expects that the call succeeds with a memory limit of `bytes` bytes, and fails with one byte
 * less. The same limit must suffice if 8 threads are allowed: the call then uses only as many
 * threads as the memory allows. */
static void expect_need(uint64_t bytes, Call *call)
{
    for (int32_t threads = 1; threads <= 8; threads += 7) {
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_context *context = limited(bytes - 1, threads);
        EXPECT_FAILURE(call(context, &error), IMGTOOL_E_LIMIT, error, "more than the limit");
        imgtool_context_destroy(context);
        context = limited(bytes, threads);
        EXPECT_OK(call(context, &error), error);
        imgtool_context_destroy(context);
    }
}

static imgtool_status compare(imgtool_context *context, imgtool_error *error)
{
    imgtool_picture a = made(IMGTOOL_RGB, 8), b = made(IMGTOOL_RGB, 16);
    imgtool_difference difference = IMGTOOL_DIFFERENCE_INIT;
    const imgtool_status status = imgtool_compare(context, &a, &b, &difference, error);
    free(a.pixels);
    free(b.pixels);
    return status;
}

Test(library_limits, a_comparison_counts_its_converted_pictures)
{
    const ImgShape common = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 16}};
    expect_need(3 * PIXELS + 6 * PIXELS + 6 * PIXELS + img_compare_bytes(common, 1), compare);
}

static imgtool_status count(imgtool_context *context, imgtool_error *error)
{
    enum { ENTRIES = 4 << 16 };
    imgtool_picture picture = made(IMGTOOL_RGB, 16);
    uint64_t *counts = malloc(ENTRIES * sizeof *counts);
    int32_t rows = 0;
    const imgtool_status status =
        imgtool_histogram(context, &picture, counts, ENTRIES, &rows, error);
    cr_expect_eq(rows, 4);
    free(counts);
    free(picture.pixels);
    return status;
}

Test(library_limits, a_histogram_counts_its_counters)
{
    const ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 16}};
    ImgParams params;
    img_params_init(&img_measure_histogram, &params);
    expect_need(6 * PIXELS + 8 * (4 << 16) + img_histogram_scratch(shape, params.bytes, 1), count);
}

/* If `counts` is NULL, imgtool_histogram only sets the number of rows that the table would have. So
 * it succeeds even with a memory limit of 1 byte. */
Test(library_limits, a_histogram_without_counting_needs_no_memory)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_context *context = limited(1, 1);
    imgtool_picture picture = made(IMGTOOL_GRAY, 8);
    int32_t rows = 0;
    EXPECT_OK(imgtool_histogram(context, &picture, NULL, 0, &rows, &error), error);
    cr_expect_eq(rows, 1);
    free(picture.pixels);
    imgtool_context_destroy(context);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Returns a file with one row that is so long that decoding needs more than the fixed memory of the
 * codec. */
static Bytes long_row(void)
{
    return test_png((ImgShape){3000000, 1, {IMG_COLOR_RGB, 8}}, false);
}

static imgtool_status read_row(imgtool_context *context, imgtool_format format,
                               imgtool_error *error)
{
    Bytes png = long_row();
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.format = format;
    const imgtool_status status =
        imgtool_read_memory(context, png.data, png.size, &picture, NULL, error);
    imgtool_picture_free(context, &picture);
    free(png.data);
    return status;
}

static imgtool_status read_as_it_is(imgtool_context *context, imgtool_error *error)
{
    return read_row(context, (imgtool_format){IMGTOOL_RGB, 8}, error);
}

static imgtool_status read_as_rgba(imgtool_context *context, imgtool_error *error)
{
    return read_row(context, (imgtool_format){IMGTOOL_RGBA, 16}, error);
}

Test(library_limits, reading_counts_the_memory_of_decoding)
{
    const ImgShape shape = {3000000, 1, {IMG_COLOR_RGB, 8}};
    Bytes png = long_row();
    uint64_t whole, rows;
    ImgPngDecodeOptions how = {.threads = 1};
    img_png_fit_decoder(shape, png.size, 0, &how, &whole);
    img_png_fit_rows_decoder(shape, png.size, 0, 0, &how, &rows);
    const uint64_t converted = 8 * UINT64_C(3000000) + (whole < rows ? whole : rows);
    free(png.data);
    cr_expect_gt(whole, 3 * UINT64_C(3000000) + (1 << 20));
    expect_need(whole, read_as_it_is);
    expect_need(converted, read_as_rgba);
}

/* A picture with short rows. The library aligns rows to cache lines, so each takes 128 bytes. */
enum { NARROW = 22, HIGH = 100000, NARROW_STRIDE = 128 };

static Bytes narrow(void)
{
    return test_png((ImgShape){NARROW, HIGH, {IMG_COLOR_RGB, 8}}, false);
}

static imgtool_status read_narrow(imgtool_context *context, imgtool_format format,
                                  imgtool_error *error)
{
    Bytes png = narrow();
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.format = format;
    const imgtool_status status =
        imgtool_read_memory(context, png.data, png.size, &picture, NULL, error);
    cr_expect(status != IMGTOOL_OK || picture.stride == NARROW_STRIDE);
    imgtool_picture_free(context, &picture);
    free(png.data);
    return status;
}

static imgtool_status read_narrow_as_it_is(imgtool_context *context, imgtool_error *error)
{
    return read_narrow(context, (imgtool_format){IMGTOOL_RGB, 8}, error);
}

static imgtool_status read_narrow_as_rgba(imgtool_context *context, imgtool_error *error)
{
    return read_narrow(context, (imgtool_format){IMGTOOL_RGBA, 8}, error);
}

Test(library_limits, reading_counts_the_padding_of_rows)
{
    const ImgShape shape = {NARROW, HIGH, {IMG_COLOR_RGB, 8}};
    Bytes png = narrow();
    uint64_t whole, rows;
    ImgPngDecodeOptions how = {.threads = 1};
    img_png_fit_decoder(shape, png.size, 0, &how, &whole);
    img_png_fit_rows_decoder(shape, png.size, 0, 0, &how, &rows);
    free(png.data);
    expect_need(whole + (NARROW_STRIDE - 3 * NARROW) * HIGH, read_narrow_as_it_is);
    expect_need(rows + NARROW_STRIDE * HIGH, read_narrow_as_rgba);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static void *give_memory(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void take_memory(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void expect_run(imgtool_allocator allocator, const char *steps, uint64_t bytes,
                       imgtool_status expected)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_picture from = made(IMGTOOL_GRAY, 8), to = IMGTOOL_PICTURE_INIT;
    config.threads = 1;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_memory = bytes;
    config.allocator = allocator;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    EXPECT_OK(imgtool_pipeline_parse(context, steps, &pipeline, &error), error);
    cr_expect_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), expected, "%s: %s",
                 steps, error.message);
    imgtool_picture_free(context, &to);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    free(from.pixels);
}

Test(library_limits, a_result_copied_to_the_caller_counts_twice)
{
    const imgtool_allocator own = {give_memory, take_memory, NULL}, none = {NULL, NULL, NULL};
    expect_run(none, "flip", 2 * PIXELS - 1, IMGTOOL_E_LIMIT);
    expect_run(none, "flip", 2 * PIXELS, IMGTOOL_OK);
    expect_run(own, "flip", 3 * PIXELS - 1, IMGTOOL_E_LIMIT);
    expect_run(own, "flip", 3 * PIXELS, IMGTOOL_OK);
    /* Noise reaches the edges, so trim removes nothing. */
    expect_run(own, "trim", 3 * PIXELS - 1, IMGTOOL_E_LIMIT);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static bool drop(void *user, const void *data, size_t bytes)
{
    (void)user;
    (void)data;
    (void)bytes;
    return true;
}

typedef struct Written {
    imgtool_color color;
    imgtool_file_format format;
    int32_t bits;
    size_t padding;  /* bytes of padding after each row */
    uint64_t beside; /* bytes that encoding needs in addition to the picture */
} Written;

static void expect_written(const Written *own)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture picture = made(own->color, own->bits);
    const uint64_t need = PIXELS * imgtool_pixel_size(picture.format) + own->beside;
    encoding.format = own->format;
    /* At level 0 the buffers stay smaller than the fixed memory of the codec, so they do not count
     * against the limit. */
    encoding.level = 0;
    picture.pixels = realloc(picture.pixels, (picture.stride + own->padding) * HEIGHT);
    picture.stride += own->padding;
    imgtool_context *context = limited(need - 1, 1);
    EXPECT_FAILURE(imgtool_write_callback(context, &picture, &encoding, drop, NULL, &error),
                   IMGTOOL_E_LIMIT, error, "more than the limit");
    imgtool_context_destroy(context);
    context = limited(need, 1);
    EXPECT_OK(imgtool_write_callback(context, &picture, &encoding, drop, NULL, &error), error);
    imgtool_context_destroy(context);
    free(picture.pixels);
}

Test(library_limits, every_format_counts_the_picture_and_its_encoded_form)
{
    static const Written cases[] = {
        {IMGTOOL_RGB, IMGTOOL_PNG, 8, 0, 0},
        {IMGTOOL_RGB, IMGTOOL_JPEG, 8, 0, 0},
        {IMGTOOL_RGB, IMGTOOL_BMP, 8, 0, 0},
        {IMGTOOL_RGB, IMGTOOL_TGA, 8, 0, 0},
        {IMGTOOL_RGB, IMGTOOL_TGA, 8, 6, 3 * PIXELS}, /* a copy without padding */
        {IMGTOOL_RGB, IMGTOOL_BMP, 16, 0, 3 * PIXELS},
        {IMGTOOL_RGBA, IMGTOOL_JPEG, 8, 0, 3 * PIXELS},
        {IMGTOOL_BGRA, IMGTOOL_PNG, 8, 0, 4 * PIXELS}, /* a copy that is converted to RGBA */
        {IMGTOOL_BGRA, IMGTOOL_JPEG, 8, 0, 7 * PIXELS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_written(&cases[i]);
}

Test(library_limits, a_copy_counts_the_padding_of_rows)
{
    enum { WIDE = 17, BYTES = 4 * WIDE * HEIGHT, STRIDE = 128 };
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture picture = made(IMGTOOL_BGRA, 8);
    picture.width = WIDE;
    picture.stride = 4 * WIDE;
    encoding.level = 0;
    for (uint64_t lacking = 0; lacking < 2; lacking++) {
        imgtool_context *context = limited(BYTES + STRIDE * HEIGHT - lacking, 1);
        cr_expect_eq(imgtool_write_callback(context, &picture, &encoding, drop, NULL, &error),
                     lacking > 0 ? IMGTOOL_E_LIMIT : IMGTOOL_OK, "%s", error.message);
        imgtool_context_destroy(context);
    }
    free(picture.pixels);
}

Test(library_limits, written_metadata_counts)
{
    enum { TEXT = 100000 };
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_picture picture = made(IMGTOOL_GRAY, 8);
    uint8_t *text = calloc(TEXT, 1);
    imgtool_context *context = limited(PIXELS + TEXT - 1, 1);
    EXPECT_OK(imgtool_metadata_create(context, &metadata, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "abCd", text, TEXT, &error), error);
    encoding.metadata = metadata;
    EXPECT_FAILURE(imgtool_write_callback(context, &picture, &encoding, drop, NULL, &error),
                   IMGTOOL_E_LIMIT, error, "more than the limit");
    imgtool_context_destroy(context);
    context = limited(PIXELS + TEXT, 1);
    EXPECT_OK(imgtool_write_callback(context, &picture, &encoding, drop, NULL, &error), error);
    imgtool_context_destroy(context);
    imgtool_metadata_destroy(metadata);
    free(picture.pixels);
    free(text);
}

/* --- Files in memory -------------------------------------------------------------------------- */

/* Writes the picture to memory at level 0. This level does not compress, so the file is slightly
 * larger than the pixels. */
static imgtool_status write_stored(imgtool_context *context, imgtool_picture *picture,
                                   size_t *bytes, imgtool_error *error)
{
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    void *data = NULL;
    encoding.level = 0;
    const imgtool_status status =
        imgtool_write_memory(context, picture, &encoding, &data, bytes, error);
    cr_expect_eq(data == NULL, status != IMGTOOL_OK);
    imgtool_free(context, data);
    return status;
}

Test(library_limits, a_file_in_memory_counts)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = made(IMGTOOL_RGB, 8);
    imgtool_context *context = limited(0, 1);
    size_t bytes = 0, same = 0;
    EXPECT_OK(write_stored(context, &picture, &bytes, &error), error);
    cr_expect_gt(bytes, 3 * PIXELS);
    imgtool_context_destroy(context);
    context = limited(3 * PIXELS + bytes - 1, 1);
    EXPECT_FAILURE(write_stored(context, &picture, &same, &error), IMGTOOL_E_LIMIT, error,
                   "the file need at least");
    imgtool_context_destroy(context);
    context = limited(3 * PIXELS + bytes, 1);
    EXPECT_OK(write_stored(context, &picture, &same, &error), error);
    cr_expect_eq(same, bytes);
    imgtool_context_destroy(context);
    free(picture.pixels);
}

typedef struct Alive {
    size_t now, most;
} Alive;

enum { HEAD = 16 };

static void *allocate(void *user, size_t size)
{
    Alive *alive = user;
    uint8_t *memory = malloc(size + HEAD);
    memcpy(memory, &size, sizeof size);
    alive->now += size;
    alive->most = alive->now > alive->most ? alive->now : alive->most;
    return memory + HEAD;
}

static void release(void *user, void *memory)
{
    Alive *alive = user;
    size_t size;
    memcpy(&size, (uint8_t *)memory - HEAD, sizeof size);
    alive->now -= size;
    free((uint8_t *)memory - HEAD);
}

/* While the file in memory grows, the old and the new allocation exist at the same time. Both
 * count, also with an allocator of the caller. */
Test(library_limits, a_growing_file_stays_within_the_limit)
{
    imgtool_picture picture = made(IMGTOOL_RGB, 8);
    bool fitted = false;
    for (uint64_t room = 100000; !fitted; room += 100000) {
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_config config = IMGTOOL_CONFIG_INIT;
        imgtool_context *context = NULL;
        Alive alive = {0, 0};
        size_t bytes = 0;
        config.threads = 1;
        config.max_memory = 3 * PIXELS + room;
        config.allocator = (imgtool_allocator){allocate, release, &alive};
        cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
        const imgtool_status status = write_stored(context, &picture, &bytes, &error);
        cr_expect(status == IMGTOOL_OK || status == IMGTOOL_E_LIMIT, "%s", error.message);
        cr_expect_leq(alive.most, room);
        cr_expect_eq(alive.now, 0);
        fitted = status == IMGTOOL_OK;
        cr_assert_leq(room, 4 * 3 * PIXELS);
        imgtool_context_destroy(context);
    }
    free(picture.pixels);
}

/* --- max_pixels ------------------------------------------------------------------------------- */

/* Every call with a picture must accept a limit equal to its number of pixels, and reject a limit
 * that is one lower. */
Test(library_limits, max_pixels_applies_to_every_call_with_a_picture)
{
    imgtool_picture picture = made(IMGTOOL_RGB, 8), to = made(IMGTOOL_RGBA, 8);
    for (uint64_t limit = PIXELS - 1; limit <= PIXELS; limit++) {
        const imgtool_status wanted = limit < PIXELS ? IMGTOOL_E_LIMIT : IMGTOOL_OK;
        imgtool_config config = IMGTOOL_CONFIG_INIT;
        imgtool_context *context = NULL;
        imgtool_difference difference = IMGTOOL_DIFFERENCE_INIT;
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_picture copy = picture;
        void *data = NULL;
        size_t bytes;
        int32_t rows;
        config.backend = IMGTOOL_BACKEND_CPU;
        config.max_pixels = limit;
        cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
        cr_expect_eq(imgtool_write_memory(context, &picture, NULL, &data, &bytes, &error), wanted);
        cr_expect_eq(imgtool_write_file(context, &picture, NULL, "/dev/null", &error), wanted);
        cr_expect_eq(imgtool_histogram(context, &picture, NULL, 0, &rows, &error), wanted);
        cr_expect_eq(imgtool_compare(context, &picture, &picture, &difference, &error), wanted);
        cr_expect_eq(imgtool_convert(context, &picture, &to, &error), wanted);
        copy.pixels = NULL;
        cr_expect_eq(imgtool_picture_allocate(context, &copy, &error), wanted);
        imgtool_picture_free(context, &copy);
        imgtool_free(context, data);
        imgtool_context_destroy(context);
    }
    free(picture.pixels);
    free(to.pixels);
}

/* --- Structs that are too small --------------------------------------------------------------- */

/* Until a call has checked the size that the struct states, it may read only this size field. A
 * sanitizer reports a read past that field. */
Test(library_limits, the_size_of_a_struct_is_checked_before_it_is_read)
{
    imgtool_context *context = limited(0, 1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = NULL;
    size_t *size = malloc(sizeof *size);
    imgtool_picture *small = (imgtool_picture *)(void *)size;
    const uint8_t no_png[8] = {0};
    Bytes png = {0};
    const ImgShape shape = {1, 1, {IMG_COLOR_GRAY, 8}};
    put_test_header(&png, shape, false);
    put_test_rows(&png, shape, false);
    put_end(&png);
    *size = sizeof *size;
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, small, &metadata, &error),
                   IMGTOOL_E_USAGE, error, "the size 8 is invalid");
    cr_expect_neq(imgtool_read_memory(context, no_png, 8, small, NULL, &error), IMGTOOL_OK);
    EXPECT_FAILURE(imgtool_picture_allocate(context, small, &error), IMGTOOL_E_USAGE, error,
                   "the size 8 is invalid");
    EXPECT_FAILURE(imgtool_run_text(context, "rotate", small, &error), IMGTOOL_E_USAGE, error,
                   "the size 8 is invalid");
    imgtool_picture_free(context, small);
    imgtool_context_destroy(context);
    free(size);
    free(png.data);
}
