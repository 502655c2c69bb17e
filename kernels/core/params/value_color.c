/* Parameters that are colours in the notation of CSS: names, or hexadecimal digits after '#'. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params/value.h"
#include "kernels/core/suggest.h"

enum { OPAQUE = 255, WIDEN = 65535 / 255 };

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* Reads 3 or 4 hexadecimal digits, each of which is doubled, or 6 or 8 digits. Sets *rgba to
 * 0xRRGGBBAA. Returns false for other text. */
static bool parse_digits(const char *digits, uint32_t *rgba)
{
    size_t count = strlen(digits);
    bool twice = count == 3 || count == 4;
    if (!twice && count != 6 && count != 8)
        return false;
    *rgba = 0;
    for (size_t i = 0; i < count; i++) {
        int digit = hex_digit(digits[i]);
        if (digit < 0)
            return false;
        *rgba = twice ? *rgba << 8 | (uint32_t)(digit * 17) : *rgba << 4 | (uint32_t)digit;
    }
    if (count == 3 || count == 6)
        *rgba = *rgba << 8 | OPAQUE;
    return true;
}

static bool parse_word(const ImgParam *param, const char *text, ImgValue *value)
{
    const ImgChoice *word = param->choices;
    while (word != NULL && word->name != NULL && strcmp(word->name, text) != 0)
        word++;
    if (word == NULL || word->name == NULL)
        return false;
    value->color = (ImgRgba){.red = (uint16_t)word->value};
    return true;
}

static bool parse_color(const ImgParam *param, const char *text, ImgValue *value)
{
    uint32_t rgba;
    if (parse_word(param, text, value))
        return true;
    if (!(text[0] == '#' ? parse_digits(text + 1, &rgba) : img_color_find(text, &rgba)))
        return false;
    value->color = (ImgRgba){
        .red = (uint16_t)((rgba >> 24) * WIDEN),
        .green = (uint16_t)((rgba >> 16 & 255) * WIDEN),
        .blue = (uint16_t)((rgba >> 8 & 255) * WIDEN),
        .alpha = (uint16_t)((rgba & 255) * WIDEN),
    };
    return true;
}

/* Returns the special word that `color` represents (ImgParam.choices), or NULL if it is a real
 * colour. */
static const char *word_of(const ImgParam *param, ImgRgba color)
{
    if (param->choices == NULL || color.red % WIDEN == 0)
        return NULL;
    const ImgChoice *word = param->choices;
    while (word->name != NULL && word->value != color.red)
        word++;
    return word->name;
}

/* Writes the special word that the colour represents (word_of). Writes any other colour as "#" with
 * two digits per component. Opaque colours are written without alpha. */
static void print_color(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    ImgRgba color = value->color;
    const char *word = word_of(param, color);
    if (word != NULL) {
        snprintf(text, size, "%s", word);
        return;
    }
    int n = snprintf(text, size, "#%02x%02x%02x", color.red / WIDEN, color.green / WIDEN,
                     color.blue / WIDEN);
    if (color.alpha / WIDEN != OPAQUE && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "%02x", color.alpha / WIDEN);
}

static void describe_color(const ImgParam *param, char *text, size_t size)
{
    int used = snprintf(text, size, "COLOR");
    for (const ImgChoice *word = param->choices; word != NULL && word->name != NULL; word++)
        if (used > 0 && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, "|%s", word->name);
}

static const char *nearest_name(const char *typed)
{
    const char *name;
    ImgSuggestion nearest = img_suggest_start(typed);
    for (size_t i = 0; (name = img_color_name_at(i)) != NULL; i++)
        img_suggest_offer(&nearest, name);
    return nearest.best;
}

static void refuse_color(const ImgParam *param, const char *value, char *text, size_t size)
{
    static const char rule[] =
        "a colour name of CSS, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa";
    uint32_t unused;
    (void)param;
    const char *nearest = value[0] != '#' ? nearest_name(value) : NULL;
    if (parse_digits(value, &unused))
        snprintf(text, size, "did you mean '#%s'? Use %s", value, rule);
    else if (nearest != NULL)
        snprintf(text, size, "did you mean '%s'? Use %s", nearest, rule);
    else
        snprintf(text, size, "use %s", rule);
}

const ImgValueKind img_value_color = {
    .size = sizeof(ImgRgba),
    .parse = parse_color,
    .print = print_color,
    .describe = describe_color,
    .refuse = refuse_color,
};
