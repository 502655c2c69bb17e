/* make_dictionary operations|arguments: prints words for pipelines or for command lines, in
 * libFuzzer's format. The words come from the program's tables of operations, options and commands,
 * so new operations are fuzzed without a change here. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

enum { WORD_MAX = 60 /* longest entry, in bytes; libFuzzer accepts at most 64 */ };

static char (*words)[WORD_MAX + 1];
static size_t count;

/* Prints the joined text as an entry. Ignores a text that is too long, empty, or a duplicate. */
static void put(const char *before, const char *word, const char *after)
{
    char whole[WORD_MAX + 1];
    const int length = snprintf(whole, sizeof whole, "%s%s%s", before, word, after);
    if (length < 1 || length > WORD_MAX || word[0] == '\0')
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], whole) == 0)
            return;
    words = realloc(words, (count + 1) * sizeof *words);
    if (words == NULL)
        abort();
    memcpy(words[count++], whole, sizeof whole);
}

static void put_choices(const ImgChoice *choices, const char *before)
{
    for (; choices != NULL && choices->name != NULL; choices++)
        put(before, choices->name, "");
}

static void put_param(const ImgParam *param, bool dashes)
{
    const char *before = dashes ? "--" : "";
    char number[32];
    put(before, param->name, "=");
    put(before, param->name, "");
    put("", param->default_value, "");
    put_choices(param->choices, "");
    put_choices(param->synonyms, "");
    put_choices(param->flags, before);
    const int64_t unit = param->type == IMG_PARAM_NUMBERS   ? 1000000
                         : param->type == IMG_PARAM_DECIMAL ? 1000
                                                            : 1;
    if (param->max > param->min) {
        snprintf(number, sizeof number, "%lld", (long long)(param->min / unit));
        put("", number, "");
        snprintf(number, sizeof number, "%lld", (long long)(param->max / unit));
        put("", number, "");
    }
}

static void put_operations(bool dashes)
{
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++) {
        put("", op->name, "");
        if (!dashes)
            put(" | ", op->name, " ");
        for (const ImgParam *param = op->params; param != NULL && param->name != NULL; param++)
            put_param(param, dashes);
        for (const ImgImpl *impl = op->impls; dashes && impl->name != NULL; impl++)
            put("", impl->name, "");
    }
}

static void put_list(const char *list)
{
    char word[WORD_MAX + 1];
    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        put("", word, "");
        list += length + strspn(list + length, " ");
    }
}

static void put_options(void)
{
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        char letter[] = {option->letter, '\0'};
        put("--", option->name, "");
        if (option->type != OPTION_FLAG)
            put("--", option->name, "=");
        if (option->also != NULL)
            put("--", option->also, "");
        put("-", letter, "");
        put_choices(option->choices, "");
        put_choices(option->synonyms, "");
        put_list(option->words);
        if (option->bare != NULL)
            put("", option->bare, "");
    }
}

static void put_commands(void)
{
    for (const Command *command = commands; command->name != NULL; command++) {
        put("", command->name, "");
        for (const Operand *operand = command->operands; operand->name != NULL; operand++)
            for (size_t i = 0; operand->choices != NULL && operand->choices[i] != NULL; i++)
                put("", operand->choices[i], "");
    }
}

static void print_words(void)
{
    for (size_t i = 0; i < count; i++) {
        putchar('"');
        for (const char *p = words[i]; *p != '\0'; p++) {
            if (*p == '"' || *p == '\\' || *p < ' ')
                printf("\\x%02x", (unsigned)(unsigned char)*p);
            else
                putchar(*p);
        }
        printf("\"\n");
    }
}

int main(int argc, char **argv)
{
    const bool arguments = argc == 2 && strcmp(argv[1], "arguments") == 0;
    if (!arguments && (argc != 2 || strcmp(argv[1], "operations") != 0)) {
        fprintf(stderr, "usage: make_dictionary operations|arguments\n");
        return 2;
    }
    put_operations(arguments);
    if (arguments) {
        put_commands();
        put_options();
    }
    print_words();
    free(words);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
