#include "io/png/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/index/block_index.h"

enum {
    METHOD_EQUAL_STRIPS = 0, /* the only method that the draft (index.h) defines */
    WITH_OFFSETS = 0,
    ONE_CHUNK_EACH = 1,
    OFFSET_BYTES = 4,
    OFFSET_MOST = 0x7FFFFFFF,
};

#define DRAFT_TYPE "mARK"
#define APPLE_TYPE "iDOT"

bool img_png_is_index(const char *type)
{
    return strcmp(type, IMG_PNG_INDEX_TYPE) == 0 || strcmp(type, DRAFT_TYPE) == 0 ||
           strcmp(type, APPLE_TYPE) == 0 || strcmp(type, IMG_PNG_BLOCK_INDEX_TYPE) == 0;
}

const ImgChunk *img_png_index_find(const ImgMetadata *metadata)
{
    const ImgChunk *own = img_metadata_find(metadata, IMG_PNG_INDEX_TYPE);
    return own != NULL ? own : img_metadata_find(metadata, DRAFT_TYPE);
}

static ImgStrips divide(int32_t height, int32_t count)
{
    return (ImgStrips){(uint32_t)count, height / count, height / count + height % count};
}

ImgStrips img_strips_divide(int32_t height, int32_t rows)
{
    return divide(height, rows < height ? height / rows : 1);
}

int32_t img_strips_start(const ImgStrips *strips, uint32_t strip)
{
    if (strip == 0)
        return 0;
    return strips->first_rows + (int32_t)(strip - 1) * strips->rows;
}

bool img_png_index_allows(uint32_t count, int32_t height)
{
    return count > 1 && count < (uint32_t)height;
}

void img_png_index_make(uint32_t count, uint8_t index[IMG_PNG_INDEX_BYTES])
{
    index[0] = METHOD_EQUAL_STRIPS;
    index[1] = ONE_CHUNK_EACH;
    for (int i = 0; i < 4; i++)
        index[2 + i] = (uint8_t)(count >> (24 - 8 * i));
}

/* Finds the IDAT chunk that starts `offset` bytes after the IDAT chunk with index `*at`, and sets
 * `*at` to its index. Returns false if there is none. */
static bool find_part(const ImgIdat *idat, uint32_t offset, size_t *at)
{
    const uint64_t from = idat->parts[*at].at;
    for (size_t i = *at + 1; i < idat->count; i++) {
        size_t distance = (size_t)(idat->parts[i].at - from);
        if (distance >= offset) {
            *at = i;
            return distance == offset;
        }
    }
    return false;
}

static bool list_entries(const uint8_t *offsets, const ImgIdat *idat, const ImgStrips *strips,
                         ImgPngIndex *index)
{
    size_t part = 0;
    for (uint32_t i = 0; i < strips->count; i++) {
        if (i > 0 && offsets == NULL) {
            part = i;
        } else if (i > 0) {
            uint32_t offset = img_get_be32(offsets + (size_t)(i - 1) * OFFSET_BYTES);
            if (offset > OFFSET_MOST || !find_part(idat, offset, &part))
                return false;
        }
        uint64_t start = idat->parts[part].start;
        if (i > 0 && start <= index->entries[i - 1].offset)
            return false;
        index->entries[i] = (ImgPngEntry){start, img_strips_start(strips, i)};
    }
    return true;
}

/* Returns true if the method, the number of strips and the size of the chunk are valid. Does not
 * read the offsets in the chunk. */
static bool makes_sense(const ImgChunk *chunk, const ImgIdat *idat, int32_t height)
{
    if (chunk == NULL || chunk->place == IMG_AFTER_IDAT || chunk->size < IMG_PNG_INDEX_BYTES ||
        chunk->data[0] != METHOD_EQUAL_STRIPS)
        return false;
    uint32_t count = img_get_be32(chunk->data + 2);
    if (!img_png_index_allows(count, height) || count > idat->count)
        return false;
    if (chunk->data[1] == ONE_CHUNK_EACH)
        return count == idat->count && chunk->size == IMG_PNG_INDEX_BYTES;
    return chunk->data[1] == WITH_OFFSETS &&
           chunk->size - IMG_PNG_INDEX_BYTES == (uint64_t)(count - 1) * OFFSET_BYTES;
}

ImgStatus img_png_index_read(const ImgChunk *chunk, const ImgIdat *idat, int32_t height,
                             ImgPngIndex *index, ImgError *err)
{
    *index = (ImgPngIndex){0};
    if (!makes_sense(chunk, idat, height))
        return IMG_OK;
    uint32_t count = img_get_be32(chunk->data + 2);
    ImgStrips strips = divide(height, (int32_t)count);
    const uint8_t *offsets =
        chunk->data[1] == WITH_OFFSETS ? chunk->data + IMG_PNG_INDEX_BYTES : NULL;
    index->entries = malloc(count * sizeof *index->entries);
    if (index->entries == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the index of strips");
    if (list_entries(offsets, idat, &strips, index))
        index->count = count;
    else
        img_png_index_free(index);
    return IMG_OK;
}

void img_png_index_free(ImgPngIndex *index)
{
    free(index->entries);
    *index = (ImgPngIndex){0};
}
