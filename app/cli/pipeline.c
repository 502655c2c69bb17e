#include "app/cli/pipeline.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static const char SPACES[] = " \t\r\n";
/* A name, and as many numbers as there can be, each of 12 digits, a point, 6 places, a sign and a
 * comma; what is longer is cut, and is no value then either. */
enum { WORD_SIZE = 512 };

typedef struct Reader {
    const char *text, *at;
    const char *lines; /* the text as it stands in a file; NULL: it is one line */
    char word[WORD_SIZE];
    size_t column; /* of `word`, from 1 */
} Reader;

/* The next word of this step; false at its end. */
static bool next_word(Reader *reader)
{
    reader->at += strspn(reader->at, SPACES);
    size_t length = strcspn(reader->at, " \t\r\n|");
    reader->column = (size_t)(reader->at - reader->text) + 1;
    snprintf(reader->word, sizeof reader->word, "%.*s",
             (int)(length < WORD_SIZE ? length : WORD_SIZE), reader->at);
    reader->at += length;
    return length > 0;
}

static ImgStatus fail_at(const Reader *reader, size_t step, const char *message, ImgError *err)
{
    if (reader->lines == NULL)
        return img_fail(err, IMG_E_USAGE, "step %zu, column %zu: %s", step, reader->column,
                        message);
    size_t line = 1, start = 0;
    for (size_t i = 0; i + 1 < reader->column; i++) {
        if (reader->lines[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    return img_fail(err, IMG_E_USAGE, "step %zu, line %zu, column %zu: %s", step, line,
                    reader->column - start, message);
}

static ImgStatus parse_option(Reader *reader, size_t number, ImgStep *step, ImgError *err)
{
    char message[IMG_MESSAGE_SIZE];
    char *equals = strchr(reader->word, '=');
    if (equals == NULL || reader->word[0] == '-') {
        snprintf(message, sizeof message,
                 "%s has no option '%s'; write name=value, and '|' before the next operation",
                 step->op->name, reader->word);
        return fail_at(reader, number, message, err);
    }
    *equals = '\0';
    ImgError failure = {IMG_OK, ""};
    if (img_params_set(step->op, &step->params, reader->word, equals + 1, &failure) != IMG_OK)
        return fail_at(reader, number, failure.message, err);
    return IMG_OK;
}

/* What follows the name; *any: there is something. */
static ImgStatus parse_options(Reader *reader, size_t number, ImgStep *step, bool *any,
                               ImgError *err)
{
    img_params_init(step->op, &step->params);
    ImgStatus status = IMG_OK;
    *any = false;
    while (status == IMG_OK && next_word(reader)) {
        *any = true;
        status = parse_option(reader, number, step, err);
    }
    return status;
}

/* Commands read pictures and print: none stands among the steps. */
static ImgStatus find_op(const char *name, const ImgOp **op, ImgError *err)
{
    if (img_op_find(name, op, err) == IMG_OK || command_find(name) == NULL)
        return err->status;
    img_error_clear(err);
    return img_fail(err, IMG_E_USAGE,
                    "'%s' is a command, not an operation; use 'imgtool %s' by itself", name, name);
}

static ImgStatus parse_step(Reader *reader, size_t number, ImgStep *step, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    if (!next_word(reader))
        return fail_at(reader, number, "an operation is missing", err);
    bool any;
    if (find_op(reader->word, &step->op, &failure) != IMG_OK)
        return fail_at(reader, number, failure.message, err);
    size_t column = reader->column;
    ImgStatus status = parse_options(reader, number, step, &any, err);
    if (status != IMG_OK || any)
        return status;
    reader->column = column;
    return img_params_check_given(step->op, "", &failure) == IMG_OK
               ? IMG_OK
               : fail_at(reader, number, failure.message, err);
}

ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err)
{
    Reader reader = {.text = text, .at = text};
    if (!next_word(&reader))
        return img_fail(err, IMG_E_USAGE, "the name of an operation is empty");
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

ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err)
{
    return pipeline_parse_lines(text, NULL, steps, count, err);
}

ImgStatus pipeline_parse_lines(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                               size_t *count, ImgError *err)
{
    Reader reader = {.text = text, .at = text, .lines = lines};
    *count = 0;
    if (text[strspn(text, SPACES)] == '\0')
        return img_fail(err, IMG_E_USAGE,
                        "the series of steps is empty; write one like 'rotate angle=90 | flip'");
    for (;;) {
        if (*count == IMG_STEPS_MAX)
            return img_fail(err, IMG_E_USAGE, "more than %d steps are too many for one run",
                            (int)IMG_STEPS_MAX);
        ImgStatus status = parse_step(&reader, *count + 1, &steps[*count], err);
        if (status != IMG_OK)
            return status;
        (*count)++;
        if (*reader.at == '\0')
            return IMG_OK;
        reader.at++; /* the '|' */
    }
}

void pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " | " : "",
                                 steps[i].op->name);
        for (const ImgParam *param = steps[i].op->params; param->name != NULL && used < size;
             param++) {
            char value[IMG_PARAM_TEXT];
            img_params_print(param, &steps[i].params, value, sizeof value);
            /* "name=" would not be read back. */
            if (value[0] != '\0')
                used += (size_t)snprintf(text + used, size - used, " %s=%s", param->name, value);
        }
    }
}
