/* Tests of the conversion of palettes and transparent colours to channels. The expected values are
 * written by hand. */
#include "io/expand.h"
#include "test_io_png.h"

typedef struct Case {
    ImgImage image;
    ImgMetadata metadata;
} Case;

/* Returns a picture of one row. `row` has the samples as a picture stores them, with 16 bits in the
 * byte order of the processor. */
static Case make(ImgFormat format, int width, const void *row)
{
    Case one = {IMG_IMAGE_NONE, IMG_METADATA_NONE};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_image_alloc((ImgShape){width, 1, format}, &one.image, &err), IMG_OK);
    memcpy(one.image.view.data, row, (size_t)width * img_format_pixel_size(format));
    return one;
}

static void add(Case *one, const char *type, const void *data, size_t size)
{
    cr_assert_eq(
        img_metadata_add(&one->metadata, type, IMG_BEFORE_IDAT, data, (uint32_t)size, NULL),
        IMG_OK);
}

/* Converts the picture. Expects the announced format and the samples of `row`, and that tRNS is
 * gone. */
static void expect_expanded(Case *one, ImgFormat format, const void *row)
{
    ImgError err = {IMG_OK, ""};
    ImgShape announced = img_expanded_shape(img_view_shape(&one->image.view), &one->metadata);
    cr_assert_eq(img_expand(&one->image, &one->metadata, NULL, 3, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(announced.format.color, format.color);
    cr_assert_eq(announced.format.bits, format.bits);
    ImgView view = one->image.view;
    cr_assert_eq(view.format.color, format.color);
    cr_assert_eq(view.format.bits, format.bits);
    cr_expect_eq(memcmp(view.data, row, (size_t)view.width * img_format_pixel_size(format)), 0);
    cr_expect_null(img_metadata_find(&one->metadata, "tRNS"));
}

static void expect_chunk(const Case *one, const char *type, const void *data, size_t size)
{
    const ImgChunk *chunk = img_metadata_find(&one->metadata, type);
    cr_assert_not_null(chunk, "%s", type);
    cr_assert_eq(chunk->size, size, "%s", type);
    cr_expect_eq(memcmp(chunk->data, data, size), 0, "%s", type);
}

static void end(Case *one)
{
    img_image_free(&one->image);
    img_metadata_free(&one->metadata);
}

static const uint8_t INDICES[] = {1, 0, 2, 3};

/* Returns a picture with a palette of three colours. Its samples include index 3, which has no
 * entry. */
static Case palette_case(void)
{
    Case one = make((ImgFormat){IMG_COLOR_PALETTE, 2}, 4, INDICES);
    memcpy(one.metadata.palette, (uint8_t[]){10, 20, 30, 40, 50, 60, 70, 80, 90}, 9);
    one.metadata.palette_size = 3;
    add(&one, "sBIT", "\5\6\5", 3);
    add(&one, "hIST", "\0\1\0\1\0\1", 6);
    add(&one, "bKGD", "\2", 1);
    add(&one, "tEXt", "Title\0a", 7);
    return one;
}

Test(io_expand, palette_becomes_rgb)
{
    Case one = palette_case();
    expect_expanded(&one, (ImgFormat){IMG_COLOR_RGB, 8},
                    (uint8_t[]){40, 50, 60, 10, 20, 30, 70, 80, 90, 0, 0, 0});
    cr_expect_eq(one.metadata.palette_size, 0);
    cr_expect_null(img_metadata_find(&one.metadata, "hIST"));
    expect_chunk(&one, "bKGD", "\0\x46\0\x50\0\x5a", 6);
    expect_chunk(&one, "sBIT", "\5\6\5", 3);
    expect_chunk(&one, "tEXt", "Title\0a", 7);
    end(&one);
}

Test(io_expand, palette_with_alphas_becomes_rgba)
{
    Case one = palette_case();
    add(&one, "tRNS", "\x80\0", 2);
    expect_expanded(&one, (ImgFormat){IMG_COLOR_RGBA, 8},
                    (uint8_t[]){40, 50, 60, 0, 10, 20, 30, 128, 70, 80, 90, 255, 0, 0, 0, 255});
    expect_chunk(&one, "sBIT", "\5\6\5\x8", 4);
    end(&one);
}

Test(io_expand, a_background_without_a_colour_is_dropped)
{
    Case one = make((ImgFormat){IMG_COLOR_PALETTE, 8}, 1, "\0");
    one.metadata.palette_size = 3;
    add(&one, "bKGD", "\3", 1);
    expect_expanded(&one, (ImgFormat){IMG_COLOR_RGB, 8}, "\0\0\0");
    cr_expect_null(img_metadata_find(&one.metadata, "bKGD"));
    end(&one);
}

Test(io_expand, few_bits_with_a_transparent_gray_are_scaled)
{
    static const struct {
        int bits;
        uint8_t row[3], key[2], expected[6];
    } cases[] = {
        {1, {0, 1, 0}, {0, 1}, {0, 255, 255, 0, 0, 255}},
        {2, {0, 2, 3}, {0, 2}, {0, 255, 170, 0, 255, 255}},
        {4, {1, 14, 15}, {0, 14}, {17, 255, 238, 0, 255, 255}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Case one = make((ImgFormat){IMG_COLOR_GRAY, cases[i].bits}, 3, cases[i].row);
        add(&one, "tRNS", cases[i].key, 2);
        add(&one, "bKGD", "\0\1", 2);
        add(&one, "sBIT", "\1", 1);
        expect_expanded(&one, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, cases[i].expected);
        uint8_t one_scaled = (uint8_t)(255 / ((1 << cases[i].bits) - 1));
        expect_chunk(&one, "bKGD", (uint8_t[]){0, one_scaled}, 2);
        expect_chunk(&one, "sBIT", "\1\x8", 2);
        end(&one);
    }
}

Test(io_expand, a_transparent_gray_of_8_bits_is_its_low_byte)
{
    Case one = make((ImgFormat){IMG_COLOR_GRAY, 8}, 2, (uint8_t[]){7, 8});
    add(&one, "tRNS", "\1\7", 2);
    expect_expanded(&one, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, (uint8_t[]){7, 0, 8, 255});
    end(&one);
}

Test(io_expand, a_transparent_rgb_colour_needs_all_three_samples)
{
    Case one = make((ImgFormat){IMG_COLOR_RGB, 8}, 2, (uint8_t[]){1, 2, 3, 1, 2, 4});
    add(&one, "tRNS", "\0\1\0\2\0\3", 6);
    add(&one, "bKGD", "\0\1\0\2\0\3", 6);
    expect_expanded(&one, (ImgFormat){IMG_COLOR_RGBA, 8}, (uint8_t[]){1, 2, 3, 0, 1, 2, 4, 255});
    expect_chunk(&one, "bKGD", "\0\1\0\2\0\3", 6);
    end(&one);
}

Test(io_expand, transparent_colours_of_16_bits_are_compared_whole)
{
    Case gray = make((ImgFormat){IMG_COLOR_GRAY, 16}, 2, (uint16_t[]){0x1234, 0x1235});
    add(&gray, "tRNS", "\x12\x34", 2);
    expect_expanded(&gray, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 16},
                    (uint16_t[]){0x1234, 0, 0x1235, 0xffff});
    end(&gray);
    Case rgb = make((ImgFormat){IMG_COLOR_RGB, 16}, 2, (uint16_t[]){1, 2, 0x300, 1, 2, 0x301});
    add(&rgb, "tRNS", "\0\1\0\2\3\0", 6);
    expect_expanded(&rgb, (ImgFormat){IMG_COLOR_RGBA, 16},
                    (uint16_t[]){1, 2, 0x300, 0, 1, 2, 0x301, 0xffff});
    end(&rgb);
}

Test(io_expand, other_pictures_stay_unchanged)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (ALL_FORMATS[i].color == IMG_COLOR_PALETTE)
            continue;
        Bytes png = test_png((ImgShape){5, 3, ALL_FORMATS[i]}, false);
        Case one;
        expect_readable(&png, &one.image, &one.metadata);
        /* No transparent colour has this length. */
        add(&one, "tRNS", "odd", 3);
        add(&one, "bKGD", "\0\1", 2);
        const uint8_t *before = one.image.view.data;
        cr_assert_eq(img_expand(&one.image, &one.metadata, NULL, 1, NULL), IMG_OK);
        cr_expect_eq(one.image.view.data, before);
        expect_test_pixels(&one.image.view);
        expect_chunk(&one, "tRNS", "odd", 3);
        expect_chunk(&one, "bKGD", "\0\1", 2);
        end(&one);
        free(png.data);
    }
}

static Case large(ImgFormat format, size_t samples)
{
    Case one = {.metadata = IMG_METADATA_NONE};
    cr_assert_eq(img_image_alloc((ImgShape){1003, 701, format}, &one.image, NULL), IMG_OK);
    const ImgView *view = &one.image.view;
    for (int32_t y = 0; y < view->height; y++)
        for (size_t i = 0; i < (size_t)view->width * samples; i++)
            view->data[(size_t)y * view->stride + i] = (uint8_t)((size_t)y * 31 + i * 7 + i / 97);
    return one;
}

/* The picture has so many rows that several threads convert them. */
Test(io_expand, threads_give_the_same_result)
{
    for (int palette = 0; palette <= 1; palette++) {
        Case cases[2];
        for (int i = 0; i < 2; i++) {
            ImgFormat format = {palette ? IMG_COLOR_PALETTE : IMG_COLOR_RGB, 8};
            cases[i] = large(format, palette ? 1 : 3);
            if (palette) {
                cases[i].metadata.palette_size = 200;
                for (int k = 0; k < 600; k++)
                    cases[i].metadata.palette[k / 3][k % 3] = (uint8_t)(k * 11);
                add(&cases[i], "tRNS", "\0\x40\x80", 3);
            } else {
                add(&cases[i], "tRNS", "\0\x07\0\x0e\0\x15", 6);
            }
            cr_assert_eq(
                img_expand(&cases[i].image, &cases[i].metadata, NULL, i == 0 ? 1 : 5, NULL),
                IMG_OK);
        }
        const ImgView *a = &cases[0].image.view, *b = &cases[1].image.view;
        size_t row = (size_t)a->width * img_format_pixel_size(a->format);
        for (int32_t y = 0; y < a->height; y++)
            cr_assert_eq(
                memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row), 0,
                "row %d", y);
        end(&cases[0]);
        end(&cases[1]);
    }
}
