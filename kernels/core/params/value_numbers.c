/* Parameters that are lists of numbers, such as matrices. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/core/params/fixed.h"
#include "kernels/core/params/value.h"

enum { PLACES = 6 };
static const char SEPARATORS[] = ",;";

static bool parse_entry(const ImgParam *param, const char *text, size_t length, int64_t *value)
{
    int64_t number;
    if (!img_fixed_parse(text, length, PLACES, &number) || number < param->min ||
        number > param->max)
        return false;
    *value = number;
    return true;
}

/* Parses entries into `numbers` until one is invalid. Returns the position of the invalid entry in
 * the text, or NULL if all are valid. */
static const char *parse_entries(const ImgParam *param, const char *text, ImgNumbers *numbers)
{
    *numbers = (ImgNumbers){.count = 0};
    for (;;) {
        size_t length = strcspn(text, SEPARATORS);
        if (numbers->count == IMG_NUMBERS_MAX ||
            !parse_entry(param, text, length, &numbers->values[numbers->count]))
            return text;
        numbers->count++;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
}

static bool parse_numbers(const ImgParam *param, const char *text, ImgValue *value)
{
    return parse_entries(param, text, &value->numbers) == NULL;
}

static void print_numbers(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    size_t used = 0;
    (void)param;
    text[0] = '\0';
    for (int32_t i = 0; i < value->numbers.count && used < size; i++) {
        char number[IMG_FIXED_TEXT];
        img_fixed_print(value->numbers.values[i], PLACES, number);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "", number);
    }
}

static void describe_numbers(const ImgParam *param, char *text, size_t size)
{
    (void)param;
    snprintf(text, size, "NUMBER,...");
}

/* Returns the number of bytes of the entry that a message shows, without splitting a UTF-8
 * character. */
static int shown_length(const char *entry)
{
    enum { SHOWN_MOST = 40 };
    size_t length = img_min_size(strcspn(entry, SEPARATORS), SHOWN_MOST);
    while (length > 0 && ((unsigned char)entry[length] & 0xC0) == 0x80)
        length--;
    return (int)length;
}

static void refuse_numbers(const ImgParam *param, const char *value, char *text, size_t size)
{
    ImgNumbers numbers;
    char least[IMG_FIXED_TEXT], most[IMG_FIXED_TEXT];
    const char *entry = parse_entries(param, value, &numbers);
    if (entry == NULL || numbers.count == IMG_NUMBERS_MAX) {
        snprintf(text, size, "use at most %d numbers", (int)IMG_NUMBERS_MAX);
        return;
    }
    img_fixed_print(param->min, PLACES, least);
    img_fixed_print(param->max, PLACES, most);
    snprintf(text, size, "number %d is '%.*s'; use numbers of %s..%s, with ',' or ';' between them",
             numbers.count + 1, shown_length(entry), entry, least, most);
}

const ImgValueKind img_value_numbers = {
    .size = sizeof(ImgNumbers),
    .may_be_empty = true,
    .parse = parse_numbers,
    .print = print_numbers,
    .describe = describe_numbers,
    .refuse = refuse_numbers,
};
