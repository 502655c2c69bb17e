/* Tests which tRNS chunk of a file takes effect, if any. Random valid and invalid files are
 * compared with the pixels of the simplified API of libpng. */
#include <png.h>

#include "io/expand.h"
#include "test_io_png.h"

enum { WIDTH = 16, HEIGHT = 8, PIXELS = WIDTH * HEIGHT };

static uint32_t random_below(uint32_t end)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % end;
}

/* --- Files ------------------------------------------------------------------------------------ */

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 1},    {IMG_COLOR_GRAY, 2},       {IMG_COLOR_GRAY, 4},
    {IMG_COLOR_GRAY, 8},    {IMG_COLOR_RGB, 8},        {IMG_COLOR_PALETTE, 2},
    {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGBA, 8}};
enum { FORMATS_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

/* Writes a tRNS chunk whose size usually fits some format. The colour in it is often the colour of
 * a pixel. */
static void put_transparency(Bytes *png, ImgFormat format)
{
    static const size_t sizes[] = {0, 1, 2, 2, 3, 4, 5, 6, 6, 6};
    uint8_t data[6];
    const int x = (int)random_below(WIDTH), y = (int)random_below(HEIGHT);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(256);
    for (int c = 0; c < 3 && format.color != IMG_COLOR_PALETTE && random_below(4) > 0; c++) {
        data[2 * c] = random_below(3) == 0 ? 1 : 0;
        data[2 * c + 1] = (uint8_t)test_sample(format, x, y, c);
    }
    put_chunk(png, "tRNS", data, sizes[random_below(sizeof sizes / sizeof sizes[0])]);
}

static void put_some_transparency(Bytes *png, ImgFormat format)
{
    for (uint32_t left = random_below(3); left > 0; left--)
        put_transparency(png, format);
}

static Bytes random_png(ImgFormat format)
{
    const bool needs_palette = format.color == IMG_COLOR_PALETTE;
    const bool may_have = needs_palette || format.color == IMG_COLOR_RGB;
    const ImgShape shape = {WIDTH, HEIGHT, format};
    Bytes png = {0};
    put_test_header(&png, shape, false);
    put_some_transparency(&png, format);
    if (needs_palette || (may_have && random_below(2) == 0)) {
        put_test_palette(&png, format.bits == 8 ? 256 : 4);
        put_some_transparency(&png, format);
    }
    put_test_rows(&png, shape, false);
    put_some_transparency(&png, format);
    put_end(&png);
    return png;
}

/* --- Pixels as RGBA --------------------------------------------------------------------------- */

static void libpng_shows(const Bytes *png, uint8_t rgba[PIXELS][4])
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_memory(&image, png->data, png->size), "%s", image.message);
    image.format = PNG_FORMAT_RGBA;
    cr_assert(png_image_finish_read(&image, NULL, rgba, 0, NULL), "%s", image.message);
}

static void we_show(const Bytes *png, uint8_t rgba[PIXELS][4])
{
    ImgImage image;
    ImgMetadata metadata;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(read_png(png, &WIDE_LIMITS, &image, &metadata, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_expand(&image, &metadata, NULL, 1, &err), IMG_OK, "%s", err.message);
    const ImgFormat format = image.view.format;
    const bool gray = format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
    const unsigned scale = 255 / img_format_maximum(format);
    for (int i = 0; i < PIXELS; i++) {
        const int last = img_format_channels(format) - 1;
        for (int c = 0; c < 3; c++)
            rgba[i][c] =
                (uint8_t)(scale * sample_at(&image.view, i % WIDTH, i / WIDTH, gray ? 0 : c));
        rgba[i][3] = 255;
        if (img_format_has_alpha(format))
            rgba[i][3] = (uint8_t)sample_at(&image.view, i % WIDTH, i / WIDTH, last);
    }
    img_image_free(&image);
    img_metadata_free(&metadata);
}

static bool is_opaque(uint8_t rgba[PIXELS][4])
{
    for (int i = 0; i < PIXELS; i++)
        if (rgba[i][3] != 255)
            return false;
    return true;
}

Test(png_transparency, transparency_matches_libpng_for_any_chunks)
{
    int opaque = 0;
    enum { ROUNDS = 4000 };
    for (int round = 0; round < ROUNDS; round++) {
        const ImgFormat format = FORMATS[round % FORMATS_COUNT];
        Bytes png = random_png(format);
        uint8_t theirs[PIXELS][4], ours[PIXELS][4];
        libpng_shows(&png, theirs);
        we_show(&png, ours);
        for (int i = 0; i < PIXELS; i++)
            cr_assert_arr_eq(ours[i], theirs[i], 4, "round %d, %s %d bits, pixel %d: alpha %d, %d",
                             round, img_color_name(format.color), format.bits, i, ours[i][3],
                             theirs[i][3]);
        opaque += is_opaque(theirs);
        free(png.data);
    }
    cr_expect(opaque > ROUNDS / 8 && opaque < ROUNDS / 8 * 7, "%d: both kinds must occur", opaque);
}
