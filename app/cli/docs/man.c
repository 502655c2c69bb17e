/* Prints the man page with the macros of man(7). */
#include <string.h>

#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/library/imgtool.h"
#include "kernels/registry.h"

/* Prints running text. Escapes characters that roff would treat as requests. Prints hyphens as
 * "\-", so that examples can be copied from the page. */
static void roff(FILE *out, const char *text)
{
    if (text[0] == '.' || text[0] == '\'')
        fputs("\\&", out);
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '\n':
            if (text[1] == '\n') {
                fputs("\n.sp\n", out);
                text++;
            } else {
                fputc(' ', out);
            }
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void line(FILE *out, const char *text)
{
    roff(out, text);
    fputc('\n', out);
}

/* Prints a tagged paragraph: the tag in bold, then the text. */
static void item(FILE *out, const char *tag, const char *text)
{
    fputs(".TP\n\\fB", out);
    roff(out, tag);
    fputs("\\fR\n", out);
    line(out, text);
}

/* Prints an operation under a heading such as "rotate (Geometry)". */
static void print_operation(FILE *out, const ImgOp *op, const char *group)
{
    fputs(".SS ", out);
    roff(out, op->name);
    fprintf(out, " (%s)\n", group);
    roff(out, op->synopsis);
    fputs(".\n", out);
    line(out, op->help);
    DocsEntry entry;
    for (size_t i = 0; docs_param_entry(op, i, &entry); i++)
        item(out, entry.heading + DOCS_INDENT, entry.help);
}

static void print_operations(FILE *out)
{
    fputs(".SH OPERATIONS\n", out);
    for (ImgOpGroup group = IMG_GROUP_NONE + 1; group < IMG_GROUP_COUNT; group++) {
        size_t next = 0;
        for (const ImgOp *op; (op = docs_next_of_group(group, &next)) != NULL;)
            print_operation(out, op, docs_group_title(group));
    }
}

static void print_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (const Command *command = commands; command->name != NULL; command++) {
        char usage[USAGE_SIZE];
        fputs(".TP\n\\fB", out);
        roff(out, command_usage(command, NULL, usage));
        fputs("\\fR\n", out);
        for (const char *const *form = command->more_usage; *form != NULL; form++) {
            fputs(".TQ\n\\fBimgtool ", out);
            roff(out, *form);
            fputs("\\fR\n", out);
        }
        roff(out, command->synopsis);
        fputs(".\n", out);
        line(out, command->help);
    }
}

/* Prints an option. If not all operations accept it, also prints the commands that do. */
static void print_option(FILE *out, const Option *option)
{
    DocsEntry entry;
    (void)docs_option_entry(option, FOR_ALL, NULL, &entry);
    item(out, entry.heading + (entry.letter == '\0' ? DOCS_INDENT : 0), entry.help);
    if ((option->commands & FOR_OPERATION) != 0)
        return;
    const char *separator = "(only for ";
    for (const Command *command = commands; command->name != NULL; command++) {
        if ((option->commands & command->bit) != 0) {
            fputs(separator, out);
            roff(out, command->name);
            separator = ", ";
        }
    }
    fputs(")\n", out);
}

static void print_options(FILE *out)
{
    fputs(".SH OPTIONS\n", out);
    for (int group = 0; group < GROUP_COUNT; group++) {
        fprintf(out, ".SS %s\n", option_group_title((OptionGroup)group));
        for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
            if ((int)option->group == group)
                print_option(out, option);
    }
}

void docs_man(FILE *out)
{
    fprintf(out,
            ".\\\" Made by 'imgtool help --format man': change the tables, not this file.\n"
            ".TH IMGTOOL 1 \"\" \"imgtool %s\" \"User Commands\"\n"
            ".SH NAME\nimgtool \\- ",
            imgtool_version());
    line(out, docs_tagline);
    fputs(".SH SYNOPSIS\n.B imgtool\n.I OPERATION\n.RI [ options ]\n.I INPUT OUTPUT\n.br\n"
          ".B imgtool\n.I COMMAND\n.RI [ options ]\n\\&...\n"
          ".SH DESCRIPTION\n",
          out);
    for (const char *const *paragraph = docs_paragraphs; *paragraph != NULL; paragraph++) {
        fputs(paragraph == docs_paragraphs ? "" : ".PP\n", out);
        line(out, *paragraph);
    }
    print_operations(out);
    print_commands(out);
    print_options(out);
    fputs(".SH EXIT STATUS\n", out);
    for (const ExitCode *code = exit_codes; code->meaning != NULL; code++) {
        char number[12];
        snprintf(number, sizeof number, "%d", code->code);
        item(out, number, code->meaning);
    }
    fputs(".SH EXAMPLES\n", out);
    for (const DocsExample *example = docs_examples; example->command != NULL; example++)
        item(out, example->command, example->meaning);
}
