/* Tests of which files are accepted, compared with the reader of libpng as programs use it: in
 * sequence, to the end, and with warnings that are not errors. io/png/README.md states which files
 * imgtool accepts. */
#include <png.h>
#include <setjmp.h>

#include "test_library.h"
#include "tests/unit/sanitizers.h"

static uint32_t get_be32(const uint8_t *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/* --- libpng ----------------------------------------------------------------------------------- */

typedef struct Pull {
    const Bytes *png;
    size_t at;
    Bytes rows;
    size_t row_bytes;
    char error[128];
} Pull;

static void pull_bytes(png_structp png, png_bytep to, size_t size)
{
    Pull *pull = png_get_io_ptr(png);
    if (size > pull->png->size - pull->at)
        png_error(png, "the file ends");
    memcpy(to, pull->png->data + pull->at, size);
    pull->at += size;
}

static void on_error(png_structp png, png_const_charp message)
{
    Pull *pull = png_get_error_ptr(png);
    snprintf(pull->error, sizeof pull->error, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void read_rows(png_structp png, png_infop info, Pull *pull)
{
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, 0);
    png_read_info(png, info);
    png_set_packing(png);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    pull->row_bytes = png_get_rowbytes(png, info);
    uint32_t height = png_get_image_height(png, info);
    pull->rows.data = calloc(height, pull->row_bytes);
    cr_assert_not_null(pull->rows.data);
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < height; y++)
            png_read_row(png, pull->rows.data + y * pull->row_bytes, NULL);
    png_read_end(png, info);
}

static bool libpng_reads(const Bytes *file, Pull *pull)
{
    *pull = (Pull){.png = file};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, pull, on_error, on_warning);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, pull, pull_bytes);
    volatile bool read = false;
    if (setjmp(png_jmpbuf(png)) == 0) {
        read_rows(png, info, pull);
        read = true;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return read;
}

/* --- imgtool's reader ------------------------------------------------------------------------- */

/* The result of decoding a file with libimgtool: the picture, the number of warnings, the error. */
typedef struct Ours {
    imgtool_context *context;
    imgtool_picture picture;
    size_t warnings;
    imgtool_error error;
} Ours;

static bool decode_all(imgtool_reader *reader, Ours *ours)
{
    if (imgtool_reader_decode(reader, &ours->picture, &ours->error) != IMGTOOL_OK)
        return false;
    while (imgtool_reader_warning(reader, ours->warnings) != NULL)
        ours->warnings++;
    return true;
}

/* Reads the file with imgtool's reader, from an allocation that ends where the file ends. Returns
 * true if it is accepted. */
static bool we_read(const Bytes *file, Ours *ours)
{
    *ours = (Ours){
        .context = test_context(1), .picture = IMGTOOL_PICTURE_INIT, .error = IMGTOOL_ERROR_INIT};
    uint8_t *memory = malloc(file->size > 0 ? file->size : 1);
    memcpy(memory, file->data, file->size);
    imgtool_reader *reader = NULL;
    bool read = imgtool_open_memory(ours->context, memory, file->size, &reader, &ours->error) ==
                    IMGTOOL_OK &&
                decode_all(reader, ours);
    imgtool_reader_destroy(reader);
    free(memory);
    return read;
}

static void free_ours(Ours *ours)
{
    imgtool_picture_free(ours->context, &ours->picture);
    imgtool_context_destroy(ours->context);
}

static void expect_same_pixels(const imgtool_picture *picture, const Pull *pull, const char *what)
{
    for (int32_t y = 0; y < picture->height; y++)
        cr_expect_arr_eq((const uint8_t *)picture->pixels + (size_t)y * picture->stride,
                         pull->rows.data + (size_t)y * pull->row_bytes, pull->row_bytes, "%s",
                         what);
}

/* Reads the file again by its name, through a function, and row by row. Expects that each way
 * accepts it if `read`, and otherwise rejects it. */
static void expect_same_verdict(const Bytes *file, const Ours *ours, bool read, const char *what)
{
    imgtool_reader *readers[3] = {NULL};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    MemoryFile path = memory_file(file);
    Dribble dribble = {file, 0, 7}, again = {file, 0, 1000};
    imgtool_picture pictures[2] = {IMGTOOL_PICTURE_INIT, IMGTOOL_PICTURE_INIT};
    bool same = true;
    if (imgtool_open_file(ours->context, path.path, &readers[0], &error) == IMGTOOL_OK)
        same = (imgtool_reader_decode(readers[0], &pictures[0], &error) == IMGTOOL_OK) == read;
    cr_expect(same, "%s: from a file: %s", what, error.message);
    if (imgtool_open_callback(ours->context, dribble_read, &dribble, &readers[1], &error) ==
        IMGTOOL_OK)
        same = (imgtool_reader_decode(readers[1], &pictures[1], &error) == IMGTOOL_OK) == read;
    cr_expect(same, "%s: from a function: %s", what, error.message);
    TestRows rows = {.context = ours->context};
    if (imgtool_open_callback(ours->context, dribble_read, &again, &readers[2], &error) ==
        IMGTOOL_OK)
        same = (imgtool_reader_rows(readers[2], (imgtool_format){IMGTOOL_AS_IT_IS, 0},
                                    test_take_rows, &rows, &error) == IMGTOOL_OK) == read;
    cr_expect(same, "%s: row by row: %s", what, error.message);
    if (read && same) {
        expect_equal_pictures(&pictures[0], &ours->picture);
        expect_equal_pictures(&pictures[1], &ours->picture);
        expect_equal_pictures(&rows.all, &ours->picture);
    }
    for (int i = 0; i < 3; i++)
        imgtool_reader_destroy(readers[i]);
    imgtool_picture_free(ours->context, &pictures[0]);
    imgtool_picture_free(ours->context, &pictures[1]);
    imgtool_picture_free(ours->context, &rows.all);
    close(path.fd);
}

typedef enum Verdict { REFUSED, READ, READ_WITH_WARNING } Verdict;

/* Returns true if the stream is wrong after the last row, for example because of a wrong Adler-32
 * in a chunk of its own. Only then may libpng accept a file that imgtool rejects: libpng only warns
 * about such errors, or does not read that far. */
static bool ends_badly(const Bytes *file)
{
    Bytes stream = {0};
    for (size_t at = 8; at < file->size; at += 12 + (size_t)get_be32(file->data + at))
        if (memcmp(file->data + at + 4, "IDAT", 4) == 0)
            put(&stream, file->data + at + 8, get_be32(file->data + at));
    uint8_t rows[4096];
    z_stream zlib = {.next_in = stream.data, .avail_in = (uInt)stream.size};
    zlib.next_out = rows;
    zlib.avail_out = sizeof rows;
    cr_assert_eq(inflateInit(&zlib), Z_OK);
    int result = inflate(&zlib, Z_FINISH);
    cr_assert(result == Z_STREAM_END || result == Z_DATA_ERROR || zlib.avail_out > 0);
    inflateEnd(&zlib);
    free(stream.data);
    return result != Z_STREAM_END;
}

/* Expects that both readers accept the file, with the same pixels, or that both reject it. Returns
 * the verdict. */
static Verdict verdict_of_both(const Bytes *file, const char *what)
{
    Pull pull;
    Ours ours;
    bool libpng = libpng_reads(file, &pull), we = we_read(file, &ours);
    if (libpng && !we && ends_badly(file))
        libpng = false;
    cr_expect_eq(libpng, we, "%s: libpng: %s; we: %s", what, libpng ? "read" : pull.error,
                 we ? "read" : ours.error.message);
    if (libpng && we)
        expect_same_pixels(&ours.picture, &pull, what);
    expect_same_verdict(file, &ours, we, what);
    free_ours(&ours);
    free(pull.rows.data);
    return !we ? REFUSED : ours.warnings > 0 ? READ_WITH_WARNING : READ;
}

/* --- Changed bytes ---------------------------------------------------------------------------- */

/* Returns a file with a chunk at every position where PNG allows one. With `plte` it also has a
 * PLTE chunk, which is only a suggested palette in RGB pictures. */
static Bytes rich_png(ImgShape shape, bool plte, bool interlaced)
{
    Bytes png = {0};
    put_test_header(&png, shape, interlaced);
    PUT_TEXT(&png, "gAMA", "\0\0\xb1\x8f");
    PUT_TEXT(&png, "cLLI", "\0\0\1\0\0\0\1\0");
    if (plte)
        put_test_palette(&png, 16);
    PUT_TEXT(&png, "tEXt", "Comment\0hello");
    PUT_TEXT(&png, "abCd", "unknown");
    Bytes raw = test_rows(shape, interlaced), packed = deflated(raw.data, raw.size);
    put_chunk(&png, "IDAT", packed.data, 5);
    put_chunk(&png, "IDAT", packed.data + 5, packed.size - 5);
    PUT_TEXT(&png, "tIME", "\x07\xe8\1\1\1\1\1");
    put_end(&png);
    free(raw.data);
    free(packed.data);
    return png;
}

static const struct {
    ImgShape shape;
    bool plte, interlaced;
} RICH[] = {{{5, 4, {IMG_COLOR_PALETTE, 4}}, true, false},
            {{3, 4, {IMG_COLOR_RGB, 8}}, true, false},
            {{4, 3, {IMG_COLOR_GRAY, 16}}, false, true},
            {{9, 9, {IMG_COLOR_GRAY, 1}}, false, true},
            {{3, 3, {IMG_COLOR_RGBA, 8}}, false, false}};
enum { RICH_COUNT = sizeof RICH / sizeof *RICH };

Test(png_verdicts, changed_bytes_give_the_verdict_of_libpng)
{
    static const uint8_t changes[] = {0x01, 0x20, 0x80, 0xff};
    for (size_t r = 0; r < RICH_COUNT; r++) {
        Bytes png = rich_png(RICH[r].shape, RICH[r].plte, RICH[r].interlaced);
        for (size_t i = 0; i < png.size; i++) {
            for (size_t c = i % EVERY(4); c < sizeof changes; c += EVERY(4)) {
                char what[64];
                snprintf(what, sizeof what, "picture %zu, byte %zu ^ %02x", r, i, changes[c]);
                png.data[i] ^= changes[c];
                cr_expect_neq(verdict_of_both(&png, what), READ, "%s: unnoticed", what);
                png.data[i] ^= changes[c];
            }
        }
        free(png.data);
    }
}

Test(png_verdicts, truncation_gives_the_verdict_of_libpng)
{
    for (size_t r = 0; r < RICH_COUNT; r++) {
        Bytes png = rich_png(RICH[r].shape, RICH[r].plte, RICH[r].interlaced);
        size_t whole = png.size;
        cr_expect_eq(verdict_of_both(&png, "whole"), READ);
        for (png.size = 0; png.size < whole; png.size++)
            cr_expect_eq(verdict_of_both(&png, "truncated"), REFUSED);
        free(png.data);
    }
}

Test(png_verdicts, changed_bits_with_right_checksums_give_the_verdict_of_libpng)
{
    for (size_t r = 0; r < RICH_COUNT; r++) {
        Bytes png = rich_png(RICH[r].shape, RICH[r].plte, RICH[r].interlaced);
        for (size_t start = 8, size; start < png.size; start += 12 + size) {
            size = get_be32(png.data + start);
            for (size_t i = 0; i < size * 8; i++) {
                bool large =
                    memcmp(png.data + start + 4, "IHDR", 4) == 0 && i < 64 && i / 8 % 4 < 2;
                /* Skipped, because pictures as large as this take long to allocate. */
                if (large)
                    continue;
                char what[64];
                Bytes bad = {0};
                put(&bad, png.data, start);
                uint8_t *data = malloc(size);
                memcpy(data, png.data + start + 8, size);
                data[i / 8] ^= (uint8_t)(1 << (i % 8));
                put_chunk(&bad, (const char *)png.data + start + 4, data, size);
                put(&bad, png.data + bad.size, png.size - bad.size);
                snprintf(what, sizeof what, "picture %zu, %.4s, bit %zu", r,
                         (const char *)png.data + start + 4, i);
                (void)verdict_of_both(&bad, what);
                free(data);
                free(bad.data);
            }
        }
        free(png.data);
    }
}

/* --- Named cases ------------------------------------------------------------------------------ */

static const ImgShape GRAY = {4, 4, {IMG_COLOR_GRAY, 8}};
static const ImgShape RGB = {4, 4, {IMG_COLOR_RGB, 8}};
static const ImgShape PALETTE = {4, 4, {IMG_COLOR_PALETTE, 2}};

/* A chunk of a file that a test builds. The type "rows" stands for the IDAT chunk with the rows of
 * the picture. */
typedef struct Part {
    const char *type, *data;
    size_t size;
    bool wrong_crc;
} Part;

#define ROWS                                                                                       \
    {                                                                                              \
        .type = "rows"                                                                             \
    }
#define EMPTY(name)                                                                                \
    {                                                                                              \
        .type = (name), .data = ""                                                                 \
    }
#define SIZED(name, size)                                                                          \
    {                                                                                              \
        (name), ZEROS, (size), false                                                               \
    }
#define DAMAGED(name)                                                                              \
    {                                                                                              \
        (name), ZEROS, 4, true                                                                     \
    }

static const char ZEROS[1024];

static void expect_verdict(ImgShape shape, const Part *parts, Verdict wanted, const char *what)
{
    Bytes png = {0};
    put_test_header(&png, shape, false);
    for (; parts->type != NULL; parts++) {
        if (strcmp(parts->type, "rows") == 0)
            put_test_rows(&png, shape, false);
        else
            put_chunk(&png, parts->type, parts->data, parts->size);
        png.data[png.size - 1] ^= parts->wrong_crc;
    }
    Verdict verdict = verdict_of_both(&png, what);
    cr_expect_eq(verdict, wanted, "%s: %d instead of %d", what, (int)verdict, (int)wanted);
    free(png.data);
}

#define EXPECT(shape, wanted, ...)                                                                 \
    expect_verdict(shape, (const Part[]){__VA_ARGS__, {.type = NULL}}, wanted, #__VA_ARGS__)

Test(png_verdicts, ancillary_chunks_with_a_wrong_crc_are_dropped)
{
    EXPECT(RGB, READ_WITH_WARNING, DAMAGED("cLLI"), ROWS, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, DAMAGED("iCCP"), ROWS, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, DAMAGED("abCd"), ROWS, DAMAGED("tEXt"), EMPTY("IEND"));
    EXPECT(PALETTE, READ_WITH_WARNING, SIZED("PLTE", 12), DAMAGED("tRNS"), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, {"PLTE", ZEROS, 12, true}, ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, {"PLTE", ZEROS, 12, true}, ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, DAMAGED("ABCD"), ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, ROWS, {"IEND", ZEROS, 0, true});
}

Test(png_verdicts, palettes_are_checked_like_libpng)
{
    EXPECT(RGB, READ, SIZED("PLTE", 768), ROWS, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, SIZED("PLTE", 771), ROWS, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, SIZED("PLTE", 10), ROWS, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, SIZED("PLTE", 12), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, SIZED("PLTE", 12), SIZED("PLTE", 9), EMPTY("IEND"));
    EXPECT(RGB, REFUSED, EMPTY("PLTE"), ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, SIZED("PLTE", 12), SIZED("PLTE", 12), ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, SIZED("PLTE", 771), SIZED("PLTE", 12), ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, SIZED("PLTE", 12), ROWS, SIZED("PLTE", 12), EMPTY("IEND"));
    EXPECT(GRAY, READ_WITH_WARNING, SIZED("PLTE", 12), ROWS, EMPTY("IEND"));
    EXPECT(GRAY, REFUSED, SIZED("PLTE", 12), SIZED("PLTE", 12), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, READ, SIZED("PLTE", 12), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, READ_WITH_WARNING, SIZED("PLTE", 15), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, SIZED("PLTE", 771), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, SIZED("PLTE", 10), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, EMPTY("PLTE"), ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, ROWS, EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, ROWS, SIZED("PLTE", 12), EMPTY("IEND"));
    EXPECT(PALETTE, REFUSED, SIZED("PLTE", 12), ROWS, SIZED("PLTE", 12), EMPTY("IEND"));
}

Test(png_verdicts, chunks_after_the_pixels_are_checked_like_libpng)
{
    EXPECT(RGB, READ, ROWS, EMPTY("IDAT"), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, SIZED("IDAT", 5), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, SIZED("IDAT", 5), SIZED("IDAT", 7), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, EMPTY("tEXt"), SIZED("IDAT", 5), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, EMPTY("tEXt"), EMPTY("IDAT"), EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, EMPTY("tEXt"), ROWS, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, ROWS, EMPTY("tEXt"), {"IDAT", ZEROS, 4, true}, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, ROWS, {"IDAT", ZEROS, 4, true}, EMPTY("IEND"));
    EXPECT(RGB, READ_WITH_WARNING, ROWS, SIZED("IEND", 4));
    EXPECT(RGB, REFUSED, ROWS);
    EXPECT(RGB, REFUSED, EMPTY("IEND"));
    EXPECT(RGB, REFUSED, EMPTY("IDAT"), EMPTY("IEND"));
    EXPECT(RGB, REFUSED, EMPTY("IHDR"), ROWS, EMPTY("IEND"));
}

/* Expects the verdict `wanted` for a file with `missing` bytes of rows too few or `more` bytes too
 * many. Its data are in two IDAT chunks. If `parted`, another chunk stands between them. */
static void expect_rows(size_t missing, size_t more, bool parted, bool interlaced, Verdict wanted)
{
    Bytes png = {0}, raw = test_rows(RGB, interlaced);
    put(&raw, ZEROS, more);
    Bytes packed = deflated(raw.data, raw.size - missing);
    put_test_header(&png, RGB, interlaced);
    put_chunk(&png, "IDAT", packed.data, packed.size / 2);
    if (parted)
        put_chunk(&png, "tEXt", "a", 2);
    put_chunk(&png, "IDAT", packed.data + packed.size / 2, packed.size - packed.size / 2);
    put_end(&png);
    char what[80];
    snprintf(what, sizeof what, "%zu missing, %zu more, parted %d, interlaced %d", missing, more,
             parted, interlaced);
    cr_expect_eq(verdict_of_both(&png, what), wanted, "%s", what);
    free(png.data);
    free(raw.data);
    free(packed.data);
}

Test(png_verdicts, missing_and_extra_rows_are_checked_like_libpng)
{
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        expect_rows(0, 0, false, interlaced, READ);
        expect_rows(0, 0, true, interlaced, REFUSED);
        expect_rows(1, 0, false, interlaced, REFUSED);
        expect_rows(0, 1, false, interlaced, READ_WITH_WARNING);
        expect_rows(0, 1000, false, interlaced, READ_WITH_WARNING);
    }
}

/* imgtool's reader is stricter than libpng: libpng accepts an unknown chunk before the header. */
Test(png_verdicts, the_header_must_come_first)
{
    Bytes png = test_png(GRAY, false), late = {0};
    put(&late, png.data, 8);
    PUT_TEXT(&late, "abCd", "unknown");
    put(&late, png.data + 8, png.size - 8);
    Pull pull;
    Ours ours;
    cr_expect(libpng_reads(&late, &pull));
    cr_expect_not(we_read(&late, &ours));
    cr_expect_not_null(strstr(ours.error.message, "does not start with a header"));
    free_ours(&ours);
    free(pull.rows.data);
    free(png.data);
    free(late.data);
}
