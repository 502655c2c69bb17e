#include "app/tiles/tile_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Field { FIELD_X, FIELD_Y, FIELD_COLUMN, FIELD_ROW, FIELD_NUMBER, FIELD_COUNT } Field;

static const char *const fields[FIELD_COUNT] = {"{x}", "{y}", "{column}", "{row}", "{number}"};

/* FIELD_COUNT: there is none at `at`. */
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

ImgStatus tile_pattern_check(const char *pattern, ImgError *err)
{
    for (const char *at = pattern; *at != '\0';) {
        const Field field = field_at(at);
        if (field < FIELD_COUNT) {
            at += strlen(fields[field]);
        } else if (!is_brace(*at)) {
            at++;
        } else if (at[1] == at[0]) {
            at += 2;
        } else {
            return img_fail(err, IMG_E_USAGE,
                            "the pattern's column %zu: there are {x}, {y}, {column}, {row} and "
                            "{number}, and '{{' and '}}' for braces",
                            (size_t)(at - pattern) + 1);
        }
    }
    return IMG_OK;
}

/* Returns the characters of the value, which are written if there is room. */
static size_t put_value(char *out, size_t room, Field field, const TileValues *values)
{
    const int64_t of_field[FIELD_COUNT] = {values->x, values->y, values->column, values->row,
                                           values->number};
    return (size_t)snprintf(out, room, "%0*lld", field == FIELD_NUMBER ? values->digits : 1,
                            (long long)of_field[field]);
}

char *tile_name(const char *pattern, const TileValues *values)
{
    enum { VALUE_MAX = 24 };
    const size_t room = strlen(pattern) / 3 * VALUE_MAX + strlen(pattern) + VALUE_MAX;
    char *name = malloc(room);
    size_t used = 0;
    for (const char *at = pattern; name != NULL && *at != '\0';) {
        const Field field = field_at(at);
        if (field < FIELD_COUNT) {
            used += put_value(name + used, room - used, field, values);
            at += strlen(fields[field]);
        } else {
            name[used++] = *at;
            at += is_brace(*at) ? 2 : 1;
        }
    }
    if (name != NULL)
        name[used] = '\0';
    return name;
}
