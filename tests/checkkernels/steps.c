/* Implements steps_list (check.h), which prints steps of pipelines for all operations. Test scripts
 * read them instead of keeping lists of their own. */
#include "tests/checkkernels/check.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"

enum { COMBINATIONS_MOST = 64 };

static int choices_of(const ImgParam *param)
{
    int choices = 0;
    while (param->choices != NULL && param->choices[choices].name != NULL)
        choices++;
    return choices;
}

/* Prints the step with combination `number` of choices. Returns false if there are fewer
 * combinations. */
static bool print_combination(const ImgOp *op, int64_t number)
{
    char step[256];
    size_t used = (size_t)snprintf(step, sizeof step, "%s", op->name);
    for (const ImgParam *param = op->params; param->name != NULL && used < sizeof step; param++) {
        const int choices = choices_of(param);
        if (choices == 0)
            continue;
        used += (size_t)snprintf(step + used, sizeof step - used, " %s=%s", param->name,
                                 param->choices[number % choices].name);
        number /= choices;
    }
    if (number == 0)
        puts(step);
    return number == 0;
}

/* Prints a step for each value of each choice. Only one choice is varied at a time, because there
 * are too many combinations. */
static void print_each_choice(const ImgOp *op)
{
    const ImgParam *alone = img_param_positional(op);
    const char *size = alone != NULL && alone->type == IMG_PARAM_SIZE ? " 70%" : "";
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        for (int i = 0; i < choices_of(param); i++)
            printf("%s%s %s=%s\n", op->name, size, param->name, param->choices[i].name);
}

/* Prints the example of the help as a step: "--black 5 --white 90" becomes "levels black=5
 * white=90". Removes quotes, as a shell does. */
static void print_example(const ImgOp *op)
{
    bool in_name = false;
    fputs(op->name, stdout);
    for (const char *c = op->example; *c != '\0'; c++) {
        const bool starts = strncmp(c, "--", 2) == 0 && (c == op->example || c[-1] == ' ');
        if (starts) {
            putchar(' ');
            in_name = true;
            c++;
        } else if (*c == ' ' && in_name) {
            putchar('=');
            in_name = false;
        } else if (*c != '\'' && *c != ' ') {
            putchar(*c);
        }
    }
    putchar('\n');
}

static int64_t combinations_of(const ImgOp *op)
{
    int64_t all = 1;
    for (const ImgParam *param = op->params; param->name != NULL && all <= COMBINATIONS_MOST;
         param++)
        all *= choices_of(param) > 0 ? choices_of(param) : 1;
    return all;
}

void steps_list(void)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        if (combinations_of(img_ops[i]) > COMBINATIONS_MOST)
            print_each_choice(img_ops[i]);
        else if (img_ops[i]->needs_param && combinations_of(img_ops[i]) == 1)
            print_example(img_ops[i]);
        else
            for (int64_t number = 0; print_combination(img_ops[i], number);)
                number++;
    }
}
