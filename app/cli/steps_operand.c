#include "app/cli/args_priv.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/options.h"
#include "kernels/registry.h"

/* Returns whether the operand looks like STEPS: text of steps, or a word that the command accepts
 * instead of STEPS. */
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

/* Returns whether the operands contain STEPS although --pipeline was given. `run` has exactly two
 * files. `batch` has any number of files, so its first operand must not look like steps. */
static bool has_steps_too(const Command *command, const char *const *operands, size_t count)
{
    if (command->bit == FOR_RUN)
        return count > 2;
    return count > 0 && looks_like_steps(&command->operands[0], operands[0]);
}

static ImgStatus fail_steps_twice(const Command *command, const char *steps, ImgError *err)
{
    if (access(steps, F_OK) == 0 && command->bit != FOR_RUN)
        return img_fail(err, IMG_E_USAGE,
                        "%s: --pipeline has the steps; leave out '%s', or --pipeline; for the "
                        "input of that name write './%s'",
                        command->name, steps, steps);
    return img_fail(err, IMG_E_USAGE,
                    "%s: --pipeline has the steps, and only files follow; leave out '%s', or "
                    "--pipeline",
                    command->name, steps);
}

ImgStatus steps_operand_make(const Command *command, const char *file, const char *const *operands,
                             size_t count, char **operand, ImgError *err)
{
    *operand = NULL;
    if (file[0] == '\0')
        return img_fail(err, IMG_E_USAGE, "%s: --pipeline is empty; name a file of steps",
                        command->name);
    if (has_steps_too(command, operands, count))
        return fail_steps_twice(command, operands[0], err);
    if (asprintf(operand, "@%s", file) < 0) {
        *operand = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory for the command line");
    }
    return IMG_OK;
}

const char *steps_operand_usage(const Command *command, char text[USAGE_SIZE])
{
    char name[64];
    Command without_steps = *command;
    snprintf(name, sizeof name, "%s --pipeline FILE", command->name);
    without_steps.name = name;
    memmove(without_steps.operands, without_steps.operands + 1,
            sizeof without_steps.operands - sizeof *without_steps.operands);
    return command_usage(&without_steps, NULL, text);
}
