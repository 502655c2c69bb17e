/* Tests of inputs in memory or from a function instead of a file, and of outputs to a function. */
#include "io/input.h"
#include "test_directory.h"
#include "test_io_png.h"

static const ImgShape SMALL = {5, 4, {IMG_COLOR_PALETTE, 4}};

typedef struct Reader {
    const Bytes *file;
    size_t at, most, fails_at;
} Reader;

static ImgStatus give(void *context, void *data, size_t size, size_t *got, ImgError *err)
{
    Reader *reader = context;
    size_t left = reader->file->size - reader->at;
    *got = left < size ? left : size;
    *got = *got < reader->most ? *got : reader->most;
    if (reader->at + *got > reader->fails_at)
        return img_fail(err, IMG_E_IO, "no more");
    memcpy(data, reader->file->data + reader->at, *got);
    reader->at += *got;
    return IMG_OK;
}

static ImgStatus read_input(const ImgInputBytes *bytes, const ImgLimits *limits, ImgImage *image,
                            ImgError *err)
{
    ImgSource *source = NULL;
    *image = IMG_IMAGE_NONE;
    ImgStatus status = img_source_open_bytes(bytes, false, limits, &source, err);
    if (status == IMG_OK)
        status = img_source_load(source, err);
    if (status == IMG_OK)
        status = img_source_decode(source, NULL, image, NULL, err);
    img_source_close(source);
    return status;
}

/* Reads `size` bytes from a file, from memory that ends after them, and from a function. Expects
 * the same status and message from all three. */
static void expect_same(const Bytes *png, size_t size, const ImgLimits *limits)
{
    Bytes part = {malloc(size > 0 ? size : 1), size, size};
    memcpy(part.data, png->data, size);
    ImgError file = {IMG_OK, ""}, memory = file, function = file;
    ImgImage image;
    ImgMetadata metadata;
    (void)read_png(&part, limits, &image, &metadata, &file);
    img_image_free(&image);
    img_metadata_free(&metadata);
    (void)read_input(&(ImgInputBytes){.memory = part.data, .size = size}, limits, &image, &memory);
    img_image_free(&image);
    Reader reader = {&part, 0, 11, SIZE_MAX};
    (void)read_input(&(ImgInputBytes){.read = give, .context = &reader}, limits, &image, &function);
    img_image_free(&image);
    cr_expect_eq(memory.status, file.status, "%zu bytes", size);
    cr_expect_eq(function.status, file.status, "%zu bytes", size);
    cr_expect_str_eq(memory.message, file.message);
    /* The size of a stream is unknown, so a message about a limit may differ. */
    if (file.status != IMG_E_LIMIT)
        cr_expect_str_eq(function.message, file.message);
    free(part.data);
}

Test(io_input, truncated_and_damaged_data_get_the_same_error)
{
    Bytes png = test_png(SMALL, false);
    for (size_t size = 0; size <= png.size; size++)
        expect_same(&png, size, &WIDE_LIMITS);
    for (size_t i = 0; i < png.size; i++) {
        png.data[i] ^= 0x40;
        expect_same(&png, png.size, &WIDE_LIMITS);
        png.data[i] ^= 0x40;
    }
    free(png.data);
}

Test(io_input, limits_apply_to_all_inputs)
{
    Bytes png = test_png((ImgShape){100, 100, {IMG_COLOR_RGB, 8}}, false);
    ImgLimits limits = WIDE_LIMITS;
    for (uint64_t memory = 29000; memory < 30000 + png.size + 3000; memory += 500) {
        limits.max_memory = memory;
        expect_same(&png, png.size, &limits);
    }
    limits.max_pixels = 9999;
    expect_same(&png, png.size, &limits);
    free(png.data);
}

Test(io_input, a_function_may_fail_at_any_byte)
{
    Bytes png = test_png(SMALL, false);
    for (size_t fails_at = 0; fails_at < png.size; fails_at++) {
        Reader reader = {&png, 0, 3, fails_at};
        ImgError err = {IMG_OK, ""};
        ImgImage image;
        ImgInputBytes bytes = {.read = give, .context = &reader};
        cr_expect_eq(read_input(&bytes, &WIDE_LIMITS, &image, &err), IMG_E_IO);
        cr_expect_str_eq(err.message, "no more");
    }
    free(png.data);
}

/* --- Outputs to a function -------------------------------------------------------------------- */

typedef struct Kept {
    Bytes bytes;
    size_t most;
} Kept;

static ImgStatus keep(void *context, const void *data, size_t size, ImgError *err)
{
    Kept *kept = context;
    if (kept->bytes.size + size > kept->most)
        return img_fail(err, IMG_E_IO, "full");
    put(&kept->bytes, data, size);
    return IMG_OK;
}

Test(io_input, an_output_can_be_a_function)
{
    static uint8_t data[1 << 20];
    Kept kept = {.most = sizeof data + 3};
    ImgOutput *output;
    ImgError err = {IMG_OK, ""};
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 >> 3);
    cr_assert_eq(img_output_open_function(keep, &kept, &output, &err), IMG_OK);
    cr_expect_eq(img_output_write(output, "abc", 3, &err), IMG_OK);
    cr_expect_eq(img_output_write(output, data, sizeof data, &err), IMG_OK);
    cr_expect_eq(img_output_bytes(output), sizeof data + 3);
    cr_expect_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(kept.bytes.size, sizeof data + 3);
    cr_expect_arr_eq(kept.bytes.data, "abc", 3);
    cr_expect_arr_eq(kept.bytes.data + 3, data, sizeof data);
    free(kept.bytes.data);
}

Test(io_input, after_a_failure_the_function_is_not_called_again)
{
    static const uint8_t data[1 << 19];
    Kept kept = {.most = 10};
    ImgOutput *output;
    ImgError err = {IMG_OK, ""}, again = {IMG_OK, ""};
    cr_assert_eq(img_output_open_function(keep, &kept, &output, &err), IMG_OK);
    cr_expect_eq(img_output_write(output, data, sizeof data, &err), IMG_E_IO);
    kept.most = SIZE_MAX;
    cr_expect_eq(img_output_write(output, data, sizeof data, &again), IMG_E_IO);
    cr_expect_str_eq(again.message, "full");
    cr_expect_eq(img_output_commit(&output, &again), IMG_E_IO);
    cr_expect_null(output);
    cr_expect_eq(kept.bytes.size, 0);
    /* The output buffers the three bytes until the commit. So the function, which accepts at most
     * two bytes, fails only then. */
    kept.most = 2;
    cr_assert_eq(img_output_open_function(keep, &kept, &output, &err), IMG_OK);
    err = again = (ImgError){IMG_OK, ""};
    cr_expect_eq(img_output_write(output, "abc", 3, &err), IMG_OK);
    cr_expect_eq(img_output_commit(&output, &again), IMG_E_IO);
    free(kept.bytes.data);
}

/* --- Pipes ------------------------------------------------------------------------------------ */

/* A regular file may be replaced by a pipe after it was checked. Opening the pipe must not block
 * until another process opens it for writing. */
Test(io_input, a_pipe_in_place_of_a_file_does_not_block)
{
    const ImgInterrupt none = {NULL, NULL};
    ImgLimits limits = WIDE_LIMITS;
    limits.only_files = true;
    ImgSource *source = NULL;
    ImgError err = {IMG_OK, ""};
    int fd = 0;
    enter_directory();
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_expect_eq(img_input_open_path("pipe", true, &none, &fd, &err), IMG_E_IO);
    cr_expect_eq(fd, -1);
    cr_expect_not_null(strstr(err.message, "is a pipe or a device"), "%s", err.message);
    img_error_clear(&err);
    cr_expect_eq(img_source_open_rows("pipe", &limits, NULL, &source, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "is a pipe or a device"), "%s", err.message);
    write_text("file", "text");
    cr_expect_eq(img_input_open_path("file", true, &none, &fd, NULL), IMG_OK);
    cr_expect_geq(fd, 0);
    close(fd);
    leave_directory();
}
