/* The orientation: read from eXIf and from the old text forms, and set to 1 in all of them. */
#include "test_io_png.h"

static const ImgEffect UPRIGHT = {IMG_TURN_90, false, true};

/* EXIF with two fields, the second one the orientation. */
static Bytes exif(bool big_endian, int type, unsigned value, bool prefix)
{
    static const uint8_t big[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 2, /* two entries */
                                  1,   0,   0, 4,  0, 0, 0, 1, 0, 0, 0, 9, 1, 0x12,
                                  0,   3,   0, 0,  0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t little[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 2, 0, /* two entries */
                                     0,   1,   4,  0, 1, 0, 0, 0, 9, 0, 0, 0, 0x12, 1,
                                     3,   0,   1,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0};
    Bytes out = {0};
    if (prefix)
        put(&out, "Exif\0\0", 6);
    put(&out, big_endian ? big : little, sizeof big);
    uint8_t *entry = out.data + (prefix ? 6 : 0) + 22;
    entry[big_endian ? 3 : 2] = (uint8_t)type;
    entry[8 + (!big_endian ? 0 : type == 3 ? 1 : 3)] = (uint8_t)value;
    return out;
}

/* "\nexif\n      44\n0123..." as ImageMagick writes it. */
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

/* Reads `value`, resets it, and compares with EXIF that had 1 from the start: no other byte moved.
 */
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

Test(io_orientation, the_old_text_forms_are_read_and_reset)
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
    metadata.count = 1; /* the text alone */
    free(metadata.chunks[1].data);
    cr_expect_eq(orientation(&metadata), 1);
    img_metadata_free(&metadata);
    free(three.data);
    free(six.data);
    free(text.data);
    free(chunk.data);
}

Test(io_orientation, other_operations_leave_it)
{
    Bytes data = exif(true, 3, 6, false);
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgEffect turn = {IMG_TURN_90, false, false};
    add(&metadata, "eXIf", &data);
    cr_assert_eq(img_metadata_follow(&metadata, &turn, &WIDE_LIMITS, NULL), IMG_OK);
    cr_expect_eq(orientation(&metadata), 6);
    img_metadata_free(&metadata);
    free(data.data);
}

Test(io_orientation, damaged_exif_gives_none_and_never_crashes)
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

#define DATA(type, literal)                                                                        \
    {                                                                                              \
        type, literal, sizeof(literal) - 1                                                         \
    }

Test(io_orientation, damaged_text_gives_none_and_stays_as_it_is)
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
    cr_expect_eq(orientation(&metadata), 0, "XMP is not asked");
    make_upright(&metadata);
    cr_assert_eq(metadata.chunks[0].size, sizeof after - 1);
    cr_expect_eq(memcmp(metadata.chunks[0].data, after, sizeof after - 1), 0);
    img_metadata_free(&metadata);
    free(data.data);
}

Test(io_orientation, a_text_bomb_stops_at_the_cap)
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
