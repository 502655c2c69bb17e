/* Checks the operands of a command. Moves operands that are values of an operation to its
 * parameters. */
#include <string.h>
#include <unistd.h>

#include "app/cli/args_priv.h"
#include "kernels/core/params.h"

/* Returns whether the operand has the form of a parameter in a pipeline, as in "rotate angle=90
 * in.png out.png". */
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

/* Rejects an operand that does not exist and looks like the value of an option, as 90 in "batch
 * rotate 90 photos out". Without --in-place, the last operand is OUTPUT_DIR, which need not exist,
 * so it is not checked. */
static ImgStatus check_bare_values(const Args *args, ImgError *err)
{
    ImgParams scratch = args->params;
    size_t last = args->settings.in_place ? args->operand_count : args->operand_count - 1;
    for (size_t i = 0; args->op != NULL && i < last && args->operands[i] != NULL; i++) {
        const char *operand = args->operands[i];
        if (strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
            continue;
        for (const ImgParam *param = args->op->params; param->name != NULL; param++)
            if (param->type != IMG_PARAM_FILE && /* a file parameter would accept any word */
                img_params_set(args->op, &scratch, param->name, operand, NULL) == IMG_OK)
                return img_fail(err, IMG_E_USAGE,
                                "%s: there is no file '%s'; for the option write --%s %s",
                                args_name(args), operand, param->name, operand);
    }
    return IMG_OK;
}

/* Returns the number of required operands after `operand` in a command's list of operands.
 * `operand` may be repeated, like INPUT... */
static size_t required_after(const Operand *operand)
{
    size_t count = 0;
    for (operand++; operand->name != NULL; operand++)
        count += operand->optional ? 0 : 1;
    return count;
}

static size_t required_operands(const Args *args)
{
    const Operand *first = args->command->operands;
    return first->name == NULL ? 0 : required_after(first) + (first->optional ? 0 : 1);
}

/* Returns the index after the last argument of `operand`, which may be repeated, like INPUT... Its
 * first argument has the index `first`. Each required operand after `operand` gets one argument,
 * and `operand` gets all others: at least one, or none if inputs come from a list (`listed`). */
static size_t end_of_repeated(const Args *args, const Operand *operand, size_t first, bool listed)
{
    const size_t after = required_after(operand), least = listed ? first : first + 1;
    const size_t end = args->operand_count > after ? args->operand_count - after : 0;
    return end > least ? end : least;
}

/* Rejects empty file names. They usually come from a shell variable that is not set. */
static ImgStatus check_file_names(const Args *args, ImgError *err)
{
    const Operand *operand = args->command->operands;
    for (size_t i = 0, end; i < args->operand_count && operand->name != NULL; i = end, operand++) {
        end = operand->repeated
                  ? end_of_repeated(args, operand, i, args->settings.from_file != NULL)
                  : i + 1;
        for (size_t k = i; k < end && k < args->operand_count; k++)
            if (operand->kind == OPERAND_FILE && args->operands[k][0] == '\0')
                return img_fail(err, IMG_E_USAGE, "%s: %s is empty; name a file", args_name(args),
                                operand->name);
    }
    return IMG_OK;
}

static ImgStatus check_count(const Args *args, ImgError *err)
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
            return img_fail(err, IMG_E_USAGE, "%s: %s is missing; usage: %s", args_name(args),
                            operand->name, usage);
        i = operand->repeated ? end_of_repeated(args, operand, i, listed) : i + 1;
    }
    if (i >= args->operand_count)
        return check_file_names(args, err);
    for (size_t k = 0; k < args->operand_count; k++)
        if (looks_like_param(args, args->operands[k]))
            return img_fail(err, IMG_E_USAGE, "%s: write --%s instead of '%s'", args_name(args),
                            args->operands[k], args->operands[k]);
    return img_fail(err, IMG_E_USAGE, "%s: unexpected argument '%s'; usage: %s", args_name(args),
                    args->operands[i], usage);
}

/* If --pipeline FILE was given, inserts "@FILE" as the first operand, so that later code needs no
 * special case. */
static ImgStatus place_steps(Args *args, ImgError *err)
{
    const char *file = args->settings.pipeline_file;
    if (file == NULL)
        return IMG_OK;
    ImgStatus status = steps_operand_make(args->command, file, args->operands, args->operand_count,
                                          &args->steps_operand, err);
    if (status != IMG_OK)
        return status;
    /* There is room for one more operand: the array has room for argc of them, and "--pipeline" was
     * not stored in it. */
    memmove(args->operands + 1, args->operands, args->operand_count * sizeof *args->operands);
    args->operands[0] = args->steps_operand;
    args->operand_count++;
    return IMG_OK;
}

/* Removes the operand at index `at`, which was the value of a parameter. */
static void drop_operand(Args *args, size_t at)
{
    args->params_given = true;
    args->operand_count--;
    memmove(args->operands + at, args->operands + at + 1,
            (args->operand_count - at + 1) * sizeof *args->operands);
}

/* If the operation has a parameter that may be given without its option, takes its value from the
 * operands, as in "resize 50% in.png out.png". */
static ImgStatus take_positional(Args *args, ImgError *err)
{
    const ImgParam *param = args->op != NULL ? img_param_positional(args->op) : NULL;
    const size_t at = args->command->bit == FOR_BATCH ? 1 : 0;
    if (param == NULL || !img_param_is_default(param, &args->params) || args->operand_count <= at)
        return IMG_OK;
    /* For a parameter that is a file, any word is valid. The first operand is therefore its value
     * only if enough operands follow. */
    if (param->type == IMG_PARAM_FILE && args->operand_count <= required_operands(args))
        return IMG_OK;
    const char *typed = args->operands[at];
    if (access(typed, F_OK) == 0 &&
        img_params_set(args->op, &args->params, param->name, typed, NULL) != IMG_OK)
        return img_fail(err, IMG_E_USAGE,
                        "%s: the %s is missing; write it before the files, as in 'imgtool %s %s'",
                        args_name(args), param->name, args->op->name, args->op->example);
    const ImgStatus status = img_params_set(args->op, &args->params, param->name, typed, err);
    drop_operand(args, at);
    return status;
}

/* Returns whether the operand looks like a shorthand with a typing error, such as "300x200+10", and
 * is not an existing file. */
static bool looks_like_shorthand(const ImgOp *op, const char *operand)
{
    return op->shorthand.form != NULL && operand[0] >= '0' && operand[0] <= '9' &&
           operand[strspn(operand, "0123456789x+-:%")] == '\0' && access(operand, F_OK) != 0;
}

/* If the first operand is a shorthand for several parameters, as in "crop 300x200+10+20 in.png
 * out.png", sets them and removes the operand. */
static ImgStatus take_shorthand(Args *args, ImgError *err)
{
    const size_t at = args->command->bit == FOR_BATCH ? 1 : 0;
    bool taken = false;
    if (args->op == NULL || args->operand_count <= at)
        return IMG_OK;
    const ImgStatus status =
        img_params_set_shorthand(args->op, &args->params, args->operands[at], &taken, err);
    if (taken && status == IMG_OK)
        drop_operand(args, at);
    else if (status == IMG_OK && looks_like_shorthand(args->op, args->operands[at]))
        return img_fail(err, IMG_E_USAGE, "%s: '%s' is neither a file nor %s", args_name(args),
                        args->operands[at], args->op->shorthand.form);
    return status;
}

ImgStatus args_check_operands(Args *args, ImgError *err)
{
    ImgStatus status = place_steps(args, err);
    if (status == IMG_OK)
        status = take_positional(args, err);
    if (status == IMG_OK)
        status = take_shorthand(args, err);
    if (status == IMG_OK)
        status = check_bare_values(args, err);
    return status == IMG_OK ? check_count(args, err) : status;
}
