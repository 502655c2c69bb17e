/* Tests of reading through the public interface: sources, formats, strides and states. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "test_library.h"
#include "tests/peers/png_peers.h"

static const imgtool_format AS_IT_IS = {IMGTOOL_AS_IT_IS, 0};
enum { WIDTH = 37, HEIGHT = 13, GUARD = 0xA5 };

static ImgShape shape_of(ImgFormat format)
{
    return (ImgShape){WIDTH, HEIGHT, format};
}

static void expect_samples(const imgtool_picture *picture, ImgFormat format)
{
    ImgView view = img_view_make(picture->pixels, picture->stride,
                                 (ImgShape){picture->width, picture->height, format});
    expect_test_pixels(&view);
}

Test(library_read, every_format_is_read_from_memory_unchanged)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            Bytes png = test_png(shape_of(ALL_FORMATS[i]), interlaced != 0);
            imgtool_picture picture = IMGTOOL_PICTURE_INIT;
            EXPECT_OK(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                      error);
            cr_expect_eq(picture.width, WIDTH);
            cr_expect_eq(picture.height, HEIGHT);
            cr_expect_eq(picture.format.bits, ALL_FORMATS[i].bits);
            cr_expect(picture.owned);
            expect_samples(&picture, ALL_FORMATS[i]);
            imgtool_picture_free(context, &picture);
            cr_expect_null(picture.pixels);
            free(png.data);
        }
    imgtool_context_destroy(context);
}

/* --- Conversions ------------------------------------------------------------------------------ */

typedef struct Color {
    double red, green, blue, alpha; /* each from 0 to 1 */
} Color;

/* Returns the colour of the test picture at (x, y), as the PNG specification defines it. */
static Color color_at(ImgFormat format, bool transparency, int x, int y)
{
    double maximum = img_format_maximum(format);
    unsigned s[4] = {0};
    for (int c = 0; c < img_format_channels(format); c++)
        s[c] = test_sample(format, x, y, c);
    if (format.color == IMG_COLOR_PALETTE) {
        uint8_t entry[3];
        for (unsigned i = 0; i < 3; i++)
            entry[i] = (uint8_t)((3 * s[0] + i) * 37 + 11);
        double alpha = transparency && s[0] < 2 ? (s[0] == 0 ? 0 : 100.0 / 255) : 1;
        return (Color){entry[0] / 255.0, entry[1] / 255.0, entry[2] / 255.0, alpha};
    }
    bool color = format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
    Color shown = {s[0] / maximum, s[color ? 1 : 0] / maximum, s[color ? 2 : 0] / maximum, 1};
    if (img_format_has_alpha(format))
        shown.alpha = s[color ? 3 : 1] / maximum;
    else if (transparency && s[0] == test_sample(format, 3, 3, 0) &&
             (!color ||
              (s[1] == test_sample(format, 3, 3, 1) && s[2] == test_sample(format, 3, 3, 2))))
        shown.alpha = 0;
    return shown;
}

/* Returns a PNG with a tRNS chunk. In a palette it makes one entry transparent and another entry
 * half transparent. Otherwise it makes the colour of pixel (3, 3) transparent. */
static Bytes transparent_png(ImgFormat format, bool interlaced)
{
    Bytes png = {0};
    put_test_header(&png, shape_of(format), interlaced);
    if (format.color == IMG_COLOR_PALETTE) {
        put_test_palette(&png, 1 << format.bits);
        PUT_TEXT(&png, "tRNS", "\0\x64");
    } else {
        uint8_t key[6];
        int channels = img_format_channels(format);
        for (int c = 0; c < channels; c++) {
            unsigned sample = test_sample(format, 3, 3, c);
            key[2 * c] = (uint8_t)(sample >> 8);
            key[2 * c + 1] = (uint8_t)sample;
        }
        put_chunk(&png, "tRNS", key, 2 * (size_t)channels);
    }
    put_test_rows(&png, shape_of(format), interlaced);
    put_end(&png);
    return png;
}

static double sample_of(const imgtool_picture *picture, int x, int y, int channel)
{
    size_t pixel = imgtool_pixel_size(picture->format);
    const uint8_t *at =
        (const uint8_t *)picture->pixels + (size_t)y * picture->stride + (size_t)x * pixel;
    if (picture->format.bits == 32) {
        float value;
        memcpy(&value, at + 4 * channel, 4);
        return (double)value;
    }
    uint16_t wide = 0;
    memcpy(&wide, at + 2 * channel, picture->format.bits == 16 ? 2 : 0);
    return picture->format.bits == 16 ? wide / 65535.0 : at[channel] / 255.0;
}

static void expect_close(double got, double wanted, double least, int x, int y)
{
    cr_assert(got - wanted <= least && wanted - got <= least, "%d, %d: %g is not %g", x, y, got,
              wanted);
}

static void expect_colors(const imgtool_picture *picture, ImgFormat format, bool transparency)
{
    imgtool_color to = picture->format.color;
    bool color = to == IMGTOOL_RGB || to == IMGTOOL_RGBA || to == IMGTOOL_BGRA;
    /* The allowed error is half a step of the result, and for luma also half a step of the file. */
    double step = 0.5 / (picture->format.bits == 8 ? 255 : 65535) + 1e-6;
    double gray = step + 0.5 / (format.bits == 16 ? 65535 : 255);
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            Color shown = color_at(format, transparency, x, y);
            int swap = to == IMGTOOL_BGRA ? 2 : 0;
            if (color) {
                expect_close(sample_of(picture, x, y, swap), shown.red, step, x, y);
                expect_close(sample_of(picture, x, y, 1), shown.green, step, x, y);
                expect_close(sample_of(picture, x, y, 2 - swap), shown.blue, step, x, y);
            } else {
                expect_close(sample_of(picture, x, y, 0),
                             0.2126 * shown.red + 0.7152 * shown.green + 0.0722 * shown.blue, gray,
                             x, y);
            }
            if (to == IMGTOOL_GRAY_ALPHA || to == IMGTOOL_RGBA || to == IMGTOOL_BGRA)
                expect_close(sample_of(picture, x, y, color ? 3 : 1), shown.alpha, step, x, y);
        }
}

static const imgtool_format TARGETS[] = {
    {IMGTOOL_GRAY, 8},  {IMGTOOL_GRAY_ALPHA, 8},  {IMGTOOL_RGB, 8},  {IMGTOOL_RGBA, 8},
    {IMGTOOL_BGRA, 8},  {IMGTOOL_GRAY, 16},       {IMGTOOL_RGB, 16}, {IMGTOOL_RGBA, 16},
    {IMGTOOL_GRAY, 32}, {IMGTOOL_GRAY_ALPHA, 32}, {IMGTOOL_RGB, 32}, {IMGTOOL_RGBA, 32},
};
enum { TARGET_COUNT = sizeof TARGETS / sizeof TARGETS[0] };

/* Returns a picture of the caller with guard bytes between its rows, which the library must not
 * change. No bytes follow the last pixel. */
static imgtool_picture guarded_picture(imgtool_format format, uint8_t **memory)
{
    enum { BETWEEN = 12 };
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    size_t row = WIDTH * imgtool_pixel_size(format);
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = format;
    picture.stride = (row + BETWEEN + 3) / 4 * 4;
    size_t bytes = picture.stride * (HEIGHT - 1) + row;
    *memory = malloc(bytes);
    memset(*memory, GUARD, bytes);
    picture.pixels = *memory;
    return picture;
}

static void expect_guards(const imgtool_picture *picture)
{
    size_t row = WIDTH * imgtool_pixel_size(picture->format);
    for (size_t y = 0; y + 1 < HEIGHT; y++)
        for (size_t i = row; i < picture->stride; i++)
            cr_assert_eq(((uint8_t *)picture->pixels)[y * picture->stride + i], GUARD);
}

Test(library_read, every_format_converts_to_every_other_in_the_callers_rows)
{
    imgtool_context *contexts[] = {test_context(1), test_context(3)};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int kind = 0; kind < 4; kind++) {
            bool transparency = (kind & 1) != 0, interlaced = (kind & 2) != 0;
            ImgFormat format = ALL_FORMATS[i];
            if (transparency && img_format_has_alpha(format))
                continue;
            Bytes png = transparency ? transparent_png(format, interlaced)
                                     : test_png(shape_of(format), interlaced);
            for (int t = 0; t < TARGET_COUNT; t++) {
                uint8_t *memory;
                imgtool_picture picture = guarded_picture(TARGETS[t], &memory);
                EXPECT_OK(imgtool_read_memory(contexts[t & 1], png.data, png.size, &picture, NULL,
                                              &error),
                          error);
                cr_expect_eq(picture.pixels, memory);
                cr_expect_not(picture.owned);
                expect_colors(&picture, format, transparency);
                expect_guards(&picture);
                free(memory);
            }
            free(png.data);
        }
    imgtool_context_destroy(contexts[0]);
    imgtool_context_destroy(contexts[1]);
}

Test(library_read, the_callers_rows_are_filled_in_the_format_of_the_file)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    static const imgtool_color colors[] = {IMGTOOL_GRAY, IMGTOOL_GRAY_ALPHA, IMGTOOL_RGB,
                                           IMGTOOL_RGBA, IMGTOOL_PALETTE};
    for (int i = 0; i < FORMAT_COUNT; i++) {
        ImgFormat format = ALL_FORMATS[i];
        uint8_t *memory;
        imgtool_picture picture =
            guarded_picture((imgtool_format){colors[format.color], format.bits}, &memory);
        imgtool_format real = picture.format;
        picture.format = AS_IT_IS;
        Bytes png = test_png(shape_of(format), false);
        EXPECT_OK(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error), error);
        cr_expect_eq(picture.format.color, real.color);
        cr_expect_eq(picture.format.bits, real.bits);
        expect_samples(&picture, format);
        expect_guards(&picture);
        free(png.data);
        free(memory);
    }
    imgtool_context_destroy(context);
}

static imgtool_format read_as(Bytes *png, imgtool_format wanted)
{
    imgtool_context *context = test_context(1);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    picture.format = wanted;
    EXPECT_OK(imgtool_read_memory(context, png->data, png->size, &picture, NULL, &error), error);
    imgtool_format format = picture.format;
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    return format;
}

Test(library_read, the_file_completes_a_partial_format)
{
    Bytes wide = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 16}), false);
    Bytes few = test_png(shape_of((ImgFormat){IMG_COLOR_PALETTE, 4}), false);
    cr_expect_eq(read_as(&wide, (imgtool_format){IMGTOOL_RGBA, 0}).bits, 16);
    cr_expect_eq(read_as(&wide, (imgtool_format){IMGTOOL_BGRA, 0}).bits, 8);
    cr_expect_eq(read_as(&wide, (imgtool_format){IMGTOOL_AS_IT_IS, 8}).color, IMGTOOL_RGB);
    cr_expect_eq(read_as(&few, (imgtool_format){IMGTOOL_RGBA, 0}).bits, 8);
    cr_expect_eq(read_as(&few, (imgtool_format){IMGTOOL_PALETTE, 8}).bits, 8);
    cr_expect_eq(read_as(&few, AS_IT_IS).bits, 4);
    free(wide.data);
    free(few.data);
}

Test(library_read, impossible_conversions_are_rejected)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    static const struct {
        imgtool_format format;
        imgtool_status status;
    } cases[] = {{{IMGTOOL_PALETTE, 8}, IMGTOOL_E_UNSUPPORTED},
                 {{IMGTOOL_GRAY, 4}, IMGTOOL_E_UNSUPPORTED},
                 {{IMGTOOL_RGB, 7}, IMGTOOL_E_USAGE},
                 {{IMGTOOL_BGRA, 16}, IMGTOOL_E_USAGE},
                 {{(imgtool_color)99, 8}, IMGTOOL_E_USAGE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        imgtool_picture picture = IMGTOOL_PICTURE_INIT;
        picture.format = cases[i].format;
        EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                       cases[i].status, error, "memory: ");
        cr_expect_null(picture.pixels);
    }
    free(png.data);
    imgtool_context_destroy(context);
}

/* --- Samples compared with libpng ------------------------------------------------------------- */

static void compare_sample(imgtool_context *context, const char *path)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    File file;
    cr_assert(file_read(path, &file));
    picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    EXPECT_OK(imgtool_read_file(context, path, &picture, NULL, &error), error);
    ImgShape shape = {picture.width, picture.height, {IMG_COLOR_RGBA, 8}};
    uint8_t *wanted = peer_libpng(&file, shape, true);
    cr_assert_not_null(wanted);
    for (size_t y = 0, row = 4 * (size_t)picture.width; y < (size_t)picture.height; y++)
        cr_assert_arr_eq((uint8_t *)picture.pixels + y * picture.stride, wanted + y * row, row,
                         "%s, row %zu", path, y);
    free(wanted);
    free(file.data);
    imgtool_picture_free(context, &picture);
}

Test(library_read, every_sample_equals_that_of_libpng)
{
    imgtool_context *contexts[] = {test_context(1), test_context(3)};
    char path[1024];
    int count = 0;
    DIR *directory = opendir(SAMPLES);
    cr_assert_not_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        if (end == NULL || strcmp(end, ".png") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", SAMPLES, entry->d_name);
        compare_sample(contexts[count++ % 2], path);
    }
    closedir(directory);
    cr_expect_gt(count, 40);
    imgtool_context_destroy(contexts[0]);
    imgtool_context_destroy(contexts[1]);
}

/* --- The caller's mistakes -------------------------------------------------------------------- */

Test(library_read, pictures_that_do_not_fit_are_rejected)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    uint8_t *memory;
    imgtool_picture good = guarded_picture((imgtool_format){IMGTOOL_RGB, 8}, &memory), bad = good;
    bad.width++;
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &bad, NULL, &error),
                   IMGTOOL_E_USAGE, error, "and the file 37 x 13");
    bad = good;
    bad.stride = 3 * WIDTH - 1;
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &bad, NULL, &error),
                   IMGTOOL_E_USAGE, error, "stride");
    bad = good;
    bad.size = 0;
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &bad, NULL, &error),
                   IMGTOOL_E_USAGE, error, "imgtool_picture");
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, NULL, NULL, &error),
                   IMGTOOL_E_USAGE, error, "picture is NULL");
    EXPECT_FAILURE(imgtool_read_memory(NULL, png.data, png.size, &good, NULL, &error),
                   IMGTOOL_E_USAGE, error, "context is NULL");
    EXPECT_FAILURE(imgtool_read_file(context, NULL, &good, NULL, &error), IMGTOOL_E_USAGE, error,
                   "path is NULL");
    free(memory);
    free(png.data);
    imgtool_context_destroy(context);
}

Test(library_read, a_reader_decodes_once)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    imgtool_reader *reader = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, again = IMGTOOL_PICTURE_INIT;
    EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
    EXPECT_OK(imgtool_reader_load(reader, &error), error);
    EXPECT_OK(imgtool_reader_load(reader, &error), error);
    EXPECT_OK(imgtool_reader_decode(reader, &picture, &error), error);
    EXPECT_FAILURE(imgtool_reader_decode(reader, &again, &error), IMGTOOL_E_USAGE, error,
                   "decoded already");
    cr_expect_not_null(imgtool_reader_metadata(reader, &error),
                       "available until the reader is destroyed");
    imgtool_reader_destroy(reader);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    free(png.data);
}

/* --- Files, damage, limits -------------------------------------------------------------------- */

Test(library_read, info_is_available_before_and_after_loading)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_info info = IMGTOOL_INFO_INIT;
    Bytes png = transparent_png((ImgFormat){IMG_COLOR_GRAY, 4}, true);
    imgtool_reader *reader = NULL;
    EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
    EXPECT_OK(imgtool_reader_info(reader, &info, &error), error);
    cr_expect(info.width == WIDTH && info.height == HEIGHT && info.interlaced && !info.has_alpha);
    cr_expect(info.format.color == IMGTOOL_GRAY && info.format.bits == 4);
    EXPECT_OK(imgtool_reader_load(reader, &error), error);
    EXPECT_OK(imgtool_reader_info(reader, &info, &error), error);
    cr_expect(info.has_alpha && !info.animated);
    cr_expect_eq(info.file_bytes, png.size);
    cr_expect_null(imgtool_reader_warning(reader, 0));
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    free(png.data);
}

Test(library_read, errors_name_the_file_and_have_a_status)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    EXPECT_FAILURE(imgtool_read_file(context, "/nonexistent/a.png", &picture, NULL, &error),
                   IMGTOOL_E_IO, error, "/nonexistent/a.png: cannot be opened: No such file");
    EXPECT_FAILURE(imgtool_read_file(context, "/tmp", &picture, NULL, &error), IMGTOOL_E_IO, error,
                   "is a directory");
    EXPECT_FAILURE(imgtool_read_file(context, "-", &picture, NULL, &error), IMGTOOL_E_IO, error,
                   "-: cannot be opened");
    EXPECT_FAILURE(imgtool_read_memory(context, "GIF89a", 6, &picture, NULL, &error),
                   IMGTOOL_E_FORMAT, error, "memory: is a GIF file");
    EXPECT_FAILURE(imgtool_read_memory(context, NULL, 0, &picture, NULL, &error), IMGTOOL_E_FORMAT,
                   error, "memory: is empty");
    imgtool_context_destroy(context);
}

Test(library_read, truncation_at_every_byte_is_rejected)
{
    imgtool_context *context = test_context(2);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGBA, 8}), false);
    for (size_t size = 0; size < png.size; size++) {
        uint8_t *part = malloc(size > 0 ? size : 1);
        memcpy(part, png.data, size);
        imgtool_picture picture = IMGTOOL_PICTURE_INIT, converted = IMGTOOL_PICTURE_INIT;
        converted.format = (imgtool_format){IMGTOOL_BGRA, 8};
        cr_expect_eq(imgtool_read_memory(context, part, size, &picture, NULL, &error),
                     IMGTOOL_E_FORMAT, "%zu bytes", size);
        cr_expect_eq(imgtool_read_memory(context, part, size, &converted, NULL, &error),
                     IMGTOOL_E_FORMAT, "%zu bytes, converted", size);
        cr_expect(picture.pixels == NULL && converted.pixels == NULL);
        free(part);
    }
    free(png.data);
    imgtool_context_destroy(context);
}

static bool fail_read(void *user, void *data, size_t bytes, size_t *got)
{
    Dribble *dribble = user;
    return dribble->at < 40 && dribble_read(user, data, bytes, got);
}

static bool lie_read(void *user, void *data, size_t bytes, size_t *got)
{
    bool ok = dribble_read(user, data, bytes, got);
    *got = bytes + 1;
    return ok;
}

Test(library_read, functions_that_fail_or_lie_are_errors)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_reader *reader = NULL;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    Dribble dribble = {&png, 0, 1};
    EXPECT_OK(imgtool_open_callback(context, fail_read, &dribble, &reader, &error), error);
    EXPECT_FAILURE(imgtool_reader_load(reader, &error), IMGTOOL_E_IO, error, "callback: ");
    EXPECT_FAILURE(imgtool_reader_load(reader, &error), IMGTOOL_E_IO, error, "function failed");
    cr_expect_null(imgtool_reader_metadata(reader, &error));
    imgtool_reader_destroy(reader);
    dribble.at = 0;
    EXPECT_FAILURE(imgtool_open_callback(context, lie_read, &dribble, &reader, &error),
                   IMGTOOL_E_USAGE, error, "than there was room for");
    cr_expect_null(reader);
    EXPECT_FAILURE(imgtool_open_callback(context, NULL, NULL, &reader, &error), IMGTOOL_E_USAGE,
                   error, "read is NULL");
    imgtool_context_destroy(context);
    free(png.data);
}

static imgtool_context *limited(uint64_t pixels, uint64_t memory)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = 1;
    config.max_pixels = pixels;
    config.max_memory = memory;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

static bool endless_read(void *user, void *data, size_t bytes, size_t *got)
{
    Dribble *dribble = user;
    if (dribble->at < dribble->file->size)
        return dribble_read(user, data, bytes, got);
    memset(data, 0, bytes);
    *got = bytes;
    return true;
}

Test(library_read, limits_are_enforced)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    Bytes png = test_png((ImgShape){100, 100, {IMG_COLOR_RGB, 8}}, false);
    imgtool_context *context = limited(9999, 0);
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                   IMGTOOL_E_LIMIT, error,
                   "100 x 100 is 10000 pixels, more than the limit of 9999");
    imgtool_context_destroy(context);
    context = limited(0, 30000 + png.size - 1);
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                   IMGTOOL_E_LIMIT, error, "the file and its pixels need at least");
    imgtool_info info = IMGTOOL_INFO_INIT;
    imgtool_reader *reader = NULL;
    EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
    EXPECT_OK(imgtool_reader_load(reader, &error), error);
    EXPECT_OK(imgtool_reader_info(reader, &info, &error), error);
    imgtool_reader_destroy(reader);
    Dribble dribble = {&png, 0, 50};
    EXPECT_OK(imgtool_open_callback(context, endless_read, &dribble, &reader, &error), error);
    EXPECT_FAILURE(imgtool_reader_load(reader, &error), IMGTOOL_E_LIMIT, error, "the file");
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    free(png.data);
}

/* --- Cancelling a read that blocks ------------------------------------------------------------ */

static void ignore(int number)
{
    (void)number;
}

static bool stop_at_second(void *user, uint64_t done, uint64_t total)
{
    cr_expect(done == 0 && total == 1);
    return ++*(int *)user < 2;
}

static imgtool_context *cancelling_context(int *asked)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context;
    config.progress = stop_at_second;
    config.progress_user = asked;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

/* Starts a timer that sends a hundred signals per second. Each signal interrupts a blocking
 * call. */
static void send_signals(void)
{
    const struct sigaction action = {.sa_handler = ignore};
    const struct itimerval often = {{0, 10000}, {0, 10000}};
    cr_assert_eq(sigaction(SIGALRM, &action, NULL), 0);
    cr_assert_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
}

/* The pipe delivers no data, so the reader blocks. A signal must interrupt it and call the progress
 * function. */
Test(library_read, a_signal_calls_the_progress_function, .timeout = 10)
{
    int ends[2], asked = 0;
    char path[32];
    imgtool_context *context = cancelling_context(&asked);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    cr_assert_eq(pipe(ends), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    send_signals();
    EXPECT_FAILURE(imgtool_read_file(context, path, &picture, NULL, &error), IMGTOOL_E_CANCELLED,
                   error, "cancelled");
    cr_expect_eq(asked, 2);
    imgtool_context_destroy(context);
}

/* The pipe delivers only the header of a file. A cancelled read stays cancelled, because the bytes
 * of the header cannot be read again. */
Test(library_read, a_cancelled_read_stays_cancelled, .timeout = 10)
{
    int ends[2], asked = 0;
    char path[32];
    imgtool_context *context = cancelling_context(&asked);
    imgtool_reader *reader;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], png.data, 60), 60);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    EXPECT_OK(imgtool_open_file(context, path, &reader, &error), error);
    send_signals();
    for (int i = 0; i < 2; i++)
        EXPECT_FAILURE(imgtool_reader_load(reader, &error), IMGTOOL_E_CANCELLED, error,
                       "cancelled");
    EXPECT_FAILURE(imgtool_reader_decode(reader, &picture, &error), IMGTOOL_E_CANCELLED, error,
                   "cancelled");
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    free(png.data);
}

/* No process opens the FIFO for writing, so opening it blocks until a signal comes. */
Test(library_read, a_signal_interrupts_the_wait_for_a_writer, .timeout = 10)
{
    static const char *const steps[] = {"convolve file=", "overlay image="};
    char path[] = "/tmp/imgtool-XXXXXX", fifo[64], text[128];
    imgtool_pipeline *pipeline;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    int asked = 0;
    imgtool_context *context = cancelling_context(&asked);
    cr_assert_not_null(mkdtemp(path));
    snprintf(fifo, sizeof fifo, "%s/fifo", path);
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    send_signals();
    EXPECT_FAILURE(imgtool_read_file(context, fifo, &picture, NULL, &error), IMGTOOL_E_CANCELLED,
                   error, "cancelled");
    cr_expect_eq(asked, 2);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        asked = 0;
        snprintf(text, sizeof text, "%s%s", steps[i], fifo);
        EXPECT_FAILURE(imgtool_pipeline_parse(context, text, &pipeline, &error),
                       IMGTOOL_E_CANCELLED, error, "cancelled");
        cr_expect_eq(asked, 2);
    }
    imgtool_context_destroy(context);
    unlink(fifo);
    rmdir(path);
}

/* --- Several contexts ------------------------------------------------------------------------- */

static void *read_often(void *argument)
{
    const Bytes *png = argument;
    imgtool_context *context = test_context(2);
    for (int i = 0; i < 200; i++) {
        imgtool_picture picture = IMGTOOL_PICTURE_INIT;
        cr_assert_eq(imgtool_read_memory(context, png->data, png->size, &picture, NULL, NULL),
                     IMGTOOL_OK);
        expect_samples(&picture, (ImgFormat){IMG_COLOR_RGB, 8});
        imgtool_picture_free(context, &picture);
    }
    imgtool_context_destroy(context);
    return NULL;
}

Test(library_read, contexts_on_several_threads_are_independent)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    Bytes png = test_png(shape_of((ImgFormat){IMG_COLOR_RGB, 8}), false);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, read_often, &png), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    free(png.data);
}
