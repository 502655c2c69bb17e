#include "io/png/index/block_index.h"

#include <stdlib.h>

enum {
    VERSION = 1,
    VARINT_BITS = 7, /* payload bits per byte; the highest bit is set if more bytes follow */
    VARINT_MORE = 1 << VARINT_BITS,
    VARINT_MOST = 5, /* largest number of bytes that encode a 32-bit number */
    FIRST_CAPACITY = 256,
};

/* --- Writing an index ------------------------------------------------------------------------- */

static bool make_room(ImgPngBlockIndex *index, size_t bytes)
{
    if (index->capacity - index->size >= bytes)
        return true;
    size_t capacity = 2 * (index->size + bytes) + FIRST_CAPACITY;
    uint8_t *more = realloc(index->bytes, capacity);
    if (more == NULL)
        return false;
    index->bytes = more;
    index->capacity = capacity;
    return true;
}

static void put(ImgPngBlockIndex *index, uint32_t number)
{
    for (; number >= VARINT_MORE; number >>= VARINT_BITS)
        index->bytes[index->size++] = (uint8_t)(number | VARINT_MORE);
    index->bytes[index->size++] = (uint8_t)number;
}

bool img_png_block_index_add(ImgPngBlockIndex *index, const uint32_t *starts, size_t count)
{
    if (!make_room(index, 1 + VARINT_MOST * (count + 1)))
        return false;
    if (index->size == 0)
        put(index, VERSION);
    put(index, (uint32_t)count);
    for (size_t i = 1; i < count; i++)
        put(index, starts[i] - starts[i - 1]);
    index->lacks = index->lacks || count == 0;
    return true;
}

void img_png_block_index_free(ImgPngBlockIndex *index)
{
    free(index->bytes);
    *index = (ImgPngBlockIndex){0};
}

/* --- Reading an index ------------------------------------------------------------------------- */

typedef struct Reader {
    const uint8_t *at, *end;
    size_t room; /* number of entries that still fit into `starts` */
} Reader;

/* Reads the next number of the chunk. Returns false if it exceeds 32 bits or has more bytes than
 * necessary. */
static bool take(Reader *reader, uint32_t *number)
{
    uint64_t value = 0;
    for (int i = 0; i < VARINT_MOST && reader->at < reader->end; i++) {
        uint8_t byte = *reader->at++;
        value |= (uint64_t)(byte % VARINT_MORE) << (VARINT_BITS * i);
        if (byte < VARINT_MORE) {
            *number = (uint32_t)value;
            return value <= UINT32_MAX && (byte > 0 || i == 0);
        }
    }
    return false;
}

/* Reads the block starts of one part, which is the data of an IDAT chunk. Returns false if the part
 * has no block start, or if a block start lies outside the part. */
static bool list_part(Reader *reader, const ImgIdat *idat, size_t part, ImgPngBlocks *blocks)
{
    bool last = part + 1 == idat->count;
    uint64_t from = idat->parts[part].start + (part == 0 ? IMG_ZLIB_HEADER_BYTES : 0);
    uint64_t to = (last ? idat->size - IMG_ZLIB_ADLER_BYTES : idat->parts[part + 1].start) * 8;
    uint64_t start = from * 8;
    uint32_t count, distance = 0;
    if (!take(reader, &count) || count == 0 || count > reader->room)
        return false;
    reader->room -= count;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && (!take(reader, &distance) || distance == 0))
            return false;
        start += distance;
        if (start >= to)
            return false;
        blocks->starts[blocks->count++] = (uint32_t)start;
    }
    return true;
}

static bool list_all(Reader *reader, const ImgIdat *idat, ImgPngBlocks *blocks)
{
    for (size_t part = 0; part < idat->count; part++) {
        if (!list_part(reader, idat, part, blocks))
            return false;
    }
    return reader->at == reader->end;
}

/* Returns true if the chunk has a valid version, place and size. Does not read its entries. Returns
 * false if bit positions in the stream may exceed 32 bits. */
static bool makes_sense(const ImgChunk *chunk, const ImgIdat *idat)
{
    return chunk != NULL && chunk->place == IMG_AFTER_IDAT && chunk->size > idat->count &&
           chunk->data[0] == VERSION && idat->count > 0 &&
           idat->size >= IMG_ZLIB_HEADER_BYTES + IMG_ZLIB_ADLER_BYTES &&
           idat->size <= UINT32_MAX / 8;
}

ImgStatus img_png_blocks_read(const ImgMetadata *metadata, const ImgIdat *idat, size_t most,
                              ImgPngBlocks *blocks, ImgError *err)
{
    const ImgChunk *chunk = img_metadata_find(metadata, IMG_PNG_BLOCK_INDEX_TYPE);
    *blocks = (ImgPngBlocks){0};
    if (!makes_sense(chunk, idat))
        return IMG_OK;
    /* Each block start takes at least one byte of the index chunk, so the size of the chunk limits
     * their number. For the first block of a part this is the byte with the number of blocks, for
     * each other block its distance. The + 1 avoids an allocation of 0 bytes. */
    size_t room = chunk->size < most ? chunk->size : most;
    blocks->starts = malloc((room + 1) * sizeof *blocks->starts);
    if (blocks->starts == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the index of blocks");
    Reader reader = {chunk->data + 1, chunk->data + chunk->size, room};
    if (!list_all(&reader, idat, blocks))
        img_png_blocks_free(blocks);
    return IMG_OK;
}

void img_png_blocks_free(ImgPngBlocks *blocks)
{
    free(blocks->starts);
    *blocks = (ImgPngBlocks){0};
}
