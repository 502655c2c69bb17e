/* Decodes raw profiles. The text has a line with the name of the profile, a line with its length,
 * and lines of hexadecimal digits. */
#include "io/metadata/raw_profile.h"

#include <stdlib.h>
#include <string.h>

#include "io/metadata/text.h"
#include "io/size_text.h"

bool img_raw_profile_is_exif(const char *keyword)
{
    return strcmp(keyword, "Raw profile type exif") == 0 ||
           strcmp(keyword, "Raw profile type APP1") == 0;
}

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

/* Returns the index of the first digit. A line with the name and a line with the length come before
 * it. */
static size_t find_digits(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size && img_text_is_space(text[at]))
        at++;
    while (at < size && text[at] != '\n') /* skips the name, which may contain spaces */
        at++;
    while (at < size && img_text_is_space(text[at]))
        /* Skips the length. It is not used, because counting the digits is more reliable. */
        at++;
    while (at < size && !img_text_is_space(text[at]))
        at++;
    return at;
}

/* Returns the value of the next digit and moves `*at` past it. Returns -1 at the end of the
 * digits. */
static int next_digit(const uint8_t *text, size_t size, size_t *at)
{
    while (*at < size && img_text_is_space(text[*at]))
        (*at)++;
    return *at < size ? hex_digit(text[(*at)++]) : -1;
}

ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err)
{
    char limit[IMG_SIZE_TEXT];
    size_t at = find_digits(text, size);
    *profile = (ImgRawProfile){NULL, 0};
    if ((size - at) / 2 > most)
        return img_fail(err, IMG_E_LIMIT, "a raw profile may hold more than the limit of %s",
                        img_size_text(most, limit));
    profile->data = malloc((size - at) / 2 + 1);
    if (profile->data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a profile");
    for (;;) {
        int high = next_digit(text, size, &at);
        int low = high < 0 ? -1 : next_digit(text, size, &at);
        if (low < 0)
            return IMG_OK;
        profile->data[profile->size++] = (uint8_t)(high << 4 | low);
    }
}

void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = find_digits(text, size);
    for (size_t i = 0; i < profile->size; i++) {
        int high = next_digit(text, size, &at);
        size_t first = at - 1;
        int low = next_digit(text, size, &at);
        if (high < 0 || low < 0) /* `text` differs from the text that was decoded */
            return;
        if ((high << 4 | low) == profile->data[i])
            continue;
        text[first] = (uint8_t)digits[profile->data[i] >> 4];
        text[at - 1] = (uint8_t)digits[profile->data[i] & 15];
    }
}
