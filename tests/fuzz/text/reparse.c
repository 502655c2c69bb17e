/* Writes parsed arguments as a command line: see text.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "tests/fuzz/text/text.h"

enum { WORDS_MOST = 256 };

typedef struct Words {
    char *list[WORDS_MOST + 1]; /* words, owned; NULL after `count` of them */
    int count;
} Words;

/* Appends the word, and takes ownership of it. */
static void put(Words *words, char *word)
{
    scratch_check(word != NULL && words->count < WORDS_MOST, "no room for a word");
    words->list[words->count++] = word;
} /* NOLINT(clang-analyzer-unix.Malloc): check_reparsed frees the list */

static void put_copy(Words *words, const char *word)
{
    put(words, strdup(word));
}

static void put_value(Words *words, const char *name, const char *value)
{
    char *word = NULL;
    scratch_check(asprintf(&word, "--%s=%s", name, value) >= 0, "no memory");
    put(words, word);
}

/* --- Values ----------------------------------------------------------------------------------- */

static int32_t value32(const Option *option, const Settings *settings)
{
    int32_t value;
    memcpy(&value, (const char *)settings + option->offset, sizeof value);
    return value;
}

static uint64_t value64(const Option *option, const Settings *settings)
{
    uint64_t value;
    memcpy(&value, (const char *)settings + option->offset, sizeof value);
    return value;
}

static const char *value_text(const Option *option, const Settings *settings)
{
    const char *value;
    memcpy(&value, (const char *)settings + option->offset, sizeof value);
    return value;
}

static const char *choice_name(const Option *option, int32_t value)
{
    const ImgChoice *choice = option->choices;
    while (choice->name != NULL && choice->value != value)
        choice++;
    scratch_check(choice->name != NULL, "a value is not a choice of its option");
    return choice->name;
}

static void put_option(Words *words, const Option *option, const Settings *settings)
{
    char number[32];
    switch (option->type) {
    case OPTION_FLAG:
        put_value(words, option->name, "");
        *strchr(words->list[words->count - 1], '=') = '\0';
        break;
    case OPTION_INT:
        snprintf(number, sizeof number, "%d", value32(option, settings));
        scratch_check(value32(option, settings) >= option->min &&
                          value32(option, settings) <= option->max,
                      "a value out of its range");
        put_value(words, option->name, number);
        break;
    case OPTION_DECIMAL:
        scratch_check(value32(option, settings) >= option->min &&
                          value32(option, settings) <= option->max,
                      "a value out of its range");
        snprintf(number, sizeof number, "%d.%03d", value32(option, settings) / 1000,
                 value32(option, settings) % 1000);
        put_value(words, option->name, number);
        break;
    case OPTION_CHOICE:
        put_value(words, option->name, choice_name(option, value32(option, settings)));
        break;
    case OPTION_COUNT:
    case OPTION_BYTES:
        snprintf(number, sizeof number, "%" PRIu64, value64(option, settings));
        put_value(words, option->name, number);
        break;
    case OPTION_IMPL:
    case OPTION_TEXT:
    case OPTION_FILE:
        put_value(words, option->name, value_text(option, settings));
        break;
    }
}

static bool has_text(const Option *option)
{
    return option->type == OPTION_IMPL || option->type == OPTION_TEXT ||
           option->type == OPTION_FILE;
}

static void check_option(const Option *option, const Settings *a, const Settings *b)
{
    scratch_check(option_is_given(a, option) == option_is_given(b, option),
                  "an option is given in only one of the two");
    if (has_text(option)) {
        const char *one = value_text(option, a), *other = value_text(option, b);
        scratch_check((one == NULL) == (other == NULL) && (one == NULL || strcmp(one, other) == 0),
                      "the text of an option differs");
    } else if (option->type == OPTION_COUNT || option->type == OPTION_BYTES) {
        scratch_check(value64(option, a) == value64(option, b), "the number of an option differs");
    } else {
        scratch_check(value32(option, a) == value32(option, b), "the value of an option differs");
    }
}

/* Returns true if two given options set the same field of Settings, such as --verbose and --quiet.
 * The last one of them has effect, but their order is unknown here. */
static bool has_shared_field(const Settings *settings)
{
    for (const Option *a = option_next(NULL); a != NULL; a = option_next(a))
        for (const Option *b = option_next(a); b != NULL; b = option_next(b))
            if (a->offset == b->offset && option_is_given(settings, a) &&
                option_is_given(settings, b))
                return true;
    return false;
}

/* --- Command lines ---------------------------------------------------------------------------- */

static void put_params(Words *words, const Args *args)
{
    for (const ImgParam *param = args->op != NULL ? args->op->params : NULL;
         param != NULL && param->name != NULL; param++) {
        char value[IMG_PARAM_TEXT];
        img_params_print(param, &args->params, value, sizeof value);
        if (value[0] != '\0')
            put_value(words, param->name, value);
    }
}

/* Writes the command line as words. Options of an operation stand after its name, which is an
 * operand in a batch. */
static void write_words(const Args *args, Words *words)
{
    size_t first = args->steps_operand != NULL ? 1 : 0;
    put_copy(words, "imgtool");
    put_copy(words, args->command == &operation_command ? args->op->name : args->command->name);
    if (args->command->bit == FOR_BATCH && args->op != NULL)
        put_copy(words, args->operands[first++]);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option_is_given(&args->settings, option))
            put_option(words, option, &args->settings);
    put_params(words, args);
    put_copy(words, "--");
    for (size_t i = first; i < args->operand_count; i++)
        put_copy(words, args->operands[i]);
}

static void check_same(const Args *a, const Args *b)
{
    scratch_check(a->command == b->command && a->op == b->op && a->is_thumbnail == b->is_thumbnail,
                  "the command differs");
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        check_option(option, &a->settings, &b->settings);
    scratch_check(a->op == NULL ||
                      memcmp(a->params.bytes, b->params.bytes, a->op->params_size) == 0,
                  "the parameters differ");
    scratch_check(a->operand_count == b->operand_count, "the number of operands differs");
    for (size_t i = 0; i < a->operand_count; i++)
        scratch_check(strcmp(a->operands[i], b->operands[i]) == 0, "an operand differs");
    scratch_check(a->operands[a->operand_count] == NULL, "operands do not end with NULL");
}

void check_reparsed(const Args *args)
{
    Words words = {.count = 0};
    Args again;
    ImgError err = {IMG_OK, ""};
    if (has_shared_field(&args->settings))
        return;
    write_words(args, &words);
    ImgStatus status = args_parse(words.count, words.list, &again, &err);
    scratch_check(status == IMG_OK, err.message);
    check_same(args, &again);
    args_free(&again);
    for (int i = 0; i < words.count; i++)
        free(words.list[i]);
}
