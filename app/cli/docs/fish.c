/* Prints the completion script for fish. */
#include <string.h>

#include "app/cli/docs/docs.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static void quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    docs_escaped(out, text, "\\'", '\\');
    fputc('\'', out);
}

static void print_operation_names(FILE *out)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        fprintf(out, " %s", img_ops[i]->name);
}

static void print_command_names(FILE *out, unsigned bits)
{
    for (const Command *command = commands; command->name != NULL; command++)
        if ((command->bit & bits) != 0)
            fprintf(out, " %s", command->name);
}

static void print_name(FILE *out, const char *name, const char *synopsis)
{
    fprintf(out, "complete -c imgtool -f -n __fish_use_subcommand -a %s -d ", name);
    quoted(out, synopsis);
    fputc('\n', out);
}

/* Prints the words, each followed by a tab and an empty description. Without the tab, fish shows
 * the help of the option next to each word. */
static void print_words(FILE *out, const char *words)
{
    fputs("-a '", out);
    for (const char *at = words; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        fprintf(out, "%s%.*s\\t", at == words ? "" : " ", (int)length, at);
        at += length + strspn(at + length, " ");
    }
    fputs("' ", out);
}

/* Prints an option whose value is one of `words`. If `words` is empty, any value is possible. */
static void print_value(FILE *out, const char *name, bool is_optional, const char *words,
                        const char *help)
{
    fprintf(out, "' -l %s %s ", name, is_optional ? "-f" : "-x");
    if (words[0] != '\0')
        print_words(out, words);
    fputs("-d ", out);
    quoted(out, help);
    fputc('\n', out);
}

/* Prints the names of the implementations of measurements, which differ from the names for
 * operations. */
static void print_measure_impls(FILE *out, const Option *option)
{
    char words[DOCS_WORDS_SIZE], help[DOCS_HELP_SIZE];
    for (const Command *command = commands; command->name != NULL; command++) {
        if (command->measure == NULL)
            continue;
        fprintf(out, "complete -c imgtool -n '__fish_seen_subcommand_from %s", command->name);
        print_value(out, option->name, false, docs_option_words(option, command->measure, words),
                    docs_option_help(option, FOR_ALL, help));
    }
}

static void print_users(FILE *out, const Option *option)
{
    if (option->commands == FOR_ALL) {
        fputs("complete -c imgtool -n 'true", out);
        return;
    }
    fputs("complete -c imgtool -n '__fish_seen_subcommand_from", out);
    if ((option->commands & FOR_OPERATION) != 0)
        print_operation_names(out);
    print_command_names(out, option->type == OPTION_IMPL ? FOR_IMAGE : option->commands);
}

static void print_file(FILE *out, const char *name, const char *help)
{
    fprintf(out, "' -l %s -r -F -d ", name);
    quoted(out, help);
    fputc('\n', out);
}

static void print_option(FILE *out, const Option *option)
{
    char words[DOCS_WORDS_SIZE], help[DOCS_HELP_SIZE];
    docs_option_help(option, FOR_ALL, help);
    print_users(out, option);
    if (option->type == OPTION_FILE) {
        print_file(out, option->name, help);
        return;
    }
    if (option->type != OPTION_FLAG) {
        print_value(out, option->name, option->bare != NULL, docs_option_words(option, NULL, words),
                    help);
        return;
    }
    fprintf(out, "' -l %s ", option->name);
    if (option->letter != '\0')
        fprintf(out, "-s %c ", option->letter);
    fputs("-d ", out);
    quoted(out, help);
    fputc('\n', out);
}

static void print_operands(FILE *out, const Command *command)
{
    for (const Operand *operand = command->operands; operand->name != NULL; operand++) {
        if (operand->kind == OPERAND_BENCH) {
            fprintf(out, "complete -c imgtool -n '__fish_seen_subcommand_from %s' -a '",
                    command->name);
            docs_bench_words(out);
            fprintf(out,
                    "'\ncomplete -c imgtool -f -n '__fish_seen_subcommand_from %s; and "
                    "__fish_seen_subcommand_from lab' -a '",
                    command->name);
            docs_choices(out, operand);
            fputs("'\n", out);
        }
        if (operand->kind == OPERAND_PIPELINE && operand->choices != NULL) {
            fprintf(out,
                    "complete -c imgtool -f -n '__fish_seen_subcommand_from %s; and not "
                    "__fish_seen_subcommand_from ",
                    command->name);
            docs_operation_words(out);
            docs_choices(out, operand);
            fputs("; and not __fish_contains_opt pipeline' -a '", out);
            docs_operation_words(out);
            docs_choices(out, operand);
            fputs("'\n", out);
        }
        if (operand->kind != OPERAND_TOPIC && operand->kind != OPERAND_CHOICE)
            continue;
        fprintf(out, "complete -c imgtool -f -n '__fish_seen_subcommand_from %s' -a '",
                command->name);
        if (operand->kind == OPERAND_TOPIC) {
            print_operation_names(out);
            print_command_names(out, FOR_ALL);
        } else {
            docs_choices(out, operand);
        }
        fputs("'\n", out);
    }
}

static void print_flag(FILE *out, const char *command, const ImgParam *param, const ImgChoice *flag)
{
    char help[DOCS_HELP_SIZE];
    fprintf(out, "complete -c imgtool -n '__fish_seen_subcommand_from %s' -l %s -d ", command,
            flag->name);
    quoted(out, docs_flag_help(param, flag, help));
    fputc('\n', out);
}

static void print_param(FILE *out, const char *command, const ImgOp *op, const ImgParam *param)
{
    char words[DOCS_WORDS_SIZE], help[DOCS_HELP_SIZE];
    fprintf(out, "complete -c imgtool -n '__fish_seen_subcommand_from %s", command);
    docs_param_help(op, param, help);
    if (param->type == IMG_PARAM_FILE)
        print_file(out, param->name, help);
    else
        print_value(out, param->name, img_param_is_flag(param), docs_param_words(param, words),
                    help);
    const ImgChoice *flag = img_param_flags(param);
    for (; flag != NULL && flag->name != NULL; flag++)
        print_flag(out, command, param, flag);
}

void docs_fish(FILE *out)
{
    fputs("# fish completion for imgtool, made by 'imgtool completion fish'\n", out);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        print_name(out, img_ops[i]->name, img_ops[i]->synopsis);
    for (const Command *command = commands; command->name != NULL; command++)
        print_name(out, command->name, command->synopsis);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++)
            print_param(out, img_ops[i]->name, img_ops[i], param);
    for (const Command *command = commands; command->name != NULL; command++) {
        const ImgOp *op = command_options(command);
        for (const ImgParam *param = op != NULL ? op->params : NULL;
             param != NULL && param->name != NULL; param++)
            print_param(out, command->name, op, param);
    }
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        print_option(out, option);
    print_measure_impls(out, option_find("impl", FOR_ALL));
    for (const Command *command = commands; command->name != NULL; command++)
        print_operands(out, command);
}
