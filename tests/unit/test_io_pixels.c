/* Tests of pixels that are read from PNG files of every kind, and written again. */
#include "test_io_png.h"

static const int SIZES[][2] = {{1, 1}, {3, 2}, {5, 1}, {1, 9}, {8, 8}, {17, 13}};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

Test(io_pixels, four_bit_gray_is_unpacked_and_not_scaled)
{
    Bytes png = {0};
    put_header(&png, 3, 2, 4, 0, 0);
    put_idat(&png, "\0\x12\x30\0\xf0\xa0", 6);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    static const unsigned expected[2][3] = {{1, 2, 3}, {15, 0, 10}};
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            cr_expect_eq(sample_at(&image.view, x, y, 0), expected[y][x]);
    cr_expect_eq(image.view.format.bits, 4);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_pixels, sixteen_bits_are_in_native_order)
{
    Bytes png = {0};
    put_header(&png, 2, 1, 16, 0, 0);
    put_idat(&png, "\0\x12\x34\xff\xfe", 5);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    cr_expect_eq(sample_at(&image.view, 0, 0, 0), 0x1234U);
    cr_expect_eq(sample_at(&image.view, 1, 0, 0), 0xfffeU);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_pixels, row_filters_are_undone)
{
    /* The rows use the filters None, Sub, Up, Average and Paeth. Worked out by hand, each row
     * becomes 10 20 30. */
    static const char rows[] = "\0\x0a\x14\x1e"
                               "\1\x0a\x0a\x0a"
                               "\2\x00\x00\x00"
                               "\3\x05\x05\x05"
                               "\4\x00\x00\x00";
    Bytes png = {0};
    put_header(&png, 3, 5, 8, 0, 0);
    put_idat(&png, rows, sizeof rows - 1);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 3; x++)
            cr_expect_eq(sample_at(&image.view, x, y, 0), 10U * (unsigned)(x + 1), "%d,%d", x, y);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

static void read_and_write_again(ImgShape shape, bool interlaced, int level)
{
    Bytes png = test_png(shape, interlaced);
    ImgImage image, again;
    ImgMetadata metadata, metadata_again;
    expect_readable(&png, &image, &metadata);
    expect_test_pixels(&image.view);

    Bytes written = encode_as(IMG_FILE_PNG, &image, &metadata, level);
    expect_readable(&written, &again, &metadata_again);
    expect_test_pixels(&again.view);
    cr_assert_eq(again.view.format.color, shape.format.color);
    cr_assert_eq(again.view.format.bits, shape.format.bits);
    cr_assert_eq(metadata_again.interlaced, interlaced);
    cr_assert_eq(metadata_again.palette_size, metadata.palette_size);
    cr_assert_arr_eq(metadata_again.palette, metadata.palette, sizeof metadata.palette);
    cr_assert_eq(metadata_again.count, 0U, "no chunk is invented");

    img_image_free(&image);
    img_image_free(&again);
    img_metadata_free(&metadata);
    img_metadata_free(&metadata_again);
    free(png.data);
    free(written.data);
}

Test(io_pixels, every_format_and_size_survives_reading_and_writing)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int s = 0; s < SIZE_COUNT; s++)
            for (int interlaced = 0; interlaced <= 1; interlaced++)
                read_and_write_again((ImgShape){SIZES[s][0], SIZES[s][1], ALL_FORMATS[f]},
                                     interlaced, IMG_DEFAULT_LEVEL);
}

Test(io_pixels, every_level_survives)
{
    for (int level = 0; level <= 9; level++) {
        read_and_write_again((ImgShape){211, 307, {IMG_COLOR_RGB, 16}}, false, level);
        read_and_write_again((ImgShape){611, 307, {IMG_COLOR_RGB, 8}}, false, level);
        read_and_write_again((ImgShape){61, 30, {IMG_COLOR_PALETTE, 4}}, true, level);
    }
}

Test(io_pixels, views_with_padded_rows_are_written)
{
    enum { WIDTH = 5, HEIGHT = 3, STRIDE = 32 };
    uint8_t buffer[STRIDE * HEIGHT];
    memset(buffer, 0xee, sizeof buffer);
    ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 8}};
    ImgImage image = {.view = img_view_make(buffer, STRIDE, shape), .size = sizeof buffer}, again;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                buffer[y * STRIDE + x * 3 + c] = (uint8_t)test_sample(shape.format, x, y, c);
    ImgMetadata none = IMG_METADATA_NONE, metadata;
    Bytes png = encode_as(IMG_FILE_PNG, &image, &none, IMG_DEFAULT_LEVEL);
    expect_readable(&png, &again, &metadata);
    expect_test_pixels(&again.view);
    img_image_free(&again);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_pixels, indices_outside_the_palette_are_kept)
{
    Bytes png = {0};
    put_header(&png, 4, 1, 8, 3, 0);
    put_test_palette(&png, 2);
    put_idat(&png, "\0\0\1\2\xff", 5);
    put_end(&png);
    ImgImage image, again;
    ImgMetadata metadata, metadata_again;
    expect_readable(&png, &image, &metadata);
    Bytes written = encode_as(IMG_FILE_PNG, &image, &metadata, IMG_DEFAULT_LEVEL);
    expect_readable(&written, &again, &metadata_again);
    cr_expect_eq(sample_at(&again.view, 3, 0, 0), 255U);
    cr_expect_eq(metadata_again.palette_size, 2);
    img_image_free(&image);
    img_image_free(&again);
    img_metadata_free(&metadata);
    img_metadata_free(&metadata_again);
    free(png.data);
    free(written.data);
}

Test(io_pixels, image_data_may_come_in_many_chunks)
{
    ImgShape shape = {9, 9, {IMG_COLOR_RGB, 8}};
    Bytes raw = test_rows(shape, false), packed = deflated(raw.data, raw.size), png = {0};
    put_test_header(&png, shape, false);
    put_chunk(&png, "IDAT", NULL, 0);
    for (size_t i = 0; i < packed.size; i++)
        put_chunk(&png, "IDAT", packed.data + i, 1);
    put_chunk(&png, "IDAT", NULL, 0);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(raw.data);
    free(packed.data);
    free(png.data);
}
