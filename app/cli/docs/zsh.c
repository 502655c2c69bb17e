/* Prints the completion script for zsh. It can be sourced, or installed in a directory of fpath. */
#include "app/cli/docs/docs.h"

/* Characters that must be escaped in an argument of _arguments. */
static const char SPECIAL[] = "\\:[]";

static void print_topics(FILE *out)
{
    DocsTopic topic;
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        fprintf(out, "        '%s:", topic.name);
        docs_in_quotes(out, topic.synopsis, "");
        fputs("'\n", out);
    }
}

/* Prints an argument of _arguments on a continuation line, such as
 * "--name=[help]:value:(words)". */
static void print_entry(FILE *out, const DocsEntry *entry)
{
    fputs(" \\\n            ", out);
    if (entry->kind == DOCS_SWITCH && entry->letter != '\0')
        fprintf(out, "'(-%c --%s)'{-%c,--%s}'[", entry->letter, entry->name, entry->letter,
                entry->name);
    else
        fprintf(out, "'--%s%s%s[", entry->name, entry->kind == DOCS_SWITCH ? "" : "=",
                entry->is_bare ? "-" : "");
    docs_in_quotes(out, entry->help, SPECIAL);
    if (entry->kind == DOCS_SWITCH) {
        fputs("]'", out);
    } else if (entry->kind == DOCS_FILE) {
        fprintf(out, "]:%s:_files'", entry->name);
    } else {
        fprintf(out, "]:%s%s:", entry->is_bare ? ":" : "", entry->name);
        fprintf(out, entry->words[0] != '\0' ? "(%s)'" : "%s '", entry->words);
    }
}

static void print_params(FILE *out, const ImgOp *op)
{
    DocsEntry entry;
    for (size_t i = 0; docs_param_entry(op, i, &entry); i++)
        print_entry(out, &entry);
}

static void print_options(FILE *out, const DocsTopic *topic)
{
    DocsEntry entry;
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if ((option->commands & topic->command->bit) != 0 &&
            docs_option_entry(option, topic->command->bit, topic->impls, &entry))
            print_entry(out, &entry);
}

/* Prints code that sets `params` to the options of the operation that it finds among the words
 * after `batch`. */
static void print_params_of_words(FILE *out)
{
    fputs("    local -a params\n"
          "    local word\n"
          "    for word in ${words[2,-1]}; do\n"
          "        case $word in\n",
          out);
    DocsTopic topic;
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        if (topic.params == NULL || topic.params->params[0].name == NULL)
            continue;
        fprintf(out, "        %s) params=(", topic.name);
        print_params(out, topic.params);
        fputs("); break ;;\n", out);
    }
    fputs("        esac\n"
          "    done\n",
          out);
}

static bool takes_operation(const Command *command)
{
    return command->operands[0].kind == OPERAND_PIPELINE && command->operands[0].choices != NULL;
}

static void print_operands(FILE *out, const Command *command)
{
    int number = 1;
    for (const Operand *operand = command->operands; operand->name != NULL; operand++, number++) {
        fputs(" \\\n            ", out);
        if (operand->repeated)
            fprintf(out, "'*:%s:", operand->name);
        else
            fprintf(out, "'%d:%s:", number, operand->name);
        switch (operand->kind) {
        case OPERAND_FILE:
            fputs("_files'", out);
            break;
        case OPERAND_PIPELINE:
            /* Without words to choose from, only "@FILE" is completed, by names of files. */
            fputs(operand->choices != NULL ? "_imgtool_steps'" : "_files'", out);
            break;
        case OPERAND_TOPIC:
            fputs("_imgtool_topics'", out);
            break;
        case OPERAND_BENCH:
            fputs("_imgtool_bench'", out);
            break;
        case OPERAND_CHOICE:
            fputc('(', out);
            docs_choices(out, operand);
            fputs(")'", out);
            break;
        }
    }
}

/* Prints the operands of `run` and `batch`. If --pipeline FILE was given, all operands are
 * files. */
static void print_steps(FILE *out)
{
    fputs("_imgtool_steps() {\n"
          "    if (( $words[(I)--pipeline*] )); then\n"
          "        _files\n"
          "        return\n"
          "    fi\n"
          "    compadd -- ",
          out);
    docs_operation_words(out);
    docs_choices(out, &command_find("batch")->operands[0]);
    fputs("\n}\n", out);
}

void docs_zsh(FILE *out)
{
    fputs("#compdef imgtool\n"
          "# zsh completion for imgtool, made by 'imgtool completion zsh'\n"
          "_imgtool_topics() {\n"
          "    local -a topics\n"
          "    topics=(\n",
          out);
    print_topics(out);
    fputs("    )\n"
          "    _describe 'operation or command' topics\n"
          "}\n"
          "_imgtool_bench() {\n"
          "    if (( $words[(I)lab] )); then\n"
          "        compadd --",
          out);
    docs_choices(out, &command_find("bench")->operands[0]);
    fputs("\n"
          "        return\n"
          "    fi\n"
          "    _alternative 'what:what is measured:(",
          out);
    docs_bench_words(out);
    fputs(")' 'files:file:_files'\n"
          "}\n",
          out);
    print_steps(out);
    fputs("_imgtool() {\n"
          "    local curcontext=$curcontext state line\n"
          "    typeset -A opt_args\n"
          "    _arguments -C",
          out);
    DocsEntry entry;
    DocsTopic topic;
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->commands == FOR_ALL && docs_option_entry(option, FOR_IMAGE, NULL, &entry))
            print_entry(out, &entry);
    fputs(" \\\n        '1: :_imgtool_topics' '*:: :->rest'\n"
          "    [[ $state == rest ]] || return\n",
          out);
    print_params_of_words(out);
    fputs("    case $words[1] in\n", out);
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        fprintf(out, "        %s) _arguments -s%s", topic.name,
                takes_operation(topic.command) ? " $params" : "");
        print_params(out, topic.params);
        print_options(out, &topic);
        print_operands(out, topic.command);
        fputs(" ;;\n", out);
    }
    fputs("    esac\n"
          "}\n"
          "if [[ $funcstack[1] == _imgtool ]]; then\n"
          "    _imgtool \"$@\"\n"
          "else\n"
          "    compdef _imgtool imgtool\n"
          "fi\n",
          out);
}
