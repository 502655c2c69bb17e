#include "kernels/core/params.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params/value.h"
#include "kernels/core/suggest.h"

static const ImgValueKind *kind_of(const ImgParam *param)
{
    static const ImgValueKind *const kinds[] = {
        [IMG_PARAM_INT] = &img_value_scalar,      [IMG_PARAM_DECIMAL] = &img_value_scalar,
        [IMG_PARAM_CHOICE] = &img_value_scalar,   [IMG_PARAM_COLOR] = &img_value_color,
        [IMG_PARAM_NUMBERS] = &img_value_numbers, [IMG_PARAM_SIZE] = &img_value_size,
        [IMG_PARAM_RATIO] = &img_value_ratio,     [IMG_PARAM_RANGE] = &img_value_range,
        [IMG_PARAM_FILE] = &img_value_file,
    };
    return kinds[param->type];
}

const ImgParam *img_param_find(const ImgOp *op, const char *name)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        if (strcmp(param->name, name) == 0)
            return param;
    return NULL;
}

const ImgParam *img_param_positional(const ImgOp *op)
{
    const ImgParam *first = op->params;
    if (first->name == NULL || first->default_value[0] != '\0')
        return NULL;
    return first->type == IMG_PARAM_SIZE || first->type == IMG_PARAM_FILE ? first : NULL;
}

const char *img_params_operand(const ImgOp *op, char *text, size_t size)
{
    const ImgParam *param = img_param_positional(op);
    text[0] = '\0';
    if (param != NULL) {
        snprintf(text, size, "%s", param->name);
        for (char *letter = text; *letter != '\0'; letter++)
            *letter = *letter >= 'a' && *letter <= 'z' ? (char)(*letter - 'a' + 'A') : *letter;
    } else if (op->shorthand.form != NULL) {
        snprintf(text, size, "[%s]", op->shorthand.form);
    }
    return text;
}

const ImgChoice *img_param_flag_find(const ImgOp *op, const char *name, const ImgParam **param)
{
    for (*param = op->params; (*param)->name != NULL; (*param)++)
        for (const ImgChoice *flag = (*param)->flags; flag != NULL && flag->name != NULL; flag++)
            if (strcmp(flag->name, name) == 0)
                return flag;
    return NULL;
}

bool img_param_is_flag(const ImgParam *param)
{
    return param->flags != NULL && strcmp(param->flags->name, param->name) == 0;
}

const ImgChoice *img_param_flags(const ImgParam *param)
{
    return img_param_is_flag(param) ? NULL : param->flags;
}

size_t img_param_size(const ImgParam *param)
{
    return kind_of(param)->size;
}

static void load(const ImgParam *param, const ImgParams *params, ImgValue *value)
{
    memcpy(value, params->bytes + param->offset, img_param_size(param));
}

static void store(const ImgParam *param, ImgParams *params, const ImgValue *value)
{
    memcpy(params->bytes + param->offset, value, img_param_size(param));
}

static bool parse_default(const ImgParam *param, ImgValue *value)
{
    const ImgValueKind *kind = kind_of(param);
    memset(value, 0, sizeof *value);
    return (kind->may_be_empty && param->default_value[0] == '\0') ||
           kind->parse(param, param->default_value, value);
}

ImgStatus img_params_check_defaults(const ImgOp *op, ImgError *err)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        ImgValue value;
        if (!parse_default(param, &value))
            return img_fail(
                err, IMG_E_UNSUPPORTED,
                "%s: the default '%s' of its option %s is invalid; this is a bug, please report it",
                op->name, param->default_value, param->name);
    }
    return IMG_OK;
}

void img_params_init(const ImgOp *op, ImgParams *params)
{
    memset(params, 0, sizeof *params);
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        ImgValue value;
        if (parse_default(param, &value))
            store(param, params, &value);
    }
}

static ImgStatus unknown_name(const ImgOp *op, const char *name, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    char names[256] = "";
    size_t used = 0;
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        img_suggest_offer(&nearest, param->name);
        const ImgChoice *flags = img_param_flags(param);
        for (; flags != NULL && flags->name != NULL; flags++)
            img_suggest_offer(&nearest, flags->name);
        int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", param->name);
        if (n > 0 && (size_t)n < sizeof names - used)
            used += (size_t)n;
    }
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; did you mean '%s'?", op->name,
                        name, nearest.best);
    if (used == 0)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; it takes none", op->name, name);
    return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; it takes %s", op->name, name, names);
}

static ImgStatus bad_value(const ImgOp *op, const ImgParam *param, const char *value, ImgError *err)
{
    char why[512];
    kind_of(param)->refuse(param, value, why, sizeof why);
    return img_fail(err, IMG_E_USAGE, "%s: invalid %s '%s': %s", op->name, param->name, value, why);
}

ImgStatus img_params_set(const ImgOp *op, ImgParams *params, const char *name, const char *value,
                         ImgError *err)
{
    const ImgParam *param = img_param_find(op, name);
    if (param == NULL)
        return unknown_name(op, name, err);
    ImgValue parsed;
    if (!kind_of(param)->parse(param, value, &parsed))
        return bad_value(op, param, value, err);
    store(param, params, &parsed);
    return IMG_OK;
}

bool img_params_set_flag(const ImgOp *op, ImgParams *params, const char *name)
{
    const ImgParam *param;
    const ImgChoice *flag = img_param_flag_find(op, name, &param);
    if (flag == NULL)
        return false;
    const ImgValue value = {.scalar = flag->value};
    store(param, params, &value);
    return true;
}

ImgStatus img_params_set_shorthand(const ImgOp *op, ImgParams *params, const char *text,
                                   bool *taken, ImgError *err)
{
    ImgParams fresh;
    img_params_init(op, &fresh);
    *taken = op->shorthand.set != NULL && op->shorthand.set(op, text, fresh.bytes);
    if (!*taken)
        return IMG_OK;
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        if (!img_param_is_default(param, &fresh) && !img_param_is_default(param, params))
            return img_fail(err, IMG_E_USAGE, "%s: '%s' sets %s, too; leave out one of them",
                            op->name, text, param->name);
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        if (!img_param_is_default(param, &fresh))
            memcpy(params->bytes + param->offset, fresh.bytes + param->offset,
                   img_param_size(param));
    return IMG_OK;
}

void img_params_set_content(const ImgParam *param, ImgParams *params, const void *content)
{
    ImgValue value;
    load(param, params, &value);
    value.file.content = content;
    store(param, params, &value);
}

void img_params_print(const ImgParam *param, const ImgParams *params, char *text, size_t size)
{
    ImgValue value;
    load(param, params, &value);
    kind_of(param)->print(param, &value, text, size);
}

bool img_param_is_default(const ImgParam *param, const ImgParams *params)
{
    ImgValue value;
    return parse_default(param, &value) &&
           memcmp(&value, params->bytes + param->offset, img_param_size(param)) == 0;
}

void img_param_describe(const ImgParam *param, char *text, size_t size)
{
    kind_of(param)->describe(param, text, size);
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
    if (op->shorthand.form != NULL)
        used = (size_t)snprintf(names, sizeof names, "%s, ", op->shorthand.form);
    for (const ImgParam *param = op->params; param->name != NULL && used < sizeof names; param++) {
        const char *before = param == op->params ? "" : param[1].name == NULL ? " or " : ", ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s%s", before, dashes,
                                 param->name);
    }
    return img_fail(err, IMG_E_USAGE, "%s changes nothing without an option; give %s", op->name,
                    names);
}
