/* The thumbnail in EXIF: taken out where the picture is no longer what it shows. */
#include "io/metadata/metadata_follow.h"
#include "test_io_png.h"

static const ImgEffect CROPPED = {.cropped = true}, CHANGED = {.values_changed = true};
static const ImgEffect TURNED = {.turn = IMG_TURN_90};

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

/* Orientation 6; a second directory, which says where seven bytes are; these bytes; "end". */
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

/* What a chunk becomes, of the same size. */
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

/* Of `before`, from `first` on, `count` bytes are zeros now, the second directory is not referred
 * to and is zeros, and all else is as it was. */
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

Test(io_exif, the_thumbnail_of_what_was_cropped_or_changed_is_taken_out)
{
    for (int i = 0; i < 8; i++) {
        const bool jpeg = i % 2 == 0, big_endian = i / 2 % 2 == 0;
        const ImgEffect *effect = i / 4 == 0 ? &CROPPED : &CHANGED;
        Bytes before = exif(big_endian, jpeg ? 0x201 : 0x111, PICTURE, PICTURE_BYTES);
        Bytes after = followed("eXIf", &before, effect);
        expect_without(&before, &after, 0, PICTURE, PICTURE_BYTES);
        free(after.data);
        after = followed("eXIf", &before, &TURNED);
        cr_expect(before.size == after.size && memcmp(before.data, after.data, after.size) == 0);
        free(after.data);
        free(before.data);
    }
}

Test(io_exif, nothing_else_is_cleared_wherever_a_thumbnail_is_said_to_be)
{
    static const struct {
        uint32_t place, size;
        size_t first, count; /* what goes */
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

/* Cut anywhere, and directories that refer to themselves or to the first one. */
Test(io_exif, damaged)
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

/* In a text of hexadecimal digits, after "Exif". */
Test(io_exif, in_raw_profiles)
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
