/* Reads kernels from text files. A line has one row of the kernel: numbers that are separated by
 * spaces or tabs. Empty lines, and text after a '#', are ignored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/convolve/convolve.h"
#include "kernels/core/fixed/decimal.h"

enum { SHOWN_MOST = 40, WEIGHT_MOST = 1000000 };

typedef struct Reader {
    const char *at, *end; /* position in the current line, and the line's end */
    int64_t line;
    ImgKernel *kernel;
    ImgError *err;
} Reader;

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\r';
}

static bool skip_spaces(Reader *reader)
{
    while (reader->at < reader->end && is_space(*reader->at))
        reader->at++;
    return reader->at < reader->end;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Fails with a message that quotes the next word, which is not a number. Characters other than
 * printable ASCII are shown as '?'. */
static ImgStatus fail_number(const Reader *reader)
{
    char word[SHOWN_MOST + 1];
    int length = 0;
    for (const char *at = reader->at; at < reader->end && !is_space(*at) && length < SHOWN_MOST;
         at++)
        word[length++] = *at > ' ' && *at < 0x7f ? *at : '?';
    word[length] = '\0';
    return img_fail(reader->err, IMG_E_FORMAT,
                    "line %" PRId64 ": '%s' is not a number up to a million; a kernel is rows of "
                    "numbers such as -1 or 0.25, with spaces between them",
                    reader->line, word);
}

static ImgStatus fail_size(const Reader *reader, const char *what, int32_t count)
{
    return img_fail(reader->err, IMG_E_FORMAT,
                    "line %" PRId64 ": %s than %d; a kernel has at most %d x %d numbers",
                    reader->line, what, count, (int)IMG_KERNEL_SIDE, (int)IMG_KERNEL_SIDE);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static ImgStatus read_row(Reader *reader)
{
    const int64_t most = (int64_t)WEIGHT_MOST * IMG_DECIMAL_UNIT;
    ImgKernel *kernel = reader->kernel;
    int64_t row[IMG_KERNEL_SIDE];
    int32_t count = 0;
    while (skip_spaces(reader)) {
        if (count == IMG_KERNEL_SIDE)
            return fail_size(reader, "more numbers", IMG_KERNEL_SIDE);
        const char *word = reader->at;
        const bool is_number = img_decimal_read(&reader->at, reader->end, &row[count]);
        if (!is_number || llabs(row[count]) > most) {
            reader->at = word;
            return fail_number(reader);
        }
        count++;
    }
    if (kernel->height == IMG_KERNEL_SIDE)
        return fail_size(reader, "more rows", IMG_KERNEL_SIDE);
    if (kernel->height > 0 && count != kernel->width)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": %d number%s, and %d in rows before; make rows equal, "
                        "with zeros",
                        reader->line, count, count == 1 ? "" : "s", kernel->width);
    kernel->width = count;
    memcpy(kernel->weights + (ptrdiff_t)kernel->height * count, row, (size_t)count * sizeof *row);
    kernel->height++;
    return IMG_OK;
}

static ImgStatus read_rows(Reader *reader, const char *text, const char *end)
{
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = newline != NULL ? newline : end;
        const char *comment = memchr(text, '#', (size_t)(line_end - text));
        reader->line++;
        reader->at = text;
        reader->end = comment != NULL ? comment : line_end;
        while (reader->at < reader->end && is_space(reader->end[-1]))
            reader->end--;
        if (skip_spaces(reader))
            status = read_row(reader);
        text = newline != NULL ? newline + 1 : end;
    }
    return status;
}

static ImgStatus check_whole(const ImgKernel *kernel, ImgError *err)
{
    if (kernel->height == 0)
        return img_fail(err, IMG_E_FORMAT,
                        "has no numbers; write the kernel in rows, with spaces between numbers");
    if (kernel->width % 2 == 0 || kernel->height % 2 == 0)
        return img_fail(err, IMG_E_FORMAT,
                        "the kernel is %d x %d and has no centre; add zeros to make both sides odd",
                        kernel->width, kernel->height);
    return IMG_OK;
}

ImgStatus img_kernel_read(const char *text, size_t size, ImgConstants *content, ImgError *err)
{
    static const char mark[] = {'\xEF', '\xBB', '\xBF'}; /* byte order mark of UTF-8 */
    const bool is_marked = size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0;
    Reader reader = {.kernel = calloc(1, sizeof(ImgKernel)), .err = err};
    if (reader.kernel == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the kernel");
    ImgStatus status = read_rows(&reader, text + (is_marked ? sizeof mark : 0), text + size);
    if (status == IMG_OK)
        status = check_whole(reader.kernel, err);
    if (status != IMG_OK) {
        free(reader.kernel);
        return status;
    }
    *content = (ImgConstants){reader.kernel, sizeof *reader.kernel};
    return IMG_OK;
}
