/* Tests of metadata chunks. They are copied byte for byte, adapted to the new picture, or
 * dropped. */
#include "io/metadata/metadata_follow.h"
#include "io/metadata/modified.h"
#include "io/size_text.h"
#include "test_io_png.h"

static const ImgShape SHAPE = {3, 2, {IMG_COLOR_PALETTE, 8}};
static const ImgEffect NOTHING = {.turn = IMG_TURN_NONE};
static const ImgEffect QUARTER = {.turn = IMG_TURN_90};
static const ImgEffect HALF = {.turn = IMG_TURN_180};
static const ImgEffect CROPPED = {.turn = IMG_TURN_NONE, .cropped = true};
static const ImgEffect VALUES_CHANGED = {.turn = IMG_TURN_NONE, .values_changed = true};
static const ImgEffect TO_GRAY = {.turn = IMG_TURN_NONE, .values_changed = true, .to_gray = true};
static const ImgEffect TO_COLOR = {.turn = IMG_TURN_NONE, .values_changed = true, .to_color = true};

typedef struct Given {
    const char *type, *data;
    size_t size;
} Given;

#define GIVEN(type, literal)                                                                       \
    {                                                                                              \
        type, literal, sizeof(literal) - 1                                                         \
    }

/* Chunks that stand before PLTE. Their contents need not be valid, because the reader must copy
 * them without interpreting them. */
static const Given BEFORE_PLTE[] = {GIVEN("gAMA", "\0\0\xb1\x8f"),
                                    GIVEN("cHRM", "12345678123456781234567812345678"),
                                    GIVEN("iCCP", "name\0\0not deflate"),
                                    GIVEN("cICP", "\1\2\3\4"),
                                    GIVEN("sBIT", "\5\6\5"),
                                    GIVEN("mDCV", "mastering display"),
                                    GIVEN("cLLI", "light level"),
                                    GIVEN("abCd", "unknown and safe to copy")};
static const Given BEFORE_IDAT[] = {
    GIVEN("tRNS", "\0\x80\xff"),  GIVEN("bKGD", "\1"),
    GIVEN("sPLT", "palette"),     GIVEN("pHYs", "\0\0\1\0\0\0\2\0\1"),
    GIVEN("tEXt", "Title\0one"),  GIVEN("tEXt", "Title\0two"),
    GIVEN("pCAL", "calibration"), GIVEN("eXIf", "MM\0*\0\0\0\x08\0\0\0\0\0\0")};
static const Given AFTER_IDAT[] = {GIVEN("zTXt", "Comment\0\0broken deflate"),
                                   GIVEN("iTXt", "Comment\0\0\0de\0\0Gr\xc3\xbc\xc3\x9f"),
                                   GIVEN("tIME", "\x07\xe8\2\x1d\x17\x3b\x3c"),
                                   GIVEN("prVt", "private and safe to copy")};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void put_all(Bytes *png, const Given *chunks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_chunk(png, chunks[i].type, chunks[i].data, chunks[i].size);
}

static Bytes rich_png(void)
{
    Bytes png = {0};
    put_test_header(&png, SHAPE, false);
    put_all(&png, BEFORE_PLTE, COUNT(BEFORE_PLTE));
    put_test_palette(&png, 200);
    put_all(&png, BEFORE_IDAT, COUNT(BEFORE_IDAT));
    put_test_rows(&png, SHAPE, false);
    put_all(&png, AFTER_IDAT, COUNT(AFTER_IDAT));
    put_end(&png);
    return png;
}

/* Returns the file without its IDAT chunks. Their compressed bytes may differ although the pixels
 * are equal. */
static Bytes without_pixels(const Bytes *png)
{
    Bytes rest = {0};
    put(&rest, png->data, 8);
    for (size_t at = 8; at < png->size;) {
        const uint8_t *chunk = png->data + at;
        size_t size = 12 + ((size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 |
                            (size_t)chunk[2] << 8 | chunk[3]);
        if (memcmp(chunk + 4, "IDAT", 4) != 0)
            put(&rest, chunk, size);
        else
            put(&rest, "IDAT", 4);
        at += size;
    }
    return rest;
}

Test(io_metadata, every_chunk_is_written_as_it_was_read)
{
    Bytes png = rich_png();
    ImgImage image;
    ImgMetadata metadata;
    ImgError err = {IMG_OK, ""};
    expect_readable(&png, &image, &metadata);
    cr_assert_eq(img_metadata_follow(&metadata, &NOTHING, &WIDE_LIMITS, &err), IMG_OK);
    Bytes written = encode_as(IMG_FILE_PNG, &image, &metadata, IMG_DEFAULT_LEVEL);
    Bytes expected = without_pixels(&png), actual = without_pixels(&written);
    cr_assert_eq(actual.size, expected.size);
    cr_expect_eq(memcmp(actual.data, expected.data, expected.size), 0);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
    free(written.data);
    free(expected.data);
    free(actual.data);
}

Test(io_metadata, order_is_kept_without_a_palette)
{
    ImgShape shape = {2, 2, {IMG_COLOR_GRAY, 8}};
    Bytes png = {0};
    put_test_header(&png, shape, true);
    PUT_TEXT(&png, "tRNS", "\0\5"); /* stands where the tRNS of a palette would be */
    put_all(&png, BEFORE_IDAT + 1, COUNT(BEFORE_IDAT) - 1);
    put_test_rows(&png, shape, true);
    put_all(&png, AFTER_IDAT, COUNT(AFTER_IDAT));
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    Bytes written = encode_as(IMG_FILE_PNG, &image, &metadata, 1);
    Bytes expected = without_pixels(&png), actual = without_pixels(&written);
    cr_assert_eq(actual.size, expected.size);
    cr_expect_eq(memcmp(actual.data, expected.data, expected.size), 0);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
    free(written.data);
    free(expected.data);
    free(actual.data);
}

Test(io_metadata, a_suggested_palette_is_kept)
{
    ImgShape shape = {2, 2, {IMG_COLOR_RGB, 8}};
    Bytes png = {0};
    put_test_header(&png, shape, false);
    put_test_palette(&png, 256);
    put_test_rows(&png, shape, false);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    Bytes written = encode_as(IMG_FILE_PNG, &image, &metadata, 1);
    cr_expect_not_null(memmem(written.data, written.size, "PLTE", 4));
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
    free(written.data);
}

/* Adapts a chunk to `effect`, the change of the picture. Returns its data afterwards, or NULL if
 * the chunk was dropped. */
static const char *followed(const char *type, const void *data, size_t size,
                            const ImgEffect *effect)
{
    static char text[64];
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_metadata_add(&metadata, type, IMG_BEFORE_IDAT, data, (uint32_t)size, &err),
                 IMG_OK);
    cr_assert_eq(img_metadata_follow(&metadata, effect, &WIDE_LIMITS, &err), IMG_OK);
    const ImgChunk *chunk = img_metadata_find(&metadata, type);
    if (chunk != NULL) {
        cr_assert_leq(chunk->size, sizeof text);
        memset(text, 0, sizeof text);
        memcpy(text, chunk->data, chunk->size);
    }
    img_metadata_free(&metadata);
    return chunk != NULL ? text : NULL;
}

#define FOLLOWED(type, literal, effect) followed(type, literal, sizeof(literal) - 1, effect)
#define EXPECT_BYTES(actual, literal)   cr_expect_eq(memcmp(actual, literal, sizeof(literal) - 1), 0)

/* pHYs has 256 and 512 pixels per metre. The resolution stays when the picture becomes half as wide
 * and three times as high. */
Test(io_metadata, scaling_keeps_a_resolution_in_metres)
{
    static const ImgEffect scaled = {.cropped = true, .scale_x = 0.5, .scale_y = 3};
    static const ImgEffect turned = {.turn = IMG_TURN_90, .scale_x = 0.5, .scale_y = 3};
    static const ImgEffect tiny = {.scale_x = 0.001, .scale_y = 1};
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\1\0\0\0\2\0\1", &scaled), "\0\0\1\0\0\0\2\0\1");
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\1\0\0\0\2\0\1", &turned), "\0\0\2\0\0\0\1\0\1");
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\1\0\0\0\2\0\1", &tiny), "\0\0\1\0\0\0\2\0\1");
    EXPECT_BYTES(FOLLOWED("pHYs", "\x7f\xff\xff\xff\0\0\0\1\1", &((ImgEffect){.scale_x = 9})),
                 "\x7f\xff\xff\xff\0\0\0\1\1");
    cr_expect_null(FOLLOWED("oFFs", "\0\0\0\1\0\0\0\1\0", &scaled));
}

/* Without a unit, pHYs is the aspect ratio of a pixel, here 12 to 11. In `smaller` the scales
 * differ only because a side was rounded, so pHYs stays. `other` and `little` change the shape of
 * pixels. */
Test(io_metadata, the_aspect_ratio_of_pixels_follows_the_picture)
{
    static const ImgEffect smaller = {.scale_x = 0.1, .scale_y = 0.0993};
    static const ImgEffect larger = {.turn = IMG_TURN_90, .scale_x = 3, .scale_y = 3};
    static const ImgEffect other = {.scale_x = 0.5, .scale_y = 3, .reshaped = true};
    static const ImgEffect little = {.scale_x = 720. / 704, .scale_y = 1, .reshaped = true};
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\0\x0c\0\0\0\x0b\0", &smaller), "\0\0\0\x0c\0\0\0\x0b\0");
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\0\x0c\0\0\0\x0b\0", &larger), "\0\0\0\x0b\0\0\0\x0c\0");
    /* The new ratio of 6 to 33 is stored as 181818 to 1000000. */
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\0\x0c\0\0\0\x0b\0", &other),
                 "\0\2\xc6\x3a\0\x0f\x42\x40\0");
    /* The new ratio is 8640 to 7744. It is stored so that the larger number is 1000000. */
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\0\x0c\0\0\0\x0b\0", &little),
                 "\0\x0f\x42\x40\0\x0d\xad\x28\0");
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\0\0\0\0\0\1\0", &other), "\0\0\0\0\0\0\0\1\0");
}

/* sCAL has the physical width and height of a pixel, as text. If a picture is scaled to half its
 * width, each pixel becomes twice as wide. The result must have exactly these bytes. */
Test(io_metadata, the_physical_scale_follows_the_size)
{
    static const ImgEffect scaled = {.cropped = true, .scale_x = 0.5, .scale_y = 3};
    static const ImgEffect turned = {.turn = IMG_TURN_270, .scale_x = 0.5, .scale_y = 3};
    static const ImgEffect third = {.scale_x = 100. / 300, .scale_y = 200. / 600};
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "1.5\0"
                          "22",
                          &scaled),
                 "\1"
                 "3\0"
                 "7.33333333333\0");
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\2"
                          "+1.5E2\0"
                          "22e-3",
                          &turned),
                 "\2"
                 "0.00733333333333\0"
                 "300\0");
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "0.1\0"
                          "1e-300",
                          &third),
                 "\1"
                 "0.3\0"
                 "3e-300\0");
}

Test(io_metadata, extreme_scales_are_clamped)
{
    static const ImgEffect far = {.scale_x = 1e-9, .scale_y = 1e9};
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "1.7e308\0"
                          "3e-308",
                          &far),
                 "\1"
                 "8.98846567431e+307\0"
                 "2.22507385851e-308\0");
}

Test(io_metadata, an_invalid_scale_is_dropped_by_scaling)
{
    static const ImgEffect scaled = {.scale_x = 0.5, .scale_y = 0.5};
    static const ImgEffect same = {.scale_x = 1, .scale_y = 1};
    static const struct {
        const char *text;
        size_t size;
    } wrong[] = {{"", 0},
                 {"\1", 1},
                 {"\1no zero", 8},
                 {"\1\0\0", 3},
                 {"\0011\0", 3},
                 {"\0010\0001", 4},
                 {"\001-1\0001", 5},
                 {"\001inf\0001", 6},
                 {"\001nan\0001", 6},
                 {"\0010x8\0001", 6},
                 {"\0011\0001 ", 5},
                 {"\0011e999\0001", 8},
                 {"\0011e\0001", 5}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        cr_expect_null(followed("sCAL", wrong[i].text, wrong[i].size, &scaled), "%zu", i);
        cr_expect_not_null(followed("sCAL", wrong[i].text, wrong[i].size, &same), "%zu", i);
    }
}

Test(io_metadata, quarter_turns_swap_pixel_sizes)
{
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\1\0\0\0\2\0\1", &QUARTER), "\0\0\2\0\0\0\1\0\1");
    EXPECT_BYTES(FOLLOWED("pHYs", "\0\0\1\0\0\0\2\0\1", &HALF), "\0\0\1\0\0\0\2\0\1");
    EXPECT_BYTES(FOLLOWED("pHYs", "short", &QUARTER), "short");
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "1.5\0"
                          "22",
                          &QUARTER),
                 "\1"
                 "22\0"
                 "1.5");
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "1.5\0"
                          "22",
                          &CROPPED),
                 "\1"
                 "1.5\0"
                 "22");
    EXPECT_BYTES(FOLLOWED("sCAL",
                          "\1"
                          "no zero",
                          &QUARTER),
                 "\1"
                 "no zero");
    EXPECT_BYTES(FOLLOWED("sCAL", "", &QUARTER), "");
    /* A chunk with a third text is invalid. Its texts are not swapped, because four quarter turns
     * would not restore it. */
    EXPECT_BYTES(FOLLOWED("sCAL", "\1a\0b\0c", &QUARTER), "\1a\0b\0c");
}

Test(io_metadata, outdated_chunks_are_dropped)
{
    static const char *const placed[] = {"oFFs", "sTER", "caNv", "vpAg"};
    for (size_t i = 0; i < COUNT(placed); i++) {
        cr_expect_not_null(FOLLOWED(placed[i], "data", &NOTHING), "%s", placed[i]);
        cr_expect_null(FOLLOWED(placed[i], "data", &HALF), "%s", placed[i]);
        cr_expect_null(FOLLOWED(placed[i], "data", &CROPPED), "%s", placed[i]);
    }
    cr_expect_not_null(FOLLOWED("hIST", "data", &QUARTER));
    cr_expect_null(FOLLOWED("hIST", "data", &CROPPED));
    cr_expect_null(FOLLOWED("dSIG", "data", &NOTHING));
}

Test(io_metadata, chunks_about_the_old_samples_are_dropped)
{
    static const char *const kept[] = {"gAMA", "cHRM", "sRGB", "cICP", "mDCV", "pHYs",
                                       "tEXt", "zTXt", "iTXt", "tIME", "eXIf", "oFFs"};
    static const char *const untrue[] = {"hIST", "sBIT", "sPLT", "pCAL", "cLLI"};
    static const char *const colour_only[] = {"iCCP", "bKGD"};
    for (size_t i = 0; i < COUNT(kept); i++)
        cr_expect_not_null(FOLLOWED(kept[i], "data", &TO_GRAY), "%s", kept[i]);
    for (size_t i = 0; i < COUNT(untrue); i++) {
        cr_expect_not_null(FOLLOWED(untrue[i], "data", &NOTHING), "%s", untrue[i]);
        cr_expect_null(FOLLOWED(untrue[i], "data", &VALUES_CHANGED), "%s", untrue[i]);
    }
    for (size_t i = 0; i < COUNT(colour_only); i++) {
        cr_expect_not_null(FOLLOWED(colour_only[i], "data", &VALUES_CHANGED), "%s", colour_only[i]);
        cr_expect_null(FOLLOWED(colour_only[i], "data", &TO_GRAY), "%s", colour_only[i]);
        cr_expect_null(FOLLOWED(colour_only[i], "data", &TO_COLOR), "%s", colour_only[i]);
    }
}

/* Each case has seconds since 1970 and the expected tIME chunk: year (2 bytes), month, day, hour,
 * minute, second. */
Test(io_metadata, the_modification_time_matches_the_calendar)
{
    static const struct {
        int64_t seconds;
        uint8_t time[7];
    } cases[] = {{0, {0x07, 0xb2, 1, 1, 0, 0, 0}},
                 {951782400, {0x07, 0xd0, 2, 29, 0, 0, 0}},
                 {951868799, {0x07, 0xd0, 2, 29, 23, 59, 59}},
                 {4107542400, {0x08, 0x34, 3, 1, 0, 0, 0}}, /* 2100 is not a leap year. */
                 {1709251199, {0x07, 0xe8, 2, 29, 23, 59, 59}},
                 {1735689599, {0x07, 0xe8, 12, 31, 23, 59, 59}},
                 {253402300799, {0x27, 0x0f, 12, 31, 23, 59, 59}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        cr_assert_eq(img_metadata_add(&metadata, "tIME", IMG_AFTER_IDAT, (const uint8_t *)"1234567",
                                      7, NULL),
                     IMG_OK);
        cr_expect(!img_modified_is_due(&metadata, &(ImgEffect){.upright = true}));
        cr_expect(img_modified_is_due(&metadata, &QUARTER));
        cr_expect(img_modified_is_due(&metadata, &VALUES_CHANGED));
        img_modified_set(&metadata, cases[i].seconds);
        cr_expect_eq(memcmp(metadata.chunks[0].data, cases[i].time, 7), 0, "%zu", i);
        img_metadata_free(&metadata);
    }
}

Test(io_metadata, the_time_is_now_or_source_date_epoch)
{
    static const char *const wrong[] = {
        "soon", "-1", "1.5", "12 ", " 12", "253402300800", "99999999999999999999"};
    int64_t seconds = 0;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_modified_time("1234567890", &seconds, &err), IMG_OK);
    cr_expect_eq(seconds, 1234567890);
    cr_expect_eq(img_modified_time(NULL, &seconds, &err), IMG_OK);
    cr_expect_gt(seconds, 1600000000);
    seconds = 0;
    cr_expect_eq(img_modified_time("", &seconds, &err), IMG_OK);
    cr_expect_gt(seconds, 1600000000);
    for (size_t i = 0; i < COUNT(wrong); i++)
        cr_expect_eq(img_modified_time(wrong[i], &seconds, NULL), IMG_E_USAGE, "%s", wrong[i]);
}

Test(io_metadata, a_suggested_palette_is_dropped_if_colours_change)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    metadata.palette_size = 3;
    cr_assert_eq(img_metadata_follow(&metadata, &QUARTER, &WIDE_LIMITS, NULL), IMG_OK);
    cr_expect_eq(metadata.palette_size, 3);
    cr_assert_eq(img_metadata_follow(&metadata, &VALUES_CHANGED, &WIDE_LIMITS, NULL), IMG_OK);
    cr_expect_eq(metadata.palette_size, 0);
}

Test(io_metadata, a_background_is_dropped_if_the_depth_changes)
{
    const ImgEffect deeper = {.turn = IMG_TURN_NONE, .values_changed = true, .depth_changed = true};
    cr_expect_null(FOLLOWED("bKGD", "data", &deeper));
    cr_expect_not_null(FOLLOWED("bKGD", "data", &VALUES_CHANGED));
    cr_expect_not_null(FOLLOWED("iCCP", "data", &deeper));
}

Test(io_metadata, unknown_chunks_follow_their_safe_to_copy_bit)
{
    cr_expect_not_null(FOLLOWED("prVt", "data", &QUARTER));
    cr_expect_null(FOLLOWED("prVT", "data", &QUARTER));
    cr_expect_null(FOLLOWED("iDOT", "data", &NOTHING));
    cr_expect_null(FOLLOWED("blKS", "data", &NOTHING));
    cr_expect_null(FOLLOWED("acTL", "data", &NOTHING));
}

Test(io_metadata, strip_keeps_only_transparency)
{
    Bytes png = rich_png();
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    cr_assert_eq(img_metadata_strip(&metadata, IMG_KEEP_PIXELS, 6, NULL), IMG_OK);
    cr_assert_eq(metadata.count, 1U);
    cr_expect_str_eq(metadata.chunks[0].type, "tRNS");
    cr_expect_eq(metadata.palette_size, 200);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_metadata, strip_private_keeps_colours_and_orientation)
{
    static const char *const gone[] = {"eXIf", "tEXt", "zTXt", "iTXt", "tIME", "prVt", "pCAL"};
    static const char *const kept[] = {"iCCP", "gAMA", "cHRM", "sRGB", "cICP", "pHYs", "bKGD"};
    ImgMetadata metadata = IMG_METADATA_NONE;
    const uint8_t data[] = "data";
    for (size_t i = 0; i < 7; i++) {
        cr_assert_eq(img_metadata_add(&metadata, gone[i], IMG_BEFORE_IDAT, data, 4, NULL), IMG_OK);
        cr_assert_eq(img_metadata_add(&metadata, kept[i], IMG_BEFORE_IDAT, data, 4, NULL), IMG_OK);
    }
    for (int orientation = 8; orientation >= 0; orientation--) {
        ImgFacts facts;
        cr_assert_eq(img_metadata_strip(&metadata, IMG_KEEP_SHOWN, orientation, NULL), IMG_OK);
        cr_assert_eq(img_metadata_facts(&metadata, &WIDE_LIMITS, &facts, NULL), IMG_OK);
        cr_expect_eq(facts.orientation, orientation > 1 ? orientation : 0);
        cr_expect_eq(metadata.count, orientation > 1 ? 8U : 7U);
    }
    for (size_t i = 0; i < 7; i++) {
        cr_expect_not_null(img_metadata_find(&metadata, kept[i]), "%s", kept[i]);
        cr_expect_null(img_metadata_find(&metadata, gone[i]), "%s", gone[i]);
    }
    img_metadata_free(&metadata);
}

/* Expects that reading the file gives exactly these warnings. `expected` joins them by vertical
 * bars. */
static void expect_warnings(const Bytes *png, const char *expected)
{
    char text[512] = "";
    MemoryFile file = memory_file(png);
    ImgSource *source = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_open(file.path, &WIDE_LIMITS, &source, &err), IMG_OK);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    for (const char *const *w = img_source_warnings(source); *w != NULL; w++) {
        strcat(text, *w);
        strcat(text, "|");
    }
    cr_expect_str_eq(text, expected);
    img_source_close(source);
    close(file.fd);
}

Test(io_metadata, chunks_that_are_not_copied_are_reported)
{
    Bytes png = {0};
    put_test_header(&png, (ImgShape){2, 1, {IMG_COLOR_PALETTE, 1}}, false);
    PUT_TEXT(&png, "acTL", "\0\0\0\2\0\0\0\0");
    put_test_palette(&png, 3);
    put_idat(&png, "\0\x40", 2);
    put_end(&png);
    put(&png, "behind", 6);
    expect_warnings(&png, "animated PNG: only the still picture is kept|"
                          "palette colours that no pixel can use are dropped|"
                          "data after the end of the PNG is dropped|");
    free(png.data);
    png = rich_png();
    expect_warnings(&png, "");
    free(png.data);
}

/* Each case is a file with an acTL chunk, which states the number of frames. It may also have an
 * fcTL before the picture, acTL after the picture (`late`), and an fdAT. */
Test(io_metadata, an_animation_has_more_frames_than_the_still_picture)
{
    static const char still[] = "animation chunks without an animation (acTL) are dropped: it is a "
                                "still picture|";
    static const char animated[] = "animated PNG: only the still picture is kept|";
    static const struct {
        const char *actl;
        uint32_t size;
        bool fctl, late, fdat;
        const char *warning;
    } cases[] = {
        {"\0\0\0\2\0\0\0\0", 8, true, false, true, animated},
        {"\0\0\0\2\0\0\0\0", 8, false, false, false, animated},
        {"\0\0\0\1\0\0\0\0", 8, true, false, false, ""},
        /* one frame, without fcTL before IDAT: it differs from the still picture */
        {"\0\0\0\1\0\0\0\0", 8, false, false, true, animated},
        {"\0\0\0\0\0\0\0\0", 8, true, false, false, still},
        {"\0\0\0\2", 4, true, false, false, still},
        {"\0\0\0\2\0\0\0\0", 8, false, true, true, still},
        {NULL, 0, true, false, true, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const ImgShape one = {1, 1, {IMG_COLOR_GRAY, 8}};
        Bytes png = {0};
        put_test_header(&png, one, false);
        if (cases[i].actl != NULL && !cases[i].late)
            put_chunk(&png, "acTL", cases[i].actl, cases[i].size);
        if (cases[i].fctl)
            put_chunk(&png, "fcTL", "", 0);
        put_test_rows(&png, one, false);
        if (cases[i].late)
            put_chunk(&png, "acTL", cases[i].actl, cases[i].size);
        if (cases[i].fdat)
            put_chunk(&png, "fdAT", "", 0);
        put_end(&png);
        expect_warnings(&png, cases[i].warning);
        free(png.data);
    }
}

Test(io_metadata, chunks_count_against_the_memory_limit)
{
    Bytes png = {0};
    uint8_t text[5000] = "Comment";
    put_test_header(&png, SHAPE, false);
    put_chunk(&png, "tEXt", text, sizeof text);
    put_test_palette(&png, 2);
    put_test_rows(&png, SHAPE, false);
    put_end(&png);
    ImgLimits limits = WIDE_LIMITS;
    limits.max_memory = png.size + 4000;
    expect_failure_within(&png, &limits, IMG_E_LIMIT, "ask for more memory");
    free(png.data);
}

/* The message must name the memory for all chunks, including those after the chunk that exceeds the
 * limit. */
Test(io_metadata, the_memory_needed_by_all_chunks_is_named)
{
    Bytes png = {0};
    uint8_t text[5000] = "Comment";
    put_test_header(&png, SHAPE, false);
    put_chunk(&png, "tEXt", text, sizeof text);
    put_test_palette(&png, 2);
    put_test_rows(&png, SHAPE, false);
    put_chunk(&png, "tEXt", text, sizeof text);
    put_end(&png);
    /* the 6 pixels, the file, and the two texts */
    uint64_t need_bytes = 6 + png.size + 2 * sizeof text;
    char words[160], need[IMG_SIZE_TEXT], limit[IMG_SIZE_TEXT];
    ImgLimits limits = WIDE_LIMITS;
    limits.max_memory = png.size + 4000;
    snprintf(words, sizeof words,
             "beside them need at least %s of memory, more than the limit of %s; ask",
             img_size_text(need_bytes, need), img_size_text(limits.max_memory, limit));
    expect_failure_within(&png, &limits, IMG_E_LIMIT, words);
    limits.max_memory = need_bytes - 1;
    expect_failure_within(&png, &limits, IMG_E_LIMIT, "ask for more memory");
    limits.max_memory = need_bytes;
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    ImgMetadata metadata;
    cr_expect_eq(read_png(&png, &limits, &image, &metadata, &err), IMG_OK, "%s", err.message);
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_metadata, amounts_are_printed_with_units)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 bytes"},       {1, "1 byte"},        {2, "2 bytes"},
                 {1023, "1023 bytes"}, {1024, "1.0 KiB"},    {1536, "1.5 KiB"},
                 {1048575, "1.0 MiB"}, {1 << 30, "1.0 GiB"}, {UINT64_MAX, "16.0 EiB"}};
    char text[IMG_SIZE_TEXT];
    for (size_t i = 0; i < COUNT(cases); i++)
        cr_expect_str_eq(img_size_text(cases[i].bytes, text), cases[i].text);
    ImgSizeText texts[2];
    img_size_texts(1048577, 1048576, texts);
    cr_expect_str_eq(texts[0].text, "1048577 bytes");
    cr_expect_str_eq(texts[1].text, "1048576 bytes");
    img_size_texts(2, 1, texts);
    cr_expect_str_eq(texts[1].text, "1 byte");
}

/* Returns a picture with 1 bit per palette index, although its palette chunks have `entries`
 * entries. */
static Bytes long_palette_png(int entries)
{
    Bytes png = {0};
    put_test_header(&png, (ImgShape){2, 1, {IMG_COLOR_PALETTE, 1}}, false);
    put_test_palette(&png, entries);
    PUT_TEXT(&png, "tRNS", "\1\2\3");
    PUT_TEXT(&png, "hIST", "\0\1\0\2\0\3");
    PUT_TEXT(&png, "bKGD", "\2");
    put_idat(&png, "\0\x40", 2);
    put_end(&png);
    return png;
}

#define UNUSABLE "palette colours that no pixel can use are dropped|"
#define BEYOND   "hIST or bKGD for colours outside the palette is dropped|"
#define OPAQUE   "transparency (tRNS) of a wrong size or in a wrong place is dropped, as by libpng|"

Test(io_metadata, chunks_about_a_palette_end_with_it)
{
    for (int entries = 2; entries <= 3; entries++) {
        Bytes png = long_palette_png(entries);
        ImgImage image;
        ImgMetadata metadata;
        expect_readable(&png, &image, &metadata);
        cr_assert_eq(metadata.palette_size, 2);
        cr_assert_eq(metadata.count, 1U, "bKGD names no entry, tRNS is too long");
        cr_expect_str_eq(metadata.chunks[0].type, "hIST");
        cr_expect_eq(metadata.chunks[0].size, 4U);
        cr_expect_eq(memcmp(metadata.chunks[0].data, "\0\1\0\2", 4), 0);
        expect_warnings(&png, entries == 3 ? UNUSABLE OPAQUE : BEYOND OPAQUE);
        img_image_free(&image);
        img_metadata_free(&metadata);
        free(png.data);
    }
}

Test(io_metadata, only_palette_pictures_have_entries)
{
    ImgShape shape = {2, 2, {IMG_COLOR_RGB, 8}};
    Bytes png = {0};
    put_test_header(&png, shape, false);
    put_test_palette(&png, 1); /* sPLT, a suggested palette */
    PUT_TEXT(&png, "tRNS", "\0\1\0\2\0\3");
    PUT_TEXT(&png, "bKGD", "\0\1\0\2\0\3");
    put_test_rows(&png, shape, false);
    put_end(&png);
    ImgImage image;
    ImgMetadata metadata;
    expect_readable(&png, &image, &metadata);
    cr_assert_eq(metadata.count, 2U);
    cr_expect_eq(metadata.chunks[0].size, 6U);
    expect_warnings(&png, "");
    img_image_free(&image);
    img_metadata_free(&metadata);
    free(png.data);
}

Test(io_metadata, endless_small_chunks_are_refused)
{
    Bytes png = {0};
    put_test_header(&png, SHAPE, false);
    static const uint8_t empty[8] = {0, 0, 0, 0, 'a', 'b', 'c', 'd'};
    uint32_t crc = (uint32_t)crc32(0, empty + 4, 4);
    for (int i = 0; i <= 100000; i++) {
        put(&png, empty, 8);
        put_be32(&png, crc);
    }
    expect_failure_within(&png, &WIDE_LIMITS, IMG_E_LIMIT, "100000 chunks");
    free(png.data);
}

/* The transfer function comes from the first of these chunks that defines it: cICP, iCCP, sRGB,
 * gAMA. */
Test(io_metadata, the_transfer_function_is_recognised)
{
    static const struct {
        Given chunks[2];
        int32_t light;
    } cases[] = {
        {{{NULL, NULL, 0}}, IMG_LIGHT_SRGB},
        {{GIVEN("sRGB", "\0")}, IMG_LIGHT_SRGB},
        {{GIVEN("gAMA", "\0\0\xb1\x8f")}, IMG_LIGHT_SRGB}, /* the gamma of sRGB, 45455 */
        {{GIVEN("gAMA", "\0\1\x86\xa0")}, IMG_LIGHT_LINEAR},
        {{GIVEN("gAMA", "\0\0\xd9\x03")}, 55555},
        {{GIVEN("gAMA", "\0\0\0\0")}, IMG_LIGHT_SRGB},
        {{GIVEN("gAMA", "\xff\0\0\0")}, IMG_LIGHT_SRGB},
        {{GIVEN("gAMA", "\1")}, IMG_LIGHT_SRGB},
        {{GIVEN("gAMA", "\0\1\x86\xa0"), GIVEN("sRGB", "\0")}, IMG_LIGHT_SRGB},
        {{GIVEN("gAMA", "\0\1\x86\xa0"), GIVEN("iCCP", "profile")}, IMG_LIGHT_SRGB},
        {{GIVEN("iCCP", "profile"), GIVEN("cICP", "\1\x08\0\1")}, IMG_LIGHT_LINEAR},
        {{GIVEN("gAMA", "\0\1\x86\xa0"), GIVEN("cICP", "\1\x0d\0\1")}, IMG_LIGHT_SRGB},
        {{GIVEN("cICP", "\1\4\0\1")}, 45455},
        {{GIVEN("cICP", "\1\5\0\1")}, 35714},
        {{GIVEN("cICP", "\1\1\0\1")}, IMG_LIGHT_BT709},
        {{GIVEN("cICP", "\x09\x0e\0\1")}, IMG_LIGHT_BT709},
        {{GIVEN("sRGB", "\0"), GIVEN("cICP", "\x09\x10\0\1")}, IMG_LIGHT_PQ},
        {{GIVEN("cICP", "\x09\x12\0\1")}, IMG_LIGHT_HLG},
        {{GIVEN("cICP", "\1\x0a\0\1")}, IMG_LIGHT_UNKNOWN},
        {{GIVEN("cICP", "\1\x0d\0\0")}, IMG_LIGHT_NARROW_RANGE},
        {{GIVEN("cICP", "\1\x0d\1\1")}, IMG_LIGHT_UNKNOWN},
        /* These cICP chunks do not define the curve, so gAMA does. */
        {{GIVEN("gAMA", "\0\1\x86\xa0"), GIVEN("cICP", "\1\2\0\1")}, IMG_LIGHT_LINEAR},
        {{GIVEN("gAMA", "\0\1\x86\xa0"), GIVEN("cICP", "\1\x10\0")}, IMG_LIGHT_LINEAR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        for (int k = 0; k < 2 && cases[i].chunks[k].type != NULL; k++)
            cr_assert_eq(img_metadata_add(&metadata, cases[i].chunks[k].type, IMG_BEFORE_PLTE,
                                          (const uint8_t *)cases[i].chunks[k].data,
                                          (uint32_t)cases[i].chunks[k].size, NULL),
                         IMG_OK);
        cr_expect_eq(img_metadata_light(&metadata), cases[i].light, "case %zu", i);
        img_metadata_free(&metadata);
    }
}
