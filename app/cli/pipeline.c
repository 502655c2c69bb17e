#include "app/cli/pipeline.h"

#include <string.h>

#include "app/cli/command.h"

static void mark_mistake(const char *line, size_t length, size_t start, size_t size, char *mark)
{
    if (mark != NULL)
        caret_print(line, length, start, size, mark);
}

/* Fails with IMG_E_USAGE. The message names the position of the mistake, and `mark` gets a text
 * that shows it. */
static ImgStatus fail_at(const char *text, const char *lines, const ImgMistake *mistake, char *mark,
                         const char *message, ImgError *err)
{
    size_t start = mistake->start, number = 1;
    if (lines == NULL) {
        mark_mistake(text, strlen(text), start, mistake->size, mark);
        return img_fail(err, IMG_E_USAGE, "step %zu, column %zu: %s", mistake->step,
                        img_pipeline_column(text, start), message);
    }
    const char *line = lines, *end;
    while ((end = strchr(line, '\n')) != NULL && start > (size_t)(end - line)) {
        start -= (size_t)(end - line) + 1;
        line = end + 1;
        number++;
    }
    mark_mistake(line, strcspn(line, "\n"), start, mistake->size, mark);
    return img_fail(err, IMG_E_USAGE, "step %zu, line %zu, column %zu: %s", mistake->step, number,
                    img_pipeline_column(line, start), message);
}

/* If the unknown step is the name of a command, replaces the message in `failure`. The new message
 * names the command. thumbnail is the only command that can also be a step. */
static void explain_command(const char *text, const ImgMistake *mistake, ImgError *failure)
{
    enum { NAME_SIZE = 64 };
    char name[NAME_SIZE];
    if (!mistake->is_name || mistake->size >= sizeof name)
        return;
    memcpy(name, text + mistake->start, mistake->size);
    name[mistake->size] = '\0';
    if (command_find(name) == NULL)
        return;
    img_error_clear(failure);
    (void)img_fail(failure, IMG_E_USAGE,
                   "'%s' is a command, not an operation; use 'imgtool %s' by itself", name, name);
}

ImgStatus pipeline_parse_marked(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                                size_t *count, char mark[CARET_SIZE], ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    ImgMistake mistake;
    if (img_pipeline_parse(text, steps, count, &mistake, &failure) == IMG_OK)
        return IMG_OK;
    explain_command(text, &mistake, &failure);
    return fail_at(text, lines, &mistake, mark, failure.message, err);
}

ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err)
{
    return pipeline_parse_marked(text, NULL, steps, count, NULL, err);
}

ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    ImgMistake mistake;
    const ImgStatus status = img_pipeline_parse_single(text, step, &mistake, &failure);
    if (status != IMG_E_USAGE || mistake.size == 0)
        return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
    return fail_at(text, NULL, &mistake, NULL, failure.message, err);
}
