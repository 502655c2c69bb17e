/* Tests of the export to JPEG, BMP and TGA. The files are read back with stb_image. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#include <stb/stb_image.h>

#include "test_io_png.h"

/* A row of pixels, and the pixels that are expected after it was written to a file and read
 * again. */
typedef struct Case {
    ImgFileFormat file;
    ImgFormat format;
    int width;
    const uint16_t *samples;
    int channels;
    const uint8_t *expected;
} Case;

static ImgImage make_image(const Case *test)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){test->width, 1, test->format}, &image, NULL), IMG_OK);
    int count = test->width * img_format_channels(test->format);
    for (int i = 0; i < count; i++) {
        if (test->format.bits == 16)
            memcpy(image.view.data + 2 * i, &test->samples[i], 2);
        else
            image.view.data[i] = (uint8_t)test->samples[i];
    }
    return image;
}

static void check(const Case *test, const ImgMetadata *metadata, int tolerance)
{
    ImgImage image = make_image(test);
    Bytes file = encode_as(test->file, &image, metadata, IMG_DEFAULT_LEVEL);
    int width, height, channels;
    uint8_t *pixels = stbi_load_from_memory(file.data, (int)file.size, &width, &height, &channels,
                                            test->channels);
    cr_assert_not_null(pixels);
    cr_assert_eq(width, test->width);
    cr_assert_eq(height, 1);
    for (int i = 0; i < width * test->channels; i++)
        cr_expect(abs(pixels[i] - test->expected[i]) <= tolerance, "sample %d: %d, not %d", i,
                  pixels[i], test->expected[i]);
    stbi_image_free(pixels);
    img_image_free(&image);
    free(file.data);
}

static ImgMetadata with_chunk(const char *type, const char *data, uint32_t size)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    if (type != NULL)
        cr_assert_eq(
            img_metadata_add(&metadata, type, IMG_BEFORE_IDAT, (const uint8_t *)data, size, NULL),
            IMG_OK);
    return metadata;
}

#define SAMPLES(...) ((const uint16_t[]){__VA_ARGS__})
#define BYTES(...)   ((const uint8_t[]){__VA_ARGS__})

Test(io_export, low_depths_are_scaled_and_high_ones_rounded)
{
    ImgMetadata none = IMG_METADATA_NONE;
    Case gray1 = {IMG_FILE_TGA, {IMG_COLOR_GRAY, 1}, 2, SAMPLES(0, 1), 1, BYTES(0, 255)};
    Case gray2 = {IMG_FILE_BMP,
                  {IMG_COLOR_GRAY, 2},
                  4,
                  SAMPLES(0, 1, 2, 3),
                  3,
                  BYTES(0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255)};
    Case gray4 = {IMG_FILE_TGA, {IMG_COLOR_GRAY, 4}, 3, SAMPLES(0, 7, 15), 1, BYTES(0, 119, 255)};
    Case wide = {IMG_FILE_TGA,
                 {IMG_COLOR_RGB, 16},
                 2,
                 SAMPLES(0, 128, 129, 32767, 32768, 65535),
                 3,
                 BYTES(0, 0, 1, 127, 128, 255)};
    check(&gray1, &none, 0);
    check(&gray2, &none, 0);
    check(&gray4, &none, 0);
    check(&wide, &none, 0);
}

Test(io_export, alpha_survives_if_the_format_has_it)
{
    ImgMetadata none = IMG_METADATA_NONE;
    Case rgba = {IMG_FILE_BMP,
                 {IMG_COLOR_RGBA, 8},
                 2,
                 SAMPLES(1, 2, 3, 4, 250, 251, 252, 253),
                 4,
                 BYTES(1, 2, 3, 4, 250, 251, 252, 253)};
    Case gray_alpha = {IMG_FILE_TGA,
                       {IMG_COLOR_GRAY_ALPHA, 8},
                       2,
                       SAMPLES(10, 20, 30, 40),
                       4,
                       BYTES(10, 10, 10, 20, 30, 30, 30, 40)};
    check(&rgba, &none, 0);
    rgba.file = IMG_FILE_TGA;
    check(&rgba, &none, 0);
    check(&gray_alpha, &none, 0);
    gray_alpha.file = IMG_FILE_BMP;
    check(&gray_alpha, &none, 0);
}

Test(io_export, palettes_become_colours)
{
    ImgMetadata metadata = with_chunk("tRNS", "\x07\x00", 2);
    memcpy(metadata.palette, (uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9);
    metadata.palette_size = 3;
    Case test = {IMG_FILE_TGA,
                 {IMG_COLOR_PALETTE, 2},
                 4,
                 SAMPLES(0, 1, 2, 3),
                 4,
                 BYTES(1, 2, 3, 7, 4, 5, 6, 0, 7, 8, 9, 255, 0, 0, 0, 255)};
    check(&test, &metadata, 0);
    img_metadata_free(&metadata);
}

Test(io_export, a_transparent_colour_becomes_alpha)
{
    ImgMetadata metadata = with_chunk("tRNS", "\0\1\0\2\0\3", 6);
    Case rgb = {IMG_FILE_TGA,
                {IMG_COLOR_RGB, 8},
                2,
                SAMPLES(1, 2, 3, 1, 2, 4),
                4,
                BYTES(1, 2, 3, 0, 1, 2, 4, 255)};
    check(&rgb, &metadata, 0);
    img_metadata_free(&metadata);

    /* With 8 bits only the low byte of the transparent gray counts. */
    metadata = with_chunk("tRNS", "\1\5", 2);
    Case eight = {
        IMG_FILE_TGA, {IMG_COLOR_GRAY, 8}, 2, SAMPLES(5, 6), 4, BYTES(5, 5, 5, 0, 6, 6, 6, 255)};
    check(&eight, &metadata, 0);
    img_metadata_free(&metadata);

    metadata = with_chunk("tRNS", "\x80\x01", 2);
    Case gray = {IMG_FILE_TGA,
                 {IMG_COLOR_GRAY, 16},
                 2,
                 SAMPLES(0x8001, 0x8002),
                 4,
                 BYTES(128, 128, 128, 0, 128, 128, 128, 255)};
    check(&gray, &metadata, 0);
    img_metadata_free(&metadata);
}

Test(io_export, jpeg_is_blended_over_white_or_the_background)
{
    ImgMetadata none = IMG_METADATA_NONE,
                /* Only the low bytes of the background colour count. */
        blue = with_chunk("bKGD", "\1\0\2\0\0\xff", 6);
    Case white = {IMG_FILE_JPEG,       {IMG_COLOR_RGBA, 8}, 1, SAMPLES(200, 0, 0, 0), 3,
                  BYTES(255, 255, 255)};
    Case half = {IMG_FILE_JPEG, {IMG_COLOR_GRAY_ALPHA, 8}, 1, SAMPLES(0, 51), 1, BYTES(204)};
    Case ground = {IMG_FILE_JPEG, {IMG_COLOR_RGBA, 8}, 1, SAMPLES(9, 9, 9, 0), 3, BYTES(0, 0, 255)};
    check(&white, &none, 3);
    check(&half, &none, 3);
    check(&ground, &blue, 3);
    img_metadata_free(&blue);
}

/* Returns the message about the information that an export loses, or NULL if it loses none. */
static const char *loss(ImgFileFormat file, ImgFormat format, uint16_t alpha,
                        const ImgMetadata *metadata)
{
    static char text[IMG_LOSS_TEXT];
    Case test = {file, format, 1, SAMPLES(1, alpha, 1, alpha), 0, NULL};
    ImgImage image = make_image(&test);
    const bool lost = img_encode_loss(file, &image, metadata, text);
    img_image_free(&image);
    return lost ? text : NULL;
}

Test(io_export, losses_are_reported)
{
    ImgMetadata none = IMG_METADATA_NONE, text = with_chunk("tEXt", "Title\0x", 7);
    ImgFormat gray8 = {IMG_COLOR_GRAY, 8}, gray_alpha16 = {IMG_COLOR_GRAY_ALPHA, 16};
    cr_expect_null(loss(IMG_FILE_PNG, gray_alpha16, 0, &text));
    cr_expect_null(loss(IMG_FILE_JPEG, gray8, 0, &none));
    cr_expect_str_eq(loss(IMG_FILE_BMP, gray_alpha16, 0, &none), "16 bits reduced to 8");
    cr_expect_str_eq(loss(IMG_FILE_JPEG, gray_alpha16, 65535, &none), "16 bits reduced to 8");
    cr_expect_str_eq(loss(IMG_FILE_JPEG, gray_alpha16, 0, &none),
                     "16 bits reduced to 8; no transparency: blended with white");
    cr_expect_str_eq(loss(IMG_FILE_TGA, gray8, 0, &text), "lost: text");
    cr_expect_str_eq(loss(IMG_FILE_TGA, gray_alpha16, 0, &text),
                     "16 bits reduced to 8; lost: text");
    img_metadata_free(&text);
}

/* The message names each lost kind of metadata once, in the order of the file, after the losses of
 * colour. */
Test(io_export, lost_metadata_is_named)
{
    static const struct {
        struct {
            const char *type, *data;
            uint32_t size;
        } chunks[5];
        const char *lost;
    } cases[] = {
        {{{"sRGB", "", 1}, {"gAMA", "\0\1\2\3", 4}, {"cHRM", "", 1}, {"tRNS", "\0\1", 2}}, NULL},
        {{{"gAMA", "\0\0\xb1\x8f", 4}}, NULL}, /* the gamma of sRGB, 45455 */
        {{{"gAMA", "\0\0\xb1\x8f", 4}, {"cHRM", "", 1}},
         "lost: primaries; colours may look different"},
        {{{"gAMA", "\0\1\x86\xa0", 4}}, "lost: gamma; colours may look different"},
        {{{"pHYs", "", 1}, {"iCCP", "Display P3\0\0x", 13}},
         "lost: the colour profile 'Display P3' and resolution; colours may look different"},
        {{{"eXIf", "", 1}, {"iCCP", "sRGB IEC61966-2.1\0\0x", 20}, {"tEXt", "Title\0x", 7}},
         "lost: the colour profile 'sRGB IEC61966-2.1', EXIF and text"},
        {{{"iCCP", "\xfc\x1b\0\0x",
           /* "u" with diaeresis in Latin-1, and the control character Escape. The exported text is
            * in UTF-8. */
           5}},
         "lost: the colour profile '\xc3\xbc?'; colours may look different"},
        {{{"cICP", "\x0c\x0d\0\1", 4}, {"tIME", "", 1}, {"prVt", "", 1}, {"caBX", "", 1}},
         "lost: the colour space (cICP), time and other chunks; colours may look different"},
        {{{"tEXt", "Raw profile type exif\0", 22},
          {"eXIf", "", 1},
          {"iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x>", 25}},
         "lost: EXIF and XMP"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        for (size_t k = 0; k < 5 && cases[i].chunks[k].type != NULL; k++)
            cr_assert_eq(img_metadata_add(&metadata, cases[i].chunks[k].type, IMG_BEFORE_IDAT,
                                          (const uint8_t *)cases[i].chunks[k].data,
                                          cases[i].chunks[k].size, NULL),
                         IMG_OK);
        const char *lost = loss(IMG_FILE_BMP, (ImgFormat){IMG_COLOR_GRAY, 8}, 0, &metadata);
        if (cases[i].lost == NULL)
            cr_expect_null(lost, "case %zu", i);
        else
            cr_expect_str_eq(lost != NULL ? lost : "", cases[i].lost, "case %zu", i);
        img_metadata_free(&metadata);
    }
}

Test(io_export, sizes_beyond_a_format_are_rejected)
{
    Case test = {IMG_FILE_JPEG, {IMG_COLOR_GRAY, 8}, 65536, calloc(65536, 2), 0, NULL};
    ImgImage image = make_image(&test);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgEncodeOptions options = {IMG_DEFAULT_LEVEL, 1, true, IMG_DEFAULT_QUALITY, NULL, NULL, NULL};
    for (ImgFileFormat file = IMG_FILE_JPEG; file <= IMG_FILE_TGA; file++) {
        ImgError err = {IMG_OK, ""};
        ImgOutput *output = NULL;
        cr_assert_eq(img_output_open("/dev/null", NULL, &output, NULL), IMG_OK);
        ImgStatus status = img_encode(file, &image, &none, &options, output, NULL, &err);
        cr_expect_eq(status, file == IMG_FILE_BMP ? IMG_OK : IMG_E_UNSUPPORTED, "%s", err.message);
        img_output_discard(&output);
    }
    static const struct {
        ImgFileFormat format;
        int32_t most;
    } limits[] = {{IMG_FILE_JPEG, 65500}, {IMG_FILE_TGA, 65535}};
    for (size_t i = 0; i < 2; i++) {
        const int32_t most = limits[i].most;
        const ImgShape fits[] = {{most, 1, {IMG_COLOR_RGB, 8}}, {1, most, {IMG_COLOR_RGB, 8}}};
        const ImgShape over[] = {{most + 1, 1, {IMG_COLOR_RGB, 8}},
                                 {1, most + 1, {IMG_COLOR_RGB, 8}}};
        for (int axis = 0; axis < 2; axis++) {
            cr_expect_eq(img_encode_check(limits[i].format, fits[axis], NULL), IMG_OK);
            cr_expect_eq(img_encode_check(limits[i].format, over[axis], NULL), IMG_E_UNSUPPORTED);
        }
    }
    /* The pixels are never read, because the size alone is rejected. */
    uint8_t byte = 0;
    ImgImage huge = {.view = img_view_make(&byte, 0, (ImgShape){60000, 60000, {IMG_COLOR_RGB, 8}})};
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open("/dev/null", NULL, &output, NULL), IMG_OK);
    cr_expect_eq(img_encode(IMG_FILE_JPEG, &huge, &none, &options, output, NULL, &err),
                 IMG_E_UNSUPPORTED);
    img_output_discard(&output);
    img_image_free(&image);
    free((void *)test.samples);
}

Test(io_export, memory_beside_the_image_is_reported)
{
    ImgMetadata none = IMG_METADATA_NONE, key = with_chunk("tRNS", "\0\1\0\2\0\3", 6);
    ImgShape rgb = {100, 10, {IMG_COLOR_RGB, 8}}, gray = {100, 10, {IMG_COLOR_GRAY, 8}};
    ImgShape wide = {100, 10, {IMG_COLOR_RGB, 16}}, rgba = {100, 10, {IMG_COLOR_RGBA, 8}};
    ImgShape bits = {100, 10, {IMG_COLOR_GRAY, 1}}, indices = {100, 10, {IMG_COLOR_PALETTE, 8}};
    cr_expect_eq(img_encode_bytes(IMG_FILE_PNG, wide, &key), 0);
    cr_expect_eq(img_encode_bytes(IMG_FILE_JPEG, rgb, &none), 0);
    cr_expect_eq(img_encode_bytes(IMG_FILE_BMP, gray, &none), 0);
    cr_expect_eq(img_encode_bytes(IMG_FILE_TGA, rgba, &none), 0);
    cr_expect_eq(img_encode_bytes(IMG_FILE_JPEG, rgba, &none), 3000);
    cr_expect_eq(img_encode_bytes(IMG_FILE_TGA, wide, &none), 3000);
    cr_expect_eq(img_encode_bytes(IMG_FILE_TGA, rgb, &key), 4000, "a colour key becomes alpha");
    cr_expect_eq(img_encode_bytes(IMG_FILE_JPEG, bits, &none), 1000);
    cr_expect_eq(img_encode_bytes(IMG_FILE_BMP, indices, &none), 3000);
    /* stb_image_write does not support padding after rows, and rows as long as these have it. */
    ImgShape padded = {10001, 100, {IMG_COLOR_RGB, 8}};
    ImgImage image;
    cr_assert_eq(img_image_alloc(padded, &image, NULL), IMG_OK);
    uint64_t expected = image.view.stride == 30003 ? 0 : 3000300;
    cr_expect_eq(img_encode_bytes(IMG_FILE_JPEG, padded, &none), expected);
    img_image_free(&image);
    ImgShape largest = {INT32_MAX, INT32_MAX, {IMG_COLOR_RGBA, 16}};
    cr_expect_gt(img_encode_bytes(IMG_FILE_TGA, largest, &none), (uint64_t)1 << 62);
    img_metadata_free(&key);
}

Test(io_export, an_extension_alone_selects_a_format_too)
{
    ImgFileFormat format = IMG_FILE_PNG;
    cr_expect(img_file_format_from_extension("a.b/c.JPG", &format));
    cr_expect_eq(format, IMG_FILE_JPEG);
    cr_expect(img_file_format_from_extension(".tga", &format));
    cr_expect_eq(format, IMG_FILE_TGA);
    cr_expect_not(img_file_format_from_extension("a.png/b", &format));
    cr_expect_not(img_file_format_from_extension("a.", &format));
    cr_expect_not(img_file_format_from_extension("/dev/null", &format), "a device has no name");
    cr_expect_not(img_file_format_from_extension("-", &format));
}

Test(io_export, the_extension_selects_the_format)
{
    static const struct {
        const char *path;
        ImgFileFormat format;
    } known[] = {{"a.png", IMG_FILE_PNG},     {"a.b/c.JPG", IMG_FILE_JPEG},
                 {"x.jpeg", IMG_FILE_JPEG},   {"a.Bmp", IMG_FILE_BMP},
                 {"a.tga", IMG_FILE_TGA},     {"-", IMG_FILE_PNG},
                 {"/dev/null", IMG_FILE_PNG}, {"/dev/stdout", IMG_FILE_PNG},
                 {"/dev/fd/1", IMG_FILE_PNG}, {"/proc/self/fd/0", IMG_FILE_PNG}};
    ImgFileFormat format;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cr_expect_eq(img_file_format_from_path(known[i].path, &format, NULL), IMG_OK);
        cr_expect_eq(format, known[i].format, "%s", known[i].path);
    }
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_file_format_from_path("a.webp", &format, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "'.webp'; use .png, .jpg"), "%s", err.message);
    cr_expect_eq(img_file_format_from_path("directory.png/name", &format, NULL), IMG_E_USAGE);
    cr_expect_eq(img_file_format_from_path("/dev/fd/x", &format, NULL), IMG_E_USAGE);
    cr_expect_eq(img_file_format_from_path("/dev/fd/4294967296", &format, NULL), IMG_E_USAGE);
    img_error_clear(&err);
    cr_expect_eq(img_file_format_from_path("x.png/", &format, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "is the name of a directory"), "%s", err.message);
}
