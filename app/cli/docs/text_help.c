/* Prints help as plain text for a terminal. */
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/text/text.h"

enum { NAME_INDENT = 17, OPTION_INDENT = 33 };

static void print_options(FILE *out, unsigned command)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool any = false;
        for (const Option *option = option_next(NULL); option != NULL;
             option = option_next(option)) {
            if ((int)option->group != group || (option->commands & command) == 0)
                continue;
            DocsEntry entry;
            if (!docs_option_entry(option, command, NULL, &entry))
                continue;
            if (!any)
                fprintf(out, "\n%s\n", option_group_title((OptionGroup)group));
            any = true;
            text_entry(out, entry.heading, OPTION_INDENT, entry.help);
        }
    }
}

void docs_summary(FILE *out)
{
    fprintf(out,
            "imgtool: %s\n\n"
            "Usage: imgtool OPERATION [options] INPUT OUTPUT\n"
            "       imgtool COMMAND [options] ...\n",
            docs_tagline);
    for (ImgOpGroup group = IMG_GROUP_NONE + 1; group < IMG_GROUP_COUNT; group++) {
        fprintf(out, "\n%s\n", docs_group_title(group));
        size_t next = 0;
        for (const ImgOp *op; (op = docs_next_of_group(group, &next)) != NULL;)
            text_entry(out, op->name, NAME_INDENT, op->synopsis);
    }
    fputs("\nCommands\n", out);
    for (const Command *command = commands; command->name != NULL; command++)
        text_entry(out, command->name, NAME_INDENT, command->synopsis);
    fputs("\n'imgtool help NAME' explains an operation or a command: 'imgtool help rotate'.\n"
          "'imgtool --help=all' also prints common options, examples and exit codes.\n",
          out);
}

void docs_overview(FILE *out)
{
    docs_summary(out);
    fputs("\nEvery operation and 'run' take these options:\n", out);
    print_options(out, FOR_OPERATION);
    for (const char *const *paragraph = docs_paragraphs; *paragraph != NULL; paragraph++) {
        fputc('\n', out);
        text_wrap(out, 0, 0, *paragraph);
    }
    fputs("\nExamples\n", out);
    for (const DocsExample *example = docs_examples; example->command != NULL; example++) {
        fprintf(out, "  %s\n", example->command);
        text_wrap(out, 0, 6, example->meaning);
    }
    fputs("\nExit codes\n", out);
    for (const ExitCode *code = exit_codes; code->meaning != NULL; code++) {
        char number[12];
        snprintf(number, sizeof number, "%d", code->code);
        text_entry(out, number, 7, code->meaning);
    }
}

static void print_impls(FILE *out, const ImgOp *op)
{
    fputs("\nImplementations, explained by 'imgtool ops -v'\n", out);
    char words[DOCS_WORDS_SIZE];
    fputs("  ", out);
    text_wrap(out, 2, 2, docs_option_words(option_find("impl", FOR_ALL), op, words));
}

/* Prints the options of an operation. `note` is printed after the heading; it may be empty. */
static void print_params(FILE *out, const ImgOp *op, const char *note)
{
    if (op->params[0].name != NULL)
        fprintf(out, "\nOptions of %s%s\n", op->name, note);
    DocsEntry entry;
    for (size_t i = 0; docs_param_entry(op, i, &entry); i++)
        text_entry(out, entry.heading, OPTION_INDENT, entry.help);
}

void docs_operation(FILE *out, const ImgOp *op)
{
    char usage[USAGE_SIZE];
    fprintf(out, "%s: %s\n\nUsage: %s\n\n", op->name, op->synopsis,
            command_usage(&operation_command, op, usage));
    text_wrap(out, 0, 0, op->help);
    print_params(out, op, "");
    print_options(out, FOR_OPERATION);
    print_impls(out, op);
    fprintf(out, "\nExample\n  imgtool %s%s%s in.png out.png\n", op->name,
            op->example[0] != '\0' ? " " : "", op->example);
}

void docs_command(FILE *out, const Command *command)
{
    char usage[USAGE_SIZE];
    fprintf(out, "%s: %s\n\nUsage: %s\n", command->name, command->synopsis,
            command_usage(command, NULL, usage));
    for (const char *const *form = command->more_usage; *form != NULL; form++)
        fprintf(out, "       imgtool %s\n", *form);
    fputc('\n', out);
    text_wrap(out, 0, 0, command->help);
    if (command_options(command) != NULL)
        print_params(out, command_options(command), command->options_note);
    print_options(out, command->bit);
    if (command->measure != NULL)
        print_impls(out, command->measure);
    fprintf(out, "\nExample\n  imgtool %s%s%s\n", command->name,
            command->example[0] != '\0' ? " " : "", command->example);
}
