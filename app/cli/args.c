#include "app/cli/args.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/steps_operand.h"
#include "app/cli/thumbnail.h"
#include "kernels/core/params.h"
#include "kernels/core/suggest.h"
#include "kernels/registry.h"

typedef struct Parser {
    int argc, at;
    char **argv;
    Args *args;
    ImgError *err;
} Parser;

static const char *name_of(const Args *args)
{
    bool is_operation = args->command == &operation_command && args->op != NULL;
    return is_operation ? args->op->name : args->command->name;
}

static ImgStatus unknown_command(const char *name, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        img_suggest_offer(&nearest, img_ops[i]->name);
    for (const Command *command = commands; command->name != NULL; command++)
        img_suggest_offer(&nearest, command->name);
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "there is no operation or command '%s'; did you mean '%s'?", name,
                        nearest.best);
    return img_fail(err, IMG_E_USAGE,
                    "there is no operation or command '%s'; 'imgtool help' lists them", name);
}

/* Is the option for this command? Before the command is known, every option may be. */
static bool applies(const Args *args, const Option *option)
{
    return args->command == NULL || (option->commands & args->command->bit) != 0;
}

/* For commands that take operations as operands: the first that has such a parameter. */
static const ImgOp *who_has(const Args *args, const char *param)
{
    const ImgOp *op = NULL;
    if (args->command == NULL || args->command->bit != FOR_BENCH)
        return NULL;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++)
        if (img_param_find(op, param) != NULL)
            return op;
    return NULL;
}

static void offer_params(const ImgOp *op, ImgSuggestion *nearest)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        const ImgChoice *flag = img_param_flags(param);
        img_suggest_offer(nearest, param->name);
        for (; flag != NULL && flag->name != NULL; flag++)
            img_suggest_offer(nearest, flag->name);
    }
}

/* `typed` is the name with its dashes, `whole` the argument that it stands in. */
static ImgStatus unknown_option(const Args *args, const char *typed, const char *whole,
                                ImgError *err)
{
    const char *who = args->command != NULL ? name_of(args) : "imgtool";
    if (access(whole, F_OK) == 0)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no option '%s'; for the file of that name write './%s', or put "
                        "'--' before it",
                        who, typed, whole);
    const char *name = typed + strspn(typed, "-");
    const ImgOp *op = who_has(args, name);
    if (op != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no option '%s'; write it into the operation, as one argument: "
                        "'%s %s=VALUE'",
                        who, typed, op->name, name);
    ImgSuggestion nearest = img_suggest_start(name);
    if (args->op != NULL)
        offer_params(args->op, &nearest);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (applies(args, option))
            img_suggest_offer(&nearest, option->name);
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; did you mean '--%s'?", who, typed,
                        nearest.best);
    if (args->command == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "there is no option '%s' for all commands; those of an operation come "
                        "after its name",
                        typed);
    return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; 'imgtool help %s' lists those it has",
                    who, typed, who);
}

static ImgStatus wrong_place(const Args *args, const Option *option, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "%s has no option '--%s'; 'imgtool help %s' lists those it has", name_of(args),
                    option->name, name_of(args));
}

/* False: it is no thumbnail, but perhaps an operation. */
static bool choose_thumbnail(Args *args, const char *name)
{
    args->is_thumbnail = thumbnail_is(name);
    if (args->is_thumbnail) {
        args->op = thumbnail_options();
        thumbnail_init(&args->params);
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
            return unknown_command(name, parser->err);
        args->command = &operation_command;
        img_params_init(args->op, &args->params);
    }
    /* Those before the command could not be checked until now. */
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option_is_given(&args->settings, option) && !applies(args, option))
            return wrong_place(args, option, parser->err);
    return IMG_OK;
}

/* The value after '=' or, failing that, the next argument; another option is not a value. */
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

static ImgStatus set_option(Parser *parser, const Option *option, const char *attached)
{
    Args *args = parser->args;
    const char *value = NULL;
    char takes[OPTION_TEXT_SIZE];
    if (!applies(args, option))
        return wrong_place(args, option, parser->err);
    if (option->type == OPTION_FLAG) {
        if (attached != NULL)
            return img_fail(parser->err, IMG_E_USAGE, "--%s takes no value", option->name);
    } else if (option->bare != NULL) {
        value = attached != NULL ? attached : option->bare;
    } else {
        ImgStatus status =
            take_value(parser, option->name, option_argument(option, takes), attached, &value);
        if (status != IMG_OK)
            return status;
    }
    return option_set(option, &args->settings, value, parser->err);
}

/* --only-shrink; or a parameter's name alone, where no value of it follows. */
static bool set_flag(Parser *parser, const ImgParam *param, const char *name)
{
    Args *args = parser->args;
    ImgParams scratch = args->params;
    const char *next = parser->argv[parser->at + 1]; /* NULL past the last */
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

/* --name, --name=value, --name value */
static ImgStatus long_option(Parser *parser, const char *typed)
{
    char name[64];
    size_t length = strcspn(typed + 2, "=");
    const char *attached = typed[2 + length] == '=' ? typed + 2 + length + 1 : NULL;
    if (length >= sizeof name)
        return unknown_option(parser->args, typed, typed, parser->err);
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
    return unknown_option(parser->args, shown, typed, parser->err);
}

/* What follows the letter of an option that takes a value is the value; NULL: nothing does. */
static const char *attached_value(const char *letter)
{
    return option_find_letter(*letter)->type != OPTION_FLAG && letter[1] != '\0' ? letter + 1
                                                                                 : NULL;
}

/* -v, or several letters: -vq, the last of them with a value: -qj4 */
static ImgStatus short_options(Parser *parser, const char *typed)
{
    const char *letter, *value = NULL;
    for (letter = typed + 1; value == NULL && *letter != '\0'; letter++) {
        if (option_find_letter(*letter) == NULL)
            return unknown_option(parser->args, typed, typed, parser->err);
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

/* A batch of one operation takes that operation's options; a series has them in its text. */
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

/* "rotate angle=90 in.png out.png" is written as in a pipeline. */
static bool looks_like_param(const Args *args, const char *operand)
{
    const char *equals = operand != NULL ? strchr(operand, '=') : NULL;
    if (args->op == NULL || equals == NULL)
        return false;
    for (const ImgParam *param = args->op->params; param->name != NULL; param++)
        if (strlen(param->name) == (size_t)(equals - operand) &&
            strncmp(param->name, operand, strlen(param->name)) == 0)
            return true;
    return false;
}

/* Most often an unset variable of a shell. */
static ImgStatus check_file_names(const Args *args, ImgError *err)
{
    const Operand *operand = args->command->operands;
    for (size_t i = 0; i < args->operand_count && operand->name != NULL; i++) {
        const char *name = args->operands[i];
        if (operand->kind == OPERAND_FILE && name[0] == '\0')
            return img_fail(err, IMG_E_USAGE, "%s: %s is empty; name a file, or '-'", name_of(args),
                            operand->name);
        if (!operand->repeated)
            operand++;
    }
    return IMG_OK;
}

/* "batch rotate 90 photos out": a value without its option. The last operand may be new. */
static ImgStatus check_bare_values(const Args *args, ImgError *err)
{
    ImgParams scratch = args->params;
    size_t last = args->settings.in_place ? args->operand_count : args->operand_count - 1;
    for (size_t i = 0; args->op != NULL && i < last && args->operands[i] != NULL; i++) {
        const char *operand = args->operands[i];
        if (strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
            continue;
        for (const ImgParam *param = args->op->params; param->name != NULL; param++)
            if (param->type != IMG_PARAM_FILE && /* which takes any word */
                img_params_set(args->op, &scratch, param->name, operand, NULL) == IMG_OK)
                return img_fail(err, IMG_E_USAGE,
                                "%s: there is no file '%s'; for the option write --%s %s",
                                name_of(args), operand, param->name, operand);
    }
    return IMG_OK;
}

/* How many operands must follow a repeated one. */
static size_t required_after(const Operand *operand)
{
    size_t count = 0;
    for (operand++; operand->name != NULL; operand++)
        count += operand->optional ? 0 : 1;
    return count;
}

/* The number after the last operand that a repeated one, with number `first`, stands for. */
static size_t end_of_repeated(const Args *args, const Operand *operand, size_t first, bool listed)
{
    const size_t after = required_after(operand), least = listed ? first : first + 1;
    const size_t end = args->operand_count > after ? args->operand_count - after : 0;
    return end > least ? end : least;
}

static ImgStatus check_operands(const Args *args, ImgError *err)
{
    char usage[USAGE_SIZE];
    if (args->steps_operand != NULL)
        steps_operand_usage(args->command, usage);
    else
        command_usage(args->command, args->op, usage);
    size_t i = 0;
    for (const Operand *operand = args->command->operands; operand->name != NULL; operand++) {
        bool listed =
            operand->kind == OPERAND_FILE && operand->repeated && args->settings.from_file != NULL;
        if (i >= args->operand_count && !operand->optional && !listed)
            return img_fail(err, IMG_E_USAGE, "%s: %s is missing; usage: %s", name_of(args),
                            operand->name, usage);
        i = operand->repeated ? end_of_repeated(args, operand, i, listed) : i + 1;
    }
    if (i >= args->operand_count)
        return check_file_names(args, err);
    for (size_t k = 0; k < args->operand_count; k++)
        if (looks_like_param(args, args->operands[k]))
            return img_fail(err, IMG_E_USAGE, "%s: write --%s instead of '%s'", name_of(args),
                            args->operands[k], args->operands[k]);
    return img_fail(err, IMG_E_USAGE, "%s: unexpected argument '%s'; usage: %s", name_of(args),
                    args->operands[i], usage);
}

/* From here on nobody has to know of --pipeline. */
static ImgStatus place_steps(Args *args, ImgError *err)
{
    const char *file = args->settings.pipeline_file;
    if (file == NULL)
        return IMG_OK;
    ImgStatus status = steps_operand_make(args->command, file, args->operands, args->operand_count,
                                          &args->steps_operand, err);
    if (status != IMG_OK)
        return status;
    /* There is room: the option itself is not among them. */
    memmove(args->operands + 1, args->operands, args->operand_count * sizeof *args->operands);
    args->operands[0] = args->steps_operand;
    args->operand_count++;
    return IMG_OK;
}

/* "resize 50% in.png out.png": a value without its option, which from here on is no operand. */
static ImgStatus take_positional(Args *args, ImgError *err)
{
    const ImgParam *param = args->op != NULL ? img_param_positional(args->op) : NULL;
    const size_t at = args->command->bit == FOR_BATCH ? 1 : 0;
    if (param == NULL || !img_param_is_default(param, &args->params) || args->operand_count <= at)
        return IMG_OK;
    const char *typed = args->operands[at];
    if (access(typed, F_OK) == 0 &&
        img_params_set(args->op, &args->params, param->name, typed, NULL) != IMG_OK)
        return img_fail(err, IMG_E_USAGE,
                        "%s: the %s is missing; write it before the files, as in 'imgtool %s %s'",
                        name_of(args), param->name,
                        args->is_thumbnail ? "thumbnail" : args->op->name, args->op->example);
    const ImgStatus status = img_params_set(args->op, &args->params, param->name, typed, err);
    args->params_given = true;
    args->operand_count--;
    memmove(args->operands + at, args->operands + at + 1,
            (args->operand_count - at + 1) * sizeof *args->operands);
    return status;
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
    if (status != IMG_OK || args->settings.help || args->settings.version || args->command == NULL)
        return status;
    status = place_steps(args, err);
    if (status == IMG_OK)
        status = take_positional(args, err);
    if (status == IMG_OK)
        status = check_bare_values(args, err);
    if (status == IMG_OK)
        status = check_operands(args, err);
    if (status == IMG_OK && args->op != NULL && !args->params_given)
        status = img_params_check_given(args->op, "--", err);
    return status;
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
        thumbnail_steps(&args->params, steps);
        return THUMBNAIL_STEPS;
    }
    steps[0] = (ImgStep){.op = args->op, .params = args->params};
    return args->op != NULL ? 1 : 0;
}
