#include "app/text.h"

#include <stdlib.h>
#include <string.h>

void text_wrap(FILE *out, size_t column, size_t indent, const char *words)
{
    bool line_start = true;
    if (column < indent) {
        fprintf(out, "%*s", (int)(indent - column), "");
        column = indent;
    }
    for (;;) {
        words += strspn(words, " \n");
        size_t length = strcspn(words, " \n");
        if (length == 0)
            break;
        if (!line_start && column + 1 + length > TEXT_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            line_start = true;
        }
        fprintf(out, "%s%.*s", line_start ? "" : " ", (int)length, words);
        column += length + !line_start;
        line_start = false;
        words += length;
    }
    fputc('\n', out);
}

void text_entry(FILE *out, const char *left, size_t indent, const char *words)
{
    size_t column = 2 + strlen(left);
    fprintf(out, "  %s", left);
    if (column + 2 > indent) {
        fputc('\n', out);
        column = 0;
    }
    text_wrap(out, column, indent, words);
}

/* The length of the UTF-8 character at the start of `data`, 0 if there is none (RFC 3629). */
static size_t character_length(const uint8_t *data, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (data[0] < 0x80)
        return 1;
    size_t length = data[0] >= 0xF0 ? 4 : data[0] >= 0xE0 ? 3 : 2;
    if (data[0] < 0xC2 || data[0] > 0xF4 || size < length)
        return 0;
    uint32_t code = data[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((data[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (data[i] & 0x3F);
    }
    bool valid = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return valid ? length : 0;
}

bool text_is_utf8(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = character_length(data + i, size - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

void text_clean(FILE *out, const char *text)
{
    for (const uint8_t *at = (const uint8_t *)text; *at != '\0'; at++) {
        bool c1_control = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;
        if (c1_control)
            at++;
        fputc(c1_control || *at < 0x20 || *at == 0x7F ? '?' : *at, out);
    }
}

char *text_to_utf8(const uint8_t *data, size_t size)
{
    size = strnlen((const char *)data, size);
    char *text = malloc(2 * size + 1);
    if (text == NULL)
        return NULL;
    char *to = text;
    bool copy = text_is_utf8(data, size);
    for (size_t i = 0; i < size; i++) {
        if (copy || data[i] < 0x80) {
            *to++ = (char)data[i];
        } else {
            *to++ = (char)(0xC0 | data[i] >> 6);
            *to++ = (char)(0x80 | (data[i] & 0x3F));
        }
    }
    *to = '\0';
    return text;
}

char *text_mark_bytes(const char *text)
{
    static const char mark[] = "\xEF\xBF\xBD";
    size_t size = strlen(text);
    const uint8_t *data = (const uint8_t *)text;
    char *copy = malloc(3 * size + 1), *to = copy;
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < size;) {
        size_t length = character_length(data + i, size - i);
        memcpy(to, length > 0 ? text + i : mark, length > 0 ? length : 3);
        to += length > 0 ? length : 3;
        i += length > 0 ? length : 1;
    }
    *to = '\0';
    return copy;
}

char *text_to_hex(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    char *hex = malloc(2 * strlen(text) + 1), *to = hex;
    if (hex == NULL)
        return NULL;
    for (const uint8_t *at = (const uint8_t *)text; *at != '\0'; at++) {
        *to++ = digits[*at >> 4];
        *to++ = digits[*at & 15];
    }
    *to = '\0';
    return hex;
}
