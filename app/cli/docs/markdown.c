/* Prints the reference as tables in GitHub's dialect of Markdown. */
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static void cell(FILE *out, const char *text)
{
    docs_escaped(out, text, "|", '\\');
}

static void code_cell(FILE *out, const char *text)
{
    fputs("| `", out);
    cell(out, text);
    fputs("` ", out);
}

static void text_cell(FILE *out, const char *text)
{
    fputs("| ", out);
    cell(out, text);
    fputc(' ', out);
}

static void print_param(FILE *out, const ImgOp *op, const ImgParam *param)
{
    char text[DOCS_HELP_SIZE];
    code_cell(out, op->name);
    code_cell(out, docs_param_heading(param, text));
    code_cell(out, docs_param_default(op, param));
    text_cell(out, param->help);
    fputs("|\n", out);
    const ImgChoice *flag = img_param_flags(param);
    for (; flag != NULL && flag->name != NULL; flag++) {
        snprintf(text, sizeof text, "--%s", flag->name);
        code_cell(out, op->name);
        code_cell(out, text);
        text_cell(out, "");
        text_cell(out, docs_flag_help(param, flag, text));
        fputs("|\n", out);
    }
}

static void print_group(FILE *out, ImgOpGroup group)
{
    fprintf(out, "#### %s\n\n| operation | what it does | for example |\n| --- | --- | --- |\n",
            docs_group_title(group));
    size_t next = 0;
    for (const ImgOp *op; (op = docs_next_of_group(group, &next)) != NULL;) {
        char example[256];
        snprintf(example, sizeof example, "imgtool %s%s%s in.png out.png", op->name,
                 op->example[0] != '\0' ? " " : "", op->example);
        code_cell(out, op->name);
        text_cell(out, op->synopsis);
        code_cell(out, example);
        fputs("|\n", out);
    }
    fputc('\n', out);
}

static void print_operations(FILE *out)
{
    fputs("### Operations\n\n", out);
    for (ImgOpGroup group = IMG_GROUP_NONE + 1; group < IMG_GROUP_COUNT; group++)
        print_group(out, group);
    fputs("| operation | option | default | meaning |\n| --- | --- | --- | --- |\n", out);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++)
            print_param(out, img_ops[i], param);
    }
}

static void print_usage(FILE *out, const char *usage, const Command *command)
{
    code_cell(out, usage);
    text_cell(out, command->synopsis);
    fputs("|\n", out);
}

static void print_commands(FILE *out)
{
    fputs("\n### Commands\n\n| command | what it does |\n| --- | --- |\n", out);
    for (const Command *command = commands; command->name != NULL; command++) {
        char usage[USAGE_SIZE];
        print_usage(out, command_usage(command, NULL, usage), command);
        for (const char *const *form = command->more_usage; *form != NULL; form++) {
            snprintf(usage, sizeof usage, "imgtool %s", *form);
            print_usage(out, usage, command);
        }
    }
}

/* Prints the commands that accept an option, such as "operations, `run`", "`info`, `ops`", or
 * "all". */
static void print_users(FILE *out, const Option *option)
{
    fputs("| ", out);
    if (option->commands == FOR_ALL) {
        fputs("all ", out);
        return;
    }
    const char *separator = "";
    if ((option->commands & FOR_OPERATION) != 0) {
        fputs("operations", out);
        separator = ", ";
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        if ((option->commands & command->bit) != 0) {
            fprintf(out, "%s`%s`", separator, command->name);
            separator = ", ";
        }
    }
    fputc(' ', out);
}

static void print_options(FILE *out)
{
    fputs("\n### Options\n\n| option | of | default | meaning |\n| --- | --- | --- | --- |\n", out);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        char text[OPTION_TEXT_SIZE], help[DOCS_HELP_SIZE];
        const char *heading = option_heading(option, text);
        code_cell(out, heading + (heading[0] == ' ' ? 4 : 0));
        print_users(out, option);
        text_cell(out, option_default(option, FOR_ALL, text));
        text_cell(out, docs_option_meaning(option, FOR_ALL, help));
        fputs("|\n", out);
    }
}

void docs_markdown(FILE *out)
{
    print_operations(out);
    print_commands(out);
    print_options(out);
    fputs("\n### Exit codes\n\n| code | meaning |\n| --- | --- |\n", out);
    for (const ExitCode *code = exit_codes; code->meaning != NULL; code++) {
        fprintf(out, "| %d ", code->code);
        text_cell(out, code->meaning);
        fputs("|\n", out);
    }
}
