/* Prints the completion script for bash. It works with and without the bash-completion package. */
#include "app/cli/docs/docs.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static void print_names(FILE *out)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", img_ops[i]->name);
    for (const Command *command = commands; command->name != NULL; command++)
        fprintf(out, " %s", command->name);
}

/* Prints the names of an option, such as " --verbose -v". */
static void print_option_name(FILE *out, const Option *option)
{
    fprintf(out, " --%s", option->name);
    if (option->letter != '\0')
        fprintf(out, " -%c", option->letter);
}

static void print_option_names(FILE *out, unsigned command)
{
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if ((option->commands & command) != 0)
            print_option_name(out, option);
}

/* Prints one branch of a case statement that sets the values of an option, such as "rotate:--angle)
 * values='90 180 270' ;;". */
static void print_value_arm(FILE *out, const char *command, const char *option, const char *words)
{
    fprintf(out, "        %s:--%s) values='%s' ;;\n", command, option, words);
}

static void print_param_arm(FILE *out, const char *command, const ImgParam *param)
{
    char name[64], words[DOCS_WORDS_SIZE];
    snprintf(name, sizeof name, "%s%s", param->name, img_param_is_flag(param) ? "=" : "");
    if (param->type != IMG_PARAM_FILE) /* bash itself completes the names of files */
        print_value_arm(out, command, name, docs_param_words(param, words));
}

/* Prints the branch of the case statement for one option. If its value is optional, values are
 * completed only after '='. */
static void print_option_arm(FILE *out, const char *command, const Option *option,
                             const char *words)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", option->name, option->bare != NULL ? "=" : "");
    print_value_arm(out, command, name, words);
}

static const ImgParam *first_param(const Command *command)
{
    static const ImgParam none = {.name = NULL};
    return command_options(command) != NULL ? command_options(command)->params : &none;
}

static void print_values(FILE *out)
{
    char words[DOCS_WORDS_SIZE];
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        const ImgOp *op = img_ops[i];
        for (const ImgParam *param = op->params; param->name != NULL; param++)
            print_param_arm(out, op->name, param);
        for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
            if (option->type == OPTION_IMPL)
                print_value_arm(out, op->name, option->name, docs_option_words(option, op, words));
    }
    for (const Command *command = commands; command->name != NULL; command++)
        for (const ImgParam *param = first_param(command); param->name != NULL; param++)
            print_param_arm(out, command->name, param);
    for (const Command *command = commands; command->name != NULL; command++)
        if (command->measure != NULL)
            print_value_arm(
                out, command->name, "impl",
                docs_option_words(option_find("impl", FOR_ALL), command->measure, words));
    /* Options of several commands can have the same name. The first of them is printed in the
     * general part below; the others are printed here, for their commands. */
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        for (const Command *command = commands; command->name != NULL; command++)
            if (option->type != OPTION_FLAG && option->type != OPTION_FILE &&
                (option->commands & command->bit) != 0 &&
                option_find(option->name, FOR_ALL) != option)
                print_option_arm(out, command->name, option,
                                 docs_option_words(option, NULL, words));
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->type != OPTION_FLAG && option->type != OPTION_FILE &&
            option_find(option->name, FOR_ALL) == option)
            print_option_arm(out, "*", option, docs_option_words(option, NULL, words));
}

static void print_option_names_of_op(FILE *out, const ImgOp *op)
{
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        const ImgChoice *flag = img_param_flags(param);
        fprintf(out, "%s--%s", param == op->params ? "" : " ", param->name);
        for (; flag != NULL && flag->name != NULL; flag++)
            fprintf(out, " --%s", flag->name);
    }
}

/* Prints assignments to variables of the script: the words that complete operands. `operands` has
 * words to use instead of file names, `more` has words to use in addition to them, and `first` has
 * words for the first operand. */
static void print_operands(FILE *out, const Command *command)
{
    for (const Operand *operand = command->operands; operand->name != NULL; operand++) {
        if (operand->kind == OPERAND_BENCH) {
            fputs(" more='", out);
            docs_bench_words(out);
            fputs("' lab='", out);
            docs_choices(out, operand);
            fputs("'", out);
        } else if (operand->kind == OPERAND_PIPELINE && operand->choices != NULL) {
            fputs(" first='", out);
            docs_operation_words(out);
            docs_choices(out, operand);
            fputs("'", out);
        } else if (operand->kind == OPERAND_TOPIC || operand->kind == OPERAND_CHOICE) {
            fputs(" operands='", out);
            if (operand->kind == OPERAND_TOPIC)
                print_names(out);
            docs_choices(out, operand);
            fputs("'", out);
        }
    }
}

static void print_commands(FILE *out)
{
    fputs("    '') words='", out);
    print_names(out);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->commands == FOR_ALL)
            print_option_name(out, option);
    fputs("' ;;\n", out);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        fprintf(out, "    %s) words='", img_ops[i]->name);
        print_option_names_of_op(out, img_ops[i]);
        print_option_names(out, FOR_OPERATION);
        fputs("' ;;\n", out);
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        fprintf(out, "    %s) words='", command->name);
        if (command_options(command) != NULL)
            print_option_names_of_op(out, command_options(command));
        print_option_names(out, command->bit);
        fputs("'", out);
        print_operands(out, command);
        fputs(" ;;\n", out);
    }
}

/* Prints a case statement that adds the options of the operation that follows `batch`. */
static void print_batch_options(FILE *out)
{
    fputs("    case $op in\n", out);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        if (img_ops[i]->params[0].name == NULL)
            continue;
        fprintf(out, "    %s) words+=' ", img_ops[i]->name);
        print_option_names_of_op(out, img_ops[i]);
        fputs("' ;;\n", out);
    }
    for (const Command *command = commands; command->name != NULL; command++) {
        if (command_options(command) == NULL)
            continue;
        fprintf(out, "    %s) words+=' ", command->name);
        print_option_names_of_op(out, command_options(command));
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
}

void docs_bash(FILE *out)
{
    fputs("# bash completion for imgtool, made by 'imgtool completion bash'\n"
          "_imgtool() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command= op= words= operands= more= first= lab= values=none key before= i\n"
          "    COMPREPLY=()\n"
          "    # bash splits --option=value at the '='\n"
          "    if [[ $cur == = ]]; then\n"
          "        cur= before==\n"
          "    elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]} before==\n"
          "    fi\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        if [[ -n $command ]]; then\n"
          "            [[ ${COMP_WORDS[i]} == -* ]] && continue\n"
          "            op=${COMP_WORDS[i]}\n"
          "            break\n"
          "        fi\n"
          "        case \" ",
          out);
    print_names(out);
    fputs(" \" in *\" ${COMP_WORDS[i]} \"*) command=${COMP_WORDS[i]} ;; esac\n"
          "    done\n"
          "    [[ $command == batch || -z $op ]] || first=$op op=\n"
          "    for key in \"$op:$prev\" \"$op:$prev$before\" \"$command:$prev\" "
          "\"$command:$prev$before\"; do\n"
          "        [[ $values == none && $key != :* ]] || continue\n"
          "        case $key in\n",
          out);
    print_values(out);
    fputs("        esac\n"
          "    done\n"
          "    if [[ $values != none ]]; then\n"
          "        compopt +o default 2>/dev/null\n"
          "        before=\n"
          "        [[ $cur != *,* ]] || before=${cur%,*},\n"
          "        COMPREPLY=($(compgen -P \"$before\" -W \"$values\" -- \"${cur##*,}\"))\n"
          "        return\n"
          "    fi\n"
          "    local seen=$first\n"
          "    first=\n"
          "    case $command in\n",
          out);
    print_commands(out);
    fputs("    esac\n", out);
    print_batch_options(out);
    fputs("    if [[ $cur == -* || -z $command ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    elif [[ -n $first && -z $op ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$first\" -- \"$cur\"))\n"
          "    elif [[ -n $operands ]]; then\n"
          "        compopt +o default 2>/dev/null\n"
          "        COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
          "    elif [[ -n $lab && $seen == lab ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$lab\" -- \"$cur\"))\n"
          "    elif [[ -n $more ]]; then # files too, where no word fits\n"
          "        COMPREPLY=($(compgen -W \"$more\" -- \"$cur\"))\n"
          "    fi\n"
          "} && complete -o default -F _imgtool imgtool\n",
          out);
}
