/* Tests of files that are read in pieces (img_source_read_in_pieces): they are decoded as files in
 * memory, and changes while they are read are reported. */
#include <stdatomic.h>
#include <unistd.h>

#include "io/source.h"
#include "test_io_png.h"

/* Returns a PNG of more than IMG_SOURCE_SMALL bytes with stored blocks, in IDAT chunks of `piece`
 * bytes, and with chunks before and after them. */
static Bytes large_png(ImgShape shape, bool interlaced, size_t piece)
{
    Bytes png = {0}, raw = test_rows(shape, interlaced), text = {0};
    uLongf size = compressBound(raw.size);
    uint8_t *stream = malloc(size);
    cr_assert_eq(compress2(stream, &size, raw.data, raw.size, 0), Z_OK);
    put(&text, "Comment", sizeof "Comment");
    for (int i = 0; i < 5000; i++)
        put(&text, "0123456789", 10);
    put_test_header(&png, shape, interlaced);
    put_chunk(&png, "tEXt", text.data, text.size);
    if (shape.format.color == IMG_COLOR_PALETTE)
        put_test_palette(&png, 1 << shape.format.bits);
    for (size_t at = 0; at < size; at += piece) {
        put_chunk(&png, "IDAT", stream + at, size - at < piece ? size - at : piece);
        put_chunk(&png, "IDAT", NULL, 0);
    }
    put_chunk(&png, "tEXt", text.data, text.size);
    put_end(&png);
    cr_assert_gt(png.size, IMG_SOURCE_SMALL);
    free(text.data);
    free(stream);
    free(raw.data);
    return png;
}

static ImgSource *open_in_pieces(const MemoryFile *file)
{
    ImgSource *source;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_open_rows(file->path, &WIDE_LIMITS, NULL, &source, &err), IMG_OK, "%s",
                 err.message);
    img_source_read_in_pieces(source);
    cr_assert(img_source_is_in_pieces(source));
    return source;
}

static ImgSource *load_in_pieces(const MemoryFile *file)
{
    ImgSource *source = open_in_pieces(file);
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    return source;
}

static void expect_rows(void *context, const ImgView *rows, int32_t first)
{
    atomic_int *count = context;
    for (int y = 0; y < rows->height; y++)
        for (int x = 0; x < rows->width; x += 61)
            cr_assert_eq(sample_at(rows, x, y, 0), test_sample(rows->format, x, first + y, 0));
    atomic_fetch_add(count, rows->height);
}

static void expect_decoded(const MemoryFile *file, int threads, const ImgPngStrategy *only)
{
    ImgError err = {IMG_OK, ""};
    const ImgPngDecodeOptions options = {.threads = threads, .only = only};
    ImgPngDecodeReport report;
    ImgImage image;
    ImgSource *source = load_in_pieces(file);
    cr_assert_eq(img_source_metadata(source)->count, 2);
    cr_assert_eq(img_source_metadata(source)->chunks[0].size, 50008);
    cr_assert_eq(img_source_metadata(source)->chunks[1].data[50007], '9');
    atomic_int count = 0;
    if (img_source_can_decode_rows(source)) {
        const ImgRowSink sink = {expect_rows, &count, NULL};
        img_source_keep_file(source, true);
        cr_assert_eq(img_source_decode_rows(source, &options, &sink, &report, &err), IMG_OK, "%s",
                     err.message);
        cr_assert_eq(atomic_load(&count), img_source_shape(source).height);
    }
    cr_assert_eq(img_source_decode(source, &options, &image, &report, &err), IMG_OK, "%s",
                 err.message);
    expect_rows(&count, &image.view, 0);
    img_image_free(&image);
    img_source_close(source);
}

Test(source_pieces, files_are_decoded_as_files_in_memory, .timeout = 120)
{
    static const struct {
        ImgShape shape;
        bool interlaced;
    } pictures[] = {{{1500, 1000, {IMG_COLOR_RGB, 8}}, false},
                    {{1100, 700, {IMG_COLOR_RGBA, 16}}, false},
                    {{2100, 2100, {IMG_COLOR_GRAY, 8}}, true},
                    {{6000, 6000, {IMG_COLOR_GRAY, 1}}, false},
                    {{3000, 3000, {IMG_COLOR_PALETTE, 4}}, true}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        for (int large = 0; large < (i == 0 ? 2 : 1); large++) {
            Bytes png =
                large_png(pictures[i].shape, pictures[i].interlaced, large ? 3000000 : 8192);
            MemoryFile file = memory_file(&png);
            for (int threads = 1; threads <= 3; threads += 2)
                expect_decoded(&file, threads, NULL);
            close(file.fd);
            free(png.data);
        }
    }
}

Test(source_pieces, all_strategies_read_pieces)
{
    static const ImgPngStrategy strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_PIPELINED,
                                                IMG_PNG_SPECULATIVE};
    Bytes png = large_png((ImgShape){1500, 1000, {IMG_COLOR_RGB, 8}}, false, 10007);
    MemoryFile file = memory_file(&png);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        expect_decoded(&file, 2, &strategies[i]);
    close(file.fd);
    free(png.data);
}

Test(source_pieces, damage_gets_the_message_of_a_file_in_memory)
{
    for (int what = 0; what < 3; what++) {
        Bytes png = large_png((ImgShape){1500, 1000, {IMG_COLOR_RGB, 8}}, false, 8192);
        if (what == 0)
            png.data[png.size / 2] ^= 1;
        else if (what == 1)
            png.data[IMG_PNG_HEADER_BYTES + 20] ^= 1; /* in an ancillary chunk, which is dropped */
        else
            png.size -= 20; /* without IEND */
        MemoryFile file = memory_file(&png);
        ImgError err = {IMG_OK, ""}, in_memory = {IMG_OK, ""};
        ImgImage image = IMG_IMAGE_NONE, expected = IMG_IMAGE_NONE;
        ImgMetadata metadata = IMG_METADATA_NONE;
        ImgSource *source = open_in_pieces(&file);
        ImgStatus status = img_source_load(source, &err);
        if (status == IMG_OK)
            status = img_source_decode(source, NULL, &image, NULL, &err);
        cr_expect_eq(read_png(&png, &WIDE_LIMITS, &expected, &metadata, &in_memory), status);
        cr_expect_eq(status, what == 1 ? IMG_OK : IMG_E_FORMAT);
        cr_expect_str_eq(err.message, in_memory.message);
        img_image_free(&image);
        img_image_free(&expected);
        img_metadata_free(&metadata);
        img_source_close(source);
        close(file.fd);
        free(png.data);
    }
}

/* Loads a file, changes it by `change`, and decodes it. The decoder must report the change. */
static void expect_changed(void (*change)(int), bool by_rows)
{
    Bytes png = large_png((ImgShape){1500, 1000, {IMG_COLOR_RGB, 8}}, false, 8192);
    MemoryFile file = memory_file(&png);
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    atomic_int count = 0;
    const ImgRowSink sink = {expect_rows, &count, NULL};
    const ImgPngDecodeOptions options = {.threads = 1};
    ImgPngDecodeReport report;
    ImgSource *source = load_in_pieces(&file);
    change(file.fd);
    const ImgStatus status = by_rows
                                 ? img_source_decode_rows(source, &options, &sink, &report, &err)
                                 : img_source_decode(source, NULL, &image, NULL, &err);
    cr_expect_eq(status, IMG_E_IO);
    cr_expect_str_eq(err.message, "was changed while it was read; try again");
    img_source_close(source);
    close(file.fd);
    free(png.data);
}

static void truncate_file(int fd)
{
    cr_assert_eq(ftruncate(fd, 3000000), 0);
}

static void empty_file(int fd)
{
    cr_assert_eq(ftruncate(fd, 0), 0);
}

/* Changes only the time of the file. */
static void touch_file(int fd)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
    cr_assert_eq(futimens(fd, times), 0);
}

static void append_to_file(int fd)
{
    cr_assert_eq(ftruncate(fd, 30000000), 0);
}

Test(source_pieces, a_file_that_changes_is_reported)
{
    static void (*const changes[])(int) = {truncate_file, empty_file, touch_file, append_to_file};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int by_rows = 0; by_rows < 2; by_rows++)
            expect_changed(changes[i], by_rows);
}

Test(source_pieces, a_file_that_changes_before_it_is_loaded_is_reported)
{
    Bytes png = large_png((ImgShape){1500, 1000, {IMG_COLOR_RGB, 8}}, false, 8192);
    MemoryFile file = memory_file(&png);
    ImgError err = {IMG_OK, ""};
    ImgSource *source = open_in_pieces(&file);
    truncate_file(file.fd);
    cr_expect_eq(img_source_load(source, &err), IMG_E_IO);
    cr_expect_str_eq(err.message, "was changed while it was read; try again");
    img_source_close(source);
    close(file.fd);
    free(png.data);
}

Test(source_pieces, small_files_and_other_inputs_stay_in_memory)
{
    Bytes png = test_png((ImgShape){30, 20, {IMG_COLOR_RGB, 8}}, false);
    MemoryFile file = memory_file(&png);
    const ImgInputBytes bytes = {.memory = png.data, .size = png.size};
    ImgSource *source;
    cr_assert_eq(img_source_open_rows(file.path, &WIDE_LIMITS, NULL, &source, NULL), IMG_OK);
    img_source_read_in_pieces(source);
    cr_expect_not(img_source_is_in_pieces(source));
    img_source_close(source);
    cr_assert_eq(img_source_open_bytes(&bytes, true, &WIDE_LIMITS, &source, NULL), IMG_OK);
    img_source_read_in_pieces(source);
    cr_expect_not(img_source_is_in_pieces(source));
    img_source_close(source);
    close(file.fd);
    free(png.data);
}
