#include "kernels/core/params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/suggest.h"

const ImgParam *img_param_find(const ImgOp *op, const char *name)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        if (strcmp(param->name, name) == 0)
            return param;
    return NULL;
}

enum { PLACES = 3 }; /* decimals of IMG_PARAM_DECIMAL */

/* All types are stored as int32_t. */
static int32_t load(const ImgParam *param, const ImgParams *params)
{
    int32_t value;
    memcpy(&value, params->bytes + param->offset, sizeof value);
    return value;
}

static void store(const ImgParam *param, ImgParams *params, int32_t value)
{
    memcpy(params->bytes + param->offset, &value, sizeof value);
}

static bool parse_int(const ImgParam *param, const char *text, int32_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    bool digit_first = (text[0] >= '0' && text[0] <= '9') || text[0] == '-';
    if (!digit_first || *end != '\0' || errno != 0 || number < param->min || number > param->max)
        return false;
    *value = (int32_t)number;
    return true;
}

/* "2", "0.5", "99.125": thousandths, exactly. */
static bool parse_decimal(const ImgParam *param, const char *text, int32_t *value)
{
    enum { DIGITS_MAX = 6 };
    int64_t number = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (text[i] - '0');
    const char *fraction = text + digits;
    size_t places = 0;
    if (*fraction == '.') {
        fraction++;
        places = strspn(fraction, "0123456789");
        if (places == 0 || places > PLACES)
            return false;
    }
    if (fraction[places] != '\0')
        return false;
    for (size_t i = 0; i < PLACES; i++)
        number = number * 10 + (i < places ? fraction[i] - '0' : 0);
    if (number < param->min || number > param->max)
        return false;
    *value = (int32_t)number;
    return true;
}

/* `choices` may be NULL. */
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

static bool parse(const ImgParam *param, const char *text, int32_t *value)
{
    if (parse_choice(param->choices, text, value) || parse_choice(param->synonyms, text, value))
        return true;
    if (param->type == IMG_PARAM_INT)
        return parse_int(param, text, value);
    return param->type == IMG_PARAM_DECIMAL && parse_decimal(param, text, value);
}

ImgStatus img_params_check_defaults(const ImgOp *op, ImgError *err)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        int32_t value;
        if (!parse(param, param->default_value, &value))
            return img_fail(err, IMG_E_UNSUPPORTED,
                            "%s: the default '%s' of its option %s is no value of it: a mistake in "
                            "this program; please report it",
                            op->name, param->default_value, param->name);
    }
    return IMG_OK;
}

void img_params_init(const ImgOp *op, ImgParams *params)
{
    memset(params, 0, sizeof *params);
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        int32_t value = 0;
        if (parse(param, param->default_value, &value))
            store(param, params, value);
    }
}

/* "0.5", "100": without zeros that say nothing. */
static void print_decimal(int32_t thousandths, char *text, size_t size)
{
    int32_t fraction = thousandths % 1000;
    if (fraction == 0)
        snprintf(text, size, "%d", thousandths / 1000);
    else if (fraction % 100 == 0)
        snprintf(text, size, "%d.%d", thousandths / 1000, fraction / 100);
    else if (fraction % 10 == 0)
        snprintf(text, size, "%d.%02d", thousandths / 1000, fraction / 10);
    else
        snprintf(text, size, "%d.%03d", thousandths / 1000, fraction);
}

static void print_number(const ImgParam *param, int32_t value, char *text, size_t size)
{
    if (param->type == IMG_PARAM_DECIMAL)
        print_decimal(value, text, size);
    else
        snprintf(text, size, "%d", value);
}

static ImgStatus unknown_name(const ImgOp *op, const char *name, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    char names[256] = "";
    size_t used = 0;
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        img_suggest_offer(&nearest, param->name);
        int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", param->name);
        if (n > 0 && (size_t)n < sizeof names - used)
            used += (size_t)n;
    }
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; did you mean '%s'?", op->name,
                        name, nearest.best);
    if (used == 0)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; it takes none of its own",
                        op->name, name);
    return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; it takes %s", op->name, name, names);
}

/* "0..65535" */
static void print_range(const ImgParam *param, char *text, size_t size)
{
    char least[16], most[16];
    print_number(param, param->min, least, sizeof least);
    print_number(param, param->max, most, sizeof most);
    snprintf(text, size, "%s..%s", least, most);
}

/* "90, 180 or 270", "0..65535", "otsu or 0..65535" */
static void list_values(const ImgParam *param, char *text, size_t size)
{
    text[0] = '\0';
    if (param->choices != NULL)
        img_choices_list(param->choices, text, size);
    if (param->type == IMG_PARAM_CHOICE)
        return;
    size_t used = strlen(text);
    if (used > 0)
        used += (size_t)snprintf(text + used, size - used, " or ");
    print_range(param, text + used, size - used);
}

static ImgStatus bad_value(const ImgOp *op, const ImgParam *param, const char *value, ImgError *err)
{
    char range[256];
    list_values(param, range, sizeof range);
    ImgSuggestion nearest = img_suggest_start(value);
    if (param->choices != NULL)
        for (const ImgChoice *choice = param->choices; choice->name != NULL; choice++)
            img_suggest_offer(&nearest, choice->name);
    /* A number has no spelling mistakes: "91" is not a slip for "90". */
    bool word = (value[0] >= 'a' && value[0] <= 'z') || (value[0] >= 'A' && value[0] <= 'Z');
    if (nearest.best != NULL && word)
        return img_fail(err, IMG_E_USAGE, "%s: invalid %s '%s': did you mean '%s'? Use %s",
                        op->name, param->name, value, nearest.best, range);
    if (param->type == IMG_PARAM_DECIMAL)
        return img_fail(err, IMG_E_USAGE, "%s: invalid %s '%s': use %s, with up to %d decimals",
                        op->name, param->name, value, range, (int)PLACES);
    return img_fail(err, IMG_E_USAGE, "%s: invalid %s '%s': use %s", op->name, param->name, value,
                    range);
}

ImgStatus img_params_set(const ImgOp *op, ImgParams *params, const char *name, const char *value,
                         ImgError *err)
{
    const ImgParam *param = img_param_find(op, name);
    if (param == NULL)
        return unknown_name(op, name, err);
    int32_t number;
    if (!parse(param, value, &number))
        return bad_value(op, param, value, err);
    store(param, params, number);
    return IMG_OK;
}

void img_params_print(const ImgParam *param, const ImgParams *params, char *text, size_t size)
{
    int32_t value = load(param, params);
    if (param->choices != NULL) {
        for (const ImgChoice *choice = param->choices; choice->name != NULL; choice++) {
            if (choice->value == value) {
                snprintf(text, size, "%s", choice->name);
                return;
            }
        }
    }
    print_number(param, value, text, size);
}

void img_param_describe(const ImgParam *param, char *text, size_t size)
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

void img_choices_list(const ImgChoice *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const ImgChoice *choice = choices; choice->name != NULL && used < size; choice++) {
        const char *before = choice == choices ? "" : choice[1].name == NULL ? " or " : ", ";
        int n = snprintf(text + used, size - used, "%s%s", before, choice->name);
        used += n > 0 ? (size_t)n : 0;
    }
}

ImgStatus img_params_check_given(const ImgOp *op, const char *dashes, ImgError *err)
{
    char names[256] = "";
    size_t used = 0;
    if (!op->needs_param)
        return IMG_OK;
    for (const ImgParam *param = op->params; param->name != NULL && used < sizeof names; param++) {
        const char *before = param == op->params ? "" : param[1].name == NULL ? " or " : ", ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s%s", before, dashes,
                                 param->name);
    }
    return img_fail(err, IMG_E_USAGE, "%s changes nothing without an option; give %s", op->name,
                    names);
}
