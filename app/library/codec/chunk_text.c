/* Checks keywords and text, and makes text chunks. Keywords: PNG specification, third edition,
 * section 11.3.3. UTF-8: RFC 3629. */
#include "app/library/codec/metadata.h"

#include <stdlib.h>
#include <string.h>

enum { KEYWORD_MOST = 79 };

bool img_lib_is_chunk_type(const char *type)
{
    for (int i = 0; i < 4; i++) {
        const char c = type[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
            return false;
    }
    return type[4] == '\0';
}

/* Decodes the UTF-8 character at `text`. Returns its length in bytes, or 0 if it is invalid. */
static size_t read_character(const uint8_t *text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t first = text[0];
    const size_t size = first < 0x80             ? 1
                        : (first & 0xE0) == 0xC0 ? 2
                        : (first & 0xF0) == 0xE0 ? 3
                        : (first & 0xF8) == 0xF0 ? 4
                                                 : 0;
    if (size == 0)
        return 0;
    *character = size == 1 ? first : first & (0x7FU >> size);
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | (text[i] & 0x3FU);
    }
    const bool surrogate = *character >= 0xD800 && *character < 0xE000;
    return *character < least[size] || *character > 0x10FFFF || surrogate ? 0 : size;
}

static bool is_utf8(const uint8_t *text)
{
    uint32_t character;
    size_t size = 1;
    for (; *text != 0 && size > 0; text += size)
        size = read_character(text, &character);
    return size > 0;
}

static bool is_printable(uint32_t character)
{
    return (character >= 0x20 && character <= 0x7E) || (character >= 0xA1 && character <= 0xFF);
}

/* Converts a keyword from UTF-8 to Latin-1. Returns its length in bytes, or 0 if PNG does not allow
 * it. */
static size_t read_keyword(const uint8_t *text, uint8_t keyword[KEYWORD_MOST])
{
    size_t count = 0;
    while (*text != 0) {
        uint32_t character;
        const size_t size = read_character(text, &character);
        const bool space = size > 0 && character == ' ';
        if (size == 0 || !is_printable(character) || count == KEYWORD_MOST ||
            (space && (count == 0 || keyword[count - 1] == ' ')))
            return 0;
        keyword[count++] = (uint8_t)character;
        text += size;
    }
    return count > 0 && keyword[count - 1] == ' ' ? 0 : count;
}

ImgStatus img_lib_make_text(const char *keyword, const char *text, uint8_t **data, uint32_t *bytes,
                            ImgError *err)
{
    /* Number of bytes between the keyword and the text: the terminator of the keyword, two bytes
     * for compression, and two empty strings with terminators (language tag, translated
     * keyword). */
    enum { AFTER_KEYWORD = 5 };
    uint8_t latin[KEYWORD_MOST];
    const size_t name = read_keyword((const uint8_t *)keyword, latin), length = strlen(text);
    if (name == 0)
        return img_fail(err, IMG_E_USAGE,
                        "a keyword is 1 to 79 characters of Latin-1, without spaces at its ends or "
                        "side by side");
    if (!is_utf8((const uint8_t *)text))
        return img_fail(err, IMG_E_USAGE, "the text is not UTF-8");
    if (length > INT32_MAX - KEYWORD_MOST - AFTER_KEYWORD)
        return img_fail(err, IMG_E_USAGE, "the text is too long for a chunk");
    *bytes = (uint32_t)(name + AFTER_KEYWORD + length);
    *data = malloc(*bytes);
    if (*data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    memcpy(*data, latin, name);
    memset(*data + name, 0, AFTER_KEYWORD);
    memcpy(*data + name + AFTER_KEYWORD, text, length);
    return IMG_OK;
}
