#include "io/metadata/resolution.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 };

/* The parts of sCAL after the unit: width and height as text, with a zero byte between them. */
typedef struct Parts {
    const char *width, *height;
    size_t width_length, height_length;
} Parts;

static bool split_chunk(const ImgChunk *chunk, Parts *parts)
{
    const char *data = (const char *)chunk->data;
    const char *zero = chunk->size < 1 ? NULL : memchr(data + 1, 0, chunk->size - 1);
    if (zero == NULL || memchr(zero + 1, 0, (size_t)(data + chunk->size - zero) - 1) != NULL)
        return false;
    *parts = (Parts){.width = data + 1,
                     .height = zero + 1,
                     .width_length = (size_t)(zero - data) - 1,
                     .height_length = (size_t)(data + chunk->size - zero) - 1};
    return true;
}

/* Switches the thread to the C locale, because numbers in files use a decimal point in every
 * locale. Returns the thread's previous locale; leave_c_locale restores it. */
static locale_t enter_c_locale(locale_t *c)
{
    *c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return *c != (locale_t)0 ? uselocale(*c) : (locale_t)0;
}

static void leave_c_locale(locale_t c, locale_t before)
{
    if (c == (locale_t)0)
        return;
    (void)uselocale(before);
    freelocale(c);
}

/* Reads a positive decimal number in C syntax. Rejects "inf", "nan" and hexadecimal digits. */
static bool read_number(const char *text, size_t length, double *number)
{
    char copy[TEXT_MAX];
    char *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strspn(copy, "+-.0123456789eE") != length)
        return false;
    locale_t c, before = enter_c_locale(&c);
    *number = strtod(copy, &end);
    leave_c_locale(c, before);
    return end == copy + length && *number > 0 && *number <= DBL_MAX;
}

bool img_scal_read(const ImgChunk *chunk, double *width, double *height)
{
    Parts parts;
    return split_chunk(chunk, &parts) && read_number(parts.width, parts.width_length, width) &&
           read_number(parts.height, parts.height_length, height);
}

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
}

static double limited(double size)
{
    return size < DBL_MIN ? DBL_MIN : size > DBL_MAX / 2 ? DBL_MAX / 2 : size;
}

ImgStatus img_scal_write(ImgChunk *chunk, double width, double height, ImgError *err)
{
    char text[2 * TEXT_MAX];
    locale_t c, before = enter_c_locale(&c);
    const int first = snprintf(text, TEXT_MAX, "%c%.12g", chunk->data[0], limited(width));
    const int second = snprintf(text + first + 1, TEXT_MAX, "%.12g", limited(height));
    leave_c_locale(c, before);
    const size_t size = (size_t)first + 1 + (size_t)second;
    uint8_t *data = malloc(size);
    if (data == NULL)
        return no_memory(err);
    memcpy(data, text, size);
    free(chunk->data);
    chunk->data = data;
    chunk->size = (uint32_t)size;
    return IMG_OK;
}

ImgStatus img_scal_swap(ImgChunk *chunk, ImgError *err)
{
    Parts parts;
    if (!split_chunk(chunk, &parts))
        return IMG_OK;
    uint8_t *data = malloc(chunk->size);
    if (data == NULL)
        return no_memory(err);
    data[0] = chunk->data[0];
    memcpy(data + 1, parts.height, parts.height_length);
    data[1 + parts.height_length] = 0;
    memcpy(data + 2 + parts.height_length, parts.width, parts.width_length);
    free(chunk->data);
    chunk->data = data;
    return IMG_OK;
}
