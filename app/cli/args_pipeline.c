#include "app/cli/args_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/registry.h"

/* Would it be taken for steps, or for a word in their place, if there were no --pipeline? */
static bool looks_like_steps(const Operand *steps, const char *operand)
{
    char word[64];
    operand += strspn(operand, " \t\r\n");
    size_t length = strcspn(operand, " \t\r\n|");
    if (length == 0 || operand[0] == '@')
        return true;
    if (length >= sizeof word)
        return false;
    memcpy(word, operand, length);
    word[length] = '\0';
    for (const char *const *choice = steps->choices; choice != NULL && *choice != NULL; choice++)
        if (strcmp(*choice, word) == 0)
            return true;
    const ImgOp *op;
    return img_op_find(word, &op, NULL) == IMG_OK;
}

/* `run` has two files and no more; of `batch`, which has any number, the first operand must not be
 * what it would take for steps. */
static bool has_steps_too(const Args *args)
{
    if (args->command->bit == FOR_RUN)
        return args->operand_count > 2;
    return args->operand_count > 0 &&
           looks_like_steps(&args->command->operands[0], args->operands[0]);
}

static ImgStatus fail_steps_twice(const Args *args, ImgError *err)
{
    const char *command = args->command->name, *first = args->operands[0];
    if (access(first, F_OK) == 0 && args->command->bit != FOR_RUN)
        return img_fail(err, IMG_E_USAGE,
                        "%s: --pipeline has the steps; leave out '%s', or --pipeline; for the "
                        "input of that name write './%s'",
                        command, first, first);
    return img_fail(err, IMG_E_USAGE,
                    "%s: --pipeline has the steps, and only files follow; leave out '%s', or "
                    "--pipeline",
                    command, first);
}

ImgStatus args_place_pipeline(Args *args, ImgError *err)
{
    const char *file = args->settings.pipeline_file;
    if (file == NULL)
        return IMG_OK;
    if (file[0] == '\0')
        return img_fail(err, IMG_E_USAGE, "%s: --pipeline is empty; name a file of steps",
                        args->command->name);
    if (has_steps_too(args))
        return fail_steps_twice(args, err);
    if (asprintf(&args->steps_operand, "@%s", file) < 0) {
        args->steps_operand = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory for the command line");
    }
    /* There is room: the option itself is not among them. */
    memmove(args->operands + 1, args->operands, args->operand_count * sizeof *args->operands);
    args->operands[0] = args->steps_operand;
    args->operand_count++;
    return IMG_OK;
}

const char *args_usage(const Args *args, char text[USAGE_SIZE])
{
    if (args->steps_operand == NULL)
        return command_usage(args->command, args->op, text);
    char name[64];
    Command without_steps = *args->command;
    snprintf(name, sizeof name, "%s --pipeline FILE", args->command->name);
    without_steps.name = name;
    memmove(without_steps.operands, without_steps.operands + 1,
            sizeof without_steps.operands - sizeof *without_steps.operands);
    return command_usage(&without_steps, NULL, text);
}
