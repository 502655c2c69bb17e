/* Tests of metadata through the public interface. */
#include "test_library.h"

static imgtool_metadata *fresh(imgtool_context *context)
{
    imgtool_metadata *metadata = NULL;
    cr_assert_eq(imgtool_metadata_create(context, &metadata, NULL), IMGTOOL_OK);
    return metadata;
}

/* Returns the types of all chunks in order, for example "gAMA PLTE tEXt ". */
static const char *types_of(const imgtool_metadata *metadata)
{
    static char text[256];
    text[0] = '\0';
    for (size_t i = 0; i < imgtool_metadata_count(metadata); i++) {
        imgtool_chunk chunk = {.size = sizeof chunk};
        cr_assert(imgtool_metadata_chunk(metadata, i, &chunk));
        strcat(text, chunk.type);
        strcat(text, " ");
    }
    imgtool_chunk none = {.size = sizeof none};
    cr_expect_not(imgtool_metadata_chunk(metadata, imgtool_metadata_count(metadata), &none));
    return text;
}

static imgtool_chunk find(const imgtool_metadata *metadata, const char *type)
{
    imgtool_chunk chunk = {.size = sizeof chunk};
    for (size_t i = 0; imgtool_metadata_chunk(metadata, i, &chunk); i++)
        if (strcmp(chunk.type, type) == 0)
            return chunk;
    cr_assert_fail("there is no %s", type);
    return chunk;
}

static const ImgShape SMALL = {5, 4, {IMG_COLOR_PALETTE, 4}};

static Bytes rich_png(void)
{
    Bytes png = {0};
    put_test_header(&png, SMALL, false);
    PUT_TEXT(&png, "gAMA", "\0\0\xb1\x8f");
    put_test_palette(&png, 16);
    PUT_TEXT(&png, "tRNS", "\1\2\3");
    PUT_TEXT(&png, "bKGD", "\3");
    PUT_TEXT(&png, "tEXt", "Comment\0hello");
    put_test_rows(&png, SMALL, false);
    PUT_TEXT(&png, "tIME", "\x07\xe8\1\1\1\1\1");
    put_end(&png);
    return png;
}

Test(library_metadata, chunks_are_listed_in_file_order_with_the_palette)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_reader *reader = NULL;
    Bytes png = rich_png();
    EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
    const imgtool_metadata *metadata = imgtool_reader_metadata(reader, &error);
    cr_expect_str_eq(types_of(metadata), "gAMA PLTE tRNS bKGD tEXt tIME ");
    imgtool_chunk palette = find(metadata, "PLTE"), text = find(metadata, "tEXt");
    cr_expect_eq(palette.bytes, 48);
    cr_expect_eq(((const uint8_t *)palette.data)[1], 48);
    cr_expect_eq(text.bytes, 13);
    cr_expect_arr_eq(text.data, "Comment\0hello", 13);
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    free(png.data);
}

Test(library_metadata, new_chunks_are_inserted_in_a_valid_place)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context), *copy = NULL;
    static const char *const types[] = {"tEXt", "tRNS", "gAMA", "PLTE", "abCd", "iCCP", "pHYs"};
    for (size_t i = 0; i < 7; i++)
        EXPECT_OK(imgtool_metadata_set(metadata, types[i], "123", 3, &error), error);
    cr_expect_str_eq(types_of(metadata), "gAMA iCCP PLTE tEXt tRNS abCd pHYs ");
    EXPECT_OK(imgtool_metadata_set(metadata, "gAMA", "4567", 4, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "abCd", NULL, 0, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "never", NULL, 0, &error) == IMGTOOL_E_USAGE
                  ? IMGTOOL_OK
                  : IMGTOOL_E_IO,
              error);
    cr_expect_str_eq(types_of(metadata), "iCCP gAMA PLTE tEXt tRNS pHYs ");
    EXPECT_OK(imgtool_metadata_copy(context, metadata, &copy, &error), error);
    imgtool_chunk same = find(metadata, "gAMA");
    EXPECT_OK(imgtool_metadata_set(metadata, "gAMA", same.data, same.bytes, &error), error);
    cr_expect_arr_eq(find(metadata, "gAMA").data, "4567", 4);
    EXPECT_OK(imgtool_metadata_set(metadata, "PLTE", NULL, 0, &error), error);
    cr_expect_str_eq(types_of(metadata), "iCCP gAMA tEXt tRNS pHYs ");
    cr_expect_str_eq(types_of(copy), "iCCP gAMA PLTE tEXt tRNS pHYs ");
    imgtool_metadata_destroy(metadata);
    imgtool_metadata_destroy(copy);
    imgtool_context_destroy(context);
}

/* In turn, the file has 0, 1, 2 and all 3 of the chunks gAMA, sRGB and cHRM before the palette. */
Test(library_metadata, the_palette_follows_the_chunks_before_it)
{
    static const char *const expected[] = {
        "PLTE tEXt pHYs tIME ",
        "gAMA PLTE tEXt pHYs tIME ",
        "gAMA sRGB PLTE tEXt pHYs tIME ",
        "gAMA sRGB cHRM PLTE tEXt pHYs tIME ",
    };
    static const char *const types[] = {"gAMA", "sRGB", "cHRM"};
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    for (size_t i = 0; i < 3; i++)
        EXPECT_OK(imgtool_metadata_set(metadata, ((const char *[]){"tEXt", "pHYs", "tIME"})[i], "1",
                                       1, &error),
                  error);
    EXPECT_OK(imgtool_metadata_set(metadata, "PLTE", "123", 3, &error), error);
    for (size_t i = 0; i <= 3; i++) {
        cr_expect_str_eq(types_of(metadata), expected[i]);
        if (i < 3)
            EXPECT_OK(imgtool_metadata_set(metadata, types[i], "1", 1, &error), error);
    }
    for (size_t i = 0; i < 3; i++)
        EXPECT_OK(imgtool_metadata_set(metadata, ((const char *[]){"tEXt", "pHYs", "tIME"})[i],
                                       NULL, 0, &error),
                  error);
    cr_expect_str_eq(types_of(metadata), "gAMA sRGB cHRM PLTE ");
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* Returns the types of all chunks in a file, in order. */
static const char *types_in_file(const uint8_t *data, size_t bytes)
{
    static char text[256];
    text[0] = '\0';
    for (size_t at = 8; at < bytes;) {
        const uint8_t *chunk = data + at;
        strncat(text, (const char *)chunk + 4, 4);
        strcat(text, " ");
        at += 12 +
              ((size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3]);
    }
    return text;
}

/* tRNS and bKGD must come after PLTE. Decoders ignore them before PLTE (PNG specification, third
 * edition, 5.6). */
Test(library_metadata, transparency_is_moved_after_a_new_palette)
{
    const ImgShape shape = {5, 4, {IMG_COLOR_RGB, 8}};
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    Bytes png = {0};
    void *data;
    size_t bytes;
    put_test_header(&png, shape, false);
    PUT_TEXT(&png, "tRNS", "\0\1\0\2\0\3");
    PUT_TEXT(&png, "gAMA", "\0\0\xb1\x8f");
    PUT_TEXT(&png, "bKGD", "\0\1\0\2\0\3");
    PUT_TEXT(&png, "tEXt", "Comment\0hello");
    put_test_rows(&png, shape, false);
    PUT_TEXT(&png, "tIME", "\x07\xe8\1\1\1\1\1");
    put_end(&png);
    EXPECT_OK(imgtool_read_memory(context, png.data, png.size, &picture, &metadata, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "PLTE", "123456", 6, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "hIST", "\0\1\0\2", 4, &error), error);
    cr_expect_str_eq(types_of(metadata), "gAMA tEXt PLTE tRNS bKGD hIST tIME ");
    encoding.metadata = metadata;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    cr_expect_str_eq(types_in_file(data, bytes),
                     "IHDR gAMA tEXt PLTE tRNS bKGD hIST IDAT tIME IEND ");
    imgtool_free(context, data);
    imgtool_picture_free(context, &picture);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
    free(png.data);
}

Test(library_metadata, invalid_chunks_are_rejected)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    static const char *const types[] = {"", "abC", "abCde", "a1Cd", "IDAT", "IHDR", "IEND", "ABCD"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        cr_expect_eq(imgtool_metadata_set(metadata, types[i], "", 0, &error), IMGTOOL_E_USAGE, "%s",
                     types[i]);
    EXPECT_FAILURE(imgtool_metadata_set(metadata, "abcd", "", 0, &error), IMGTOOL_E_USAGE, error,
                   "abcd");
    EXPECT_OK(imgtool_metadata_set(metadata, "abcd", NULL, 0, &error),
              /* NULL removes the chunk. Removing is allowed, because a file may have a chunk of
               * this type. */
              error);
    EXPECT_FAILURE(imgtool_metadata_set(metadata, "PLTE", "1234", 4, &error), IMGTOOL_E_USAGE,
                   error, "PLTE");
    EXPECT_FAILURE(imgtool_metadata_set(metadata, "abCd", "", (size_t)1 << 31, &error),
                   IMGTOOL_E_USAGE, error, "too many");
    EXPECT_FAILURE(imgtool_metadata_set(NULL, "abCd", "", 0, &error), IMGTOOL_E_USAGE, error,
                   "is NULL");
    cr_expect_eq(imgtool_metadata_count(metadata), 0);
    cr_expect_eq(imgtool_metadata_count(NULL), 0);
    imgtool_metadata_destroy(metadata);
    imgtool_metadata_destroy(NULL);
    imgtool_context_destroy(context);
}

Test(library_metadata, texts_are_read_and_set)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    EXPECT_OK(imgtool_metadata_add_text(metadata, "Author", "Zo\xc3\xab", &error), error);
    EXPECT_OK(imgtool_metadata_add_text(metadata, "Caf\xc3\xa9", "", &error), error);
    imgtool_chunk first = find(metadata, "iTXt"), second = {.size = sizeof second};
    cr_expect_eq(first.bytes, 6 + 5 + 4);
    cr_expect_arr_eq(first.data, "Author\0\0\0\0\0Zo\xc3\xab", 15);
    cr_assert(imgtool_metadata_chunk(metadata, 1, &second));
    cr_expect_arr_eq(second.data, "Caf\xe9\0\0\0\0\0", 9);
    char long_keyword[81];
    memset(long_keyword, 'a', 80);
    long_keyword[80] = '\0';
    const char *const keywords[] = {"",     " a",           "a ",       "a  b",     "a\n",
                                    "\x7f", "\xe2\x82\xac", "\xc3\x28", "\xc2\xa0", long_keyword};
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        EXPECT_FAILURE(imgtool_metadata_add_text(metadata, keywords[i], "text", &error),
                       IMGTOOL_E_USAGE, error, "keyword");
    EXPECT_OK(imgtool_metadata_add_text(metadata, long_keyword + 1, "79 of them", &error), error);
    static const char *const texts[] = {"\xff",         "\xc3",     "\xe2\x82",
                                        "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        EXPECT_FAILURE(imgtool_metadata_add_text(metadata, "a", texts[i], &error), IMGTOOL_E_USAGE,
                       error, "UTF-8");
    cr_expect_eq(imgtool_metadata_count(metadata), 3);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

Test(library_metadata, the_orientation_is_found_in_every_form)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    static const char exif[] = "MM\0*\0\0\0\10\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0";
    cr_expect_eq(imgtool_metadata_orientation(metadata), 0);
    cr_expect_eq(imgtool_metadata_orientation(NULL), 0);
    EXPECT_OK(imgtool_metadata_add_text(metadata, "exif:Orientation", "8", &error), error);
    cr_expect_eq(imgtool_metadata_orientation(metadata), 8);
    EXPECT_OK(imgtool_metadata_set(metadata, "eXIf", exif, sizeof exif - 1, &error), error);
    cr_expect_eq(imgtool_metadata_orientation(metadata), 6);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* --- Metadata of one file in another ---------------------------------------------------------- */

/* Writes the pixels of `png`, read in `format`, together with its metadata. Returns the chunk types
 * of the new file. */
static const char *carried(const Bytes *png, imgtool_format format)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_reader *reader = NULL;
    void *data;
    size_t bytes;
    picture.format = format;
    EXPECT_OK(imgtool_read_memory(context, png->data, png->size, &picture, &metadata, &error),
              error);
    encoding.metadata = metadata;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    EXPECT_OK(imgtool_open_memory(context, data, bytes, &reader, &error), error);
    const char *types = types_of(imgtool_reader_metadata(reader, &error));
    imgtool_reader_destroy(reader);
    imgtool_free(context, data);
    imgtool_picture_free(context, &picture);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
    return types;
}

Test(library_metadata, metadata_follows_the_pixels_into_another_format)
{
    Bytes png = rich_png(), key = {0};
    cr_expect_str_eq(carried(&png, (imgtool_format){IMGTOOL_AS_IT_IS, 0}),
                     "gAMA PLTE tRNS bKGD tEXt tIME ");
    cr_expect_str_eq(carried(&png, (imgtool_format){IMGTOOL_RGBA, 8}), "gAMA bKGD tEXt tIME ");
    cr_expect_str_eq(carried(&png, (imgtool_format){IMGTOOL_BGRA, 8}), "gAMA bKGD tEXt tIME ");
    cr_expect_str_eq(carried(&png, (imgtool_format){IMGTOOL_GRAY, 8}), "gAMA tEXt tIME ");
    ImgShape shape = {5, 4, {IMG_COLOR_RGB, 16}};
    put_test_header(&key, shape, false);
    PUT_TEXT(&key, "sBIT", "\x0c\x0c\x0c");
    PUT_TEXT(&key, "tRNS", "\0\1\0\2\0\3");
    PUT_TEXT(&key, "bKGD", "\0\1\0\2\0\3");
    put_test_rows(&key, shape, false);
    put_end(&key);
    cr_expect_str_eq(carried(&key, (imgtool_format){IMGTOOL_AS_IT_IS, 0}), "sBIT tRNS bKGD ");
    cr_expect_str_eq(carried(&key, (imgtool_format){IMGTOOL_RGBA, 16}), "sBIT bKGD ");
    cr_expect_str_eq(carried(&key, (imgtool_format){IMGTOOL_RGB, 8}), "sBIT ");
    cr_expect_str_eq(carried(&key, (imgtool_format){IMGTOOL_BGRA, 8}), "sBIT ");
    cr_expect_str_eq(carried(&key, (imgtool_format){IMGTOOL_GRAY_ALPHA, 8}), "");
    free(png.data);
    free(key.data);
}

/* Converts a gray picture with a transparent colour and a background from `before` to another
 * format. Returns its chunk `type` in hexadecimal digits, or NULL if the chunk is dropped. The
 * result is static. */
static const char *in_format(const char *type, imgtool_format before, const char *sample,
                             imgtool_format after)
{
    static char text[5];
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    EXPECT_OK(imgtool_metadata_set(metadata, "tRNS", sample, 2, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "bKGD", sample, 2, &error), error);
    EXPECT_OK(imgtool_metadata_convert(metadata, before, after, &error), error);
    imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
    for (size_t i = 0; imgtool_metadata_chunk(metadata, i, &chunk); i++)
        if (strcmp(chunk.type, type) == 0)
            break;
        else
            chunk.bytes = 0;
    if (chunk.bytes == 2)
        snprintf(text, sizeof text, "%02x%02x", ((const uint8_t *)chunk.data)[0],
                 ((const uint8_t *)chunk.data)[1]);
    const bool found = chunk.bytes == 2;
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
    return found ? text : NULL;
}

/* Gray 2 of 2 bits becomes 170 of 255 or 43690 of 65535. Of 0x0102 only the low 8 bits count, so 2
 * becomes 2 * 257 = 0x0202 with 16 bits. */
Test(library_metadata, named_colours_are_scaled_to_deeper_samples)
{
    const imgtool_format two = {IMGTOOL_GRAY, 2}, eight = {IMGTOOL_GRAY, 8},
                         sixteen = {IMGTOOL_GRAY, 16}, rgb = {IMGTOOL_RGB, 8},
                         alpha = {IMGTOOL_GRAY_ALPHA, 8}, floats = {IMGTOOL_GRAY, 32},
                         bgra = {IMGTOOL_BGRA, 8};
    static const char *const types[] = {"tRNS", "bKGD"};
    for (int i = 0; i < 2; i++) {
        cr_expect_str_eq(in_format(types[i], two, "\0\2", eight), "00aa");
        cr_expect_str_eq(in_format(types[i], two, "\0\2", sixteen), "aaaa");
        cr_expect_str_eq(in_format(types[i], eight, "\1\2", sixteen), "0202");
        cr_expect_str_eq(in_format(types[i], eight, "\1\2", eight), "0102");
        cr_expect_null(in_format(types[i], sixteen, "\1\2", eight));
    }
    cr_expect_null(in_format("tRNS", two, "\0\2", alpha));
    cr_expect_str_eq(in_format("bKGD", two, "\0\2", alpha), "00aa");
    cr_expect_null(in_format("tRNS", eight, "\0\2", rgb));
    cr_expect_null(in_format("tRNS", eight, "\0\2", bgra));
    cr_expect_null(in_format("tRNS", eight, "\0\2", floats));
}

Test(library_metadata, invalid_formats_are_rejected)
{
    const imgtool_format good = {IMGTOOL_RGB, 8}, bad = {IMGTOOL_RGB, 7};
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    cr_expect_eq(imgtool_metadata_convert(metadata, bad, good, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_metadata_convert(metadata, good, bad, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_metadata_convert(NULL, good, good, &error), IMGTOOL_E_USAGE);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* The test writes the metadata of one picture with the pixels of another. */
Test(library_metadata, chunks_that_do_not_fit_the_picture_are_left_out)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = fresh(context);
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    uint8_t pixels[4] = {1, 2, 3, 4};
    imgtool_picture picture = {sizeof picture, 1, 1, {IMGTOOL_RGBA, 8}, pixels, 4, false};
    static const char *const types[] = {"tRNS", "bKGD", "sBIT", "hIST", "dSIG", "maRK", "blKS"};
    for (size_t i = 0; i < 7; i++)
        EXPECT_OK(imgtool_metadata_set(metadata, types[i], "\1\1", 2, &error), error);
    EXPECT_OK(imgtool_metadata_add_text(metadata, "Title", "kept", &error), error);
    encoding.metadata = metadata;
    void *data;
    size_t bytes;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    Bytes png = {data, bytes, bytes};
    cr_expect_str_eq(carried(&png, (imgtool_format){IMGTOOL_AS_IT_IS, 0}), "iTXt ");
    cr_expect_eq(imgtool_metadata_count(metadata), 8, "the caller's stays as it is");
    imgtool_free(context, data);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* Converts a 16-bit RGB picture to `after`. Returns the entries of its sBIT chunk as text. */
static const char *significant(imgtool_format after)
{
    static char text[32];
    imgtool_context *context = test_context(1);
    imgtool_metadata *metadata;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
    EXPECT_OK(imgtool_metadata_create(context, &metadata, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "sBIT", "\x0c\x05\x10", 3, &error), error);
    EXPECT_OK(imgtool_metadata_convert(metadata, (imgtool_format){IMGTOOL_RGB, 16}, after, &error),
              error);
    text[0] = '\0';
    if (imgtool_metadata_chunk(metadata, 0, &chunk))
        for (size_t i = 0, used = 0; i < chunk.bytes; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d ",
                                     ((const uint8_t *)chunk.data)[i]);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
    return text;
}

Test(library_metadata, significant_bits_follow_the_channels)
{
    cr_expect_str_eq(significant((imgtool_format){IMGTOOL_RGBA, 16}), "12 5 16 16 ");
    cr_expect_str_eq(significant((imgtool_format){IMGTOOL_BGRA, 8}), "8 5 8 8 ");
    cr_expect_str_eq(significant((imgtool_format){IMGTOOL_RGB, 8}), "8 5 8 ");
    cr_expect_str_eq(significant((imgtool_format){IMGTOOL_GRAY, 16}), "");
}

Test(library_metadata, the_limit_on_chunks_applies_to_writing_too)
{
    imgtool_context *context = test_context(1);
    imgtool_metadata *metadata;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    uint8_t pixel = 0;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    void *data = NULL;
    size_t bytes;
    picture.width = picture.height = 1;
    picture.format = (imgtool_format){IMGTOOL_GRAY, 8};
    picture.pixels = &pixel;
    picture.stride = 1;
    EXPECT_OK(imgtool_metadata_create(context, &metadata, &error), error);
    for (int i = 0; i < 100000; i++)
        EXPECT_OK(imgtool_metadata_add_text(metadata, "Title", "", &error), error);
    encoding.metadata = metadata;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    imgtool_free(context, data);
    EXPECT_OK(imgtool_metadata_add_text(metadata, "Title", "", &error), error);
    EXPECT_FAILURE(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error),
                   IMGTOOL_E_LIMIT, error, "100000 chunks");
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* --- Profiles --------------------------------------------------------------------------------- */

/* Sets an iCCP chunk with the start of a profile for the colour space `space`. Its zlib stream has
 * one stored block and lacks its end. */
static void set_profile(imgtool_metadata *metadata, const char *space)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    uint8_t data[2 + 1 + 2 + 5 + 128] = {'x', 0, 0, 0x78, 0x01, 1, 128, 0, 127, 255};
    memcpy(data + 10 + 16, space, 4);
    EXPECT_OK(imgtool_metadata_set(metadata, "iCCP", data, sizeof data, &error), error);
}

Test(library_metadata, a_profile_is_written_only_with_matching_pixels)
{
    static const struct {
        const char *space;
        imgtool_color color;
        bool written;
    } cases[] = {{"RGB ", IMGTOOL_RGB, true},         {"RGB ", IMGTOOL_RGBA, true},
                 {"RGB ", IMGTOOL_BGRA, true},        {"RGB ", IMGTOOL_GRAY, false},
                 {"RGB ", IMGTOOL_GRAY_ALPHA, false}, {"GRAY", IMGTOOL_GRAY, true},
                 {"GRAY", IMGTOOL_GRAY_ALPHA, true},  {"GRAY", IMGTOOL_RGB, false},
                 {"GRAY", IMGTOOL_RGBA, false},       {"CMYK", IMGTOOL_RGB, false}};
    imgtool_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
        imgtool_metadata *metadata = fresh(context);
        imgtool_picture picture = IMGTOOL_PICTURE_INIT;
        uint8_t pixels[8] = {0};
        void *data;
        size_t bytes;
        set_profile(metadata, cases[i].space);
        encoding.metadata = metadata;
        picture.width = picture.height = 1;
        picture.format = (imgtool_format){cases[i].color, 8};
        picture.pixels = pixels;
        picture.stride = sizeof pixels;
        EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
        cr_expect_eq(strstr(types_in_file(data, bytes), "iCCP") != NULL, cases[i].written, "%zu",
                     i);
        imgtool_free(context, data);
        imgtool_metadata_destroy(metadata);
    }
    imgtool_context_destroy(context);
}

/* The test repeats the iCCP chunk in the file, which the specification forbids. */
Test(library_metadata, two_profiles_of_another_kind_are_both_left_out)
{
    imgtool_context *context = test_context(1);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = fresh(context), *twice = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, gray = IMGTOOL_PICTURE_INIT;
    uint8_t pixels[3] = {0};
    void *data;
    size_t bytes;
    picture.width = picture.height = 1;
    picture.format = (imgtool_format){IMGTOOL_GRAY, 8};
    picture.pixels = pixels;
    picture.stride = sizeof pixels;
    set_profile(metadata, "GRAY");
    encoding.metadata = metadata;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    const size_t chunk = 4 + 4 + 138 + 4; /* length field, type, data and CRC */
    const uint8_t *from = memmem(data, bytes, "iCCP", 4);
    cr_assert_not_null(from);
    const size_t end = (size_t)(from - (const uint8_t *)data) - 4 + chunk;
    uint8_t *file = malloc(bytes + chunk);
    memcpy(file, data, end);
    memcpy(file + end, file + end - chunk, chunk);
    memcpy(file + end + chunk, (const uint8_t *)data + end, bytes - end);
    EXPECT_OK(imgtool_read_memory(context, file, bytes + chunk, &gray, &twice, &error), error);
    cr_assert_str_eq(types_of(twice), "iCCP iCCP ");
    imgtool_free(context, data);
    picture.format.color = IMGTOOL_RGB;
    encoding.metadata = twice;
    EXPECT_OK(imgtool_write_memory(context, &picture, &encoding, &data, &bytes, &error), error);
    cr_expect_null(strstr(types_in_file(data, bytes), "iCCP"));
    free(file);
    imgtool_free(context, data);
    imgtool_picture_free(context, &gray);
    imgtool_metadata_destroy(twice);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
}

/* The picture has only one colour, which is not its background colour. The palette must get the
 * background as a second entry. */
Test(library_metadata, a_background_is_added_to_the_palette)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_context *context = test_context(1);
    imgtool_pipeline *pipeline = NULL;
    imgtool_metadata *metadata = fresh(context);
    imgtool_picture from = IMGTOOL_PICTURE_INIT, to = IMGTOOL_PICTURE_INIT;
    imgtool_chunk palette = {.size = sizeof palette};
    uint8_t pixel = 0;
    EXPECT_OK(imgtool_pipeline_parse(context, "pad right=1 background=red", &pipeline, &error),
              error);
    EXPECT_OK(imgtool_metadata_set(metadata, "PLTE", "\1\2\3", 3, &error), error);
    from.width = from.height = 1;
    from.format = (imgtool_format){IMGTOOL_PALETTE, 8};
    from.pixels = &pixel;
    from.stride = 1;
    EXPECT_OK(imgtool_expand(context, pipeline, &from, &to, metadata, &error), error);
    cr_expect_null(to.pixels);
    EXPECT_OK(imgtool_run(context, pipeline, &from, &to, metadata, &error), error);
    cr_expect(to.format.color == IMGTOOL_PALETTE && to.width == 2);
    cr_expect_arr_eq(to.pixels, "\0\1", 2);
    cr_assert(imgtool_metadata_chunk(metadata, 0, &palette));
    imgtool_picture_free(context, &to);
    imgtool_metadata *without = fresh(context);
    EXPECT_FAILURE(imgtool_run(context, pipeline, &from, &to, without, &error),
                   IMGTOOL_E_UNSUPPORTED, error, "expand the palette first");
    imgtool_metadata_destroy(without);
    cr_assert_eq(palette.bytes, 6);
    cr_expect_arr_eq(palette.data, "\1\2\3\xff\0\0", 6);
    imgtool_metadata_destroy(metadata);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
}

/* --- Transparency as a channel ---------------------------------------------------------------- */

/* The file has two gray pixels of 8 bits. Gray 7 is transparent. */
Test(library_metadata, transparency_becomes_a_channel_if_steps_need_channels)
{
    static const char *const steps[] = {"rotate angle=180", "gamma value=1.4", NULL};
    imgtool_context *context = test_context(1);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_pipeline *pipeline = NULL;
        imgtool_metadata *metadata = fresh(context);
        imgtool_picture from = IMGTOOL_PICTURE_INIT, to = IMGTOOL_PICTURE_INIT;
        uint8_t pixels[2] = {7, 8};
        if (steps[i] != NULL)
            EXPECT_OK(imgtool_pipeline_parse(context, steps[i], &pipeline, &error), error);
        EXPECT_OK(imgtool_metadata_set(metadata, "tRNS", "\0\7", 2, &error), error);
        from.width = 2;
        from.height = 1;
        from.format = (imgtool_format){IMGTOOL_GRAY, 8};
        from.pixels = pixels;
        from.stride = 2;
        EXPECT_OK(imgtool_expand(context, pipeline, &from, &to, metadata, &error), error);
        if (i == 0) {
            cr_expect_null(to.pixels);
            cr_expect_str_eq(types_of(metadata), "tRNS ");
        } else {
            cr_assert_not_null(to.pixels);
            cr_expect_eq(to.format.color, IMGTOOL_GRAY_ALPHA);
            cr_expect_eq(memcmp(to.pixels, "\7\0\x08\xff", 4), 0);
            cr_expect_str_eq(types_of(metadata), "");
            EXPECT_FAILURE(imgtool_expand(context, NULL, &from, &to, metadata, &error),
                           IMGTOOL_E_USAGE, error, "to: it already has pixels");
        }
        imgtool_picture_free(context, &to);
        imgtool_metadata_destroy(metadata);
        imgtool_pipeline_destroy(pipeline);
    }
    imgtool_context_destroy(context);
}
