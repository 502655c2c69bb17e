#include "kernels/pipeline/pipeline.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/suggest.h"
#include "kernels/pipeline/thumbnail.h"
#include "kernels/registry.h"

static const char SPACES[] = " \t\r\n";
/* Size of the buffer for a word, in bytes. It has room for a name and a path, or for the longest
 * list of numbers. Longer words are truncated, and then rejected as values. */
enum { WORD_SIZE = 2 * IMG_PATH_SIZE };

typedef struct Reader {
    const char *text, *at;
    ImgMistake *mistake; /* receives the position of a mistake in the text; never NULL */
    char word[WORD_SIZE];
    /* position and size, in bytes, of the last word in the pipeline's text; `word` may be shorter,
     * because it is truncated to its buffer */
    size_t start, size;
    bool open_quote; /* true if a quote in `word` is not closed on the same line */
} Reader;

/* Appends `length` bytes of `from` to the word, or as many as the word's buffer has room for. */
static void append(Reader *reader, size_t *used, const char *from, size_t length)
{
    size_t room = sizeof reader->word - 1 - *used;
    length = length < room ? length : room;
    memcpy(reader->word + *used, from, length);
    *used += length;
    reader->word[*used] = '\0';
}

/* Reads the next word of the current step, and removes quotes as a shell does. Returns false at the
 * end of the step. */
static bool next_word(Reader *reader)
{
    size_t used = 0;
    reader->at += strspn(reader->at, SPACES);
    const char *start = reader->at;
    reader->start = (size_t)(start - reader->text);
    reader->word[0] = '\0';
    reader->open_quote = false;
    for (;;) {
        size_t length = strcspn(reader->at, " \t\r\n|'\"");
        append(reader, &used, reader->at, length);
        reader->at += length;
        const char quote[] = {*reader->at, '\n', '\0'};
        if (quote[0] != '\'' && quote[0] != '"')
            break;
        length = strcspn(++reader->at, quote);
        append(reader, &used, reader->at, length);
        reader->at += length;
        reader->open_quote = *reader->at != quote[0];
        if (reader->open_quote)
            break;
        reader->at++;
    }
    reader->size = (size_t)(reader->at - start);
    return reader->at > start;
}

size_t img_pipeline_column(const char *line, size_t start)
{
    size_t column = 1;
    for (size_t i = 0; i < start; i++)
        column += ((unsigned char)line[i] & 0xC0) != 0x80;
    return column;
}

/* Fails with `message`, and reports that the mistake is at the last word that was read. */
static ImgStatus fail_at(const Reader *reader, size_t step, const char *message, ImgError *err)
{
    *reader->mistake = (ImgMistake){step, reader->start, reader->size, false};
    return img_fail(err, IMG_E_USAGE, "%s", message);
}

/* Returns the parameter that takes a value without a name, such as 50% in "resize 50%". Returns
 * NULL if the operation has none, if it is already set, or if the word cannot be such a value. */
static const ImgParam *positional_of(const Reader *reader, const ImgStep *step)
{
    const ImgParam *param = img_param_positional(step->op);
    const bool is_free = param != NULL && img_param_is_default(param, &step->params) &&
                         img_param_find(step->op, reader->word) == NULL;
    return is_free && strchr(reader->word, '=') == NULL && reader->word[0] != '-' ? param : NULL;
}

/* Fails with a message about a word that is neither name=value nor a flag. */
static void fail_bare_word(const ImgOp *op, const char *word, ImgError *err)
{
    if (img_param_find(op, word) != NULL) {
        (void)img_fail(err, IMG_E_USAGE, "the option '%s' of %s has no value; write %s=VALUE", word,
                       op->name, word);
        return;
    }
    ImgSuggestion nearest = img_suggest_start(word);
    for (const ImgParam *param = op->params; param->name != NULL; param++)
        for (const ImgChoice *flag = param->flags; flag != NULL && flag->name != NULL; flag++)
            img_suggest_offer(&nearest, flag->name);
    if (nearest.best != NULL)
        (void)img_fail(err, IMG_E_USAGE, "%s has no option '%s'; did you mean '%s'?", op->name,
                       word, nearest.best);
    else if (op->shorthand.form != NULL)
        (void)img_fail(err, IMG_E_USAGE,
                       "%s has no option '%s'; write name=value or %s, and '|' before the next "
                       "operation",
                       op->name, word, op->shorthand.form);
    else
        (void)img_fail(err, IMG_E_USAGE,
                       "%s has no option '%s'; write name=value, and '|' before the next operation",
                       op->name, word);
}

static ImgStatus parse_option(Reader *reader, size_t number, ImgStep *step, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    char *equals = strchr(reader->word, '=');
    if (reader->open_quote)
        return fail_at(reader, number, "a quote is not closed on its line; close it", err);
    if (img_params_set_flag(step->op, &step->params, reader->word))
        return IMG_OK;
    const ImgParam *positional = positional_of(reader, step);
    if (positional != NULL)
        return img_params_set(step->op, &step->params, positional->name, reader->word, &failure) ==
                       IMG_OK
                   ? IMG_OK
                   : fail_at(reader, number, failure.message, err);
    bool taken = false;
    if (equals == NULL &&
        img_params_set_shorthand(step->op, &step->params, reader->word, &taken, &failure) != IMG_OK)
        return fail_at(reader, number, failure.message, err);
    if (taken)
        return IMG_OK;
    if (equals == NULL || reader->word[0] == '-') {
        fail_bare_word(step->op, reader->word, &failure);
        return fail_at(reader, number, failure.message, err);
    }
    *equals = '\0';
    if (img_params_set(step->op, &step->params, reader->word, equals + 1, &failure) == IMG_OK)
        return IMG_OK;
    bool unknown = img_param_find(step->op, reader->word) == NULL;
    if (unknown && reader->word[0] != '\0')
        reader->size = strlen(reader->word); /* the mistake is the name, not the whole word */
    return fail_at(reader, number, failure.message, err);
}

/* Parses the options that follow the name of a step. Sets *any to true if there is at least one
 * option. */
static ImgStatus parse_options(Reader *reader, size_t number, ImgStep *step, bool *any,
                               ImgError *err)
{
    if (step->strips)
        img_thumbnail_init(&step->params);
    else
        img_params_init(step->op, &step->params);
    ImgStatus status = IMG_OK;
    *any = false;
    while (status == IMG_OK && next_word(reader)) {
        *any = true;
        status = parse_option(reader, number, step, err);
    }
    return status;
}

static ImgStatus find_op(const char *name, ImgStep *step, ImgError *err)
{
    *step = (ImgStep){.op = img_thumbnail_is(name) ? img_thumbnail_options() : NULL,
                      .strips = img_thumbnail_is(name)};
    return step->strips ? IMG_OK : img_op_find(name, &step->op, err);
}

static ImgStatus parse_step(Reader *reader, size_t number, ImgStep *step, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    size_t after_bar = (size_t)(reader->at - reader->text);
    if (!next_word(reader)) {
        if (*reader->at == '\0')
            /* the mistake is after the '|', before any empty lines and comments that follow */
            reader->start = after_bar;
        return fail_at(reader, number, "an operation is missing", err);
    }
    bool any;
    if (find_op(reader->word, step, &failure) != IMG_OK) {
        (void)fail_at(reader, number, failure.message, err);
        reader->mistake->is_name = true;
        return IMG_E_USAGE;
    }
    size_t start = reader->start, size = reader->size;
    ImgStatus status = parse_options(reader, number, step, &any, err);
    if (status != IMG_OK)
        return status;
    reader->start = start;
    reader->size = size;
    status = any ? img_op_check_params(step->op, step->params.bytes, &failure)
                 : img_params_check_given(step->op, "", &failure);
    return status == IMG_OK ? IMG_OK : fail_at(reader, number, failure.message, err);
}

ImgStatus img_pipeline_parse_single(const char *text, ImgStep *step, ImgMistake *mistake,
                                    ImgError *err)
{
    ImgMistake unwanted;
    Reader reader = {.text = text, .at = text, .mistake = mistake != NULL ? mistake : &unwanted};
    *reader.mistake = (ImgMistake){.step = 1};
    if (!next_word(&reader))
        return img_fail(err, IMG_E_USAGE, "the name of an operation is empty");
    *step = (ImgStep){.op = NULL};
    ImgStatus status = img_op_or_measure_find(reader.word, &step->op, err);
    bool any;
    if (status == IMG_OK)
        status = parse_options(&reader, 1, step, &any, err);
    if (status == IMG_OK && *reader.at != '\0')
        return img_fail(err, IMG_E_USAGE,
                        "'%s' is a series of operations, and each is measured alone; name them one "
                        "by one",
                        text);
    return status;
}

static ImgStatus fail_too_many(Reader *reader, ImgError *err)
{
    char message[64];
    snprintf(message, sizeof message, "more than %d steps are too many for one run",
             (int)IMG_STEPS_MAX);
    next_word(reader);
    return fail_at(reader, IMG_STEPS_MAX + 1, message, err);
}

/* Adds the step that was read to the list. A thumbnail step is replaced by the steps for which it
 * stands. Returns false if there are too many steps. */
static bool add_step(ImgStep steps[IMG_STEPS_MAX], size_t *count)
{
    const ImgParams params = steps[*count].params;
    if (!steps[*count].strips) {
        (*count)++;
        return true;
    }
    if (*count + IMG_THUMBNAIL_STEPS > IMG_STEPS_MAX)
        return false;
    img_thumbnail_steps(&params, &steps[*count]);
    *count += IMG_THUMBNAIL_STEPS;
    return true;
}

ImgStatus img_pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             ImgMistake *mistake, ImgError *err)
{
    ImgMistake unwanted;
    Reader reader = {.text = text, .at = text, .mistake = mistake != NULL ? mistake : &unwanted};
    *count = 0;
    if (text[strspn(text, SPACES)] == '\0')
        return IMG_OK;
    for (size_t number = 1;; number++) {
        if (*count == IMG_STEPS_MAX)
            return fail_too_many(&reader, err);
        ImgStatus status = parse_step(&reader, number, &steps[*count], err);
        if (status != IMG_OK)
            return status;
        if (!add_step(steps, count))
            return fail_too_many(&reader, err);
        if (*reader.at == '\0')
            return IMG_OK;
        reader.at++; /* skips the '|' */
    }
}
