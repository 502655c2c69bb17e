#include "io/metadata/resolution.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/metadata/exif.h"
#include "io/metadata/text.h"

enum { RATIONAL_BYTES = 8, UNIT_INCH = 2, PHYS_BYTES = 9, PHYS_METRE = 1 };

static void put(uint8_t *to, size_t width, bool big_endian, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        to[big_endian ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

/* Swaps the resolutions of the two axes in EXIF. If the bytes of the two numbers overlap, as in
 * damaged EXIF, they stay unchanged, because a second swap would not restore them. */
static void swap_exif(uint8_t *data, size_t size)
{
    ImgExifResolution found;
    uint8_t x[RATIONAL_BYTES];
    const size_t skip = img_exif_prefix(data, size);
    data += skip;
    if (!img_exif_resolution(data, size - skip, &found) || found.x == 0 || found.y == 0 ||
        (found.x < found.y + sizeof x && found.y < found.x + sizeof x))
        return;
    memcpy(x, data + found.x, sizeof x);
    memcpy(data + found.x, data + found.y, sizeof x);
    memcpy(data + found.y, x, sizeof x);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Sets the resolution in EXIF. `context` points to the resolution, an int32_t in thousandths of a
 * dot per inch. */
static bool set_exif(uint8_t *data, size_t size, const void *context)
{
    const uint32_t millidpi = (uint32_t) * (const int32_t *)context, thousand = 1000;
    const uint32_t divisor = common_divisor(millidpi, thousand);
    ImgExifResolution found;
    const size_t skip = img_exif_prefix(data, size);
    data += skip;
    if (!img_exif_resolution(data, size - skip, &found))
        return false;
    const size_t places[] = {found.x, found.y};
    for (size_t i = 0; i < 2; i++)
        if (places[i] != 0) {
            put(data + places[i], 4, found.big_endian, millidpi / divisor);
            put(data + places[i] + 4, 4, found.big_endian, thousand / divisor);
        }
    if (found.unit != 0)
        put(data + found.unit, 2, found.big_endian, UNIT_INCH);
    return true;
}

/* Edits the EXIF with `edit`, in eXIf chunks and in text chunks that contain it as a raw profile. A
 * text that is too long stays unchanged. */
static ImgStatus edit_exif(ImgMetadata *metadata, ImgBytesEdit *edit, const void *context,
                           ImgError *err)
{
    ImgTextBudget budget = {IMG_EXIF_TEXT_MOST, IMG_EXIF_TEXT_MOST};
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        ImgText text;
        if (strcmp(chunk->type, "eXIf") == 0)
            (void)edit(chunk->data, chunk->size, context);
        else if (img_text_parse(chunk, &text) && img_raw_profile_is_exif(text.keyword))
            status = img_text_edit_profile(chunk, &text, &budget, edit, context, err);
        if (status == IMG_E_LIMIT) {
            img_error_clear(err);
            status = IMG_OK;
        }
    }
    return status;
}

/* Sets pHYs to the resolution. An existing chunk keeps its position in the file; a damaged chunk is
 * replaced. */
static ImgStatus set_phys(ImgMetadata *metadata, int32_t millidpi, ImgError *err)
{
    /* Dots per metre are dots per inch divided by 0.0254. So thousandths of a dot per inch are
     * divided by 25.4, rounded to the nearest number. */
    const uint32_t per_metre = (uint32_t)(((int64_t)millidpi * 10 + 127) / 254);
    uint8_t data[PHYS_BYTES];
    img_put_be32(data, per_metre);
    img_put_be32(data + 4, per_metre);
    data[8] = PHYS_METRE;
    for (size_t i = 0; i < metadata->count; i++)
        if (strcmp(metadata->chunks[i].type, "pHYs") == 0 &&
            metadata->chunks[i].size == sizeof data) {
            memcpy(metadata->chunks[i].data, data, sizeof data);
            return IMG_OK;
        }
    img_metadata_drop(metadata, "pHYs");
    return img_metadata_add(metadata, "pHYs", IMG_BEFORE_IDAT, data, sizeof data, err);
}

ImgStatus img_resolution_set(ImgMetadata *metadata, int32_t millidpi, ImgError *err)
{
    const ImgStatus status = set_phys(metadata, millidpi, err);
    return status == IMG_OK ? edit_exif(metadata, set_exif, &millidpi, err) : status;
}

void img_resolution_swap(ImgMetadata *metadata)
{
    for (size_t i = 0; i < metadata->count; i++)
        if (strcmp(metadata->chunks[i].type, "eXIf") == 0)
            swap_exif(metadata->chunks[i].data, metadata->chunks[i].size);
}

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
