/* Prints the completion script for bash. It works with and without the bash-completion package. */
#include "app/cli/docs/docs.h"

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
 * values='90 180 270' ;;". If the value may be left out, values are completed only after '='. bash
 * itself completes the names of files. */
static void print_arm(FILE *out, const char *command, const DocsEntry *entry)
{
    if (entry->kind == DOCS_VALUE)
        fprintf(out, "        %s:--%s%s) values='%s' ;;\n", command, entry->name,
                entry->is_bare ? "=" : "", entry->words);
}

static void print_values(FILE *out)
{
    DocsTopic topic;
    DocsEntry entry;
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        for (size_t k = 0; docs_param_entry(topic.params, k, &entry); k++)
            print_arm(out, topic.name, &entry);
        if (topic.impls != NULL &&
            docs_option_entry(option_find("impl", FOR_ALL), FOR_ALL, topic.impls, &entry))
            print_arm(out, topic.name, &entry);
    }
    /* Options of several commands can have the same name. The first of them is printed in the
     * general part below; the others are printed here, for their commands. */
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        for (const Command *command = commands; command->name != NULL; command++)
            if ((option->commands & command->bit) != 0 &&
                option_find(option->name, FOR_ALL) != option &&
                docs_option_entry(option, FOR_ALL, NULL, &entry))
                print_arm(out, command->name, &entry);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option_find(option->name, FOR_ALL) == option &&
            docs_option_entry(option, FOR_ALL, NULL, &entry))
            print_arm(out, "*", &entry);
}

static void print_param_names(FILE *out, const ImgOp *op)
{
    DocsEntry entry;
    for (size_t i = 0; docs_param_entry(op, i, &entry); i++)
        fprintf(out, "%s--%s", i > 0 ? " " : "", entry.name);
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
                docs_topic_words(out);
            docs_choices(out, operand);
            fputs("'", out);
        }
    }
}

static void print_commands(FILE *out)
{
    fputs("    '') words='", out);
    docs_topic_words(out);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->commands == FOR_ALL)
            print_option_name(out, option);
    fputs("' ;;\n", out);
    DocsTopic topic;
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        fprintf(out, "    %s) words='", topic.name);
        print_param_names(out, topic.params);
        print_option_names(out, topic.command->bit);
        fputs("'", out);
        print_operands(out, topic.command);
        fputs(" ;;\n", out);
    }
}

/* Prints a case statement that adds the options of the operation that follows `batch`. */
static void print_batch_options(FILE *out)
{
    fputs("    case $op in\n", out);
    DocsTopic topic;
    for (size_t i = 0; docs_topic(i, &topic); i++) {
        if (topic.params == NULL || topic.params->params[0].name == NULL)
            continue;
        fprintf(out, "    %s) words+=' ", topic.name);
        print_param_names(out, topic.params);
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
    docs_topic_words(out);
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
