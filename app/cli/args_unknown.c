/* Makes messages about commands and options that do not exist. The messages suggest the nearest
 * existing name. */
#include <string.h>
#include <unistd.h>

#include "app/cli/args_priv.h"
#include "kernels/core/params.h"
#include "kernels/core/suggest.h"
#include "kernels/registry.h"

const char *args_name(const Args *args)
{
    bool is_operation = args->command == &operation_command && args->op != NULL;
    return is_operation ? args->op->name : args->command->name;
}

ImgStatus args_unknown_command(const char *name, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        img_suggest_offer(&nearest, img_ops[i]->name);
    for (const Command *command = commands; command->name != NULL; command++)
        img_suggest_offer(&nearest, command->name);
    char text[IMG_SUGGESTION_TEXT];
    return img_fail(err, IMG_E_USAGE, "there is no operation or command '%s'; %s", name,
                    img_suggestion_text(&nearest, "'imgtool help' lists them", text));
}

bool args_applies(const Args *args, const Option *option)
{
    return args->command == NULL || (option->commands & args->command->bit) != 0;
}

/* For `bench`, whose operands are operations, returns the first operation with a parameter of this
 * name. Returns NULL for other commands, or if there is no such operation. */
static const ImgOp *op_with_param(const Args *args, const char *param)
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

ImgStatus args_unknown_option(const Args *args, const char *typed, const char *whole, ImgError *err)
{
    const char *command = args->command != NULL ? args_name(args) : "imgtool";
    if (access(whole, F_OK) == 0)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no option '%s'; for the file of that name write './%s', or put "
                        "'--' before it",
                        command, typed, whole);
    const char *name = typed + strspn(typed, "-");
    const ImgOp *op = op_with_param(args, name);
    if (op != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no option '%s'; write it into the operation, as one argument: "
                        "'%s %s=VALUE'",
                        command, typed, op->name, name);
    ImgSuggestion nearest = img_suggest_start(name);
    if (args->op != NULL)
        offer_params(args->op, &nearest);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (args_applies(args, option))
            img_suggest_offer(&nearest, option->name);
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; did you mean '--%s'?", command,
                        typed, nearest.best);
    if (args->command == NULL)
        return img_fail(
            err, IMG_E_USAGE,
            "'%s' is not an option of all commands; put options of an operation after its name",
            typed);
    return img_fail(err, IMG_E_USAGE, "%s has no option '%s'; 'imgtool help %s' lists those it has",
                    command, typed, command);
}

ImgStatus args_wrong_place(const Args *args, const Option *option, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "%s has no option '--%s'; 'imgtool help %s' lists those it has",
                    args_name(args), option->name, args_name(args));
}
