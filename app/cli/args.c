#include "app/cli/args.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/args_priv.h"
#include "kernels/core/params.h"
#include "kernels/pipeline/thumbnail.h"
#include "kernels/registry.h"

typedef struct Parser {
    int argc, at;
    char **argv;
    Args *args;
    ImgError *err;
} Parser;

/* Returns whether `name` is "thumbnail". If so, sets args->op to the operation that describes its
 * options, since thumbnail itself is a pipeline of several steps. */
static bool choose_thumbnail(Args *args, const char *name)
{
    args->is_thumbnail = img_thumbnail_is(name);
    if (args->is_thumbnail) {
        args->op = img_thumbnail_options();
        img_thumbnail_init(&args->params);
    }
    return args->is_thumbnail;
}

static ImgStatus choose_command(Parser *parser, const char *name)
{
    Args *args = parser->args;
    args->command = command_find(name);
    if (args->command != NULL) {
        (void)choose_thumbnail(args, name);
    } else {
        if (img_op_find(name, &args->op, NULL) != IMG_OK)
            return args_unknown_command(name, parser->err);
        args->command = &operation_command;
        img_params_init(args->op, &args->params);
    }
    /* Checks the options before the command, which could not be checked while the command was
     * unknown. */
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option_is_given(&args->settings, option) && !args_applies(args, option))
            return args_wrong_place(args, option, parser->err);
    return IMG_OK;
}

/* Sets *value to the text after '=' (`attached`) or, if that is NULL, to the next argument. An
 * argument that starts with "--" is never a value. Fails with IMG_E_USAGE if there is no value;
 * `takes` describes the value in the message. */
static ImgStatus take_value(Parser *parser, const char *option, const char *takes,
                            const char *attached, const char **value)
{
    *value = attached;
    if (attached == NULL && parser->at + 1 < parser->argc &&
        strncmp(parser->argv[parser->at + 1], "--", 2) != 0)
        *value = parser->argv[++parser->at];
    if (*value == NULL)
        return img_fail(parser->err, IMG_E_USAGE, "--%s needs a value: %s", option, takes);
    return IMG_OK;
}

static bool is_choice(const Option *option, const char *word)
{
    for (const ImgChoice *choice = option->choices; choice->name != NULL; choice++)
        if (strcmp(choice->name, word) == 0)
            return true;
    return false;
}

/* For an option whose value is optional: returns whether the next argument, `next`, is certainly
 * that value. */
static bool is_clear_value(const Option *option, const char *next)
{
    if (option->type == OPTION_CHOICE)
        return is_choice(option, next);
    return option->is_value != NULL && option->is_value(next);
}

static ImgStatus set_option(Parser *parser, const Option *option, const char *attached)
{
    Args *args = parser->args;
    const char *value = NULL;
    char takes[OPTION_TEXT_SIZE];
    if (!args_applies(args, option))
        return args_wrong_place(args, option, parser->err);
    if (option->type == OPTION_FLAG) {
        if (attached != NULL)
            return img_fail(parser->err, IMG_E_USAGE, "--%s takes no value", option->name);
    } else if (option->bare != NULL) {
        const char *next = parser->argv[parser->at + 1]; /* NULL after the last argument */
        const bool follows = attached == NULL && next != NULL && is_clear_value(option, next);
        parser->at += follows;
        value = attached != NULL ? attached : follows ? next : option->bare;
    } else {
        ImgStatus status =
            take_value(parser, option->name, option_argument(option, takes), attached, &value);
        if (status != IMG_OK)
            return status;
    }
    return option_set(option, &args->settings, value, parser->err);
}

/* Sets a parameter that is given without a value (`param`), or a flag such as --only-shrink
 * (`param` is NULL). Returns false, and sets nothing, in two cases: the next argument is a valid
 * value of the parameter, or there is no flag of this name. */
static bool set_flag(Parser *parser, const ImgParam *param, const char *name)
{
    Args *args = parser->args;
    ImgParams scratch = args->params;
    const char *next = parser->argv[parser->at + 1]; /* NULL after the last argument */
    if (param != NULL && next != NULL &&
        img_params_set(args->op, &scratch, param->name, next, NULL) == IMG_OK)
        return false;
    const bool is_set = img_params_set_flag(args->op, &args->params, name);
    args->params_given |= is_set;
    return is_set;
}

static ImgStatus set_param(Parser *parser, const ImgParam *param, const char *attached)
{
    const char *value;
    if (attached == NULL && set_flag(parser, param, param->name))
        return IMG_OK;
    char takes[OPTION_TEXT_SIZE];
    img_param_describe(param, takes, sizeof takes);
    ImgStatus status = take_value(parser, param->name, takes, attached, &value);
    if (status != IMG_OK)
        return status;
    parser->args->params_given = true;
    return img_params_set(parser->args->op, &parser->args->params, param->name, value, parser->err);
}

/* Parses an option of the form --name, --name=value or --name value. */
static ImgStatus long_option(Parser *parser, const char *typed)
{
    char name[64];
    size_t length = strcspn(typed + 2, "=");
    const char *attached = typed[2 + length] == '=' ? typed + 2 + length + 1 : NULL;
    if (length >= sizeof name)
        return args_unknown_option(parser->args, typed, typed, parser->err);
    memcpy(name, typed + 2, length);
    name[length] = '\0';

    const ImgOp *op = parser->args->op;
    const ImgParam *param = op != NULL ? img_param_find(op, name) : NULL;
    if (param != NULL)
        return set_param(parser, param, attached);
    if (op != NULL && img_param_flag_find(op, name, &param) != NULL && attached != NULL)
        return img_fail(parser->err, IMG_E_USAGE, "--%s takes no value", name);
    if (op != NULL && set_flag(parser, NULL, name))
        return IMG_OK;
    const Command *command = parser->args->command;
    const Option *option = option_find(name, command != NULL ? command->bit : FOR_ALL);
    if (option != NULL)
        return set_option(parser, option, attached);
    char shown[sizeof name + 2] = "--";
    memcpy(shown + 2, name, length + 1);
    return args_unknown_option(parser->args, shown, typed, parser->err);
}

/* Returns the value of a short option if it is in the same argument as the letter, as in -j4;
 * otherwise NULL. */
static const char *attached_value(const char *letter)
{
    return option_find_letter(*letter)->type != OPTION_FLAG && letter[1] != '\0' ? letter + 1
                                                                                 : NULL;
}

/* Parses an argument of short options: -v, or several letters as in -vq. Only the last option can
 * have a value, as in -qj4. */
static ImgStatus short_options(Parser *parser, const char *typed)
{
    const char *letter, *value = NULL;
    for (letter = typed + 1; value == NULL && *letter != '\0'; letter++) {
        if (option_find_letter(*letter) == NULL)
            return args_unknown_option(parser->args, typed, typed, parser->err);
        value = attached_value(letter);
    }
    ImgStatus status = IMG_OK;
    value = NULL;
    for (letter = typed + 1; status == IMG_OK && value == NULL && *letter != '\0'; letter++) {
        value = attached_value(letter);
        status = set_option(parser, option_find_letter(*letter), value);
    }
    return status;
}

/* Adds an operand. If the first operand of `batch` is an operation, the options of that operation
 * are allowed from here on. If it is a pipeline, the options are part of its text. */
static void add_operand(Args *args, const char *typed)
{
    if (args->command->bit == FOR_BATCH && args->operand_count == 0 &&
        !choose_thumbnail(args, typed) && img_op_find(typed, &args->op, NULL) == IMG_OK)
        img_params_init(args->op, &args->params);
    args->operands[args->operand_count++] = typed;
}

static ImgStatus parse_all(Parser *parser)
{
    Args *args = parser->args;
    bool only_operands = false;
    ImgStatus status = IMG_OK;
    for (parser->at = 1; status == IMG_OK && parser->at < parser->argc; parser->at++) {
        const char *typed = parser->argv[parser->at];
        if (!only_operands && strcmp(typed, "--") == 0)
            only_operands = true;
        else if (!only_operands && strncmp(typed, "--", 2) == 0)
            status = long_option(parser, typed);
        else if (!only_operands && typed[0] == '-' && typed[1] != '\0')
            status = short_options(parser, typed);
        else if (args->command == NULL)
            status = choose_command(parser, typed);
        else
            add_operand(args, typed);
        if (args->settings.help || args->settings.version)
            break;
    }
    return status;
}

/* Reads the topic that follows --help if there is no command, as in `imgtool --help rotate`. */
static void take_topic(Parser *parser)
{
    Args *args = parser->args;
    const char *next = parser->at < parser->argc ? parser->argv[parser->at + 1] : NULL;
    if (args->settings.help && args->command == NULL && next != NULL && next[0] != '-')
        args->operands[args->operand_count++] = next;
}

ImgStatus args_parse(int argc, char **argv, Args *args, ImgError *err)
{
    *args = (Args){.command = NULL, .argc = argc, .argv = argv};
    settings_init(&args->settings);
    args->operands = calloc((size_t)argc + 1, sizeof *args->operands);
    if (args->operands == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the command line");
    Parser parser = {.argc = argc, .argv = argv, .args = args, .err = err};
    ImgStatus status = parse_all(&parser);
    take_topic(&parser);
    if (status != IMG_OK || args->settings.help || args->settings.version || args->command == NULL)
        return status;
    status = args_check_operands(args, err);
    if (status != IMG_OK || args->op == NULL)
        return status;
    return args->params_given ? img_op_check_params(args->op, args->params.bytes, err)
                              : img_params_check_given(args->op, "--", err);
}

void args_free(Args *args)
{
    free(args->operands);
    args->operands = NULL;
    free(args->steps_operand);
    args->steps_operand = NULL;
}

size_t args_steps(const Args *args, ImgStep *steps)
{
    if (args->is_thumbnail) {
        img_thumbnail_steps(&args->params, steps);
        return IMG_THUMBNAIL_STEPS;
    }
    steps[0] = (ImgStep){.op = args->op, .params = args->params};
    return args->op != NULL ? 1 : 0;
}
