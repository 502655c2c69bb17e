/* Describes the operations and their options, for language bindings. */
#include <stdio.h>
#include <string.h>

#include "app/library/context.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

size_t imgtool_operation_count(void)
{
    size_t count = 0;
    while (img_op_at(count) != NULL)
        count++;
    return count;
}

static bool is_measure(const ImgOp *op)
{
    for (size_t i = 0; img_measures[i] != NULL; i++)
        if (img_measures[i] == op)
            return true;
    return false;
}

static size_t count_options(const ImgOp *op)
{
    size_t count = 0;
    while (op->params[count].name != NULL)
        count++;
    return count;
}

/* Appends `length` bytes of `from` to `text`, as far as they fit in `size` bytes. */
static void append(char *text, size_t size, const char *format, int length, const char *from)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, format, length, from);
}

/* Returns the length in bytes of the first word. Spaces within quotes do not end a word. */
static size_t word_length(const char *text)
{
    size_t length = 0;
    char quote = '\0';
    for (; text[length] != '\0' && (quote != '\0' || text[length] != ' '); length++) {
        if (quote == '\0' && (text[length] == '\'' || text[length] == '"'))
            quote = text[length];
        else if (text[length] == quote)
            quote = '\0';
    }
    return length;
}

/* Converts the example from the command line to a step: "--angle 270 --expand" becomes " angle=270
 * expand". */
static void print_example(const ImgOp *op, char *text, size_t size)
{
    bool follows_name = false;
    snprintf(text, size, "%s", op->name);
    for (const char *at = op->example; *at != '\0';) {
        const int length = (int)word_length(at);
        const bool is_name = strncmp(at, "--", 2) == 0;
        if (is_name)
            append(text, size, " %.*s", length - 2, at + 2);
        else
            append(text, size, follows_name ? "=%.*s" : " %.*s", length, at);
        follows_name = is_name;
        at += length;
        at += strspn(at, " ");
    }
}

bool imgtool_operation_get(size_t index, imgtool_operation *operation)
{
    const ImgOp *op = img_op_at(index);
    if (op == NULL || operation == NULL || operation->size < sizeof *operation)
        return false;
    imgtool_operation made = {.size = sizeof made,
                              .name = op->name,
                              .synopsis = op->synopsis,
                              .help = op->help,
                              .options = count_options(op),
                              .is_measurement = is_measure(op)};
    print_example(op, made.example, sizeof made.example);
    img_lib_copy_struct(operation, operation->size, &made, sizeof made);
    return true;
}

/* --- Options ---------------------------------------------------------------------------------- */

static const ImgParam *option_at(size_t operation, size_t index)
{
    const ImgOp *op = img_op_at(operation);
    return op != NULL && index < count_options(op) ? &op->params[index] : NULL;
}

/* Returns the number by which the limits of an option must be divided. They are stored as integers,
 * in fractions of the unit. */
static double limit_divisor(ImgParamType type)
{
    switch (type) {
    case IMG_PARAM_DECIMAL:
        return 1e3;
    case IMG_PARAM_NUMBERS:
        return 1e6;
    default:
        return 1;
    }
}

bool imgtool_option_get(size_t operation, size_t index, imgtool_option *option)
{
    static const imgtool_value values[] = {
        [IMG_PARAM_INT] = IMGTOOL_VALUE_INTEGER,     [IMG_PARAM_DECIMAL] = IMGTOOL_VALUE_DECIMAL,
        [IMG_PARAM_CHOICE] = IMGTOOL_VALUE_CHOICE,   [IMG_PARAM_COLOR] = IMGTOOL_VALUE_COLOR,
        [IMG_PARAM_NUMBERS] = IMGTOOL_VALUE_NUMBERS, [IMG_PARAM_SIZE] = IMGTOOL_VALUE_SIZE,
        [IMG_PARAM_RATIO] = IMGTOOL_VALUE_RATIO,     [IMG_PARAM_RANGE] = IMGTOOL_VALUE_RANGE,
        [IMG_PARAM_FILE] = IMGTOOL_VALUE_FILE,
    };
    const ImgParam *param = option_at(operation, index);
    if (param == NULL || option == NULL || option->size < sizeof *option)
        return false;
    const imgtool_option made = {
        .size = sizeof made,
        .name = param->name,
        .help = param->help,
        .value = values[param->type],
        .default_text = param->default_value,
        .minimum = (double)param->min / limit_divisor(param->type),
        .maximum = (double)param->max / limit_divisor(param->type),
        .stands_alone = img_param_positional(img_op_at(operation)) == param,
    };
    img_lib_copy_struct(option, option->size, &made, sizeof made);
    return true;
}

static const char *choice_name(const ImgChoice *choices, size_t index)
{
    for (size_t i = 0; choices != NULL && choices[i].name != NULL; i++)
        if (i == index)
            return choices[i].name;
    return NULL;
}

const char *imgtool_option_choice(size_t operation, size_t option, size_t index)
{
    const ImgParam *param = option_at(operation, option);
    return param != NULL ? choice_name(param->choices, index) : NULL;
}

const char *imgtool_option_flag(size_t operation, size_t option, size_t index)
{
    const ImgParam *param = option_at(operation, option);
    return param != NULL ? choice_name(param->flags, index) : NULL;
}
