
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/pipeline.h"
#include "io/input.h"

enum { FILE_BYTES_MAX = 1 << 16 };

/* Returns whether a comment starts at `at`. A '#' inside a word is part of a value, such as the
 * colour in background=#ff0000. */
static bool starts_comment(const char *text, const char *at)
{
    return *at == '#' && (at == text || strchr(" \t\r\n", at[-1]) != NULL);
}

/* Returns the quote that is open after `character`, or '\0'. A newline also ends a quote; the
 * parser reports that as a mistake. */
static char quote_after(char quote, char character)
{
    if (quote != '\0')
        return character == quote || character == '\n' ? '\0' : quote;
    return character == '\'' || character == '"' ? character : '\0';
}

/* Turns the lines of a file into the text of a pipeline: comments become spaces, and the newline
 * after a step becomes '|'. All words keep their positions in the file, so that messages can state
 * them. */
static void join_lines(char *text)
{
    /* Newline after the latest word; NULL if a '|' separates the steps already. */
    char *end_of_line = NULL;
    char quote = '\0'; /* the quote that is open at `at`; '\0': none */
    bool comment = false, after_bar = true;
    for (char *at = text; *at != '\0'; at++) {
        comment = (quote == '\0' && starts_comment(text, at)) || (comment && *at != '\n');
        /* A newline within quotes stays, so that the parser reports it. */
        const bool breaks_quote = quote != '\0' && *at == '\n';
        if (!comment)
            quote = quote_after(quote, *at);
        if (comment)
            *at = ' ';
        if (*at == '\n' && !after_bar && end_of_line == NULL && !breaks_quote)
            end_of_line = at;
        if (strchr(" \t\r\n", *at) != NULL)
            continue;
        if (end_of_line != NULL && (*at != '|' || quote != '\0'))
            *end_of_line = '|';
        end_of_line = NULL;
        after_bar = *at == '|' && quote == '\0';
    }
}

/* Reads the file as a string, which must be shorter than FILE_BYTES_MAX bytes. The caller frees it.
 * Returns NULL and sets *err after a failure. */
static char *read_text(FILE *file, ImgError *err)
{
    char *text = calloc(1, FILE_BYTES_MAX + 1);
    if (text == NULL) {
        img_fail(err, IMG_E_MEMORY, "no memory for the steps");
        return NULL;
    }
    errno = 0;
    size_t size = fread(text, 1, FILE_BYTES_MAX, file);
    if (ferror(file))
        img_fail(err, IMG_E_IO, "cannot be read: %s", strerror(errno));
    else if (size == FILE_BYTES_MAX || memchr(text, '\0', size) != NULL)
        img_fail(err, IMG_E_USAGE, "is not a file of steps; use text of less than %d bytes",
                 (int)FILE_BYTES_MAX);
    else
        return text;
    free(text);
    return NULL;
}

static ImgStatus parse_text(char *text, ImgStep *steps, size_t *count, char *mark, ImgError *err)
{
    char *lines = strdup(text);
    if (lines == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    /* Spaces replace the byte order mark, which editors on Windows write. */
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        memset(text, ' ', 3);
    join_lines(text);
    ImgStatus status = pipeline_parse_marked(text, lines, steps, count, mark, err);
    free(lines);
    return status;
}

static ImgStatus read_file(const char *path, bool only_files, ImgStep *steps, size_t *count,
                           char *mark, ImgError *err)
{
    if (path[0] == '\0')
        return img_fail(err, IMG_E_USAGE, "'@' has no file name; write '@FILE'");
    const ImgInterrupt none = {NULL, NULL};
    int fd;
    if (img_input_open_path(path, only_files, &none, &fd, err) != IMG_OK)
        return err->status;
    FILE *file = fdopen(fd, "r");
    if (file == NULL) {
        close(fd);
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    }
    char *text = read_text(file, err);
    fclose(file);
    if (text == NULL)
        return err->status;
    ImgStatus status = parse_text(text, steps, count, mark, err);
    free(text);
    return status;
}

ImgStatus pipeline_read(const char *operand, bool only_files, ImgStep steps[IMG_STEPS_MAX],
                        size_t *count, char mark[CARET_SIZE], ImgError *err)
{
    *count = 0;
    mark[0] = '\0';
    if (operand[0] != '@')
        return pipeline_parse_marked(operand, NULL, steps, count, mark, err);
    if (read_file(operand + 1, only_files, steps, count, mark, err) != IMG_OK && operand[1] != '\0')
        img_error_prefix(err, "%s", operand + 1);
    return err->status;
}
