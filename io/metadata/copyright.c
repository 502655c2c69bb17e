#include "io/metadata/copyright.h"

#include <string.h>

#include "io/metadata/exif.h"
#include "io/metadata/text.h"

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
