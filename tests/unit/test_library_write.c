/* Tests of writing through the public interface. The results are read with io/, which other tests
 * compare with libpng. */
#include "test_library.h"
#include "tests/unit/sanitizers.h"

static const imgtool_color COLORS[] = {IMGTOOL_GRAY, IMGTOOL_GRAY_ALPHA, IMGTOOL_RGB, IMGTOOL_RGBA,
                                       IMGTOOL_PALETTE};

static void draw(imgtool_picture *picture, ImgFormat format)
{
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            for (int c = 0; c < img_format_channels(format); c++) {
                uint8_t *row = (uint8_t *)picture->pixels + (size_t)y * picture->stride;
                uint16_t sample = (uint16_t)test_sample(format, x, y, c);
                size_t at = (size_t)x * img_format_pixel_size(format);
                if (format.bits == 16)
                    memcpy(row + at + 2 * (size_t)c, &sample, 2);
                else
                    row[at + (size_t)c] = (uint8_t)sample;
            }
}

static imgtool_picture drawn(imgtool_context *context, ImgShape shape)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.width = shape.width;
    picture.height = shape.height;
    picture.format = (imgtool_format){COLORS[shape.format.color], shape.format.bits};
    cr_assert_eq(imgtool_picture_allocate(context, &picture, NULL), IMGTOOL_OK);
    draw(&picture, shape.format);
    return picture;
}

static imgtool_metadata *with_palette(imgtool_context *context, int entries)
{
    imgtool_metadata *metadata = NULL;
    uint8_t palette[768];
    for (int i = 0; i < 3 * entries; i++)
        palette[i] = (uint8_t)i;
    cr_assert_eq(imgtool_metadata_create(context, &metadata, NULL), IMGTOOL_OK);
    cr_assert_eq(imgtool_metadata_set(metadata, "PLTE", palette, 3 * (size_t)entries, NULL),
                 IMGTOOL_OK);
    return metadata;
}

static Bytes write_to_memory(imgtool_context *context, const imgtool_picture *picture,
                             const imgtool_encoding *encoding)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    void *data;
    Bytes bytes = {0};
    size_t size;
    EXPECT_OK(imgtool_write_memory(context, picture, encoding, &data, &size, &error), error);
    put(&bytes, data, size);
    imgtool_free(context, data);
    return bytes;
}

static void expect_written(const Bytes *png, ImgShape shape, bool interlaced)
{
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(png, &image, &metadata);
    cr_expect_eq(image.view.width, shape.width);
    cr_expect_eq(image.view.format.color, shape.format.color);
    cr_expect_eq(image.view.format.bits, shape.format.bits);
    cr_expect_eq(metadata.interlaced, interlaced);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    img_metadata_free(&metadata);
}

Test(library_write, every_format_is_written_interlaced_or_not)
{
    imgtool_context *context = test_context(2);
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            ImgShape shape = {37, 13, ALL_FORMATS[i]};
            imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
            imgtool_metadata *metadata = with_palette(context, 2);
            if (shape.format.color == IMG_COLOR_PALETTE && shape.format.bits > 1) {
                imgtool_metadata_destroy(metadata);
                metadata = with_palette(context, 1 << shape.format.bits);
            }
            imgtool_picture picture = drawn(context, shape);
            encoding.interlaced = interlaced != 0;
            encoding.metadata = metadata;
            Bytes png = write_to_memory(context, &picture, &encoding);
            expect_written(&png, shape, interlaced != 0);
            free(png.data);
            imgtool_picture_free(context, &picture);
            imgtool_metadata_destroy(metadata);
        }
    imgtool_context_destroy(context);
}

/* --- Destinations ----------------------------------------------------------------------------- */

static bool keep_bytes(void *user, const void *data, size_t bytes)
{
    put(user, data, bytes);
    return true;
}

static void expect_same_bytes(const Bytes *a, const Bytes *b)
{
    cr_assert_eq(a->size, b->size);
    cr_assert_arr_eq(a->data, b->data, a->size);
}

/* The picture has several strips, which threads encode independently. The bytes must equal the
 * bytes that the command writes, for every destination and any number of threads. */
Test(library_write, all_destinations_get_the_same_bytes)
{
    ImgShape shape = {1200, 900, {IMG_COLOR_RGB, 8}};
    char path[] = "/tmp/imgtool_library_write.XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    for (int threads = 1; threads < 5; threads += 3) {
        imgtool_context *context = test_context(threads);
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_picture picture = drawn(context, shape);
        ImgImage image = {.view = img_view_make(picture.pixels, picture.stride, shape)};
        Bytes memory = write_to_memory(context, &picture, NULL), called = {0};
        Bytes ours = encode_as(IMG_FILE_PNG, &image, &IMG_METADATA_NONE, IMG_DEFAULT_LEVEL);
        char file[64];
        snprintf(file, sizeof file, "%s/a.png", path);
        EXPECT_OK(imgtool_write_file(context, &picture, NULL, file, &error), error);
        EXPECT_OK(imgtool_write_callback(context, &picture, NULL, keep_bytes, &called, &error),
                  error);
        Bytes written = read_all(file);
        expect_same_bytes(&memory, &ours);
        expect_same_bytes(&called, &ours);
        expect_same_bytes(&written, &ours);
        free(memory.data);
        free(called.data);
        free(written.data);
        free(ours.data);
        unlink(file);
        imgtool_picture_free(context, &picture);
        imgtool_context_destroy(context);
    }
    cr_expect_eq(rmdir(path), 0, "something was left behind");
}

typedef struct Few {
    int calls, most;
} Few;

static bool fail_write(void *user, const void *data, size_t bytes)
{
    Few *few = user;
    (void)data, (void)bytes;
    return ++few->calls < few->most;
}

Test(library_write, a_function_that_fails_is_an_error)
{
    ImgShape shape = {1200, 1800, {IMG_COLOR_RGB, 16}};
    imgtool_context *context = test_context(3);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = drawn(context, shape);
    Few all = {.most = INT32_MAX};
    EXPECT_OK(imgtool_write_callback(context, &picture, NULL, fail_write, &all, &error), error);
    cr_assert_gt(all.calls, 0);
    for (int most = 1; most <= all.calls; most += EVERY(5)) {
        Few few = {.most = most};
        EXPECT_FAILURE(imgtool_write_callback(context, &picture, NULL, fail_write, &few, &error),
                       IMGTOOL_E_IO, error, "function failed");
        cr_expect_eq(few.calls, most, "it is not called again");
    }
    EXPECT_FAILURE(imgtool_write_callback(context, &picture, NULL, NULL, NULL, &error),
                   IMGTOOL_E_USAGE, error, "write is NULL");
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
}

Test(library_write, a_file_that_cannot_be_written_is_named)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = drawn(context, (ImgShape){5, 4, {IMG_COLOR_RGB, 8}});
    EXPECT_FAILURE(imgtool_write_file(context, &picture, NULL, "/nonexistent/a.png", &error),
                   IMGTOOL_E_IO, error, "/nonexistent/a.png: cannot be written: its directory");
    EXPECT_FAILURE(imgtool_write_file(context, &picture, NULL, "/tmp", &error), IMGTOOL_E_IO, error,
                   "is a directory");
    EXPECT_FAILURE(imgtool_write_file(context, &picture, NULL, NULL, &error), IMGTOOL_E_USAGE,
                   error, "path is NULL");
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
}

/* For the command "-" means standard output. For the library it is an ordinary file name. */
Test(library_write, a_file_can_be_called_hyphen)
{
    char path[] = "/tmp/imgtool_library_write.XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    cr_assert_eq(chdir(path), 0);
    ImgShape shape = {5, 4, {IMG_COLOR_RGB, 8}};
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = drawn(context, shape), back = IMGTOOL_PICTURE_INIT;
    EXPECT_OK(imgtool_write_file(context, &picture, NULL, "-", &error), error);
    EXPECT_OK(imgtool_read_file(context, "-", &back, NULL, &error), error);
    expect_equal_pictures(&back, &picture);
    cr_expect_eq(unlink("./-"), 0);
    cr_expect_eq(rmdir(path), 0);
    imgtool_picture_free(context, &picture);
    imgtool_picture_free(context, &back);
    imgtool_context_destroy(context);
}

/* --- Formats ---------------------------------------------------------------------------------- */

Test(library_write, bgra_is_written_as_rgba)
{
    ImgShape shape = {37, 13, {IMG_COLOR_RGBA, 8}};
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = drawn(context, shape), swapped = picture;
    swapped.format.color = IMGTOOL_BGRA;
    swapped.owned = false;
    EXPECT_OK(imgtool_picture_allocate(context, &swapped, &error), error);
    EXPECT_OK(imgtool_convert(context, &picture, &swapped, &error), error);
    Bytes png = write_to_memory(context, &swapped, NULL);
    expect_written(&png, shape, false);
    free(png.data);
    imgtool_picture_free(context, &picture);
    imgtool_picture_free(context, &swapped);
    imgtool_context_destroy(context);
}

Test(library_write, other_formats_give_the_bytes_of_the_command)
{
    static const ImgFileFormat files[] = {IMG_FILE_PNG, IMG_FILE_JPEG, IMG_FILE_BMP, IMG_FILE_TGA};
    ImgShape shape = {37, 13, {IMG_COLOR_RGB, 8}};
    imgtool_context *context = test_context(1);
    imgtool_picture picture = drawn(context, shape);
    ImgImage image = {.view = img_view_make(picture.pixels, picture.stride, shape)};
    for (int format = IMGTOOL_JPEG; format <= IMGTOOL_TGA; format++) {
        imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
        encoding.format = (imgtool_file_format)format;
        Bytes ours = encode_as(files[format], &image, &IMG_METADATA_NONE, 4);
        Bytes written = write_to_memory(context, &picture, &encoding);
        expect_same_bytes(&written, &ours);
        free(ours.data);
        free(written.data);
    }
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
}

Test(library_write, invalid_outputs_are_rejected)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture gray = drawn(context, (ImgShape){5, 4, {IMG_COLOR_GRAY, 2}});
    imgtool_picture palette = drawn(context, (ImgShape){5, 4, {IMG_COLOR_PALETTE, 4}});
    imgtool_picture floats = gray;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = with_palette(context, 17);
    void *data;
    size_t bytes;
    ((uint8_t *)gray.pixels)[3] = 4;
    EXPECT_FAILURE(imgtool_write_memory(context, &gray, NULL, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "more than 2 bits can hold");
    cr_expect_null(data);
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, NULL, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "0 colours (PLTE)");
    encoding.metadata = metadata;
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, &encoding, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "17 colours (PLTE)");
    floats.format.bits = 32;
    floats.width = 1;
    floats.stride = 4;
    EXPECT_FAILURE(imgtool_write_memory(context, &floats, NULL, &data, &bytes, &error),
                   IMGTOOL_E_UNSUPPORTED, error, "floats");
    encoding.level = 10;
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, &encoding, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "level");
    encoding.level = 4;
    encoding.quality = 0;
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, &encoding, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "quality");
    encoding.size = 1;
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, &encoding, &data, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "imgtool_encoding");
    EXPECT_FAILURE(imgtool_write_memory(context, &palette, NULL, NULL, &bytes, &error),
                   IMGTOOL_E_USAGE, error, "data or bytes is NULL");
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &gray);
    imgtool_picture_free(context, &palette);
    imgtool_context_destroy(context);
}
