/* Tests of damaged and malicious files. The reader must reject each of them with a message that
 * gives the reason, and must not crash. */
#include <fcntl.h>

#include "test_io_png.h"

static const ImgShape SMALL = {5, 4, {IMG_COLOR_PALETTE, 4}};

/* Returns a small file with a chunk at every allowed position. */
static Bytes rich_png(void)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    PUT_TEXT(&png, "gAMA", "\0\0\xb1\x8f");
    put_test_palette(&png, 16);
    PUT_TEXT(&png, "tRNS", "\1\2\3");
    PUT_TEXT(&png, "tEXt", "Comment\0hello");
    put_test_rows(&png, SMALL, false);
    PUT_TEXT(&png, "tIME", "\x07\xe8\1\1\1\1\1");
    put_end(&png);
    return png;
}

/* Returns a file with a picture of the size SMALL. Its IDAT chunks contain `packed` and, if it is
 * not NULL, `extra`. */
static Bytes png_with_idat(const void *packed, size_t size, const void *extra, size_t extra_size)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    put_test_palette(&png, 16);
    put_chunk(&png, "IDAT", packed, size);
    if (extra != NULL)
        put_chunk(&png, "IDAT", extra, extra_size);
    put_end(&png);
    return png;
}

Test(io_damage, truncation_at_every_byte_is_rejected)
{
    Bytes png = rich_png();
    size_t whole = png.size;
    for (png.size = 0; png.size < whole; png.size++)
        expect_damage(&png, png.size == 0   ? "is empty"
                            : png.size < 4  ? "is not a PNG"
                            : png.size < 33 ? "ends in its header"
                                            : "truncated");
    png.size = whole;
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_damage, a_wrong_crc_names_its_chunk)
{
    static const char *const types[] = {"IHDR", "PLTE", "IEND"};
    Bytes png = rich_png();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint8_t *type = memmem(png.data, png.size, types[i], 4);
        uint8_t *crc = type + 4 + type[-1];
        *crc ^= 1;
        expect_damage(&png, types[i]);
        expect_damage(&png, "wrong CRC");
        *crc ^= 1;
    }
    uint8_t *idat = memmem(png.data, png.size, "IDAT", 4);
    idat[4 + idat[-1]] ^= 1;
    expect_damage(&png, "wrong CRC in the image data");
    free(png.data);
}

static void expect_warning(const Bytes *png, const char *words)
{
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    MemoryFile file = memory_file(png);
    ImgSource *source = NULL;
    cr_assert_eq(img_source_open(file.path, &WIDE_LIMITS, &source, &err), IMG_OK);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_OK, "%s", err.message);
    const char *const *lines = img_source_warnings(source);
    cr_assert_not_null(lines[0], "no warning");
    cr_expect_not_null(strstr(lines[0], words), "\"%s\" lacks \"%s\"", lines[0], words);
    cr_expect_null(lines[1], "%s", lines[1]);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    img_source_close(source);
    close(file.fd);
}

Test(io_damage, dropped_chunks_are_named)
{
    Bytes png = rich_png();
    static const char *const types[] = {"gAMA", "tRNS", "tEXt", "tIME"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint8_t *type = memmem(png.data, png.size, types[i], 4);
        type[4] ^= 1;
        expect_warning(&png, types[i]);
        expect_warning(&png, "wrong CRC");
    }
    expect_warning(&png, "gAMA, tRNS, tEXt, tIME");
    free(png.data);
}

/* The warning names as many damaged chunks as fit into the message. */
Test(io_damage, any_number_of_damaged_chunks_can_be_dropped)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    put_test_palette(&png, 16);
    for (int c = 'A'; c <= 'Z'; c++) {
        put_chunk(&png, (char[]){'a', 'b', (char)c, 'd'}, "", 0);
        png.data[png.size - 1] ^= 1;
    }
    put_test_rows(&png, SMALL, false);
    put_end(&png);
    expect_warning(&png, "abAd, abBd");
    free(png.data);
}

Test(io_damage, image_data_must_be_complete_and_exact)
{
    Bytes raw = test_rows(SMALL, false);
    Bytes packed = deflated(raw.data, raw.size);

    Bytes shorter = deflated(raw.data, raw.size - 1);
    Bytes png = png_with_idat(shorter.data, shorter.size, NULL, 0);
    expect_damage(&png, "too short");
    free(png.data);

    Bytes longer = {0};
    put(&longer, raw.data, raw.size);
    put(&longer, "\0", 1);
    Bytes longer_packed = deflated(longer.data, longer.size);
    png = png_with_idat(longer_packed.data, longer_packed.size, NULL, 0);
    expect_warning(&png, "past the end of the picture");
    free(png.data);

    Bytes trailing = {0};
    put(&trailing, packed.data, packed.size);
    put(&trailing, "more", 4);
    png = png_with_idat(trailing.data, trailing.size, NULL, 0);
    expect_warning(&png, "past the end of the picture");
    free(png.data);

    png = png_with_idat(packed.data, packed.size, "more", 4);
    expect_warning(&png, "past the end of the picture");
    free(png.data);

    /* the stream without its Adler-32 */
    png = png_with_idat(packed.data, packed.size - 4, NULL, 0);
    expect_damage(&png, "");
    free(png.data);

    packed.data[packed.size - 1] ^= 1;
    png = png_with_idat(packed.data, packed.size, NULL, 0);
    expect_damage(&png, "Adler-32");
    free(png.data);

    free(raw.data);
    free(packed.data);
    free(shorter.data);
    free(longer.data);
    free(longer_packed.data);
    free(trailing.data);
}

/* Returns a file whose IDAT chunks have one byte each. The checks must not depend on how data is
 * divided into chunks. */
static Bytes png_in_pieces(const Bytes *packed)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    put_test_palette(&png, 16);
    for (size_t i = 0; i < packed->size; i++)
        put_chunk(&png, "IDAT", packed->data + i, 1);
    put_end(&png);
    return png;
}

static void expect_damage_in_pieces(const Bytes *packed, const char *words)
{
    Bytes png = png_in_pieces(packed);
    expect_damage(&png, words);
    free(png.data);
}

Test(io_damage, image_data_in_many_chunks_is_checked_too)
{
    Bytes raw = test_rows(SMALL, false), packed = deflated(raw.data, raw.size);
    put(&packed, "more", 4);
    Bytes png = png_in_pieces(&packed);
    expect_warning(&png, "past the end of the picture");
    free(png.data);
    packed.size -= 5;
    expect_damage_in_pieces(&packed, "too short");
    packed.data[packed.size++] ^= 1;
    expect_damage_in_pieces(&packed, "Adler-32");
    free(raw.data);
    free(packed.data);
}

Test(io_damage, an_unknown_row_filter_is_rejected)
{
    Bytes raw = test_rows(SMALL, false);
    raw.data[0] = 5;
    Bytes packed = deflated(raw.data, raw.size);
    Bytes png = png_with_idat(packed.data, packed.size, NULL, 0);
    expect_damage(&png, "row filter");
    free(raw.data);
    free(packed.data);
    free(png.data);
}

static void expect_damaged_order(const char *const *types, const char *words)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    for (; *types != NULL; types++) {
        if (strcmp(*types, "PLTE") == 0)
            put_test_palette(&png, 16);
        else if (strcmp(*types, "IDAT") == 0)
            put_test_rows(&png, SMALL, false);
        else
            put_chunk(&png, *types, "", 0);
    }
    expect_damage(&png, words);
    free(png.data);
}

Test(io_damage, chunks_must_be_in_order)
{
    expect_damaged_order((const char *[]){"IDAT", "IEND", NULL}, "palette (PLTE) is missing");
    expect_damaged_order((const char *[]){"PLTE", "IEND", NULL}, "no image data");
    expect_damaged_order((const char *[]){"PLTE", "PLTE", "IDAT", "IEND", NULL}, "more than one");
    expect_damaged_order((const char *[]){"IDAT", "PLTE", "IEND", NULL}, "PLTE");
    expect_damaged_order((const char *[]){"PLTE", "IDAT", NULL}, "truncated");
    expect_damaged_order((const char *[]){"PLTE", "ABCD", "IDAT", "IEND", NULL}, "ABCD");
    expect_damaged_order((const char *[]){"PLTE", "a1cd", "IDAT", "IEND", NULL},
                         "no valid chunk at");
    expect_damaged_order((const char *[]){"IHDR", "PLTE", "IDAT", "IEND", NULL}, "IHDR");
}

static void expect_bad_header(uint32_t width, uint32_t height, int bits, int color_type,
                              int interlace, const char *words)
{
    Bytes png = {0};
    put_header(&png, width, height, bits, color_type, interlace);
    put_end(&png);
    expect_damage(&png, words);
    free(png.data);
}

Test(io_damage, invalid_headers_are_rejected)
{
    expect_bad_header(0, 1, 8, 0, 0, "impossible size");
    expect_bad_header(1, 0, 8, 0, 0, "impossible size");
    expect_bad_header(0x80000000U, 1, 8, 0, 0, "impossible size");
    expect_bad_header(1, 1, 3, 0, 0, "impossible format");
    expect_bad_header(1, 1, 4, 2, 0, "impossible format");
    expect_bad_header(1, 1, 16, 3, 0, "impossible format");
    expect_bad_header(1, 1, 8, 5, 0, "impossible format");
    expect_bad_header(1, 1, 8, 0, 2, "interlace 2");
}

Test(io_damage, image_data_divided_by_another_chunk_is_rejected)
{
    Bytes png = {0}, raw = test_rows(SMALL, false), packed = deflated(raw.data, raw.size);
    put_test_header(&png, SMALL, false);
    put_test_palette(&png, 16);
    put_chunk(&png, "IDAT", packed.data, 4);
    PUT_TEXT(&png, "tEXt", "Comment\0hello");
    put_chunk(&png, "IDAT", packed.data + 4, packed.size - 4);
    put_end(&png);
    expect_damage(&png, "another chunk stands between");
    free(png.data);
    free(raw.data);
    free(packed.data);
}

/* --- Limits ----------------------------------------------------------------------------------- */

Test(io_damage, the_largest_header_is_rejected_before_any_allocation)
{
    Bytes png = {0};
    put_header(&png, INT32_MAX, INT32_MAX, 16, 6, 0);
    put_end(&png);
    expect_failure_within(&png, &WIDE_LIMITS, IMG_E_LIMIT,
                          "2147483647 x 2147483647 is 4611686014132420609 pixels, more than the "
                          "limit of 268435456; ask for more pixels");
    ImgLimits none = {UINT64_MAX, UINT64_MAX, SIZE_MAX, NULL, NULL, false};
    expect_failure_within(&png, &none, IMG_E_LIMIT, "address space");
    free(png.data);
}

Test(io_damage, memory_errors_name_limit_need_and_remedy)
{
    Bytes png = test_png((ImgShape){100, 100, {IMG_COLOR_RGB, 8}}, false);
    ImgLimits limits = WIDE_LIMITS;
    limits.max_memory = 20000;
    expect_failure_within(&png, &limits, IMG_E_LIMIT,
                          "its pixels need at least 29.3 KiB of memory, more "
                          "than the limit of 19.5 KiB; ask for more memory");
    limits.max_memory = 30000 + png.size - 1;
    expect_failure_within(&png, &limits, IMG_E_LIMIT, "the file and its pixels need");
    limits.max_memory = 30000 + png.size;
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    ImgMetadata metadata;
    cr_expect_eq(read_png(&png, &limits, &image, &metadata, &err), IMG_OK, "%s", err.message);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_damage, an_endless_pipe_stops_at_the_limit)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        Bytes png = {0};
        put_header(&png, 10, 10, 8, 0, 0);
        close(ends[0]);
        ssize_t n = write(ends[1], png.data, png.size);
        uint8_t zeros[4096] = {0};
        while (n > 0) /* writes until SIGPIPE ends the child */
            n = write(ends[1], zeros, sizeof zeros);
        _exit(0);
    }
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    ImgLimits limits = {1000, 1 << 20, 1000, NULL, "ask for more memory", false};
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    cr_expect_eq(img_source_open(path, &limits, &source, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(img_source_load(source, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "ask for more memory"), "%s", err.message);
    img_source_close(source);
    close(ends[0]);
}

Test(io_damage, a_pipe_is_read_to_its_end)
{
    int ends[2];
    char path[40];
    Bytes png = rich_png();
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], png.data, png.size), (ssize_t)png.size);
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    ImgImage image;
    cr_assert_eq(img_source_open(path, &WIDE_LIMITS, &source, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(img_source_bytes(source), png.size);
    cr_assert_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_OK, "%s", err.message);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    img_source_close(source);
    close(ends[0]);
    free(png.data);
}

/* --- Other files ------------------------------------------------------------------------------ */

static void expect_open_failure(const char *path, ImgStatus expected, const char *words)
{
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    cr_expect_eq(img_source_open(path, &WIDE_LIMITS, &source, &err), expected, "%s", err.message);
    cr_expect_null(source);
    cr_expect_not_null(strstr(err.message, words), "\"%s\" lacks \"%s\"", err.message, words);
}

Test(io_damage, directories_and_missing_files_are_io_errors)
{
    expect_open_failure("/tmp", IMG_E_IO, "is a directory");
    expect_open_failure("/nonexistent/a.png", IMG_E_IO, "No such file");
    expect_open_failure("/dev/null", IMG_E_FORMAT, "is empty");
}

Test(io_damage, other_formats_are_named)
{
    static const struct {
        const char *bytes, *name;
    } files[] = {
        {"\xff\xd8\xff\xe0 JFIF and more than 33 bytes of data",
         "is a JPEG file; imgtool reads only PNG, so convert it first"},
        {"GIF89a", "is a GIF file; imgtool reads only PNG, so convert it first"},
        {"BM......", "is a BMP file; imgtool reads only PNG, so convert it first"},
        {"RIFF....WEBPVP8 ", "is a WebP file; imgtool reads only PNG, so convert it first"},
        {"....ftypavif", "is an AVIF file; imgtool reads only PNG, so convert it first"},
        {"....ftypheic", "is a HEIC file; imgtool reads only PNG, so convert it first"},
        {"\x89PNG\n\x1a\n and more", "transfer in text mode"},
        {"hello", "is not a PNG file; imgtool reads only PNG"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        Bytes bytes = {0};
        put(&bytes, files[i].bytes, strlen(files[i].bytes));
        expect_damage(&bytes, files[i].name);
        free(bytes.data);
    }
}
