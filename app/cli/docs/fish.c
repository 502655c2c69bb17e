/* Prints the completion script for fish. */
#include <string.h>

#include "app/cli/docs/docs.h"
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

/* Completes a line of which only "complete -n 'condition", without the closing quote, is
 * printed. */
static void print_entry(FILE *out, const DocsEntry *entry)
{
    fprintf(out, "' -l %s ", entry->name);
    if (entry->kind == DOCS_FILE)
        fputs("-r -F ", out);
    else if (entry->kind == DOCS_VALUE)
        fputs(entry->is_bare ? "-f " : "-x ", out);
    else if (entry->letter != '\0')
        fprintf(out, "-s %c ", entry->letter);
    if (entry->words[0] != '\0')
        print_words(out, entry->words);
    fputs("-d ", out);
    quoted(out, entry->help);
    fputc('\n', out);
}

static void print_entry_of(FILE *out, const char *command, const DocsEntry *entry)
{
    fprintf(out, "complete -c imgtool -n '__fish_seen_subcommand_from %s", command);
    print_entry(out, entry);
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
        if (operand->kind == OPERAND_TOPIC)
            docs_topic_words(out);
        else
            docs_choices(out, operand);
        fputs("'\n", out);
    }
}

void docs_fish(FILE *out)
{
    DocsTopic topic;
    DocsEntry entry;
    fputs("# fish completion for imgtool, made by 'imgtool completion fish'\n", out);
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        fprintf(out, "complete -c imgtool -f -n __fish_use_subcommand -a %s -d ", topic.name);
        quoted(out, topic.synopsis);
        fputc('\n', out);
    }
    for (size_t i = 0; docs_topic(i, &topic); i++)
        for (size_t k = 0; docs_param_entry(topic.params, k, &entry); k++)
            print_entry_of(out, topic.name, &entry);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        (void)docs_option_entry(option, FOR_ALL, NULL, &entry);
        print_users(out, option);
        print_entry(out, &entry);
    }
    /* Measurements have other implementations than operations, so --impl is completed for each
     * measurement separately. */
    for (const Command *command = commands; command->name != NULL; command++)
        if (command->measure != NULL &&
            docs_option_entry(option_find("impl", FOR_ALL), FOR_ALL, command->measure, &entry))
            print_entry_of(out, command->name, &entry);
    for (const Command *command = commands; command->name != NULL; command++)
        print_operands(out, command);
}
