#include "app/text/text.h"

#include <stdarg.h>
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
        const size_t gap = strspn(words, " \n");
        const bool new_paragraph = memmem(words, gap, "\n\n", 2) != NULL;
        words += gap;
        size_t length = strcspn(words, " \n");
        if (length == 0)
            break;
        if (new_paragraph) {
            fprintf(out, "%s\n%*s", indent == 0 ? "\n" : "", (int)indent, "");
            column = indent;
            line_start = true;
        }
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

enum { CHARACTER_BYTES = 4 }; /* maximum number of bytes of a character in UTF-8 */

/* Decodes the UTF-8 character at the start of `data`, and returns its number of bytes. Returns 0 if
 * it is invalid by RFC 3629. */
static size_t character_at(const uint8_t *data, size_t size, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *character = data[0];
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
    *character = code;
    return valid ? length : 0;
}

static size_t character_length(const uint8_t *data, size_t size)
{
    uint32_t character;
    return character_at(data, size, &character);
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

typedef struct CodeRange {
    uint32_t first, last;
} CodeRange;

static bool is_among(uint32_t code, const CodeRange *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* The table has the control characters of ISO 6429, and the invisible marks that change the writing
 * direction (Unicode UAX #9). */
bool text_is_control(uint32_t code)
{
    static const CodeRange controls[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                         {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
    return is_among(code, controls, sizeof controls / sizeof *controls);
}

/* Returns the number of bytes of the first character of `text`, which must not be empty. Sets
 * *clean to true if the character may be shown. A byte that is not UTF-8 counts as one character.
 * It may be a letter of an old file name, so it is shown, except if 8-bit terminals interpret it as
 * a control character. */
static size_t next_clean(const char *text, bool *clean)
{
    uint32_t code;
    const uint8_t *at = (const uint8_t *)text;
    size_t length = character_at(at, strnlen(text, CHARACTER_BYTES), &code);
    *clean = !text_is_control(length > 0 ? code : *at);
    return length > 0 ? length : 1;
}

void text_clean(FILE *out, const char *text)
{
    bool clean;
    for (size_t length; *text != '\0'; text += length) {
        length = next_clean(text, &clean);
        fwrite(clean ? text : "?", 1, clean ? length : 1, out);
    }
}

size_t text_copy_clean(char *to, const char *text)
{
    bool clean;
    const char *start = to;
    for (size_t length; *text != '\0'; text += length) {
        length = next_clean(text, &clean);
        memcpy(to, clean ? text : "?", clean ? length : 1);
        to += clean ? length : 1;
    }
    *to = '\0';
    return (size_t)(to - start);
}

/* Returns an upper bound for the columns of a character. All characters in a block that contains
 * wide ones (Unicode UAX #11) count as wide. Cutting a line too early does no harm, but a status
 * line that wraps cannot be erased. */
static size_t character_columns(uint32_t code)
{
    static const CodeRange wide[] = {{0x1100, 0x115F},   {0x2300, 0x23FF},   {0x25A0, 0x27BF},
                                     {0x2B00, 0x2BFF},   {0x2E80, 0xA4CF},   {0xA960, 0xA97F},
                                     {0xAC00, 0xD7FF},   {0xF900, 0xFAFF},   {0xFE10, 0xFE6F},
                                     {0xFF00, 0xFFEF},   {0x16FE0, 0x1B2FF}, {0x1D300, 0x1D37F},
                                     {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFF}};
    return is_among(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t text_cut(const char *text, size_t columns, bool utf8, char *to, size_t size)
{
    size_t used = 0, left = strlen(text);
    const uint8_t *at = (const uint8_t *)text;
    while (left > 0) {
        uint32_t code;
        size_t length = character_at(at, left, &code);
        bool plain = length > 0 && !text_is_control(code) && (utf8 || code < 0x80);
        size_t bytes = plain ? length : 1, wide = plain ? character_columns(code) : 1;
        if (used + wide > columns || bytes >= size)
            break;
        memcpy(to, plain ? at : (const uint8_t *)"?", bytes);
        to += bytes;
        size -= bytes;
        used += wide;
        at += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    *to = '\0';
    return used;
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

/* Position in valid JSON: whether it is inside a string, and whether it follows a backslash
 * there. */
typedef struct JsonPlace {
    bool in_string, after_backslash;
} JsonPlace;

static void move_past(JsonPlace *place, char byte)
{
    if (byte == '"' && !place->after_backslash)
        place->in_string = !place->in_string;
    place->after_backslash = place->in_string && byte == '\\' && !place->after_backslash;
}

/* Writes one character of `length` bytes to `to`, escaped if necessary. A length of 0 stands for an
 * invalid byte. Returns the number of bytes written. */
static size_t escape_character(const JsonPlace *place, const char *json, size_t length,
                               uint32_t code, char *to)
{
    enum { DELETE = 0x7F, NO_CHARACTER = 0xFFFD };
    if (length == 0)
        return (size_t)sprintf(to, "\\u%04x", (unsigned)NO_CHARACTER);
    /* Between values, control characters become spaces, except newline and tab. */
    if (code < ' ' && !place->in_string) {
        *to = code == '\n' || code == '\t' ? *json : ' ';
        return 1;
    }
    if (code < ' ' || (code >= DELETE && text_is_control(code)))
        return (size_t)sprintf(to, "\\u%04x", (unsigned)code);
    memcpy(to, json, length);
    return length;
}

char *text_escape_json(const char *json)
{
    enum { ESCAPE_BYTES = 6 };
    JsonPlace place = {false, false};
    char *copy = malloc(ESCAPE_BYTES * strlen(json) + 1), *to = copy;
    if (copy == NULL)
        return NULL;
    for (size_t length; *json != '\0'; json += length > 0 ? length : 1) {
        uint32_t code = 0;
        length = character_at((const uint8_t *)json, strnlen(json, CHARACTER_BYTES), &code);
        to += escape_character(&place, json, length, code, to);
        move_past(&place, *json);
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

void text_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

bool text_has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}
