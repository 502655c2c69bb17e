#include "app/bench/export/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fail_key(Reader *reader, const char *key, const char *what)
{
    char place[READ_PLACE];
    read_inside(reader, key, place);
    (void)img_fail(reader->err, IMG_E_FORMAT, "%s %s", place, what);
    reader->failed = true;
}

/* Returns the member `key` of a JSON object; NULL if the member is missing or null. */
static const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNull(item) ? NULL : item;
}

void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size)
{
    const cJSON *item = get(object, key);
    text[0] = '\0';
    if (item == NULL)
        return;
    if (!cJSON_IsString(item)) {
        fail_key(reader, key, "is not text");
        return;
    }
    size_t length = strlen(item->valuestring);
    /* The text can exceed the size that it had in the report, because bytes that are not UTF-8
     * became longer sequences when they were written. */
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)item->valuestring[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(text, item->valuestring, length);
    text[length] = '\0';
}

void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size)
{
    read_text(reader, object, key, text, size);
    if (get(object, key) == NULL)
        fail_key(reader, key, "is missing");
}

double read_number(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    if (item == NULL)
        return 0;
    if (!cJSON_IsNumber(item)) {
        fail_key(reader, key, "is not a number");
        return 0;
    }
    if (!isfinite(item->valuedouble) || item->valuedouble < 0) {
        fail_key(reader, key, "is negative or too large");
        return 0;
    }
    return item->valuedouble;
}

uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most)
{
    double number = read_number(reader, object, key);
    if (number != floor(number) || number > most) {
        fail_key(reader, key, "is not a whole number, or too large");
        return 0;
    }
    return number < READ_ANY_COUNT ? (uint64_t)number : UINT64_MAX;
}

bool read_bool(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    if (item != NULL && !cJSON_IsBool(item))
        fail_key(reader, key, "is neither true nor false");
    return cJSON_IsTrue(item);
}

int read_choice(Reader *reader, const cJSON *object, const char *key, ReadNameFunction *name_of,
                int first, int end)
{
    const cJSON *item = get(object, key);
    for (int value = first; cJSON_IsString(item) && value < end; value++)
        if (strcmp(item->valuestring, name_of(value)) == 0)
            return value;
    fail_key(reader, key,
             item == NULL ? "is missing" : "is not one of the values that imgtool writes");
    return first;
}

/* Returns the object (or the array, if `array` is set) under `key`. Returns NULL if there is none.
 * If the value has another type, records an error and returns NULL. */
static const cJSON *read_inner(Reader *reader, const cJSON *object, const char *key, bool array)
{
    const cJSON *item = get(object, key);
    if (item == NULL || (array ? cJSON_IsArray(item) : cJSON_IsObject(item)))
        return item;
    fail_key(reader, key, array ? "is not a list" : "is not an object");
    return NULL;
}

const cJSON *read_object(Reader *reader, const cJSON *object, const char *key)
{
    return read_inner(reader, object, key, false);
}

const cJSON *read_list(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *list = read_inner(reader, object, key, true);
    if (get(object, key) == NULL)
        fail_key(reader, key, "is missing");
    return list;
}

void read_enter(Reader *reader, const cJSON *object, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->place, sizeof reader->place, format, arguments);
    va_end(arguments);
    if (!cJSON_IsObject(object)) {
        (void)img_fail(reader->err, IMG_E_FORMAT, "%s is not an object", reader->place);
        reader->failed = true;
    }
}

void read_inside(const Reader *reader, const char *key, char place[READ_PLACE])
{
    size_t length = strlen(reader->place);
    memcpy(place, reader->place, length + 1);
    if (length > 0)
        snprintf(place + length, READ_PLACE - length, ".%s", key);
    else
        snprintf(place, READ_PLACE, "%s", key);
}
