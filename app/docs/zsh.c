/* Completion for zsh: works as a file of fpath, and sourced. */
#include "app/docs/docs.h"
#include "kernels/registry.h"

/* Special inside a specification of _arguments. */
static const char SPECIAL[] = "\\:[]";

static void print_topic(FILE *out, const char *name, const char *synopsis)
{
    fprintf(out, "        '%s:", name);
    docs_in_quotes(out, synopsis, "");
    fputs("'\n", out);
}

static void print_topics(FILE *out)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        print_topic(out, img_ops[i]->name, img_ops[i]->synopsis);
    for (const Command *command = commands; command->name != NULL; command++)
        print_topic(out, command->name, command->synopsis);
}

/* " \" and a line with --name=[help]:value:(words) */
static void print_valued(FILE *out, const char *name, const char *help, const char *words)
{
    fprintf(out, " \\\n            '--%s=[", name);
    docs_in_quotes(out, help, SPECIAL);
    fprintf(out, words[0] != '\0' ? "]:%s:(%s)'" : "]:%s:%s '", name, words);
}

static void print_file(FILE *out, const char *name, const char *help)
{
    fprintf(out, " \\\n            '--%s=[", name);
    docs_in_quotes(out, help, SPECIAL);
    fprintf(out, "]:%s:_files'", name);
}

static void print_option(FILE *out, const Option *option, const ImgOp *op)
{
    char help[DOCS_HELP_SIZE], words[DOCS_WORDS_SIZE];
    docs_option_help(option, help);
    if (option->type == OPTION_FILE) {
        print_file(out, option->name, help);
        return;
    }
    if (option->type != OPTION_FLAG) {
        print_valued(out, option->name, help, docs_option_words(option, op, words));
        return;
    }
    fputs(" \\\n            ", out);
    if (option->letter != '\0')
        fprintf(out, "'(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
                option->name);
    else
        fprintf(out, "'--%s[", option->name);
    docs_in_quotes(out, help, SPECIAL);
    fputs("]'", out);
}

static void print_options(FILE *out, unsigned command, const ImgOp *op)
{
    for (const Option *option = options; option->name != NULL; option++)
        if ((option->commands & command) != 0)
            print_option(out, option, op);
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
            fputs(" '", out);
            break;
        case OPERAND_TOPIC:
            fputs("_imgtool_topics'", out);
            break;
        case OPERAND_BENCH:
            fputs("_imgtool_bench'", out);
            break;
        case OPERAND_CHOICE:
            fputc('(', out);
            for (const char *const *choice = operand->choices; *choice != NULL; choice++)
                fprintf(out, "%s%s", choice == operand->choices ? "" : " ", *choice);
            fputs(")'", out);
            break;
        }
    }
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
          "    _alternative 'what:what is measured:(",
          out);
    docs_bench_words(out);
    fputs(")' 'files:file:_files'\n"
          "}\n"
          "_imgtool() {\n"
          "    local curcontext=$curcontext state line\n"
          "    typeset -A opt_args\n"
          "    _arguments -C",
          out);
    for (const Option *option = options; option->name != NULL; option++)
        if (option->commands == FOR_ALL)
            print_option(out, option, NULL);
    fputs(" \\\n        '1: :_imgtool_topics' '*:: :->rest'\n"
          "    [[ $state == rest ]] || return\n"
          "    case $words[1] in\n",
          out);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        fprintf(out, "        %s) _arguments -s", img_ops[i]->name);
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++) {
            char help[DOCS_HELP_SIZE], words[DOCS_WORDS_SIZE];
            print_valued(out, param->name, docs_param_help(param, help),
                         docs_param_words(param, words));
        }
        print_options(out, FOR_IMAGE, img_ops[i]);
        print_operands(out, &operation_command);
        fputs(" ;;\n", out);
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        fprintf(out, "        %s) _arguments -s", command->name);
        print_options(out, command->bit, command->measure);
        print_operands(out, command);
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
