/* Orientation is stated in eXIf; in the older text chunks "Raw profile type exif" and "... APP1"
 * (ImageMagick: a name, a length and EXIF in hexadecimal digits); and once more in XMP, which is
 * only kept in step with the others. Numbers are changed in place: all else stays as it is. */
#include "io/orientation.h"

#include <stdlib.h>
#include <string.h>

#include "io/exif.h"
#include "io/png_text.h"

/* A raw profile: EXIF, and where in the text its first digit is. */
typedef struct Profile {
    uint8_t *text;
    size_t text_size;
    size_t digits; /* offset of the first digit */
    uint8_t *exif;
    size_t exif_size;
} Profile;

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* "\nexif\n    1234\n" and then the digits. */
static size_t find_digits(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size && is_space(text[at]))
        at++;
    while (at < size && !is_space(text[at])) /* the name */
        at++;
    while (at < size && is_space(text[at]))
        at++;
    while (at < size && !is_space(text[at])) /* the length: the digits tell it better */
        at++;
    return at;
}

static ImgStatus decode_hex(Profile *profile, ImgError *err)
{
    profile->digits = find_digits(profile->text, profile->text_size);
    profile->exif = malloc((profile->text_size - profile->digits) / 2 + 1);
    if (profile->exif == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a profile");
    bool second = false;
    for (size_t at = profile->digits; at < profile->text_size; at++) {
        int digit = hex_digit(profile->text[at]);
        if (digit < 0 && is_space(profile->text[at]))
            continue;
        if (digit < 0)
            break;
        if (second)
            profile->exif[profile->exif_size++] |= (uint8_t)digit;
        else
            profile->exif[profile->exif_size] = (uint8_t)(digit << 4);
        second = !second;
    }
    return IMG_OK;
}

/* Writes byte number `index` of the profile over the two digits that stand for it. */
static void set_hex(Profile *profile, size_t index, uint8_t value)
{
    size_t digit = 0;
    for (size_t at = profile->digits; at < profile->text_size; at++) {
        if (hex_digit(profile->text[at]) < 0)
            continue;
        if (digit == 2 * index)
            profile->text[at] = (uint8_t) "0123456789abcdef"[value >> 4];
        if (digit == 2 * index + 1) {
            profile->text[at] = (uint8_t) "0123456789abcdef"[value & 15];
            return;
        }
        digit++;
    }
}

static void free_profile(Profile *profile)
{
    free(profile->text);
    free(profile->exif);
}

static bool is_raw_profile(const ImgChunk *chunk, ImgText *text)
{
    return img_text_parse(chunk, text) && (strcmp(text->keyword, "Raw profile type exif") == 0 ||
                                           strcmp(text->keyword, "Raw profile type APP1") == 0);
}

/* `profile` stays empty where the text is damaged. */
static ImgStatus read_profile(const ImgChunk *chunk, const ImgText *text, size_t max_text,
                              Profile *profile, ImgError *err)
{
    *profile = (Profile){0};
    ImgStatus status =
        img_text_read(chunk, text, max_text, &profile->text, &profile->text_size, err);
    if (status == IMG_OK && profile->text != NULL)
        status = decode_hex(profile, err);
    return status;
}

static bool profile_field(const Profile *profile, ImgExifField *field)
{
    return profile->exif != NULL && img_exif_orientation(profile->exif, profile->exif_size, field);
}

ImgStatus img_orientation_read(const ImgChunk *chunk, size_t max_text, int *orientation,
                               ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgText text;
    ImgExifField field;
    bool found = false;
    if (strcmp(chunk->type, "eXIf") == 0) {
        found = img_exif_orientation(chunk->data, chunk->size, &field);
    } else if (is_raw_profile(chunk, &text)) {
        Profile profile;
        status = read_profile(chunk, &text, max_text, &profile, err);
        found = status == IMG_OK && profile_field(&profile, &field);
        free_profile(&profile);
    }
    *orientation = found && field.value >= 1 && field.value <= 8 ? (int)field.value : 0;
    return status;
}

static ImgStatus reset_profile(ImgChunk *chunk, const ImgText *text, size_t max_text, ImgError *err)
{
    Profile profile;
    ImgExifField field;
    ImgStatus status = read_profile(chunk, text, max_text, &profile, err);
    if (status == IMG_OK && profile_field(&profile, &field) && field.value != 1) {
        for (size_t i = 0; i < field.width; i++)
            set_hex(&profile, field.offset + i, img_exif_byte(&field, 1, i));
        status = img_text_replace(chunk, text, profile.text, profile.text_size, err);
    }
    free_profile(&profile);
    return status;
}

/* tiff:Orientation="6" or <tiff:Orientation>6</tiff:Orientation>, each of them. */
static void reset_xmp(uint8_t *xml, size_t size)
{
    static const char name[] = "tiff:Orientation";
    size_t length = sizeof name - 1;
    uint8_t *end = xml + size, *at = xml;
    while ((at = memmem(at, (size_t)(end - at), name, length)) != NULL) {
        bool closing = at > xml && at[-1] == '/';
        at += length;
        uint8_t *p = at;
        while (p < end && (is_space(*p) || *p == '=' || *p == '"' || *p == '\'' || *p == '>'))
            p++;
        if (!closing && p > at && end - p >= 2 && p[0] >= '2' && p[0] <= '8' &&
            (p[1] == '"' || p[1] == '\'' || p[1] == '<' || is_space(p[1])))
            p[0] = '1';
    }
}

ImgStatus img_orientation_reset(ImgChunk *chunk, size_t max_text, ImgError *err)
{
    ImgText text;
    ImgExifField field;
    if (strcmp(chunk->type, "eXIf") == 0) {
        if (img_exif_orientation(chunk->data, chunk->size, &field)) {
            for (size_t i = 0; i < field.width; i++)
                chunk->data[field.offset + i] = img_exif_byte(&field, 1, i);
        }
    } else if (is_raw_profile(chunk, &text)) {
        return reset_profile(chunk, &text, max_text, err);
    } else if (img_text_parse(chunk, &text) && !text.compressed &&
               strcmp(text.keyword, "XML:com.adobe.xmp") == 0) {
        reset_xmp(chunk->data + text.head, chunk->size - text.head);
    }
    return IMG_OK;
}
