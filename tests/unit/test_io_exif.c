/* Tests of EXIF: the thumbnail, which is removed if it no longer shows the picture, the resolution,
 * the GPS position and the copyright. */
#include "io/metadata/gps.h"
#include "io/metadata/metadata_follow.h"
#include "io/metadata/resolution.h"
#include "io/metadata/text.h"
#include "test_io_png.h"

static const ImgEffect CROPPED = {.cropped = true}, CHANGED = {.looks_changed = true};
static const ImgEffect TURNED = {.turn = IMG_TURN_90}, DEEPER = {.values_changed = true};

enum { SECOND = 26, PICTURE = 56, PICTURE_BYTES = 7, NEXT = 22 };

static void put_number(Bytes *out, bool big_endian, uint32_t number, int width)
{
    uint8_t bytes[4];
    for (int i = 0; i < width; i++)
        bytes[i] = (uint8_t)(number >> (8 * (big_endian ? width - 1 - i : i)));
    put(out, bytes, (size_t)width);
}

static void put_entry(Bytes *out, bool big_endian, uint32_t tag, uint32_t number)
{
    const uint32_t type_long = 4;
    put_number(out, big_endian, tag, 2);
    put_number(out, big_endian, type_long, 2);
    put_number(out, big_endian, 1, 4);
    put_number(out, big_endian, number, 4);
}

/* Returns EXIF with orientation 6 and a second directory. The second directory refers to a
 * thumbnail. The seven bytes of the thumbnail and the word "end" follow it. */
static Bytes exif(bool big_endian, uint32_t place_tag, uint32_t place, uint32_t size)
{
    Bytes out = {0};
    put(&out, big_endian ? "MM\0*" : "II*\0", 4);
    put_number(&out, big_endian, 8, 4);
    put_number(&out, big_endian, 1, 2);
    put_entry(&out, big_endian, 0x112, 6);
    put_number(&out, big_endian, SECOND, 4);
    put_number(&out, big_endian, 2, 2);
    put_entry(&out, big_endian, place_tag, place);
    put_entry(&out, big_endian, place_tag == 0x201 ? 0x202 : 0x117, size);
    put_number(&out, big_endian, 0, 4);
    put(&out, "PICTURE", PICTURE_BYTES);
    put(&out, "end", 3);
    return out;
}

/* Adapts a chunk to `effect` and returns its content. The test fails if the chunk is dropped. */
static Bytes followed(const char *type, const Bytes *data, const ImgEffect *effect)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgError err = {IMG_OK, ""};
    Bytes out = {0};
    cr_assert_eq(
        img_metadata_add(&metadata, type, IMG_BEFORE_IDAT, data->data, (uint32_t)data->size, &err),
        IMG_OK);
    cr_assert_eq(img_metadata_follow(&metadata, effect, &WIDE_LIMITS, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(metadata.count, 1U);
    put(&out, metadata.chunks[0].data, metadata.chunks[0].size);
    img_metadata_free(&metadata);
    return out;
}

/* Expects that `count` bytes from `first` on are zero, and that the second directory and the
 * reference to it are zero. All other bytes after `prefix` must equal the bytes of `before`. */
static void expect_without(const Bytes *before, const Bytes *after, size_t prefix, size_t first,
                           size_t count)
{
    cr_assert_eq(before->size, after->size);
    for (size_t i = prefix; i < before->size; i++) {
        const size_t at = i - prefix;
        const bool gone = (at >= NEXT && at < PICTURE) || (at >= first && at - first < count);
        cr_expect_eq(after->data[i], gone ? 0 : before->data[i], "byte %zu", at);
    }
}

Test(io_exif, the_thumbnail_of_a_cropped_changed_or_turned_picture_is_removed)
{
    for (int i = 0; i < 12; i++) {
        const bool jpeg = i % 2 == 0, big_endian = i / 2 % 2 == 0;
        const ImgEffect *effect = i / 4 == 0 ? &CROPPED : i / 4 == 1 ? &CHANGED : &TURNED;
        Bytes before = exif(big_endian, jpeg ? 0x201 : 0x111, PICTURE, PICTURE_BYTES);
        Bytes after = followed("eXIf", &before, effect);
        expect_without(&before, &after, 0, PICTURE, PICTURE_BYTES);
        free(after.data);
        after = followed("eXIf", &before, &DEEPER);
        cr_expect(before.size == after.size && memcmp(before.data, after.data, after.size) == 0);
        free(after.data);
        free(before.data);
    }
}

Test(io_exif, a_wrong_thumbnail_position_clears_nothing_else)
{
    static const struct {
        uint32_t place, size;
        size_t first, count; /* range of bytes that must be cleared */
    } cases[] = {{PICTURE, 1000, PICTURE, 10},
                 {PICTURE, UINT32_MAX, PICTURE, 10},
                 {UINT32_MAX, 7, 0, 0},
                 {0, 1000, 0, 0},
                 {8, 66, 0, 0},
                 {SECOND - 1, 66, 0, 0},
                 {PICTURE + 10, 1, 0, 0},
                 {PICTURE + 3, 2, PICTURE + 3, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bytes before = exif(i % 2 == 0, 0x201, cases[i].place, cases[i].size);
        Bytes after = followed("eXIf", &before, &CROPPED);
        expect_without(&before, &after, 0, cases[i].first, cases[i].count);
        free(after.data);
        free(before.data);
    }
}

/* Appends a directory with one number and the offset of the next directory, which is 0 for none. */
static void put_directory(Bytes *out, uint32_t tag, uint32_t number, uint32_t next)
{
    put_number(out, true, 1, 2);
    put_entry(out, true, tag, number);
    put_number(out, true, next, 4);
}

/* The thumbnail and its directory lie before the first directory. */
Test(io_exif, a_thumbnail_may_come_first)
{
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 45, 4);
    put_number(&before, true, 2, 2);
    put_entry(&before, true, 0x201, 38);
    /* The stated size of the thumbnail is too large: it reaches beyond the start of the first
     * directory. Only bytes before that directory may be cleared. */
    put_entry(&before, true, 0x202, 1000);
    put_number(&before, true, 0, 4);
    put(&before, "PICTURE", PICTURE_BYTES);
    put_directory(&before, 0x112, 6, 8);
    put(&before, "end", 3);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_assert_eq(after.size, before.size);
    for (size_t i = 0; i < before.size; i++)
        cr_expect_eq(after.data[i], i >= 8 && (i < 45 || (i >= 59 && i < 63)) ? 0 : before.data[i],
                     "byte %zu", i);
    free(before.data);
    free(after.data);
}

/* The thumbnail has two strips. Their sizes are SHORT values inside the entry, and their offsets
 * are LONG values elsewhere. */
Test(io_exif, a_thumbnail_may_consist_of_strips)
{
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 8, 4);
    put_directory(&before, 0x112, 6, SECOND);
    put_number(&before, true, 2, 2);
    put_number(&before, true, 0x111, 2);
    put_number(&before, true, 4, 2);
    put_number(&before, true, 2, 4);
    put_number(&before, true, 56, 4);
    put_number(&before, true, 0x117, 2);
    put_number(&before, true, 3, 2);
    put_number(&before, true, 2, 4);
    put_number(&before, true, 3, 2);
    put_number(&before, true, 2, 2);
    put_number(&before, true, 0, 4);
    put_number(&before, true, 64, 4);
    put_number(&before, true, 70, 4);
    put(&before, "ONEandTWO", 9);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_assert_eq(after.size, 73U);
    cr_expect_eq(memcmp(after.data + 64, "\0\0\0and\0\0O", 9), 0);
    cr_expect_eq(memcmp(after.data, before.data, NEXT), 0);
    free(before.data);
    free(after.data);
}

/* The EXIF data ends inside the last directory, before the offset of a next directory. The
 * thumbnail lies before this directory. */
Test(io_exif, the_last_directory_may_lack_its_end)
{
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 8, 4);
    put_directory(&before, 0x112, 6, SECOND + PICTURE_BYTES);
    put(&before, "PICTURE", PICTURE_BYTES);
    put_number(&before, true, 2, 2);
    put_entry(&before, true, 0x201, SECOND);
    put_entry(&before, true, 0x202, PICTURE_BYTES);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_assert_eq(after.size, before.size);
    for (size_t i = 0; i < before.size; i++)
        cr_expect_eq(after.data[i], i < NEXT ? before.data[i] : 0, "byte %zu", i);
    free(before.data);
    free(after.data);
}

/* If the size of a thumbnail is unknown, its bytes are cleared up to the next bytes that another
 * entry refers to. */
Test(io_exif, a_thumbnail_without_a_size_is_removed)
{
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 8, 4);
    put_directory(&before, 0x8769, 51, SECOND);
    put_directory(&before, 0x201, 44, 0);
    put(&before, "PICTURE", PICTURE_BYTES);
    put_directory(&before, 0xA002, 7, 0);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_assert_eq(after.size, before.size);
    for (size_t i = 0; i < before.size; i++)
        cr_expect_eq(after.data[i], i < NEXT || i >= 51 ? before.data[i] : 0, "byte %zu", i);
    free(before.data);
    free(after.data);
}

/* Some programs put a larger picture after the thumbnail, in a third directory. Here the third
 * directory refers back to the second as its next directory. */
Test(io_exif, all_directories_after_the_first_are_removed)
{
    enum { THIRD = SECOND + 30, PICTURES = THIRD + 30 };
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 8, 4);
    put_directory(&before, 0x112, 6, SECOND);
    for (uint32_t i = 0; i < 2; i++) {
        put_number(&before, true, 2, 2);
        put_entry(&before, true, 0x201, PICTURES + i * PICTURE_BYTES);
        put_entry(&before, true, 0x202, PICTURE_BYTES);
        put_number(&before, true, i == 0 ? THIRD : SECOND, 4);
    }
    put(&before, "PICTUREpictureend", 17);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_assert_eq(after.size, before.size);
    for (size_t i = 0; i < before.size; i++)
        cr_expect_eq(after.data[i], i < NEXT || i >= before.size - 3 ? before.data[i] : 0,
                     "byte %zu", i);
    free(before.data);
    free(after.data);
}

/* Bytes that the first directory refers to must stay, even if the stated size of the thumbnail
 * includes them. */
Test(io_exif, data_after_a_thumbnail_stays)
{
    static const uint32_t sizes[] = {PICTURE_BYTES, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Bytes before = {0}, second = exif(true, 0x201, PICTURE, sizes[i]);
        put(&before, second.data, 8);
        put_directory(&before, 0x8769, PICTURE + PICTURE_BYTES, SECOND);
        put(&before, second.data + SECOND, second.size - SECOND);
        Bytes after = followed("eXIf", &before, &CROPPED);
        expect_without(&before, &after, 0, PICTURE, PICTURE_BYTES);
        free(before.data);
        free(second.data);
        free(after.data);
    }
}

/* Removes the thumbnail from EXIF with a million strips and with the maximum number of entries in
 * the first directory. Each strip covers all the data of strips, or exceeds it by `beyond`
 * bytes. */
static void clear_strips(uint32_t beyond)
{
    enum { STRIPS = 1 << 20, ENTRIES = 65535, STRIPS_AT = 8 + 2 + ENTRIES * 12 + 4 };
    enum { PLACES_AT = STRIPS_AT + 30 };
    Bytes before = {0};
    put(&before, "MM\0*", 4);
    put_number(&before, true, 8, 4);
    put_number(&before, true, ENTRIES, 2);
    for (int i = 0; i < ENTRIES; i++)
        put_entry(&before, true, 0x112, 6);
    put_number(&before, true, STRIPS_AT, 4);
    put_number(&before, true, 2, 2);
    for (uint32_t i = 0; i < 2; i++) {
        put_number(&before, true, i == 0 ? 0x111 : 0x117, 2);
        put_number(&before, true, 4, 2);
        put_number(&before, true, STRIPS, 4);
        put_number(&before, true, PLACES_AT + i * 4 * STRIPS, 4);
    }
    put_number(&before, true, 0, 4);
    for (uint32_t i = 0; i < 2 * STRIPS; i++)
        put_number(&before, true, i < STRIPS ? PLACES_AT + 4 * STRIPS : 4 * STRIPS + beyond, 4);
    Bytes after = followed("eXIf", &before, &CROPPED);
    cr_expect_eq(memcmp(after.data, before.data, STRIPS_AT - 4), 0);
    free(before.data);
    free(after.data);
}

/* Clearing a million overlapping strips must take at most a second. */
Test(io_exif, overlapping_strips_take_linear_time, .timeout = 20)
{
    clear_strips(0);
    clear_strips(1);
}

/* EXIF may end at any byte. Directories may refer to themselves or to the first directory. */
Test(io_exif, damaged_exif_does_not_crash)
{
    for (uint32_t next = 0; next < 70; next++) {
        Bytes data = exif(next % 2 == 0, 0x201, PICTURE, PICTURE_BYTES);
        data.data[NEXT + (next % 2 == 0 ? 3 : 0)] = (uint8_t)next;
        for (size_t size = 1; size <= data.size; size++) {
            Bytes part = {0};
            put(&part, data.data, size);
            Bytes after = followed("eXIf", &part, &CROPPED);
            cr_expect_eq(memcmp(after.data, data.data, size < NEXT ? size : NEXT), 0);
            free(after.data);
            free(part.data);
        }
        free(data.data);
    }
}

/* A raw profile is a text chunk whose text encodes bytes as hexadecimal digits. Here the bytes are
 * "Exif", two zeros and the EXIF data. */
Test(io_exif, thumbnails_in_raw_profiles_are_removed)
{
    static const char head[] = "Raw profile type APP1\0\nexif\n      72\n";
    Bytes whole = {0}, text = {0}, part = exif(true, 0x201, PICTURE, PICTURE_BYTES);
    put(&whole, "Exif\0\0", 6);
    put(&whole, part.data, part.size);
    put(&text, head, sizeof head - 1);
    for (size_t i = 0; i < whole.size; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", whole.data[i]);
        put(&text, digits, 2);
    }
    Bytes after = followed("tEXt", &text, &CROPPED), now = {0};
    cr_assert_eq(after.size, text.size);
    cr_expect_eq(memcmp(after.data, head, sizeof head - 1), 0);
    for (size_t i = sizeof head - 1; i < after.size; i += 2) {
        const char digits[3] = {(char)after.data[i], (char)after.data[i + 1], '\0'};
        const uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);
        put(&now, &byte, 1);
    }
    expect_without(&whole, &now, 6, PICTURE, PICTURE_BYTES);
    free(whole.data);
    free(text.data);
    free(part.data);
    free(after.data);
    free(now.data);
}

/* A raw profile that is longer than any EXIF is not decoded. It is dropped if the picture changes,
 * because it could contain the old picture. */
Test(io_exif, a_raw_profile_that_is_too_long_is_dropped)
{
    static const char head[] = "Raw profile type exif\0\nexif\n 1\n";
    const ImgEffect *const effects[] = {&CROPPED, &TURNED, &DEEPER};
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        ImgError err = {IMG_OK, ""};
        Bytes text = {0}, other = {0};
        put(&text, head, sizeof head - 1);
        for (int n = 0; n < 5 << 20; n += 8)
            put(&text, "00000000", 8);
        put(&other, "Title\0text", 10);
        cr_assert_eq(img_metadata_add(&metadata, "tEXt", IMG_BEFORE_IDAT, text.data,
                                      (uint32_t)text.size, &err),
                     IMG_OK);
        cr_assert_eq(img_metadata_add(&metadata, "tEXt", IMG_BEFORE_IDAT, other.data,
                                      (uint32_t)other.size, &err),
                     IMG_OK);
        cr_assert_eq(img_metadata_follow(&metadata, effects[i], &WIDE_LIMITS, &err), IMG_OK);
        cr_expect_eq(metadata.count, i == 0 ? 1U : 2U);
        cr_expect_eq(metadata.chunks[metadata.count - 1].size, other.size);
        img_metadata_free(&metadata);
        free(text.data);
        free(other.data);
    }
}

/* --- Resolution ------------------------------------------------------------------------------- */

enum { X_PLACE = 50, Y_PLACE = 58, UNIT_VALUE = 42 };

static void put_short(Bytes *out, bool big_endian, uint32_t tag, uint32_t number)
{
    const uint32_t type_short = 3;
    put_number(out, big_endian, tag, 2);
    put_number(out, big_endian, type_short, 2);
    put_number(out, big_endian, 1, 4);
    put_number(out, big_endian, number, 2);
    put_number(out, big_endian, 0, 2);
}

static void put_rational(Bytes *out, bool big_endian, uint32_t tag, uint32_t place)
{
    const uint32_t type_rational = 5;
    put_number(out, big_endian, tag, 2);
    put_number(out, big_endian, type_rational, 2);
    put_number(out, big_endian, 1, 4);
    put_number(out, big_endian, place, 4);
}

/* Returns EXIF with the resolutions 118 and 236/2 per `unit`, whose values are to be at the offsets
 * `x` and `y`. Its three entries are followed by the offset of the next directory, 0. */
static Bytes exif_resolution(bool big_endian, uint32_t x, uint32_t y, uint32_t unit)
{
    Bytes out = {0};
    put(&out, big_endian ? "MM\0*" : "II*\0", 4);
    put_number(&out, big_endian, 8, 4);
    put_number(&out, big_endian, 3, 2);
    put_rational(&out, big_endian, 282, x);
    put_rational(&out, big_endian, 283, y);
    put_short(&out, big_endian, 296, unit);
    put_number(&out, big_endian, 0, 4);
    put_number(&out, big_endian, 118, 4);
    put_number(&out, big_endian, 1, 4);
    put_number(&out, big_endian, 236, 4);
    put_number(&out, big_endian, 2, 4);
    return out;
}

/* Sets a resolution as --dpi does. Returns the content of the chunk afterwards; *phys gets the
 * content of pHYs. */
static Bytes set(const char *type, const Bytes *data, int32_t millidpi, Bytes *phys)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    Bytes out = {0};
    cr_assert_eq(
        img_metadata_add(&metadata, type, IMG_BEFORE_IDAT, data->data, (uint32_t)data->size, NULL),
        IMG_OK);
    cr_assert_eq(img_resolution_set(&metadata, millidpi, NULL), IMG_OK);
    cr_assert_eq(metadata.count, 2U);
    put(&out, metadata.chunks[0].data, metadata.chunks[0].size);
    put(phys, metadata.chunks[1].data, metadata.chunks[1].size);
    cr_expect_str_eq(metadata.chunks[1].type, "pHYs");
    img_metadata_free(&metadata);
    return out;
}

/* Expects that the bytes of `after` from offset `at` on equal `now`, and that the bytes before `at`
 * are unchanged. */
static void expect_changed(const Bytes *before, const Bytes *after, size_t at, const Bytes *now)
{
    cr_assert_eq(before->size, after->size);
    cr_expect_eq(memcmp(before->data, after->data, at), 0);
    cr_expect_eq(memcmp(after->data + at, now->data, now->size), 0);
}

Test(io_exif, a_quarter_turn_swaps_the_two_resolutions)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const Bytes before = exif_resolution(big_endian, X_PLACE, Y_PLACE, 3);
        const Bytes after = followed("eXIf", &before, &TURNED);
        const Bytes resized = followed("eXIf", &before, &(ImgEffect){.scale_x = 2, .scale_y = 3});
        Bytes now = {0};
        put(&now, before.data + Y_PLACE, 8);
        put(&now, before.data + X_PLACE, 8);
        expect_changed(&before, &after, X_PLACE, &now);
        expect_changed(&before, &resized, X_PLACE,
                       &(Bytes){.data = before.data + X_PLACE, .size = 16});
        free(before.data);
        free(after.data);
        free(resized.data);
        free(now.data);
    }
}

/* A quarter turn swaps the two resolutions. Two quarter turns must change nothing, even if the
 * values overlap in damaged EXIF. */
Test(io_exif, two_quarter_turns_restore_the_resolution)
{
    for (uint32_t y = X_PLACE; y <= Y_PLACE; y++) {
        const Bytes before = exif_resolution(true, X_PLACE, y, 2);
        const Bytes once = followed("eXIf", &before, &TURNED);
        const Bytes twice = followed("eXIf", &once, &TURNED);
        cr_expect_eq(memcmp(before.data, twice.data, before.size), 0, "%u", y);
        free(before.data);
        free(once.data);
        free(twice.data);
    }
}

/* 72.009 dots per inch are stored as 72009/1000 in EXIF, and as 2835 dots per metre in pHYs. */
Test(io_exif, the_resolution_is_set_in_exif_and_in_phys)
{
    static const struct {
        int32_t millidpi;
        uint32_t numerator, denominator, per_metre;
    } cases[] = {{72009, 72009, 1000, 2835},
                 {300000, 300, 1, 11811},
                 {600500, 1201, 2, 23642},
                 {1000, 1, 1, 39}};
    for (int i = 0; i < 8; i++) {
        const bool big_endian = i % 2 != 0;
        const Bytes before = exif_resolution(big_endian, X_PLACE, Y_PLACE, 3);
        Bytes phys = {0}, values = {0}, unit = {0}, metres = {0};
        const Bytes after = set("eXIf", &before, cases[i / 2].millidpi, &phys);
        for (int axis = 0; axis < 2; axis++) {
            put_number(&values, big_endian, cases[i / 2].numerator, 4);
            put_number(&values, big_endian, cases[i / 2].denominator, 4);
            put_number(&metres, true, cases[i / 2].per_metre, 4);
        }
        put_number(&metres, true, 1, 1);
        put_number(&unit, big_endian, 2, 2);
        expect_changed(&before, &after, UNIT_VALUE, &unit);
        cr_expect_eq(memcmp(after.data + X_PLACE, values.data, values.size), 0);
        cr_assert_eq(phys.size, 9U);
        cr_expect_eq(memcmp(phys.data, metres.data, 9), 0);
        const Bytes all[] = {before, after, phys, values, unit, metres};
        for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
            free(all[n].data);
    }
}

/* At the offsets of these cases the values would lie in the header, in the directory or past the
 * end. */
Test(io_exif, a_resolution_at_an_invalid_offset_is_not_changed)
{
    static const uint32_t places[] = {0, 4, 10, 45, 59, 66, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const Bytes before = exif_resolution(true, places[i], places[i], 2);
        Bytes phys = {0};
        const Bytes after = set("eXIf", &before, 300000, &phys);
        cr_expect_eq(memcmp(before.data, after.data, before.size), 0, "%u", places[i]);
        free(before.data);
        free(after.data);
        free(phys.data);
    }
}

Test(io_exif, a_resolution_in_the_old_text_form_of_exif_is_set_too)
{
    static const char before[] = "Raw profile type exif\0\nexif\n 46\n"
                                 "4d4d002a000000080001011a0005000000010000001a00000000"
                                 "0000007600000001\n";
    static const char after[] = "Raw profile type exif\0\nexif\n 46\n"
                                "4d4d002a000000080001011a0005000000010000001a00000000"
                                "0000012c00000001\n";
    Bytes phys = {0};
    const Bytes text = {.data = (uint8_t *)before, .size = sizeof before - 1};
    const Bytes now = set("tEXt", &text, 300000, &phys);
    cr_assert_eq(now.size, sizeof after - 1);
    cr_expect_eq(memcmp(now.data, after, now.size), 0);
    free(now.data);
    free(phys.data);
}

/* --- GPS position and copyright --------------------------------------------------------------- */

/* Offsets in the EXIF of exif_gps. The main directory has a copyright, the offset of the GPS
 * directory and an orientation, and is the last. After it come the copyright, the GPS directory
 * with four entries, and the values of two of them. */
enum { GPS_ENTRY = 22, MAIN_END = 50, OWNER = 50, GPS = 58, GPS_VALUES = 112, EXIF_GPS_SIZE = 160 };

static void put_any(Bytes *out, bool big_endian, uint32_t tag, uint32_t type, uint32_t count,
                    uint32_t number)
{
    put_number(out, big_endian, tag, 2);
    put_number(out, big_endian, type, 2);
    put_number(out, big_endian, count, 4);
    put_number(out, big_endian, number, 4);
}

static void put_angle(Bytes *out, bool big_endian, uint32_t degrees, uint32_t minutes,
                      uint32_t hundredths)
{
    const uint32_t numbers[] = {degrees, 1, minutes, 1, hundredths, 100};
    for (size_t i = 0; i < 6; i++)
        put_number(out, big_endian, numbers[i], 4);
}

/* Returns EXIF with the position 47 degrees 22' 30.25" south, 8 degrees 32' 0" east. */
static Bytes exif_gps(bool big_endian)
{
    const uint32_t south = big_endian ? 0x53000000 : 'S', east = big_endian ? 0x45000000 : 'E';
    Bytes out = {0};
    put(&out, big_endian ? "MM\0*" : "II*\0", 4);
    put_number(&out, big_endian, 8, 4);
    put_number(&out, big_endian, 3, 2);
    put_any(&out, big_endian, 0x8298, 2, 8, OWNER);
    put_any(&out, big_endian, 0x8825, 4, 1, GPS);
    put_short(&out, big_endian, 0x112, 6);
    put_number(&out, big_endian, 0, 4);
    put(&out, "A. Name\0", 8);
    put_number(&out, big_endian, 4, 2);
    put_any(&out, big_endian, 1, 2, 2, south);
    put_any(&out, big_endian, 2, 5, 3, GPS_VALUES);
    put_any(&out, big_endian, 3, 2, 2, east);
    put_any(&out, big_endian, 4, 5, 3, GPS_VALUES + 24);
    put_number(&out, big_endian, 0, 4);
    put_angle(&out, big_endian, 47, 22, 3025);
    put_angle(&out, big_endian, 8, 32, 0);
    cr_assert_eq(out.size, EXIF_GPS_SIZE);
    return out;
}

static ImgMetadata with(const char *type, const void *data, size_t size)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    cr_assert_eq(img_metadata_add(&metadata, type, IMG_BEFORE_IDAT, data, (uint32_t)size, NULL),
                 IMG_OK);
    return metadata;
}

Test(io_exif, the_gps_position_is_found_and_removed_alone)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const Bytes exif = exif_gps(big_endian);
        ImgMetadata metadata = with("eXIf", exif.data, exif.size);
        ImgGps gps;
        ImgFacts facts;
        const uint8_t *owner;
        size_t size;
        cr_assert(img_gps_find(&metadata, &gps));
        cr_assert(gps.has_place);
        cr_expect_float_eq(gps.latitude, -(47 + 22 / 60. + 30.25 / 3600), 1e-9);
        cr_expect_float_eq(gps.longitude, 8 + 32 / 60., 1e-9);
        cr_assert_eq(img_gps_drop(&metadata, NULL), IMG_OK);
        cr_assert_eq(metadata.count, 1U);
        cr_expect_not(img_gps_find(&metadata, &gps));
        const uint8_t *data = metadata.chunks[0].data;
        cr_expect_eq(data[big_endian ? 9 : 8], 2, "entries");
        for (size_t i = MAIN_END - 12; i < MAIN_END; i++)
            cr_expect_eq(data[i], 0, "byte %zu", i);
        for (size_t i = GPS; i < GPS + 50; i++)
            cr_expect_eq(data[i], 0, "byte %zu", i);
        for (size_t i = GPS_VALUES; i < EXIF_GPS_SIZE; i++)
            cr_expect_eq(data[i], 0, "byte %zu", i);
        cr_assert_eq(img_metadata_facts(&metadata, &WIDE_LIMITS, &facts, NULL), IMG_OK);
        cr_expect_eq(facts.orientation, 6);
        cr_assert(img_copyright_find(&metadata, &owner, &size));
        cr_expect(size == 7 && memcmp(owner, "A. Name", 7) == 0);
        img_metadata_free(&metadata);
        free(exif.data);
    }
}

/* A GPS position can also be in text chunks: in a raw profile of the same EXIF, in XMP, or in a
 * text whose keyword names a GPS value, such as exif:GPSLatitude. Texts that cannot be read count
 * as well. */
Test(io_exif, the_gps_position_is_found_in_texts_too)
{
    static const char xmp[] = "XML:com.adobe.xmp\0\0\0\0\0<x exif:GPSLatitude='47,22N'/>";
    static const char other[] = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Make='A'/>";
    static const struct {
        const char *type, *data;
        size_t size;
        bool stays;
    } cases[] = {{"iTXt", xmp, sizeof xmp - 1, false},
                 {"iTXt", other, sizeof other - 1, true},
                 {"tEXt",
                  "exif:GPSLatitude\0"
                  "47",
                  19, false},
                 {"tEXt", "Title\0GPS", 9, true},
                 {"eXIf", "MM\0*", 4, false},
                 {"tEXt", "Raw profile type xmp\0\nxmp\n 3\n475053\n", 36, false}};
    char text[512] = "Raw profile type exif";
    const Bytes exif = exif_gps(true);
    ImgGps gps;
    int used = 22 + snprintf(text + 22, sizeof text - 22, "\nexif\n %zu\n", exif.size);
    for (size_t i = 0; i < exif.size; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%02x", exif.data[i]);
    ImgMetadata metadata = with("tEXt", text, (size_t)used);
    cr_expect(img_gps_find(&metadata, &gps) && gps.has_place);
    cr_assert_eq(img_gps_drop(&metadata, NULL), IMG_OK);
    cr_assert_eq(metadata.count, 1U);
    cr_expect_not(img_gps_find(&metadata, &gps));
    img_metadata_free(&metadata);
    free(exif.data);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        metadata = with(cases[i].type, cases[i].data, cases[i].size);
        if (i != 4)
            cr_expect_eq(img_gps_find(&metadata, &gps), !cases[i].stays, "case %zu", i);
        cr_assert_eq(img_gps_drop(&metadata, NULL), IMG_OK);
        cr_expect_eq(metadata.count, cases[i].stays ? 1U : 0U, "case %zu", i);
        img_metadata_free(&metadata);
    }
}
