/* What single chunks say. Layouts: PNG specification, third edition, section 11.3. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "app/info.h"
#include "app/text.h"

enum { KEYWORD_MAX = 79, VALUE_MAX = 200 };

static uint32_t big_endian(const uint8_t *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

bool info_density(const ImgMetadata *metadata, InfoDensity *density)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "pHYs");
    if (chunk == NULL || chunk->size != 9)
        return false;
    *density =
        (InfoDensity){big_endian(chunk->data), big_endian(chunk->data + 4), chunk->data[8] == 1};
    return true;
}

double info_dpi(uint32_t pixels_per_metre)
{
    return pixels_per_metre * 0.0254;
}

bool info_gamma(const ImgMetadata *metadata, double *gamma)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "gAMA");
    if (chunk == NULL || chunk->size != 4)
        return false;
    *gamma = big_endian(chunk->data) / 100000.0;
    return true;
}

/* The size that an ICC profile gives in its first four bytes, so that no more is inflated. */
static uint32_t profile_size(const uint8_t *data, size_t size)
{
    uint8_t head[4];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    if (inflateInit(&stream) != Z_OK)
        return 0;
    stream.next_out = head;
    stream.avail_out = sizeof head;
    (void)inflate(&stream, Z_SYNC_FLUSH);
    bool complete = stream.avail_out == 0;
    inflateEnd(&stream);
    return complete ? big_endian(head) : 0;
}

bool info_profile(const ImgMetadata *metadata, char **name, uint32_t *size)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "iCCP");
    if (chunk == NULL)
        return false;
    size_t length = strnlen((const char *)chunk->data, chunk->size);
    if (length > KEYWORD_MAX || length + 2 > chunk->size)
        return false;
    *name = text_to_utf8(chunk->data, length);
    *size = profile_size(chunk->data + length + 2, chunk->size - length - 2);
    return *name != NULL;
}

const char *info_transparency(const Info *info, char text[INFO_TEXT])
{
    ImgColor color = info->shape.format.color;
    if (color == IMG_COLOR_RGBA || color == IMG_COLOR_GRAY_ALPHA)
        return "alpha channel";
    const ImgChunk *chunk = img_metadata_find(&info->metadata, "tRNS");
    if (chunk == NULL)
        return NULL;
    if (color != IMG_COLOR_PALETTE)
        return "one colour";
    unsigned entries = 0;
    for (uint32_t i = 0; i < chunk->size; i++)
        entries += chunk->data[i] != 255;
    snprintf(text, INFO_TEXT, "%u palette entr%s", entries, entries == 1 ? "y" : "ies");
    return text;
}

/* Moves `at` past a string that ends with a zero byte; false where none ends. */
static bool skip_string(const ImgChunk *chunk, size_t *at)
{
    const uint8_t *end = memchr(chunk->data + *at, 0, chunk->size - *at);
    if (end == NULL)
        return false;
    *at = (size_t)(end - chunk->data) + 1;
    return true;
}

/* Where the text begins after its keyword. */
static bool find_value(const ImgChunk *chunk, size_t *at, bool *compressed)
{
    *compressed = strcmp(chunk->type, "zTXt") == 0;
    if (*compressed)
        *at += 1;
    if (strcmp(chunk->type, "iTXt") != 0)
        return *at <= chunk->size;
    if (*at + 2 > chunk->size)
        return false;
    *compressed = chunk->data[*at] != 0;
    *at += 2;
    return skip_string(chunk, at) && skip_string(chunk, at);
}

bool info_text(const ImgChunk *chunk, InfoText *text)
{
    bool is_text = strcmp(chunk->type, "tEXt") == 0 || strcmp(chunk->type, "zTXt") == 0 ||
                   strcmp(chunk->type, "iTXt") == 0;
    size_t at = 0;
    if (!is_text || chunk->size == 0 || !skip_string(chunk, &at) || at > KEYWORD_MAX + 1)
        return false;
    *text = (InfoText){.keyword = text_to_utf8(chunk->data, at)};
    if (!find_value(chunk, &at, &text->compressed)) {
        info_text_free(text);
        return false;
    }
    text->bytes = chunk->size - at;
    if (!text->compressed && text->bytes <= VALUE_MAX)
        text->value = text->bytes > 0 ? text_to_utf8(chunk->data + at, text->bytes) : calloc(1, 1);
    return true;
}

void info_text_free(InfoText *text)
{
    free(text->keyword);
    free(text->value);
    *text = (InfoText){.keyword = NULL};
}
