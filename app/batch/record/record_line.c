#include "app/batch/record/record_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_DIGITS = 8, NANOSECOND_DIGITS = 9 };

const char record_same_file[] = "=";

static const char hex_digits[] = "0123456789ABCDEF";

uint64_t record_hash(const char *text, size_t size)
{
    uint64_t hash = 0xCBF29CE484222325U;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3U;
    return hash;
}

static uint32_t check_of(const char *text, size_t size)
{
    uint64_t hash = record_hash(text, size);
    return (uint32_t)(hash ^ hash >> 32);
}

char *record_line_write(const RecordLine *line)
{
    char *text = NULL, inode[24] = "";
    if (line->inode != 0)
        snprintf(inode, sizeof inode, " %" PRIu64, line->inode);
    int size =
        asprintf(&text,
                 "%08x %016" PRIx64 " %" PRIu64 " %" PRId64 ".%09" PRId64 " %" PRIu64 " %" PRId64
                 ".%09" PRId64 " %.*s %.*s%s\n",
                 0U, line->steps, line->before.size, line->before.seconds, line->before.nanoseconds,
                 line->after.size, line->after.seconds, line->after.nanoseconds,
                 (int)line->output_size, line->output, (int)line->input_size, line->input, inode);
    if (size < 0)
        return NULL;
    char check[CHECK_DIGITS + 1];
    snprintf(check, sizeof check, "%08x",
             check_of(text + CHECK_DIGITS, (size_t)size - 1 - CHECK_DIGITS));
    memcpy(text, check, CHECK_DIGITS);
    return text;
}

/* The part of a line that is not yet parsed. */
typedef struct Cursor {
    const char *at, *end;
} Cursor;

static bool take_byte(Cursor *cursor, char byte)
{
    if (cursor->at == cursor->end || *cursor->at != byte)
        return false;
    cursor->at++;
    return true;
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : 16;
}

/* Parses a number with exactly `digits` digits. If `digits` is 0, parses a number of any length
 * without leading zeros. */
static bool take_number(Cursor *cursor, unsigned base, int digits, uint64_t *number)
{
    const char *start = cursor->at;
    *number = 0;
    while (cursor->at < cursor->end && (digits == 0 || cursor->at - start < digits)) {
        unsigned value = (unsigned)digit_value(*cursor->at);
        if (value >= base)
            break;
        if (*number > (UINT64_MAX - value) / base)
            return false;
        *number = *number * base + value;
        cursor->at++;
    }
    if (digits == 0)
        return cursor->at > start && (*start != '0' || cursor->at - start == 1);
    return cursor->at - start == digits;
}

/* Parses " SIZE SECONDS.NANOSECONDS". Seconds before 1970 are negative. */
static bool take_state(Cursor *cursor, FileState *state)
{
    uint64_t seconds, nanoseconds;
    if (!take_byte(cursor, ' ') || !take_number(cursor, 10, 0, &state->size) ||
        !take_byte(cursor, ' '))
        return false;
    bool negative = take_byte(cursor, '-');
    if (!take_number(cursor, 10, 0, &seconds) || seconds > INT64_MAX ||
        (negative && seconds == 0) || !take_byte(cursor, '.') ||
        !take_number(cursor, 10, NANOSECOND_DIGITS, &nanoseconds))
        return false;
    state->seconds = negative ? -(int64_t)seconds : (int64_t)seconds;
    state->nanoseconds = (int64_t)nanoseconds;
    return true;
}

static bool take_name(Cursor *cursor, const char **name, size_t *size)
{
    if (!take_byte(cursor, ' '))
        return false;
    const char *space = memchr(cursor->at, ' ', (size_t)(cursor->end - cursor->at));
    *name = cursor->at;
    cursor->at = space != NULL ? space : cursor->end;
    *size = (size_t)(cursor->at - *name);
    for (size_t i = 0; i < *size; i++)
        if ((*name)[i] <= ' ' || (*name)[i] >= 0x7F) /* names always encode these bytes */
            return false;
    return *size > 0;
}

/* Parses " INODE" if it is present. */
static bool take_inode(Cursor *cursor, uint64_t *inode)
{
    *inode = 0;
    if (cursor->at == cursor->end)
        return true;
    return take_byte(cursor, ' ') && take_number(cursor, 10, 0, inode) && *inode != 0;
}

bool record_line_read(const char *text, size_t size, RecordLine *line)
{
    Cursor cursor = {text, text + size};
    uint64_t check;
    return take_number(&cursor, 16, CHECK_DIGITS, &check) &&
           check == check_of(text + CHECK_DIGITS, size - CHECK_DIGITS) && take_byte(&cursor, ' ') &&
           take_number(&cursor, 16, RECORD_STEPS_DIGITS, &line->steps) &&
           take_state(&cursor, &line->before) && take_state(&cursor, &line->after) &&
           take_name(&cursor, &line->output, &line->output_size) &&
           take_name(&cursor, &line->input, &line->input_size) &&
           take_inode(&cursor, &line->inode) && cursor.at == cursor.end;
}

bool record_line_fits(const RecordLine *line, const FileState *output)
{
    if (!file_state_equal(&line->after, output))
        return false;
    return line->inode == 0 || (line->inode == output->inode) == (line->steps == RECORD_BEGUN);
}

void record_begun_input(uint64_t steps, char name[RECORD_BEGUN_INPUT_SIZE + 1])
{
    snprintf(name, RECORD_BEGUN_INPUT_SIZE + 1, "=%016" PRIx64, steps);
}

bool record_line_begins(const RecordLine *line, uint64_t steps)
{
    char name[RECORD_BEGUN_INPUT_SIZE + 1];
    record_begun_input(steps, name);
    return line->input_size != RECORD_BEGUN_INPUT_SIZE || line->input[0] != '=' ||
           memcmp(line->input, name, RECORD_BEGUN_INPUT_SIZE) == 0;
}

bool record_line_is_in_place(const RecordLine *line)
{
    const size_t size = strlen(record_same_file);
    return line->input_size == size && memcmp(line->input, record_same_file, size) == 0;
}

/* Returns a copy of the path without "." and empty components. "" is the working directory. Returns
 * NULL if there is no memory. The caller frees it. */
static char *simplify(const char *path)
{
    char *simple = malloc(strlen(path) + 1);
    if (simple == NULL)
        return NULL;
    size_t size = 0;
    if (path[0] == '/')
        simple[size++] = '/';
    while (*path != '\0') {
        size_t part = strcspn(path, "/");
        if (part > 0 && !(part == 1 && path[0] == '.')) {
            if (size > 0 && simple[size - 1] != '/')
                simple[size++] = '/';
            memcpy(simple + size, path, part);
            size += part;
        }
        path += part + (path[part] == '/');
    }
    simple[size] = '\0';
    return simple;
}

/* Returns whether names in records contain the byte as it is. Other bytes are percent-encoded,
 * including spaces, which separate fields, and "=", which starts fields that are not names. */
static bool is_plain(char byte)
{
    return byte > ' ' && byte < 0x7F && byte != '%' && byte != '=';
}

static char *encode(const char *text)
{
    char *name = malloc(3 * strlen(text) + 1), *end = name;
    if (name == NULL)
        return NULL;
    for (; *text != '\0'; text++) {
        if (is_plain(*text)) {
            *end++ = *text;
        } else {
            *end++ = '%';
            *end++ = hex_digits[(unsigned char)*text >> 4];
            *end++ = hex_digits[(unsigned char)*text & 15];
        }
    }
    *end = '\0';
    return name;
}

char *record_name_of(const char *directory, const char *path)
{
    char *above = simplify(directory != NULL ? directory : "");
    char *simple = simplify(path);
    char *name = NULL;
    if (above != NULL && simple != NULL) {
        size_t skip = strlen(above);
        if (strlen(simple) < skip || memcmp(simple, above, skip) != 0)
            skip = 0;
        if (skip > 0 && above[skip - 1] != '/')
            skip = simple[skip] == '/' ? skip + 1 : 0;
        name = encode(simple + skip);
    }
    free(above);
    free(simple);
    return name;
}

/* Returns the value of a hexadecimal digit, or -1 for any other character. */
static int code_value(char digit)
{
    const char *found = digit != '\0' ? strchr(hex_digits, digit) : NULL;
    return found != NULL ? (int)(found - hex_digits) : -1;
}

/* Decodes a percent-encoded name and adds a zero byte. Returns false if the encoding is invalid. */
static bool decode(const char *name, size_t size, char *text)
{
    for (size_t i = 0; i < size; i++) {
        char byte = name[i];
        if (byte == '%') {
            int high = i + 2 < size ? code_value(name[i + 1]) : -1;
            int low = high >= 0 ? code_value(name[i + 2]) : -1;
            if (low < 0)
                return false;
            byte = (char)(high << 4 | low);
            i += 2;
        }
        if (byte == '\0') /* a zero byte would end the path too early */
            return false;
        *text++ = byte;
    }
    *text = '\0';
    return true;
}

char *record_path_of(const char *directory, const char *name, size_t size)
{
    char *text = malloc(size + 1), *path = NULL;
    if (text == NULL || !decode(name, size, text)) {
        free(text);
        return NULL;
    }
    if (text[0] == '/')
        return text;
    if (asprintf(&path, "%s/%s", directory, text) < 0)
        path = NULL;
    free(text);
    return path;
}
