#include "app/text/json_lines.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/list.h"
#include "app/text/text.h"

/* --- Reading ---------------------------------------------------------------------------------- */

static ImgStatus use_line(const char *path, const char *command, size_t source, char *text,
                          size_t length, JsonLineVisit *visit, void *context, ImgError *err)
{
    bool whole = length > 0 && text[length - 1] == '\n';
    if (whole)
        text[--length] = '\0';
    if (length == 0)
        return IMG_OK;
    /* The argument 1 rejects text after the JSON value. */
    cJSON *line = json_is_shallow(text, length) ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
    const char *found = json_line_string(line, "command");
    ImgStatus status = IMG_OK;
    if (found != NULL && strcmp(found, command) == 0 &&
        json_line_number(line, "schema") == JSON_SCHEMA && strlen(text) == length &&
        text_is_utf8((const uint8_t *)text, length))
        status = visit(context, source, text, line, err);
    else if (whole || line != NULL)
        status = img_fail(err, IMG_E_FORMAT,
                          "%s: has a line that is not from 'imgtool %s' of this version: %.60s%s",
                          path, command, text, length > 60 ? "..." : "");
    cJSON_Delete(line);
    return status;
}

ImgStatus json_lines_read(const char *path, const char *command, size_t source,
                          JsonLineVisit *visit, void *context, ImgError *err)
{
    bool standard_input = strcmp(path, "-") == 0;
    FILE *file = standard_input ? stdin : fopen(path, "re");
    if (file == NULL)
        return img_fail(err, IMG_E_IO, "%s: cannot be opened: %s%s", path, strerror(errno),
                        img_errno_remedy(errno));
    char *text = NULL;
    size_t room = 0;
    ImgStatus status = IMG_OK;
    for (ssize_t length; status == IMG_OK && (length = getline(&text, &room, file)) >= 0;)
        status = use_line(path, command, source, text, (size_t)length, visit, context, err);
    if (status == IMG_OK && ferror(file))
        status = img_fail(err, IMG_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    free(text);
    if (!standard_input)
        fclose(file);
    return status;
}

/* --- Keys ------------------------------------------------------------------------------------- */

const char *json_line_string(const cJSON *line, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, name));
}

double json_line_number(const cJSON *line, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, name);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble > 0
               ? item->valuedouble
               : 0;
}

bool json_count_of(const cJSON *item, uint64_t *count)
{
    static const double most = 9007199254740992.0; /* 2^53 */
    const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    const bool is_count = number >= 0 && number <= most && number == floor(number);
    *count = is_count ? (uint64_t)number : 0;
    return is_count;
}

uint64_t json_line_count(const cJSON *line, const char *name)
{
    uint64_t count;
    (void)json_count_of(cJSON_GetObjectItemCaseSensitive(line, name), &count);
    return count;
}

bool json_line_bool(const cJSON *line, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, name));
}

bool json_line_is(const cJSON *line, const char *type)
{
    const char *found = json_line_string(line, "type");
    return found != NULL && strcmp(found, type) == 0;
}

static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = digit != '\0' ? strchr(digits, digit) : NULL;
    return found != NULL ? (int)(found - digits) : 0;
}

/* Returns the path in the keys "file" and "file_hex", as bytes; the caller frees it. Returns "" if
 * both keys are null. Returns NULL if memory is short. */
static char *json_line_path(const cJSON *line)
{
    const char *hex = json_line_string(line, "file_hex"), *name = json_line_string(line, "file");
    if (hex == NULL)
        return strdup(name != NULL ? name : "");
    size_t length = strlen(hex) / 2;
    char *path = malloc(length + 1);
    if (path == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++)
        path[i] = (char)(digit_value(hex[2 * i]) << 4 | digit_value(hex[2 * i + 1]));
    path[length] = '\0';
    return path;
}

/* --- Stored lines ----------------------------------------------------------------------------- */

ImgStatus json_lines_keep(JsonLines *lines, size_t source, const char *text, const cJSON *line,
                          int rank, ImgError *err)
{
    JsonLine kept = {json_line_path(line), text_escape_json(text), source, rank};
    JsonLine *list = list_grow(lines->list, lines->count, sizeof *list);
    if (list != NULL)
        lines->list = list;
    if (list == NULL || kept.path == NULL || kept.text == NULL) {
        free(kept.path);
        free(kept.text);
        return img_fail(err, IMG_E_MEMORY, "no memory for the lines");
    }
    lines->list[lines->count++] = kept;
    return IMG_OK;
}

/* Returns the rank of a byte for sorting paths. A slash sorts before all other bytes, because it
 * ends a component of the path. */
static int order_of(char byte)
{
    return byte == '/' ? 1 : byte == '\0' ? 0 : (unsigned char)byte + 1;
}

static int by_path(const void *a, const void *b)
{
    const JsonLine *left = a, *right = b;
    size_t at = 0;
    while (left->path[at] != '\0' && left->path[at] == right->path[at])
        at++;
    int order = order_of(left->path[at]) - order_of(right->path[at]);
    if (order != 0)
        return order;
    if (left->rank != right->rank)
        return right->rank - left->rank;
    return left->source < right->source ? -1 : left->source > right->source;
}

void json_lines_sort(JsonLines *lines)
{
    if (lines->count > 0)
        qsort(lines->list, lines->count, sizeof *lines->list, by_path);
}

void json_lines_free(JsonLines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->list[i].path);
        free(lines->list[i].text);
    }
    free(lines->list);
    *lines = (JsonLines){NULL, 0};
}
