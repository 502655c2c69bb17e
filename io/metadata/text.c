/* Reads the text of text chunks, and decodes raw profiles. The buffer for inflated text grows step
 * by step up to a limit, so that a few bytes in a file cannot allocate gigabytes. */
#include "io/metadata/text.h"
#include "io/metadata/exif.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/size_text.h"

enum { FIRST_CAPACITY = 1 << 14 };

/* Moves `*at` past a string and its terminating zero. Returns false if the zero is missing. */
static bool skip_string(const ImgChunk *chunk, size_t *at)
{
    const uint8_t *end = memchr(chunk->data + *at, 0, chunk->size - *at);
    if (end == NULL)
        return false;
    *at = (size_t)(end - chunk->data) + 1;
    return true;
}

bool img_text_parse(const ImgChunk *chunk, ImgText *text)
{
    bool is_ztxt = strcmp(chunk->type, "zTXt") == 0;
    bool is_itxt = strcmp(chunk->type, "iTXt") == 0;
    if (!is_ztxt && !is_itxt && strcmp(chunk->type, "tEXt") != 0)
        return false;
    size_t at = 0;
    if (!skip_string(chunk, &at))
        return false;
    text->keyword = (const char *)chunk->data;
    text->compressed = is_ztxt;
    uint8_t method = 0;
    if (is_ztxt) {
        if (chunk->size - at < 1)
            return false;
        method = chunk->data[at++];
    } else if (is_itxt) {
        if (chunk->size - at < 2)
            return false;
        text->compressed = chunk->data[at] != 0;
        method = chunk->data[at + 1];
        at += 2;
        /* Skips the language tag and the translated keyword. */
        if (!skip_string(chunk, &at) || !skip_string(chunk, &at))
            return false;
    }
    text->head = at;
    return !text->compressed || method == 0;
}

/* Enlarges the buffer, to at most one byte more than `most`. If this last byte is used, the text
 * exceeds the limit. */
static bool grow(uint8_t **bytes, size_t *capacity, size_t most)
{
    size_t wanted = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    if (wanted > most)
        wanted = most + 1;
    uint8_t *larger = realloc(*bytes, wanted);
    if (larger == NULL)
        return false;
    *bytes = larger;
    *capacity = wanted;
    return true;
}

static ImgStatus fail_cap(const ImgText *text, const ImgTextBudget *budget, ImgError *err)
{
    char limit[IMG_SIZE_TEXT];
    bool alone = budget->left == budget->limit;
    return img_fail(err, IMG_E_LIMIT, "the compressed text \"%.79s\"%s more than the limit of %s",
                    text->keyword, alone ? " inflates to" : " and those before it inflate to",
                    img_size_text(budget->limit, limit));
}

static ImgStatus inflate_text(z_stream *z, const ImgText *text, ImgTextBudget *budget,
                              uint8_t **bytes, size_t *size, ImgError *err)
{
    size_t capacity = 0, most = budget->left;
    int result = Z_OK;
    while (result == Z_OK) {
        if (*size == capacity && !grow(bytes, &capacity, most))
            return img_fail(err, IMG_E_MEMORY, "no memory for text");
        z->next_out = *bytes + *size;
        size_t room = capacity - *size;
        z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
        uInt before = z->avail_out;
        result = inflate(z, Z_NO_FLUSH);
        *size += before - z->avail_out;
        if (*size > most)
            return fail_cap(text, budget, err);
    }
    budget->left -= *size;
    if (result == Z_MEM_ERROR)
        return img_fail(err, IMG_E_MEMORY, "no memory for text");
    if (result != Z_STREAM_END) {
        free(*bytes);
        *bytes = NULL;
    }
    return IMG_OK;
}

ImgStatus img_text_read(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgTextBytes *bytes, ImgError *err)
{
    const uint8_t *data = chunk->data + text->head;
    const uint32_t size = chunk->size - (uint32_t)text->head;
    *bytes = (ImgTextBytes){NULL, 0, NULL};
    if (!text->compressed) {
        *bytes = (ImgTextBytes){data, size, NULL};
        return IMG_OK;
    }
    z_stream z = {0};
    if (inflateInit(&z) != Z_OK)
        return img_fail(err, IMG_E_MEMORY, "no memory for text");
    z.next_in = (z_const Bytef *)data;
    z.avail_in = size;
    ImgStatus status = inflate_text(&z, text, budget, &bytes->inflated, &bytes->size, err);
    inflateEnd(&z);
    if (status != IMG_OK) {
        free(bytes->inflated);
        bytes->inflated = NULL;
    }
    bytes->data = bytes->inflated;
    return status;
}

bool img_raw_profile_is_exif(const char *keyword)
{
    return strcmp(keyword, "Raw profile type exif") == 0 ||
           strcmp(keyword, "Raw profile type APP1") == 0;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Returns the index of the first digit of a raw profile. A line with the profile's name and a line
 * with its length come before the digits. */
static size_t find_digits(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size && img_text_is_space(text[at]))
        at++;
    while (at < size && text[at] != '\n') /* skips the name, which may contain spaces */
        at++;
    while (at < size && img_text_is_space(text[at]))
        /* Skips the length. It is not used, because counting the digits is more reliable. */
        at++;
    while (at < size && !img_text_is_space(text[at]))
        at++;
    return at;
}

/* Returns the value of the next digit and moves `*at` past it. Returns -1 at the end of the
 * digits. */
static int next_digit(const uint8_t *text, size_t size, size_t *at)
{
    while (*at < size && img_text_is_space(text[*at]))
        (*at)++;
    return *at < size ? hex_digit(text[(*at)++]) : -1;
}

ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err)
{
    char limit[IMG_SIZE_TEXT];
    size_t at = find_digits(text, size);
    *profile = (ImgRawProfile){NULL, 0};
    if ((size - at) / 2 > most)
        return img_fail(err, IMG_E_LIMIT, "a raw profile may hold more than the limit of %s",
                        img_size_text(most, limit));
    profile->data = malloc((size - at) / 2 + 1);
    if (profile->data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a profile");
    for (;;) {
        int high = next_digit(text, size, &at);
        int low = high < 0 ? -1 : next_digit(text, size, &at);
        if (low < 0)
            return IMG_OK;
        profile->data[profile->size++] = (uint8_t)(high << 4 | low);
    }
}

void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = find_digits(text, size);
    for (size_t i = 0; i < profile->size; i++) {
        int high = next_digit(text, size, &at);
        size_t first = at - 1;
        int low = next_digit(text, size, &at);
        if (high < 0 || low < 0) /* `text` differs from the text that was decoded */
            return;
        if ((high << 4 | low) == profile->data[i])
            continue;
        text[first] = (uint8_t)digits[profile->data[i] >> 4];
        text[at - 1] = (uint8_t)digits[profile->data[i] & 15];
    }
}

/* --- The copyright notice --------------------------------------------------------------------- */

enum { TAG_COPYRIGHT = 0x8298 };

static bool find_in_exif(const ImgChunk *chunk, const uint8_t **text, size_t *size)
{
    const size_t skip = img_exif_prefix(chunk->data, chunk->size);
    const uint8_t *data = chunk->data + skip;
    ImgExifDirectory directory;
    ImgExifValue value;
    if (!img_exif_directory(data, chunk->size - skip, 0, &directory) ||
        !img_exif_value(data, chunk->size - skip, &directory, TAG_COPYRIGHT, &value))
        return false;
    *text = data + value.offset;
    *size = strnlen((const char *)*text, value.bytes);
    return *size > 0;
}

static bool find_in_text(const ImgChunk *chunk, const uint8_t **text, size_t *size)
{
    ImgText found;
    if (!img_text_parse(chunk, &found) || found.compressed ||
        strcmp(found.keyword, "Copyright") != 0)
        return false;
    *text = chunk->data + found.head;
    *size = chunk->size - found.head;
    return *size > 0;
}

bool img_copyright_find(const ImgMetadata *metadata, const uint8_t **text, size_t *size)
{
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        if (strcmp(chunk->type, "eXIf") == 0 ? find_in_exif(chunk, text, size)
                                             : find_in_text(chunk, text, size))
            return true;
    }
    return false;
}
