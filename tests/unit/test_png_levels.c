/* Tests of the file sizes that the levels promise. A file at each level is at most 0.1 % larger
 * than at the level below. At the default level it is no larger than libpng's file for photographs,
 * and at most 3 % larger for graphics. The pictures are generated here, or are those in
 * samples/. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "io/encode.h"
#include "tests/peers/png_peers.h"

enum {
    LEVELS = 10,
    FEW_BYTES = 200 /* size of headers and index in bytes, which no level changes */
};

/* maximum ratio of the size at a level to the size at the level below */
static const double STEP = 1.001;

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* A function that returns a sample of a pixel, from 0 to 255. */
typedef int (*Paint)(int x, int y, int channel);

/* Draws letters of 8 x 16 pixels in words and lines. Their edges are more or less soft, as if
 * letters were not aligned to whole pixels. */
static int text_at(int x, int y, int channel)
{
    (void)channel;
    unsigned line = (unsigned)y / 16, column = (unsigned)x / 8;
    unsigned word = (line * 7919 + column / 6 * 104729) % 61;
    unsigned letter = column % 6 == 5 ? 0 : (word * 31 + column % 6 * 17) % 27;
    unsigned bits = letter * 0x9E3779B1U >> (unsigned)((y % 16 / 2 + x % 8 / 2 * 5) % 24);
    bool blank = letter == 0 || y % 16 < 3 || y % 16 > 13 || column > 60 + line * 13 % 30;
    int soft = 60 + (int)((column * 37 + line * 101) % 97 + (line * column) % 43);
    return blank ? 255 : bits % 4 == 0 ? 0 : bits % 4 == 1 ? soft : 255;
}

/* Draws windows on a background with a gradient. Two of them contain text and one a picture. */
static int screen_at(int x, int y, int channel)
{
    static const int shades[3] = {40, 90, 160};
    if (x > 40 && x < 300 && y > 30 && y < 250)
        return y < 50 ? 60 + 20 * channel : text_at(x, y, 0);
    if (x > 200 && x < 460 && y > 120 && y < 290)
        return 255 - text_at(x + 3, y, 0) * (channel + 1) / 4;
    return shades[channel] + y / 4;
}

/* Draws discs with soft edges. Some discs overlap others. */
static int drawing_at(int x, int y, int channel)
{
    int value = 255;
    for (int i = 0; i < 12; i++) {
        int from_x = x - i * 97 % 480, from_y = y - i * 61 % 320, radius = 30 + i * 37 % 70;
        int away = from_x * from_x + from_y * from_y, rim = radius * radius;
        int color = (i * 83 + channel * 51) % 256;
        if (away < rim - 2 * radius)
            value = color;
        else if (away < rim)
            value = value + (color - value) * (rim - away) / (2 * radius);
    }
    return value;
}

static int gradient_at(int x, int y, int channel)
{
    (void)x;
    return 20 + y * (channel + 1) / 8;
}

static int photo_at(int x, int y, int channel)
{
    int wave = (x * x / 300 + y * (3 + channel)) % 400;
    int shape = (wave < 200 ? wave : 400 - wave) + x / 8 % 3 * 5;
    return shape % 240 + (int)(random_number() % 5 + random_number() % 5);
}

/* Draws a darker photograph with a dither pattern, which adds 0 to 56 by position. */
static int dithered_at(int x, int y, int channel)
{
    return photo_at(x, y, channel) * 3 / 4 + (x * 5 + y * 3) % 8 * 8;
}

typedef struct Picture {
    const char *name;
    Paint paint;
    ImgFormat format;
    /* maximum ratio of imgtool's file size to libpng's, both at the default level */
    double bound;
} Picture;

static const Picture PICTURES[] = {
    {"photo", photo_at, {IMG_COLOR_RGB, 8}, 1.0},
    {"gray photo", photo_at, {IMG_COLOR_GRAY, 8}, 1.0},
    {"photo with alpha", photo_at, {IMG_COLOR_RGBA, 8}, 1.0},
    {"screen", screen_at, {IMG_COLOR_RGB, 8}, 1.03},
    {"gray screen", screen_at, {IMG_COLOR_GRAY, 8}, 1.03},
    {"screen of 16 bits", screen_at, {IMG_COLOR_RGB, 16}, 1.03},
    {"screen in 16 colours", screen_at, {IMG_COLOR_PALETTE, 4}, 1.03},
    {"drawing", drawing_at, {IMG_COLOR_RGB, 8}, 1.03},
    {"drawing with a palette", drawing_at, {IMG_COLOR_PALETTE, 8}, 1.03},
    {"drawing of 1 bit", drawing_at, {IMG_COLOR_GRAY, 1}, 1.03},
    {"gradient", gradient_at, {IMG_COLOR_RGB, 8}, 1.03},
    {"text", text_at, {IMG_COLOR_RGB, 8}, 1.03},
    {"gray text", text_at, {IMG_COLOR_GRAY, 8}, 1.03},
    {"text of 2 bits", text_at, {IMG_COLOR_GRAY, 2}, 1.03},
    {"text of 1 bit", text_at, {IMG_COLOR_GRAY, 1}, 1.03},
    {"dithered palette", dithered_at, {IMG_COLOR_PALETTE, 8}, 1.03},
};

static ImgImage paint(const Picture *picture, int32_t width, int32_t height)
{
    ImgImage image;
    ImgFormat format = picture->format;
    cr_assert_eq(img_image_alloc((ImgShape){width, height, format}, &image, NULL), IMG_OK);
    int channels = img_format_channels(format);
    for (int y = 0; y < height; y++) {
        uint8_t *row = image.view.data + (size_t)y * image.view.stride;
        for (int i = 0; i < width * channels; i++) {
            int value = picture->paint(i / channels, y, i % channels) & 255;
            uint16_t wide = (uint16_t)(value * 257);
            if (format.bits == 16)
                memcpy(row + 2 * (size_t)i, &wide, 2);
            else
                row[i] = (uint8_t)(value >> (8 - format.bits));
        }
    }
    return image;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static ImgMetadata palette_for(ImgFormat format)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    if (format.color == IMG_COLOR_PALETTE)
        metadata.palette_size = 1 << format.bits;
    return metadata;
}

static void expect_promises(const char *name, const ImgImage *image, const ImgMetadata *metadata,
                            int levels, double bound)
{
    size_t sizes[LEVELS];
    for (int level = 0; level < levels; level++) {
        cr_assert(our_encode(image, metadata, level, 1, "/dev/null", &sizes[level]));
        cr_expect(level == 0 || (double)sizes[level] <= STEP * (double)sizes[level - 1],
                  "%s: %zu bytes at level %d, %zu at the one below", name, sizes[level], level,
                  level > 0 ? sizes[level - 1] : 0);
    }
    size_t libpng = libpng_encode(&image->view, metadata, LIBPNG_DEFAULTS);
    cr_assert_gt(libpng, 0);
    cr_expect((double)sizes[IMG_DEFAULT_LEVEL] <= bound * (double)libpng + FEW_BYTES,
              "%s: %zu bytes, libpng %zu", name, sizes[IMG_DEFAULT_LEVEL], libpng);
}

static void expect_promises_of_all(int32_t width, int32_t height, int levels)
{
    for (size_t i = 0; i < sizeof PICTURES / sizeof PICTURES[0]; i++) {
        const Picture *picture = &PICTURES[i];
        ImgImage image = paint(picture, width, height);
        ImgMetadata metadata = palette_for(picture->format);
        expect_promises(picture->name, &image, &metadata, levels, picture->bound);
        img_image_free(&image);
    }
}

Test(png_levels, pictures_of_one_strip_keep_the_promises)
{
    expect_promises_of_all(480, 320, LEVELS);
}

Test(png_levels, pictures_of_several_strips_keep_the_promises)
{
    expect_promises_of_all(1400, 700, IMG_DEFAULT_LEVEL + 2);
}

/* In pictures as small as these, the encoder tries the strategies on whole strips, not on samples
 * of strips. */
Test(png_levels, small_pictures_keep_the_promises)
{
    expect_promises_of_all(200, 150, LEVELS);
}

/* The files of samples/ are small graphics. Even a fast search finds their smallest encoding. */
Test(png_levels, the_samples_keep_the_promises)
{
    glob_t files;
    cr_assert_eq(glob(SAMPLES "/*.png", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        File file;
        ImgPngHeader header;
        ImgPngScan scan;
        ImgImage image;
        ImgMetadata metadata = IMG_METADATA_NONE, palette = IMG_METADATA_NONE;
        cr_assert(file_read(files.gl_pathv[i], &file));
        cr_assert_eq(img_png_header(file.data, &header, NULL), IMG_OK);
        cr_assert_eq(img_png_scan(file.data, file.size, &header,
                                  (ImgPngBudget){0, UINT64_MAX, NULL, NULL}, &metadata, &scan,
                                  NULL),
                     IMG_OK);
        cr_assert(libpng_decode(file.data, file.size, header.shape, &image));
        palette.palette_size = metadata.palette_size;
        expect_promises(files.gl_pathv[i], &image, &palette, LEVELS, 1.03);
        img_metadata_free(&metadata);
        img_image_free(&image);
        free(file.data);
    }
    cr_expect_gt(files.gl_pathc, 20);
    globfree(&files);
}
