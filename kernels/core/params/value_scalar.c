/* Parameters that are integers, decimal numbers in thousandths, or words. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/params/fixed.h"
#include "kernels/core/params/value.h"
#include "kernels/core/suggest.h"

enum { DECIMAL_PLACES = 3 };

static int places_of(const ImgParam *param)
{
    return param->type == IMG_PARAM_DECIMAL ? DECIMAL_PLACES : 0;
}

/* Sets *value to the value of the choice whose name is `text`. Returns false if there is no such
 * choice. `choices` may be NULL, which means no choices. */
static bool parse_choice(const ImgChoice *choices, const char *text, int32_t *value)
{
    if (choices == NULL)
        return false;
    for (const ImgChoice *choice = choices; choice->name != NULL; choice++) {
        if (strcmp(choice->name, text) == 0) {
            *value = choice->value;
            return true;
        }
    }
    return false;
}

static bool parse_scalar(const ImgParam *param, const char *text, ImgValue *value)
{
    int64_t number;
    if (parse_choice(param->choices, text, &value->scalar) ||
        parse_choice(param->synonyms, text, &value->scalar))
        return true;
    if (param->type == IMG_PARAM_CHOICE ||
        !img_fixed_parse(text, strlen(text), places_of(param), &number) || number < param->min ||
        number > param->max)
        return false;
    value->scalar = (int32_t)number;
    return true;
}

static void print_scalar(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    char number[IMG_FIXED_TEXT];
    img_fixed_print(value->scalar, places_of(param), number);
    const char *shown = number;
    for (const ImgChoice *choice = param->choices; choice != NULL && choice->name != NULL; choice++)
        if (shown == number && choice->value == value->scalar)
            shown = choice->name;
    snprintf(text, size, "%s", shown);
}

/* Writes the range of valid numbers, such as "0..65535". */
static void print_range(const ImgParam *param, char *text, size_t size)
{
    char least[IMG_FIXED_TEXT], most[IMG_FIXED_TEXT];
    img_fixed_print(param->min, places_of(param), least);
    img_fixed_print(param->max, places_of(param), most);
    snprintf(text, size, "%s..%s", least, most);
}

static void describe_scalar(const ImgParam *param, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (param->choices != NULL) {
        for (const ImgChoice *choice = param->choices; choice->name != NULL; choice++) {
            int n = snprintf(text + used, size - used, "%s%s", used ? "|" : "", choice->name);
            if (n < 0 || (size_t)n >= size - used)
                return;
            used += (size_t)n;
        }
    }
    if (param->type != IMG_PARAM_CHOICE) {
        if (used > 0)
            used += (size_t)snprintf(text + used, size - used, "|");
        print_range(param, text + used, size - used);
    }
}

/* Returns true if the choices are numbers. The range of the parameter then already includes
 * them. */
static bool has_numbers(const ImgChoice *choices)
{
    return choices != NULL && choices->name[0] >= '0' && choices->name[0] <= '9';
}

/* Writes the values that the parameter accepts, such as "-360..360", "0..65535" or "otsu or
 * 0..65535". */
static void list_values(const ImgParam *param, char *text, size_t size)
{
    text[0] = '\0';
    if (param->choices != NULL && (param->type == IMG_PARAM_CHOICE || !has_numbers(param->choices)))
        img_choices_list(param->choices, text, size);
    if (param->type == IMG_PARAM_CHOICE)
        return;
    size_t used = strlen(text);
    if (used > 0)
        used += (size_t)snprintf(text + used, size - used, " or ");
    print_range(param, text + used, size - used);
}

static void refuse_scalar(const ImgParam *param, const char *value, char *text, size_t size)
{
    char range[256];
    list_values(param, range, sizeof range);
    ImgSuggestion nearest = img_suggest_start(value);
    if (param->choices != NULL)
        for (const ImgChoice *choice = param->choices; choice->name != NULL; choice++)
            img_suggest_offer(&nearest, choice->name);
    /* Only a word gets a suggestion: a number such as "91" is hardly a typing error for "90". */
    bool word = (value[0] >= 'a' && value[0] <= 'z') || (value[0] >= 'A' && value[0] <= 'Z');
    if (nearest.best != NULL && word)
        snprintf(text, size, "did you mean '%s'? Use %s", nearest.best, range);
    else
        snprintf(text, size, "use %s", range);
}

const ImgValueKind img_value_scalar = {
    .size = sizeof(int32_t),
    .parse = parse_scalar,
    .print = print_scalar,
    .describe = describe_scalar,
    .refuse = refuse_scalar,
};
