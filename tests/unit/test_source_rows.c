/* Tests of rows that are decoded on request (io/source_rows.h). */
#include "io/source_rows.h"

#include "test_io_png.h"

static ImgSource *open_loaded(const Bytes *png)
{
    const ImgInputBytes bytes = {.memory = png->data, .size = png->size};
    ImgSource *source = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_open_bytes(&bytes, true, &WIDE_LIMITS, &source, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    return source;
}

static void expect_rows(const ImgView *rows, int32_t first)
{
    for (int y = 0; y < rows->height; y++)
        for (int x = 0; x < rows->width; x++)
            for (int c = 0; c < img_format_channels(rows->format); c++)
                cr_assert_eq(sample_at(rows, x, y, c), test_sample(rows->format, x, first + y, c),
                             "pixel %d,%d", x, first + y);
}

/* Requests `height` rows at a time, together with the `overlap` rows before them. Skips `gap` rows
 * after each request. */
static void read_picture(const Bytes *png, int threads, int32_t height, int32_t overlap,
                         int32_t gap)
{
    ImgError err = {IMG_OK, ""};
    ImgSource *source = open_loaded(png);
    const int32_t all = img_source_shape(source).height;
    const ImgPngDecodeOptions options = {.threads = threads};
    ImgPngDecodeReport report;
    ImgSourceRows *rows;
    cr_assert_eq(
        img_source_rows_start(source, &options, threads > 1, height + overlap, &rows, &err), IMG_OK,
        "%s", err.message);
    for (int32_t y = 0; y < all; y += height + gap) {
        const int32_t first = y > overlap ? y - overlap : 0;
        const int32_t end = y + height < all ? y + height : all;
        ImgView view;
        cr_assert_eq(img_source_rows_read(rows, first, end - first, &view, &err), IMG_OK, "%s",
                     err.message);
        cr_assert_eq(view.height, end - first);
        expect_rows(&view, first);
    }
    cr_assert_eq(img_source_rows_finish(rows, &report, &err), IMG_OK, "%s", err.message);
    img_source_rows_end(rows);
    img_source_close(source);
}

Test(source_rows, requests_of_any_height_give_their_rows, .timeout = 60)
{
    static const ImgShape shapes[] = {{3, 1, {IMG_COLOR_RGB, 8}},
                                      {61, 97, {IMG_COLOR_RGB, 8}},
                                      {300, 401, {IMG_COLOR_RGBA, 16}},
                                      {37, 83, {IMG_COLOR_GRAY, 2}}};
    static const int32_t heights[] = {1, 7, 32, 96, 500};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const Bytes png = test_png(shapes[i], false);
        for (int threads = 1; threads <= 3; threads++)
            for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
                for (int variant = 0; variant < 4; variant++)
                    read_picture(&png, threads, heights[h], variant % 2 ? 5 : 0,
                                 variant > 1 ? 11 : 0);
        free(png.data);
    }
}

Test(source_rows, a_damaged_end_is_found_before_the_last_row_is_given)
{
    const ImgShape shape = {40, 50, {IMG_COLOR_GRAY, 8}};
    Bytes png = {0}, raw = test_rows(shape, false), packed = deflated(raw.data, raw.size);
    packed.data[packed.size - 1] ^= 1; /* makes the Adler-32 wrong */
    put_test_header(&png, shape, false);
    put_chunk(&png, "IDAT", packed.data, packed.size);
    put_end(&png);
    for (int threads = 1; threads <= 2; threads++) {
        ImgError err = {IMG_OK, ""};
        ImgSource *source = open_loaded(&png);
        const ImgPngDecodeOptions options = {.threads = threads};
        ImgSourceRows *rows;
        ImgView view;
        ImgImage image;
        cr_assert_eq(img_source_rows_start(source, &options, threads > 1, 50, &rows, &err), IMG_OK);
        cr_expect_eq(img_source_rows_read(rows, 0, 50, &view, &err), IMG_E_FORMAT);
        img_source_rows_end(rows);
        /* The file is still in memory, so the whole picture can be decoded. This gives the exact
         * error. */
        img_error_clear(&err);
        cr_expect_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_E_FORMAT);
        cr_expect(strstr(err.message, "Adler-32") != NULL, "%s", err.message);
        img_source_close(source);
    }
    free(packed.data);
    free(raw.data);
    free(png.data);
}

Test(source_rows, reading_can_end_at_any_row)
{
    const Bytes png = test_png((ImgShape){61, 97, {IMG_COLOR_RGB, 8}}, false);
    for (int threads = 1; threads <= 2; threads++) {
        for (int32_t end = 0; end <= 90; end += 30) {
            ImgError err = {IMG_OK, ""};
            ImgSource *source = open_loaded(&png);
            const ImgPngDecodeOptions options = {.threads = threads};
            ImgSourceRows *rows;
            ImgView view;
            cr_assert_eq(img_source_rows_start(source, &options, threads > 1, 30, &rows, &err),
                         IMG_OK);
            for (int32_t y = 0; y < end; y += 30)
                cr_assert_eq(img_source_rows_read(rows, y, 30, &view, &err), IMG_OK);
            img_source_rows_end(rows);
            img_source_close(source);
        }
    }
    free(png.data);
}

Test(source_rows, metadata_can_be_read_again)
{
    const ImgShape shape = {4, 4, {IMG_COLOR_GRAY, 8}};
    Bytes png = {0};
    put_test_header(&png, shape, false);
    PUT_TEXT(&png, "tEXt", "Title\0a picture");
    put_test_rows(&png, shape, false);
    put_end(&png);
    ImgSource *source = open_loaded(&png);
    ImgMetadata metadata = img_source_take_metadata(source);
    cr_expect_eq(metadata.count, 1);
    cr_expect_eq(img_source_metadata(source)->count, 0);
    cr_assert_eq(img_source_read_metadata(source, NULL), IMG_OK);
    cr_expect_eq(img_source_metadata(source)->count, 1);
    img_metadata_free(&metadata);
    img_source_close(source);
    free(png.data);
}
