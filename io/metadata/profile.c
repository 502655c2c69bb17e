#include "io/metadata/profile.h"

#include <string.h>
#include <zlib.h>

enum { NAME_MOST = 79, SPACE_AT = 16, SPACE_SIZE = 4 };

/* Copies a name of `length` bytes and converts it from Latin-1 to UTF-8. */
static void copy_name(const uint8_t *from, size_t length, char *to)
{
    for (size_t i = 0; i < length; i++) {
        const uint8_t c = from[i];
        if (c < ' ' || (c >= 0x7F && c < 0xA0)) {
            *to++ = '?';
        } else if (c < 0x80) {
            *to++ = (char)c;
        } else {
            *to++ = (char)(0xC0 | c >> 6);
            *to++ = (char)(0x80 | (c & 0x3F));
        }
    }
    *to = '\0';
}

/* Reads the colour space of a compressed profile. Inflates only the beginning of the profile's
 * header. */
static void read_space(const uint8_t *data, size_t size, char *space)
{
    uint8_t header[SPACE_AT + SPACE_SIZE] = {0};
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data,
                       .avail_in = (uInt)size,
                       .next_out = header,
                       .avail_out = sizeof header};
    if (inflateInit(&stream) != Z_OK)
        return;
    (void)inflate(&stream, Z_SYNC_FLUSH);
    if (stream.avail_out == 0)
        memcpy(space, header + SPACE_AT, SPACE_SIZE);
    inflateEnd(&stream);
}

static bool read_chunk(const ImgChunk *chunk, ImgProfile *profile)
{
    *profile = (ImgProfile){.name = ""};
    if (chunk == NULL)
        return false;
    const size_t length = strnlen((const char *)chunk->data, chunk->size);
    if (length <= NAME_MOST)
        copy_name(chunk->data, length, profile->name);
    if (length + 2 <= chunk->size)
        read_space(chunk->data + length + 2, chunk->size - length - 2, profile->space);
    return true;
}

bool img_profile_read(const ImgMetadata *metadata, ImgProfile *profile)
{
    return read_chunk(img_metadata_find(metadata, "iCCP"), profile);
}

bool img_profile_fits(const ImgChunk *chunk, ImgColor color)
{
    ImgProfile profile;
    const bool gray = color == IMG_COLOR_GRAY || color == IMG_COLOR_GRAY_ALPHA;
    if (!read_chunk(chunk, &profile) || profile.space[0] == '\0')
        return true;
    return strcmp(profile.space, gray ? "GRAY" : "RGB ") == 0;
}
