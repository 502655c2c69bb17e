/* Prints the completion script for zsh. It can be sourced, or installed in a directory of fpath. */
#include "app/cli/docs/docs.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

/* Characters that must be escaped in an argument of _arguments. */
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

/* Prints the argument "--name=[help]:value:(words)" on a continuation line. */
static void print_valued(FILE *out, const char *name, bool is_optional, const char *help,
                         const char *words)
{
    fprintf(out, " \\\n            '--%s=%s[", name, is_optional ? "-" : "");
    docs_in_quotes(out, help, SPECIAL);
    fprintf(out, "]:%s%s:", is_optional ? ":" : "", name);
    fprintf(out, words[0] != '\0' ? "(%s)'" : "%s '", words);
}

static void print_file(FILE *out, const char *name, const char *help)
{
    fprintf(out, " \\\n            '--%s=[", name);
    docs_in_quotes(out, help, SPECIAL);
    fprintf(out, "]:%s:_files'", name);
}

static void print_option(FILE *out, const Option *option, unsigned command, const ImgOp *op)
{
    char help[DOCS_HELP_SIZE], words[DOCS_WORDS_SIZE];
    if (docs_option_help(option, command, help)[0] == '\0')
        return;
    if (option->type == OPTION_FILE) {
        print_file(out, option->name, help);
        return;
    }
    if (option->type != OPTION_FLAG) {
        print_valued(out, option->name, option->bare != NULL, help,
                     docs_option_words(option, op, words));
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
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if ((option->commands & command) != 0)
            print_option(out, option, command, op);
}

static void print_flags(FILE *out, const ImgParam *param)
{
    char help[DOCS_HELP_SIZE];
    const ImgChoice *flag = img_param_flags(param);
    for (; flag != NULL && flag->name != NULL; flag++) {
        fprintf(out, " \\\n            '--%s[", flag->name);
        docs_in_quotes(out, docs_flag_help(param, flag, help), SPECIAL);
        fputs("]'", out);
    }
}

static void print_params(FILE *out, const ImgOp *op)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        char help[DOCS_HELP_SIZE], words[DOCS_WORDS_SIZE];
        docs_param_help(op, param, help);
        if (param->type == IMG_PARAM_FILE)
            print_file(out, param->name, help);
        else
            print_valued(out, param->name, img_param_is_flag(param), help,
                         docs_param_words(param, words));
        print_flags(out, param);
    }
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
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        if (img_ops[i]->params[0].name == NULL)
            continue;
        fprintf(out, "        %s) params=(", img_ops[i]->name);
        print_params(out, img_ops[i]);
        fputs("); break ;;\n", out);
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        if (command_options(command) == NULL)
            continue;
        fprintf(out, "        %s) params=(", command->name);
        print_params(out, command_options(command));
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
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->commands == FOR_ALL)
            print_option(out, option, FOR_IMAGE, NULL);
    fputs(" \\\n        '1: :_imgtool_topics' '*:: :->rest'\n"
          "    [[ $state == rest ]] || return\n",
          out);
    print_params_of_words(out);
    fputs("    case $words[1] in\n", out);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        fprintf(out, "        %s) _arguments -s", img_ops[i]->name);
        print_params(out, img_ops[i]);
        print_options(out, FOR_OPERATION, img_ops[i]);
        print_operands(out, &operation_command);
        fputs(" ;;\n", out);
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        fprintf(out, "        %s) _arguments -s%s", command->name,
                takes_operation(command) ? " $params" : "");
        if (command_options(command) != NULL)
            print_params(out, command_options(command));
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
