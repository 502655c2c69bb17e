/* Tests of the orientation in EXIF and in older text forms. The orientation is read from each form,
 * and set to 1 in all of them. */
#include "io/metadata/metadata_follow.h"
#include "test_io_png.h"

static const ImgEffect UPRIGHT = {.turn = IMG_TURN_90, .upright = true};

/* Returns EXIF with two entries; the second is the orientation `value`, stored as `type`. With
 * `prefix` it starts with "Exif". */
static Bytes exif(bool big_endian, int type, unsigned value, bool prefix)
{
    /* EXIF in big-endian order. The bytes 0, 2 after the offset 8 are the number of entries. */
    static const uint8_t big[] = {'M', 'M', 0, 42, 0,    0, 0, 8, 0, 2, 1, 0, 0, 4, 0, 0, 0, 1, 0,
                                  0,   0,   9, 1,  0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    /* EXIF in little-endian order. The bytes 2, 0 after the offset 8 are the number of entries. */
    static const uint8_t little[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 2, 0,    0, 1, 4,
                                     0,   1,   0,  0, 0, 9, 0, 0, 0, 0x12, 1, 3, 0,
                                     1,   0,   0,  0, 0, 0, 0, 0, 0, 0,    0, 0};
    Bytes out = {0};
    if (prefix)
        put(&out, "Exif\0\0", 6);
    put(&out, big_endian ? big : little, sizeof big);
    uint8_t *entry = out.data + (prefix ? 6 : 0) + 22;
    entry[big_endian ? 3 : 2] = (uint8_t)type;
    entry[8 + (!big_endian ? 0 : type == 3 ? 1 : 3)] = (uint8_t)value;
    return out;
}

/* Returns a raw profile in the form that ImageMagick writes: "\nexif\n      44\n0123...". */
static Bytes raw_profile(const Bytes *data)
{
    Bytes text = {0};
    char line[32];
    put(&text, line, (size_t)snprintf(line, sizeof line, "\nexif\n%8zu", data->size));
    for (size_t i = 0; i < data->size; i++) {
        if (i % 36 == 0)
            put(&text, "\n", 1);
        put(&text, line, (size_t)snprintf(line, sizeof line, "%02x", data->data[i]));
    }
    put(&text, "\n", 1);
    return text;
}

static Bytes text_chunk(const char *type, const char *keyword, const Bytes *text)
{
    Bytes chunk = {0}, packed = {0};
    put(&chunk, keyword, strlen(keyword) + 1);
    if (strcmp(type, "tEXt") == 0) {
        put(&chunk, text->data, text->size);
        return chunk;
    }
    if (strcmp(type, "iTXt") == 0)
        put(&chunk, "\1\0en\0\0", 6);
    else
        put(&chunk, "\0", 1);
    packed = deflated(text->data, text->size);
    put(&chunk, packed.data, packed.size);
    free(packed.data);
    return chunk;
}

static void add(ImgMetadata *metadata, const char *type, const Bytes *data)
{
    cr_assert_eq(
        img_metadata_add(metadata, type, IMG_BEFORE_PLTE, data->data, (uint32_t)data->size, NULL),
        IMG_OK);
}

static int orientation(const ImgMetadata *metadata)
{
    ImgFacts facts;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_metadata_facts(metadata, &WIDE_LIMITS, &facts, &err), IMG_OK, "%s",
                 err.message);
    return facts.orientation;
}

static void make_upright(ImgMetadata *metadata)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_metadata_follow(metadata, &UPRIGHT, &WIDE_LIMITS, &err), IMG_OK, "%s",
                 err.message);
}

/* Reads `value` from EXIF and resets it to 1. The result must equal EXIF that had orientation 1
 * from the start, so no other byte changes. */
static void check_exif(bool big_endian, int type, unsigned value, bool prefix)
{
    Bytes data = exif(big_endian, type, value, prefix), one = exif(big_endian, type, 1, prefix);
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, "eXIf", &data);
    cr_expect_eq(orientation(&metadata), (int)value);
    make_upright(&metadata);
    cr_expect_eq(orientation(&metadata), 1);
    cr_assert_eq(metadata.chunks[0].size, one.size);
    cr_expect_eq(memcmp(metadata.chunks[0].data, one.data, one.size), 0);
    img_metadata_free(&metadata);
    free(data.data);
    free(one.data);
}

Test(io_orientation, exif_is_read_and_reset_in_both_byte_orders)
{
    for (unsigned value = 1; value <= 8; value++) {
        for (int prefix = 0; prefix <= 1; prefix++) {
            check_exif(true, 3, value, prefix);
            check_exif(false, 3, value, prefix);
            check_exif(true, 4, value, prefix);
            check_exif(false, 4, value, prefix);
        }
    }
}

Test(io_orientation, older_text_forms_are_read_and_reset)
{
    static const char *const types[] = {"tEXt", "zTXt", "iTXt"};
    static const char *const keywords[] = {"Raw profile type exif", "Raw profile type APP1"};
    for (size_t i = 0; i < 6; i++) {
        const char *type = types[i % 3], *keyword = keywords[i / 3];
        Bytes data = exif(i % 2 == 0, 3, 6, i < 3), one = exif(i % 2 == 0, 3, 1, i < 3);
        Bytes text = raw_profile(&data), text_one = raw_profile(&one);
        Bytes chunk = text_chunk(type, keyword, &text);
        Bytes expected = text_chunk(type, keyword, &text_one);
        ImgMetadata metadata = IMG_METADATA_NONE;
        add(&metadata, type, &chunk);
        cr_expect_eq(orientation(&metadata), 6, "%s %s", type, keyword);
        make_upright(&metadata);
        cr_expect_eq(orientation(&metadata), 1, "%s %s", type, keyword);
        if (strcmp(type, "tEXt") == 0) {
            cr_assert_eq(metadata.chunks[0].size, expected.size);
            cr_expect_eq(memcmp(metadata.chunks[0].data, expected.data, expected.size), 0);
        }
        img_metadata_free(&metadata);
        Bytes *all[] = {&data, &one, &text, &text_one, &chunk, &expected};
        for (size_t b = 0; b < 6; b++)
            free(all[b]->data);
    }
}

Test(io_orientation, exif_wins_over_text_and_both_are_reset)
{
    Bytes three = exif(true, 3, 3, false), six = exif(false, 3, 6, true);
    Bytes text = raw_profile(&six), chunk = text_chunk("zTXt", "Raw profile type exif", &text);
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, "zTXt", &chunk);
    add(&metadata, "eXIf", &three);
    cr_expect_eq(orientation(&metadata), 3);
    make_upright(&metadata);
    cr_expect_eq(orientation(&metadata), 1);
    metadata.count = 1; /* leaves only the text chunk */
    free(metadata.chunks[1].data);
    cr_expect_eq(orientation(&metadata), 1);
    img_metadata_free(&metadata);
    free(three.data);
    free(six.data);
    free(text.data);
    free(chunk.data);
}

Test(io_orientation, other_operations_keep_the_orientation)
{
    Bytes data = exif(true, 3, 6, false);
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgEffect turn = {.turn = IMG_TURN_90};
    add(&metadata, "eXIf", &data);
    cr_assert_eq(img_metadata_follow(&metadata, &turn, &WIDE_LIMITS, NULL), IMG_OK);
    cr_expect_eq(orientation(&metadata), 6);
    img_metadata_free(&metadata);
    free(data.data);
}

Test(io_orientation, damaged_exif_has_no_orientation)
{
    Bytes data = exif(false, 3, 6, false);
    for (size_t size = 0; size < data.size; size++) {
        Bytes part = {0};
        put(&part, data.data, size);
        ImgMetadata metadata = IMG_METADATA_NONE;
        add(&metadata, "eXIf", &part);
        cr_expect(size >= 34 || orientation(&metadata) == 0, "%zu bytes", size);
        make_upright(&metadata);
        img_metadata_free(&metadata);
        free(part.data);
    }
    for (size_t bit = 0; bit < data.size * 8; bit++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        data.data[bit / 8] ^= (uint8_t)(1 << (bit % 8));
        add(&metadata, "eXIf", &data);
        int value = orientation(&metadata);
        cr_expect(value >= 0 && value <= 8);
        make_upright(&metadata);
        img_metadata_free(&metadata);
        data.data[bit / 8] ^= (uint8_t)(1 << (bit % 8));
    }
    free(data.data);
}

/* An invalid orientation does not turn the picture, so it is not reset either. */
Test(io_orientation, an_invalid_number_is_not_changed)
{
    static const unsigned wrong[] = {0, 9, 60000};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Bytes data = exif(true, 3, wrong[i] & 255, false);
        ImgMetadata metadata = IMG_METADATA_NONE;
        data.data[30] = (uint8_t)(wrong[i] >> 8);
        add(&metadata, "eXIf", &data);
        cr_expect_eq(orientation(&metadata), 0);
        make_upright(&metadata);
        cr_expect_eq(memcmp(metadata.chunks[0].data, data.data, data.size), 0, "%u", wrong[i]);
        img_metadata_free(&metadata);
        free(data.data);
    }
}

#define DATA(type, literal)                                                                        \
    {                                                                                              \
        type, literal, sizeof(literal) - 1                                                         \
    }

Test(io_orientation, damaged_text_has_no_orientation_and_is_not_changed)
{
    static const struct {
        const char *type, *data;
        size_t size;
    } chunks[] = {DATA("zTXt", "Raw profile type exif\0\0not deflate"),
                  DATA("zTXt", "Raw profile type exif\0"),
                  DATA("zTXt", "Raw profile type exif"),
                  DATA("zTXt", "Raw profile type exif\0\7method"),
                  DATA("iTXt", "Raw profile type exif\0\1"),
                  DATA("iTXt", "Raw profile type exif\0\0\0en"),
                  DATA("tEXt", "Raw profile type exif\0\nexif\n 8\n4d4d002"),
                  DATA("tEXt", "Raw profile type exif\0"),
                  DATA("tEXt", "")};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        Bytes data = {0};
        put(&data, chunks[i].data, chunks[i].size);
        add(&metadata, chunks[i].type, &data);
        cr_expect_eq(orientation(&metadata), 0);
        make_upright(&metadata);
        cr_assert_eq(metadata.chunks[0].size, chunks[i].size);
        cr_expect_eq(memcmp(metadata.chunks[0].data, chunks[i].data, chunks[i].size), 0);
        img_metadata_free(&metadata);
        free(data.data);
    }
}

/* Expects the orientation `expected` in a file with one chunk, and resets it. Afterwards it must
 * read as 1, or as 0 if it was 0 before. The caller frees the returned chunk. */
static ImgChunk check_chunk(const char *type, const Bytes *data, int expected)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, type, data);
    cr_expect_eq(orientation(&metadata), expected, "%d, not %d", orientation(&metadata), expected);
    make_upright(&metadata);
    cr_expect_eq(orientation(&metadata), expected != 0);
    ImgChunk chunk = metadata.chunks[0];
    free(metadata.chunks);
    return chunk;
}

/* Resets the orientation in an uncompressed chunk, and expects exactly the bytes `after`. */
static void check_plain(const char *type, const void *before, const void *after, size_t size,
                        int expected)
{
    Bytes data = {0};
    put(&data, before, size);
    ImgChunk chunk = check_chunk(type, &data, expected);
    cr_assert_eq(chunk.size, size);
    cr_expect_eq(memcmp(chunk.data, after, size), 0, "%.*s", (int)size - 22, chunk.data + 22);
    free(chunk.data);
    free(data.data);
}

#define CHECK_PLAIN(type, before, after, expected)                                                 \
    check_plain(type, before, after, sizeof(before) - 1, expected)

#define XMP "XML:com.adobe.xmp\0\0\0\0\0"

Test(io_orientation, xmp_is_read_last)
{
    CHECK_PLAIN("iTXt", XMP "<x tiff:Orientation = '8'/>", XMP "<x tiff:Orientation = '1'/>", 8);
    CHECK_PLAIN("iTXt", XMP "<tiff:Orientation>3</tiff:Orientation>",
                XMP "<tiff:Orientation>1</tiff:Orientation>", 3);
    CHECK_PLAIN("iTXt", XMP "<tiff:Orientation a='b'>\n6 </tiff:Orientation>",
                XMP "<tiff:Orientation a='b'>\n1 </tiff:Orientation>", 6);
    static const char *const others[] = {
        XMP "<x tiff:Orientation=\"9\"/>",   XMP "<x tiff:Orientation=\"66\"/>",
        XMP "<x mytiff:Orientation=\"6\"/>", XMP "<tiff:OrientationX>6</tiff:OrientationX>",
        XMP "<x tiff:Orientation=\"6'/>",    XMP "<x tiff:Orientation>6<",
        XMP "</tiff:Orientation>6<",         XMP "<tiff:Orientation <a>6<"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t size = sizeof XMP - 1 + strlen(others[i] + sizeof XMP - 1);
        check_plain("iTXt", others[i], others[i], size, 0);
        for (size_t part = sizeof XMP - 1; part < size; part++)
            check_plain("iTXt", others[i], others[i], part, 0);
    }
    Bytes three = exif(true, 3, 3, false), xmp = {0};
    ImgMetadata metadata = IMG_METADATA_NONE;
    put(&xmp, XMP "<x tiff:Orientation='8'/>", sizeof XMP "<x tiff:Orientation='8'/>" - 1);
    add(&metadata, "iTXt", &xmp);
    add(&metadata, "eXIf", &three);
    cr_expect_eq(orientation(&metadata), 3);
    img_metadata_free(&metadata);
    free(three.data);
    free(xmp.data);
}

Test(io_orientation, compressed_xmp_is_read_and_reset)
{
    static const char xml[] = "<x tiff:Orientation=\"6\"/>", one[] = "<x tiff:Orientation=\"1\"/>";
    Bytes text = {0};
    put(&text, xml, sizeof xml - 1);
    Bytes data = text_chunk("iTXt", "XML:com.adobe.xmp", &text);
    ImgChunk chunk = check_chunk("iTXt", &data, 6);
    /* the keyword with its NUL, and the 6 bytes that text_chunk writes before the text */
    size_t head = sizeof "XML:com.adobe.xmp" + 6;
    uint8_t back[64];
    uLongf size = sizeof back;
    cr_assert_eq(memcmp(chunk.data, data.data, head), 0);
    cr_assert_eq(uncompress(back, &size, chunk.data + head, chunk.size - head), Z_OK);
    cr_assert_eq(size, sizeof one - 1);
    cr_expect_eq(memcmp(back, one, size), 0);
    free(chunk.data);
    free(data.data);
    free(text.data);
}

Test(io_orientation, profile_names_may_contain_spaces)
{
    static const char tiff[] = "4D4D002A0000000800010112000300000001000%c0000\n00000000\n";
    char before[160], after[160];
    for (int i = 0; i < 2; i++) {
        const char *line = i == 0 ? "\ngeneric profile\n      32\n" : "generic profile\r\n32\r\n";
        int size =
            snprintf(before, sizeof before, "Raw profile type APP1%c%s457869660000", 0, line);
        snprintf(after, sizeof after, "Raw profile type APP1%c%s457869660000", 0, line);
        snprintf(after + size, sizeof after - (size_t)size, tiff, '1');
        size += snprintf(before + size, sizeof before - (size_t)size, tiff, '6');
        check_plain("tEXt", before, after, (size_t)size, 6);
        Bytes text = {0};
        put(&text, before + 22, (size_t)size - 22);
        Bytes data = text_chunk("zTXt", "Raw profile type APP1", &text);
        free(check_chunk("zTXt", &data, 6).data);
        free(data.data);
        free(text.data);
    }
}

Test(io_orientation, raw_profiles_may_contain_xmp)
{
    static const char *const keywords[] = {"Raw profile type xmp", "Raw profile type APP1"};
    Bytes xmp = {0};
    put(&xmp, "http://ns.adobe.com/xap/1.0/\0<x tiff:Orientation='6'/>", 54);
    Bytes text = raw_profile(&xmp);
    for (size_t i = 0; i < 2; i++) {
        Bytes data = text_chunk("zTXt", keywords[i], &text);
        free(check_chunk("zTXt", &data, 6).data);
        free(data.data);
    }
    free(text.data);
    free(xmp.data);
}

/* XMP inside an EXIF comment, or in a thumbnail that is dropped, must be ignored. */
Test(io_orientation, exif_is_not_searched_for_xmp)
{
    static const char xmp[] = "<x tiff:Orientation='6'/>";
    for (int prefix = 0; prefix <= 1; prefix++) {
        Bytes data = exif(true, 3, 0, prefix == 1);
        put(&data, xmp, sizeof xmp);
        Bytes text = raw_profile(&data), chunk = text_chunk("tEXt", "Raw profile type APP1", &text);
        ImgMetadata metadata = IMG_METADATA_NONE;
        add(&metadata, "tEXt", &chunk);
        cr_expect_eq(orientation(&metadata), 0);
        make_upright(&metadata);
        cr_assert_eq(metadata.chunks[0].size, chunk.size);
        cr_expect_eq(memcmp(metadata.chunks[0].data, chunk.data, chunk.size), 0);
        img_metadata_free(&metadata);
        free(chunk.data);
        free(text.data);
        free(data.data);
    }
}

Test(io_orientation, texts_of_imagemagick_are_read_and_reset)
{
    CHECK_PLAIN("tEXt", "exif:Orientation\0006", "exif:Orientation\0001", 6);
    CHECK_PLAIN("tEXt", "EXIF:Orientation\0003\n", "EXIF:Orientation\0001\n", 3);
    CHECK_PLAIN("iTXt", "Tiff:Orientation\0\0\0\0\0008", "Tiff:Orientation\0\0\0\0\0001", 8);
    CHECK_PLAIN("tEXt", "exif:Orientation\0RightTop", "exif:Orientation\0RightTop", 0);
    CHECK_PLAIN("tEXt", "exif:Orientation\00066", "exif:Orientation\00066", 0);
    CHECK_PLAIN("tEXt", "exif:Orientation\0", "exif:Orientation\0", 0);
    Bytes text = {0};
    put(&text, "6", 1);
    Bytes data = text_chunk("zTXt", "exif:Orientation", &text);
    free(check_chunk("zTXt", &data, 6).data);
    free(data.data);
    free(text.data);
}

Test(io_orientation, xmp_is_reset_too)
{
    static const char before[] = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"6\" "
                                 "a=\"6\"><tiff:Orientation>8</tiff:Orientation>\n6</x>";
    static const char after[] = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"1\" "
                                "a=\"6\"><tiff:Orientation>1</tiff:Orientation>\n6</x>";
    ImgMetadata metadata = IMG_METADATA_NONE;
    Bytes data = {0};
    put(&data, before, sizeof before - 1);
    add(&metadata, "iTXt", &data);
    cr_expect_eq(orientation(&metadata), 6, "the first one counts");
    make_upright(&metadata);
    cr_assert_eq(metadata.chunks[0].size, sizeof after - 1);
    cr_expect_eq(memcmp(metadata.chunks[0].data, after, sizeof after - 1), 0);
    img_metadata_free(&metadata);
    free(data.data);
}

Test(io_orientation, texts_share_one_limit)
{
    enum { MILLION = 1000000 };
    Bytes zeros = {calloc(MILLION, 1), MILLION, MILLION}, six = exif(true, 3, 6, false);
    Bytes profile = text_chunk("zTXt", "Raw profile type exif", &zeros);
    Bytes comment = text_chunk("zTXt", "Comment", &zeros);
    Bytes broken = text_chunk("iTXt", "XML:com.adobe.xmp", &zeros);
    /* Without its checksum the text is invalid. It counts against the limit nevertheless, because
     * it was decompressed. */
    broken.size -= 4;
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgLimits limits = WIDE_LIMITS;
    limits.max_text = 3 * MILLION;
    ImgFacts facts;
    ImgError err = {IMG_OK, ""};
    for (int i = 0; i < 9; i++)
        /* A comment cannot contain an orientation, so it does not count against the limit. */
        add(&metadata, "zTXt", &comment);
    add(&metadata, "iTXt", &broken);
    add(&metadata, "zTXt", &profile);
    add(&metadata, "zTXt", &profile);
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_OK, "%s", err.message);
    limits.max_text = 3 * MILLION - 1;
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "and those before it inflate to more than the limit of "
                                           "2.9 MiB"),
                       "%s", err.message);
    cr_expect_eq(img_metadata_follow(&metadata, &UPRIGHT, &limits, NULL), IMG_E_LIMIT);
    add(&metadata, "eXIf", &six); /* EXIF is read before any text. */
    img_error_clear(&err);
    limits.max_text = 1;
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(facts.orientation, 6);
    img_metadata_free(&metadata);
    Bytes *all[] = {&zeros, &six, &profile, &comment, &broken};
    for (size_t b = 0; b < 5; b++)
        free(all[b]->data);
}

Test(io_orientation, a_decompression_bomb_stops_at_the_limit)
{
    enum { MILLION = 1000000 };
    Bytes zeros = {calloc(MILLION, 1), MILLION, MILLION};
    Bytes chunk = text_chunk("zTXt", "Raw profile type exif", &zeros);
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, "zTXt", &chunk);
    ImgLimits limits = WIDE_LIMITS;
    limits.max_text = MILLION - 1;
    ImgFacts facts;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "\"Raw profile type exif\" inflates to more than"));
    limits.max_text = MILLION;
    img_error_clear(&err);
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_OK, "%s", err.message);
    img_metadata_free(&metadata);
    free(zeros.data);
    free(chunk.data);
}

/* Texts may be as large as a file. They are changed in place, so that no copy is needed. */
Test(io_orientation, texts_are_changed_in_place)
{
    static const struct {
        const char *type, *before, *after;
        size_t size;
    } cases[] = {
        {"iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"6\"/>",
         "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"1\"/>",
         sizeof "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"1\"/>" - 1},
        {"tEXt", "exif:Orientation\0 8", "exif:Orientation\0 1", sizeof "exif:Orientation\0 1" - 1},
    };
    Bytes six = exif(true, 3, 6, false), one = exif(true, 3, 1, false);
    Bytes text = raw_profile(&six), text_one = raw_profile(&one);
    Bytes raw = text_chunk("tEXt", "Raw profile type exif", &text);
    Bytes raw_one = text_chunk("tEXt", "Raw profile type exif", &text_one);
    ImgMetadata metadata = IMG_METADATA_NONE;
    const uint8_t *places[3];
    for (size_t i = 0; i < 2; i++) {
        const Bytes data = {(uint8_t *)(uintptr_t)cases[i].before, cases[i].size, 0};
        add(&metadata, cases[i].type, &data);
    }
    add(&metadata, "tEXt", &raw);
    for (size_t i = 0; i < 3; i++)
        places[i] = metadata.chunks[i].data;
    make_upright(&metadata);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(metadata.chunks[i].data, places[i], "text %zu", i);
    for (size_t i = 0; i < 2; i++)
        cr_expect_arr_eq(metadata.chunks[i].data, cases[i].after, cases[i].size);
    cr_expect_arr_eq(metadata.chunks[2].data, raw_one.data, raw_one.size);
    img_metadata_free(&metadata);
    Bytes *all[] = {&six, &one, &text, &text_one, &raw, &raw_one};
    for (size_t b = 0; b < 6; b++)
        free(all[b]->data);
}

/* The digits of an uncompressed profile do not count against the limit, but the bytes that they
 * encode do. */
Test(io_orientation, a_raw_profile_is_limited)
{
    enum { BYTES = 1000 };
    Bytes zeros = {calloc(BYTES, 1), BYTES, BYTES}, text = raw_profile(&zeros);
    Bytes chunk = text_chunk("tEXt", "Raw profile type exif", &text);
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgLimits limits = WIDE_LIMITS;
    ImgFacts facts;
    ImgError err = {IMG_OK, ""};
    add(&metadata, "tEXt", &chunk);
    limits.max_text = BYTES - 1;
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "more than the limit of 999 bytes"), "%s", err.message);
    cr_expect_eq(img_metadata_follow(&metadata, &UPRIGHT, &limits, NULL), IMG_E_LIMIT);
    limits.max_text = text.size / 2;
    img_error_clear(&err);
    cr_expect_eq(img_metadata_facts(&metadata, &limits, &facts, &err), IMG_OK, "%s", err.message);
    img_metadata_free(&metadata);
    Bytes *all[] = {&zeros, &text, &chunk};
    for (size_t b = 0; b < 3; b++)
        free(all[b]->data);
}
