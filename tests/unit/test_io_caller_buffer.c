/* Tests of files that are read into a buffer of the caller (img_source_set_buffer). */
#include <unistd.h>

#include "test_io_png.h"

static const ImgShape SMALL = {5, 4, {IMG_COLOR_PALETTE, 4}};

static Bytes small_png(void)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    put_test_palette(&png, 16);
    put_test_rows(&png, SMALL, false);
    put_end(&png);
    return png;
}

static void expect_decoded(ImgSource *source)
{
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    cr_assert_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_OK, "%s", err.message);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    cr_expect_not(img_source_file(source).in_caller_buffer, "decoding has done with it");
    img_source_close(source);
}

/* Loads a file into a buffer of `bytes` bytes at `memory`. If `more` is not NULL, its bytes are
 * appended to the file after it was opened. */
static ImgSource *load_into(const MemoryFile *file, void *memory, size_t bytes, const Bytes *more)
{
    ImgError err = {IMG_OK, ""};
    ImgSource *source;
    cr_assert_eq(img_source_open(file->path, &WIDE_LIMITS, &source, &err), IMG_OK, "%s",
                 err.message);
    img_source_set_buffer(source, memory, bytes);
    if (more != NULL)
        cr_assert_eq(pwrite(file->fd, more->data, more->size, lseek(file->fd, 0, SEEK_END)),
                     (ssize_t)more->size);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    return source;
}

/* The caller's buffer must be one byte larger than the file. The reader reads past the end of the
 * file to check that the file has not grown. */
Test(io_caller_buffer, a_file_that_fits_is_in_the_callers_memory)
{
    Bytes png = small_png();
    MemoryFile file = memory_file(&png);
    uint8_t *memory = malloc(png.size + 1);
    for (int again = 0; again < 2; again++) {
        ImgSource *source = load_into(&file, memory, png.size + 1, NULL);
        ImgSourceFile there = img_source_file(source);
        cr_expect(there.in_caller_buffer);
        cr_expect_eq(there.data, memory);
        cr_expect_eq(there.size, png.size);
        expect_decoded(source);
        cr_expect_arr_eq(memory, png.data, png.size);
    }
    free(memory);
    close(file.fd);
    free(png.data);
}

Test(io_caller_buffer, a_file_that_does_not_fit_is_in_other_memory)
{
    Bytes png = small_png();
    MemoryFile file = memory_file(&png);
    uint8_t *memory = malloc(png.size);
    ImgSource *source = load_into(&file, memory, png.size, NULL);
    cr_expect_not(img_source_file(source).in_caller_buffer);
    expect_decoded(source);
    free(memory);
    close(file.fd);
    free(png.data);
}

Test(io_caller_buffer, a_file_that_grows_while_it_is_read_moves_to_other_memory)
{
    Bytes png = small_png(), more = {0};
    MemoryFile file = memory_file(&png);
    uint8_t *memory = malloc(png.size + 1);
    for (int i = 0; i < 300; i++)
        put(&more, "after the end!", 14);
    ImgSource *source = load_into(&file, memory, png.size + 1, &more);
    ImgSourceFile there = img_source_file(source);
    cr_expect_not(there.in_caller_buffer);
    cr_expect_eq(there.size, png.size + more.size);
    expect_decoded(source);
    free(memory);
    close(file.fd);
    free(png.data);
    free(more.data);
}

Test(io_caller_buffer, closing_a_source_leaves_the_callers_memory)
{
    Bytes png = small_png();
    MemoryFile file = memory_file(&png);
    uint8_t *memory = malloc(png.size + 1);
    img_source_close(load_into(&file, memory, png.size + 1, NULL));
    ImgSource *source = load_into(&file, memory, png.size + 1, NULL);
    img_source_free_file(source);
    cr_expect_not(img_source_file(source).in_caller_buffer);
    img_source_close(source);
    free(memory);
    close(file.fd);
    free(png.data);
}
