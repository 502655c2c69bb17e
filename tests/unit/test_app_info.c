/* Tests that `imgtool info` counts the bytes of the file and of its chunks against the memory
 * limit. */
#include "app/info/info.h"
#include "test_io_png.h"

/* Returns an interlaced PNG with 60,000 bytes of samples and a text chunk of `text_bytes` bytes.
 * `imgtool info` does not decode samples, so they must not count against the limit. */
static Bytes png_with_text(size_t text_bytes)
{
    const ImgShape shape = {200, 100, {IMG_COLOR_RGB, 8}};
    Bytes png = {0};
    char *text = calloc(text_bytes, 1);
    memcpy(text, "Comment", sizeof "Comment");
    put_test_header(&png, shape, true);
    put_chunk(&png, "tEXt", text, text_bytes);
    put_test_rows(&png, shape, true);
    put_end(&png);
    free(text);
    return png;
}

Test(app_info, the_limit_counts_file_and_chunks_but_not_pixels)
{
    enum { TEXT = 5000 };
    Bytes png = png_with_text(TEXT);
    const MemoryFile file = memory_file(&png);
    Info info;
    ImgError err = {IMG_OK, ""};
    cr_expect_lt(png.size, 60000);
    cr_expect_eq(info_read(file.path, png.size + TEXT, &info, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(info.shape.width, 200);
    cr_expect_eq(info.metadata.count, 1);
    info_free(&info);
    cr_expect_eq(info_read(file.path, png.size + TEXT - 1, &info, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "need at least"), "%s", err.message);
    info_free(&info);
    img_error_clear(&err);
    cr_expect_eq(info_read(file.path, png.size - 1, &info, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "the bytes of the file need"), "%s", err.message);
    info_free(&info);
    close(file.fd);
    free(png.data);
}
