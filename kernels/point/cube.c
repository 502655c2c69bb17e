#include "kernels/point/cube.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/fixed/decimal.h"

enum { DOMAIN_MOST = 1000, SHOWN_MOST = 40 };

typedef struct Reader {
    const char *at, *end; /* rest of the current line, without spaces at its ends */
    const char *next;     /* start of the next line */
    const char *text_end;
    int64_t line; /* number of the current line, from 1 */
    ImgCube *cube;
    size_t bytes; /* size of the cube in bytes */
    int64_t rows, wanted;
    /* range of the values read so far, in billionths; it always includes 0 to 1 */
    int64_t low, high;
    ImgError *err;
    ImgCube head; /* header of the cube, while it is being read */
} Reader;

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\r';
}

/* Moves to the next line of the text. Returns false at the end of the text. */
static bool next_line(Reader *reader)
{
    if (reader->next == reader->text_end)
        return false;
    const size_t rest = (size_t)(reader->text_end - reader->next);
    const char *newline = memchr(reader->next, '\n', rest);
    reader->at = reader->next;
    reader->end = newline != NULL ? newline : reader->text_end;
    reader->next = newline != NULL ? newline + 1 : reader->text_end;
    reader->line++;
    while (reader->at < reader->end && is_space(reader->at[0]))
        reader->at++;
    while (reader->at < reader->end && is_space(reader->end[-1]))
        reader->end--;
    return true;
}

static bool skip_spaces(Reader *reader)
{
    while (reader->at < reader->end && is_space(*reader->at))
        reader->at++;
    return reader->at < reader->end;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Copies the next word for a message. It is truncated, and characters other than printable ASCII
 * are replaced by '?'. Returns `text`. */
static const char *shown_word(const Reader *reader, char text[SHOWN_MOST + 1])
{
    int length = 0;
    for (const char *at = reader->at; at < reader->end && !is_space(*at) && length < SHOWN_MOST;
         at++)
        text[length++] = *at > ' ' && *at < 0x7f ? *at : '?';
    text[length] = '\0';
    return text;
}

static ImgStatus fail_number(Reader *reader, const char *what, int count)
{
    char word[SHOWN_MOST + 1];
    if (reader->at == reader->end)
        return img_fail(reader->err, IMG_E_FORMAT, "line %" PRId64 ": %s needs %d number%s",
                        reader->line, what, count, count == 1 ? "" : "s");
    return img_fail(reader->err, IMG_E_FORMAT,
                    "line %" PRId64 ": '%s' is not a number; %s needs %d, such as 0.5 or 1e-3",
                    reader->line, shown_word(reader, word), what, count);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static ImgStatus read_numbers(Reader *reader, const char *what, int count, int64_t *numbers)
{
    char word[SHOWN_MOST + 1];
    for (int i = 0; i < count; i++)
        if (!skip_spaces(reader) || !img_decimal_read(&reader->at, reader->end, &numbers[i]))
            return fail_number(reader, what, count);
    if (skip_spaces(reader))
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": '%s' is one too many; %s needs %d number%s",
                        reader->line, shown_word(reader, word), what, count, count == 1 ? "" : "s");
    return IMG_OK;
}

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value < high ? value : high;
}

/* Converts a value to an entry of the table, in units of 1/65535 of the range from head->low to
 * head->high. Values outside this range are clamped; in this case read_in_range reads the table
 * again, with a wider range. */
static uint16_t entry_of(const ImgCube *head, int64_t billionths)
{
    const int64_t unit = IMG_DECIMAL_UNIT / IMG_CUBE_UNIT;
    const int64_t low = head->low * unit, range = head->high * unit - low;
    const int64_t value = clamped(billionths - low, 0, range);
    return (uint16_t)((value * 65535 + range / 2) / range);
}

static ImgStatus read_row(Reader *reader)
{
    int64_t numbers[3] = {0, 0, 0};
    if (reader->cube == NULL)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64
                        ": a line with LUT_1D_SIZE or LUT_3D_SIZE must stand before "
                        "the table",
                        reader->line);
    if (reader->rows == reader->wanted)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": the table has more than the %" PRId64
                        " lines that its size asks for",
                        reader->line, reader->wanted);
    ImgStatus status = read_numbers(reader, "a line of the table", 3, numbers);
    uint16_t *entry = reader->cube->entries + reader->rows++ * IMG_CUBE_CHANNELS;
    for (int c = 0; status == IMG_OK && c < 3; c++) {
        const int64_t most = IMG_CUBE_VALUE_MOST * (int64_t)IMG_DECIMAL_UNIT;
        const int64_t value = clamped(numbers[c], -most, most);
        reader->low = value < reader->low ? value : reader->low;
        reader->high = value > reader->high ? value : reader->high;
        entry[c] = entry_of(&reader->head, value);
    }
    return status;
}

/* --- Keywords --------------------------------------------------------------------------------- */

/* Returns the number of rows for which memory is allocated. The rest of the text limits it, because
 * each row needs at least three digits and a newline. So a text that states a false size cannot
 * claim much memory. It is rejected when the reader reaches its end. */
static size_t rows_at_most(const Reader *reader)
{
    const size_t left = (size_t)(reader->text_end - reader->next) / strlen("000\n") + 1;
    return (uint64_t)reader->wanted < left ? (size_t)reader->wanted : left;
}

static ImgStatus read_size(Reader *reader, const char *name, int32_t dimensions, int32_t most)
{
    int64_t number = 0;
    ImgStatus status = read_numbers(reader, name, 1, &number);
    if (status != IMG_OK)
        return status;
    if (reader->cube != NULL)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": a second table; make a file of each, and use one after "
                        "the other",
                        reader->line);
    if (number % IMG_DECIMAL_UNIT != 0 || number < 2 * (int64_t)IMG_DECIMAL_UNIT ||
        number > most * (int64_t)IMG_DECIMAL_UNIT)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": %s must be a whole number of 2..%d; have the table made "
                        "in such a size",
                        reader->line, name, most);
    const int32_t size = (int32_t)(number / IMG_DECIMAL_UNIT);
    reader->wanted = dimensions == 1 ? size : (int64_t)size * size * size;
    reader->head.dimensions = dimensions;
    reader->head.size = size;
    reader->bytes = sizeof reader->head +
                    rows_at_most(reader) * IMG_CUBE_CHANNELS * sizeof *reader->cube->entries;
    reader->cube = calloc(1, reader->bytes);
    return reader->cube != NULL ? IMG_OK
                                : img_fail(reader->err, IMG_E_MEMORY, "no memory for the table");
}

/* Sets the lower or upper bounds of all three colours. If `count` is 1, all of them have the same
 * bound. */
static ImgStatus set_bound(Reader *reader, const char *name, const int64_t *numbers, int count,
                           int32_t bound[3])
{
    const int64_t unit = IMG_DECIMAL_UNIT / IMG_CUBE_UNIT,
                  most = DOMAIN_MOST * (int64_t)IMG_DECIMAL_UNIT;
    for (int c = 0; c < 3; c++) {
        const int64_t number = numbers[count == 1 ? 0 : c];
        if (number < -most || number > most)
            return img_fail(reader->err, IMG_E_FORMAT,
                            "line %" PRId64 ": %s is not within -%d..%d; have the table made for "
                            "0..1",
                            reader->line, name, (int)DOMAIN_MOST, (int)DOMAIN_MOST);
        bound[c] = (int32_t)((number + most + unit / 2) / unit - most / unit);
    }
    return IMG_OK;
}

static ImgStatus read_bound(Reader *reader, const char *name, int32_t bound[3])
{
    int64_t numbers[3] = {0, 0, 0};
    ImgStatus status = read_numbers(reader, name, 3, numbers);
    return status == IMG_OK ? set_bound(reader, name, numbers, 3, bound) : status;
}

static ImgStatus read_range(Reader *reader, const char *name)
{
    int64_t numbers[2] = {0, 0};
    ImgStatus status = read_numbers(reader, name, 2, numbers);
    if (status == IMG_OK)
        status = set_bound(reader, name, &numbers[0], 1, reader->head.least);
    if (status == IMG_OK)
        status = set_bound(reader, name, &numbers[1], 1, reader->head.most);
    return status;
}

/* Returns true if the next word of the line is `word`, and moves the reader past it. Otherwise
 * returns false, and the reader does not move. */
static bool takes_word(Reader *reader, const char *word)
{
    const size_t length = strlen(word), rest = (size_t)(reader->end - reader->at);
    if (rest < length || memcmp(reader->at, word, length) != 0 ||
        (rest > length && !is_space(reader->at[length])))
        return false;
    reader->at += length;
    return true;
}

static ImgStatus read_keyword(Reader *reader)
{
    char word[SHOWN_MOST + 1];
    if (takes_word(reader, "TITLE"))
        return IMG_OK;
    if (takes_word(reader, "LUT_1D_SIZE"))
        return read_size(reader, "LUT_1D_SIZE", 1, IMG_CUBE_1D_MOST);
    if (takes_word(reader, "LUT_3D_SIZE"))
        return read_size(reader, "LUT_3D_SIZE", 3, IMG_CUBE_3D_MOST);
    if (takes_word(reader, "DOMAIN_MIN"))
        return read_bound(reader, "DOMAIN_MIN", reader->head.least);
    if (takes_word(reader, "DOMAIN_MAX"))
        return read_bound(reader, "DOMAIN_MAX", reader->head.most);
    if (takes_word(reader, "LUT_1D_INPUT_RANGE"))
        return read_range(reader, "LUT_1D_INPUT_RANGE");
    if (takes_word(reader, "LUT_3D_INPUT_RANGE"))
        return read_range(reader, "LUT_3D_INPUT_RANGE");
    return img_fail(reader->err, IMG_E_FORMAT,
                    "line %" PRId64 ": '%s' is not a keyword of the format .cube; use a .cube file "
                    "with a 1D or 3D table",
                    reader->line, shown_word(reader, word));
}

/* --- The whole -------------------------------------------------------------------------------- */

static bool begins_number(char character)
{
    return (character >= '0' && character <= '9') || character == '-' || character == '+' ||
           character == '.';
}

static ImgStatus read_lines(Reader *reader)
{
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && next_line(reader))
        if (reader->at < reader->end && *reader->at != '#')
            status = begins_number(*reader->at) ? read_row(reader) : read_keyword(reader);
    return status;
}

static ImgStatus check_whole(const Reader *reader)
{
    if (reader->cube == NULL)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "has no LUT_1D_SIZE and no LUT_3D_SIZE; use a .cube file with a table");
    if (reader->rows < reader->wanted)
        return img_fail(reader->err, IMG_E_FORMAT,
                        "line %" PRId64 ": the table ends after %" PRId64 " lines of %" PRId64
                        "; the file is not whole, get it again",
                        reader->line, reader->rows, reader->wanted);
    for (int c = 0; c < 3; c++)
        if (reader->head.least[c] >= reader->head.most[c])
            return img_fail(reader->err, IMG_E_FORMAT,
                            "its domain is empty; DOMAIN_MIN must be less than DOMAIN_MAX");
    return IMG_OK;
}

/* Parses the text into a cube. `low` and `high` are the ends of the range of values, in millionths.
 * Entries of the cube count 65535ths of this range. */
static ImgStatus read_text(Reader *reader, const char *text, int32_t low, int32_t high,
                           ImgError *err)
{
    *reader = (Reader){
        .next = text,
        .text_end = reader->text_end,
        .low = 0,
        .high = IMG_DECIMAL_UNIT,
        .head = {.most = {IMG_CUBE_UNIT, IMG_CUBE_UNIT, IMG_CUBE_UNIT}, .low = low, .high = high},
        .err = err};
    ImgStatus status = read_lines(reader);
    return status == IMG_OK ? check_whole(reader) : status;
}

/* Reads a table. If it has values outside 0..1, reads it a second time, with the range that the
 * first pass has found. */
static ImgStatus read_in_range(Reader *reader, const char *text, ImgError *err)
{
    const int64_t unit = IMG_DECIMAL_UNIT / IMG_CUBE_UNIT;
    ImgStatus status = read_text(reader, text, 0, IMG_CUBE_UNIT, err);
    if (status != IMG_OK || (reader->low == 0 && reader->high == IMG_DECIMAL_UNIT))
        return status;
    free(reader->cube);
    return read_text(reader, text, (int32_t)(-((-reader->low + unit - 1) / unit)),
                     (int32_t)((reader->high + unit - 1) / unit), err);
}

ImgStatus img_cube_read(const char *text, size_t size, ImgConstants *content, ImgError *err)
{
    static const char mark[] = {'\xEF', '\xBB', '\xBF'}; /* byte order mark of UTF-8 */
    const bool marked = size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0;
    Reader reader = {.text_end = text + size};
    ImgStatus status = read_in_range(&reader, text + (marked ? sizeof mark : 0), err);
    if (status != IMG_OK) {
        free(reader.cube);
        return status;
    }
    memcpy(reader.cube, &reader.head, sizeof reader.head);
    *content = (ImgConstants){reader.cube, reader.bytes};
    return IMG_OK;
}
