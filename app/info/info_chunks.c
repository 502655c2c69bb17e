/* Reads the contents of single chunks. Layouts: PNG specification, third edition, section 11.3. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "app/info/info.h"
#include "app/text/text.h"
#include "io/limits.h"
#include "io/metadata/text.h"

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

/* Inflates a profile to find its size. Keeps none of its data except the size that its header
 * states. Stops when the profile exceeds IMG_DEFAULT_MAX_TEXT bytes. */
static void measure_profile(const uint8_t *data, size_t size, InfoProfile *profile)
{
    uint8_t piece[16384];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    if (inflateInit(&stream) != Z_OK)
        return;
    uint64_t bytes = 0;
    int result = Z_OK;
    while (result == Z_OK && bytes <= IMG_DEFAULT_MAX_TEXT) {
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        result = inflate(&stream, Z_NO_FLUSH);
        size_t made = sizeof piece - stream.avail_out;
        if (bytes == 0 && made >= 4)
            profile->header_bytes = big_endian(piece);
        bytes += made;
    }
    inflateEnd(&stream);
    profile->too_long = result == Z_OK;
    if (result == Z_STREAM_END)
        profile->bytes = bytes;
}

bool info_profile(const ImgMetadata *metadata, InfoProfile *profile)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "iCCP");
    if (chunk == NULL)
        return false;
    size_t length = strnlen((const char *)chunk->data, chunk->size);
    if (length > KEYWORD_MAX || length + 2 > chunk->size)
        return false;
    *profile = (InfoProfile){.name = text_to_utf8(chunk->data, length)};
    if (profile->name == NULL)
        return false;
    measure_profile(chunk->data + length + 2, chunk->size - length - 2, profile);
    return true;
}

void info_profile_free(InfoProfile *profile)
{
    free(profile->name);
    profile->name = NULL;
}

bool info_profile_damaged(const InfoProfile *profile)
{
    if (profile->too_long)
        return profile->header_bytes <= IMG_DEFAULT_MAX_TEXT;
    return profile->bytes == 0 || profile->header_bytes != profile->bytes;
}

InfoTransparency info_transparency(const Info *info, unsigned *entries)
{
    ImgColor color = info->shape.format.color;
    *entries = 0;
    if (color == IMG_COLOR_RGBA || color == IMG_COLOR_GRAY_ALPHA)
        return INFO_ALPHA;
    const ImgChunk *chunk = img_metadata_find(&info->metadata, "tRNS");
    if (chunk == NULL)
        return INFO_OPAQUE;
    if (color != IMG_COLOR_PALETTE)
        return INFO_TRANSPARENT_COLOR;
    for (uint32_t i = 0; i < chunk->size; i++)
        *entries += chunk->data[i] != 255;
    return *entries > 0 ? INFO_TRANSPARENT_ENTRIES : INFO_OPAQUE;
}

char *info_copyright(const ImgMetadata *metadata)
{
    const uint8_t *text;
    size_t size;
    if (!img_copyright_find(metadata, &text, &size))
        return NULL;
    return text_to_utf8(text, size < VALUE_MAX ? size : VALUE_MAX);
}

/* Moves *at past a string that ends with a zero byte. Returns false if the chunk ends first. */
static bool skip_string(const ImgChunk *chunk, size_t *at)
{
    const uint8_t *end = memchr(chunk->data + *at, 0, chunk->size - *at);
    if (end == NULL)
        return false;
    *at = (size_t)(end - chunk->data) + 1;
    return true;
}

/* Sets *at to the start of the value, which follows the keyword. */
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
