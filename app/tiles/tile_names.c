#include "app/tiles/tile_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/paths.h"

typedef enum Field {
    FIELD_X,
    FIELD_Y,
    FIELD_COLUMN,
    FIELD_ROW,
    FIELD_NUMBER,
    FIELD_STEM,
    FIELD_NAME,
    FIELD_COUNT
} Field;

static const char *const fields[FIELD_COUNT] = {"{x}",      "{y}",    "{column}", "{row}",
                                                "{number}", "{stem}", "{name}"};

/* Returns the field that starts at `at`, or FIELD_COUNT if there is no field. */
static Field field_at(const char *at)
{
    Field field = FIELD_X;
    while (field < FIELD_COUNT && strncmp(at, fields[field], strlen(fields[field])) != 0)
        field++;
    return field;
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

static bool is_of_input(Field field)
{
    return field == FIELD_STEM || field == FIELD_NAME;
}

/* Returns the position after the field or character at `at`. The pattern must be valid. */
static const char *next(const char *at, Field field)
{
    if (field < FIELD_COUNT)
        return at + strlen(fields[field]);
    return at + (is_brace(*at) ? 2 : 1);
}

/* --- Checking --------------------------------------------------------------------------------- */

ImgStatus tile_pattern_check(const char *pattern, ImgError *err)
{
    for (const char *at = pattern; *at != '\0';) {
        const Field field = field_at(at);
        if (field == FIELD_COUNT && is_brace(*at) && at[1] != at[0])
            return img_fail(err, IMG_E_USAGE,
                            "column %zu of the pattern: use {x}, {y}, {column}, {row}, "
                            "{number}, {stem} or {name}, and '{{' and '}}' for braces",
                            (size_t)(at - pattern) + 1);
        at = next(at, field);
    }
    return IMG_OK;
}

bool tile_pattern_names_input(const char *pattern)
{
    bool names = false;
    for (const char *at = pattern; *at != '\0'; at = next(at, field_at(at)))
        names |= is_of_input(field_at(at));
    return names;
}

bool tile_pattern_names_tile(const char *pattern)
{
    bool names = false;
    for (const char *at = pattern; *at != '\0'; at = next(at, field_at(at)))
        names |= field_at(at) < FIELD_COUNT && !is_of_input(field_at(at));
    return names;
}

ImgStatus tile_pattern_check_many(const char *pattern, ImgError *err)
{
    Field last = FIELD_COUNT;
    bool names_input = false, apart = true;
    for (const char *at = pattern; *at != '\0';) {
        const Field field = field_at(at);
        if (field < FIELD_COUNT) {
            if (!apart && is_of_input(field) != is_of_input(last))
                return img_fail(err, IMG_E_USAGE,
                                "column %zu of the pattern: put something other than a digit, such "
                                "as '-', between %s and %s, so that names of two pictures cannot "
                                "be the same",
                                (size_t)(at - pattern) + 1, fields[last], fields[field]);
            names_input |= is_of_input(field);
            last = field;
            apart = false;
        } else if (*at < '0' || *at > '9') {
            apart = true;
        }
        at = next(at, field);
    }
    return names_input ? IMG_OK
                       : img_fail(err, IMG_E_USAGE,
                                  "tiles of several pictures would have the same names; put "
                                  "{stem} or {name} into the pattern");
}

/* --- Names ------------------------------------------------------------------------------------ */

static int64_t number_of(Field field, const TileValues *values)
{
    const int64_t of_field[] = {values->x, values->y, values->column, values->row, values->number};
    return of_field[field];
}

static int digits_of(int64_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Writes the value of a field if there is room for it. Returns the length of the value. */
static size_t put_value(char *out, size_t room, Field field, const TileValues *values)
{
    if (!is_of_input(field)) {
        const int digits = values->last != NULL ? digits_of(number_of(field, values->last)) : 1;
        return (size_t)snprintf(out, room, "%0*lld", digits, (long long)number_of(field, values));
    }
    const char *name = path_name(values->input);
    const char *dot = field == FIELD_STEM ? strrchr(name, '.') : NULL;
    size_t length = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    /* ".." is the stem of "...png", and would lead out of the directory, so such a name is used as
     * a whole. */
    if (strspn(name, ".") >= length)
        length = strlen(name);
    return (size_t)snprintf(out, room, "%.*s", (int)length, name);
}

/* Writes the name and a zero byte, or as much as there is room for. Returns the full length of the
 * name. */
static size_t put_name(char *out, size_t room, const char *pattern, const TileValues *values)
{
    size_t used = 0;
    for (const char *at = pattern; *at != '\0';) {
        const Field field = field_at(at);
        const size_t left = used < room ? room - used : 0;
        if (field < FIELD_COUNT)
            used += put_value(left > 0 ? out + used : NULL, left, field, values);
        else if (left > 0)
            out[used++] = *at;
        else
            used++;
        at = next(at, field);
    }
    if (used < room)
        out[used] = '\0';
    return used;
}

char *tile_name(const char *pattern, const TileValues *values)
{
    char none[1];
    const size_t room = put_name(none, 0, pattern, values) + 1;
    char *name = malloc(room);
    if (name != NULL)
        (void)put_name(name, room, pattern, values);
    return name;
}

char *tile_pattern_in(const char *directory, const char *names)
{
    const size_t length = strlen(directory);
    char *pattern = malloc(2 * length + 1 + strlen(names) + 1);
    size_t used = 0;
    if (pattern == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        pattern[used++] = directory[i];
        if (is_brace(directory[i]))
            pattern[used++] = directory[i];
    }
    if (length > 0 && directory[length - 1] != '/')
        pattern[used++] = '/';
    memcpy(pattern + used, names, strlen(names) + 1);
    return pattern;
}
