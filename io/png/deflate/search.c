/* libdeflate only makes whole streams. To let another piece follow, the mark of the last block is
 * taken back and an empty stored block put behind it. Where that mark is, only a walk through the
 * blocks can tell: zlib's inflate stops before each, and says at which bit. */
#include "io/png/deflate/search.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    STORED_END = 5, /* bytes that the empty block takes at most */
    SCRATCH = 1 << 15,
    BITS_UNUSED = 7,      /* in z_stream.data_type: bits of the last byte that were not taken */
    BETWEEN_BLOCKS = 128, /* there: inflate stopped behind the end of a block */
    RAW_WINDOW = -15,
};

struct ImgSearch {
    struct libdeflate_compressor *compressor;
    uint8_t scratch[SCRATCH]; /* what is inflated on the walk */
};

ImgSearch *img_search_create(int level)
{
    ImgSearch *search = malloc(sizeof *search);
    if (search == NULL)
        return NULL;
    search->compressor = libdeflate_alloc_compressor(level);
    if (search->compressor == NULL) {
        free(search);
        return NULL;
    }
    return search;
}

void img_search_free(ImgSearch *search)
{
    if (search != NULL)
        libdeflate_free_compressor(search->compressor);
    free(search);
}

size_t img_deflate_search_bound(size_t size)
{
    return libdeflate_deflate_compress_bound(NULL, size) + STORED_END;
}

/* To the end of the next block. False at the end of the stream, or where it is damaged. */
static bool pass_block(z_stream *stream, uint8_t *scratch)
{
    int result;
    do {
        stream->next_out = scratch;
        stream->avail_out = SCRATCH;
        result = inflate(stream, Z_BLOCK);
    } while (result == Z_OK && (stream->data_type & BETWEEN_BLOCKS) == 0);
    return result == Z_OK;
}

/* The bits from the start of the stream to where inflate stands. */
static uint64_t position(const z_stream *stream, const uint8_t *start)
{
    return (uint64_t)(stream->next_in - start) * 8 - (stream->data_type & BITS_UNUSED);
}

/* The bits at which the last block starts and ends. */
static bool find_last_block(ImgSearch *search, uint8_t *stream, size_t size, uint64_t *start,
                            uint64_t *end)
{
    z_stream walk = {.next_in = stream, .avail_in = (uInt)size};
    if (inflateInit2(&walk, RAW_WINDOW) != Z_OK)
        return false;
    *start = *end = 0;
    bool found = false;
    while (!found && pass_block(&walk, search->scratch)) {
        *start = *end;
        *end = position(&walk, stream);
        found = (stream[*start / 8] >> *start % 8 & 1) != 0;
    }
    inflateEnd(&walk);
    return found;
}

/* Returns the new size; 0: no memory. */
static size_t open_end(ImgSearch *search, uint8_t *stream, size_t size)
{
    uint64_t start, end;
    if (!find_last_block(search, stream, size, &start, &end))
        return 0;
    stream[start / 8] &= (uint8_t) ~(1U << start % 8);
    /* Three zero bits, up to the next byte, no data: its length and that inverted. The bits behind
     * the end of a stream are zero already. */
    size_t at = (size_t)((end + 3 + 7) / 8);
    for (size_t i = size; i < at; i++)
        stream[i] = 0;
    stream[at] = stream[at + 1] = 0;
    stream[at + 2] = stream[at + 3] = 255;
    return at + 4;
}

size_t img_deflate_search(ImgSearch *search, const uint8_t *data, size_t size, bool last,
                          uint8_t *out)
{
    size_t capacity = libdeflate_deflate_compress_bound(search->compressor, size);
    size_t written = libdeflate_deflate_compress(search->compressor, data, size, out, capacity);
    if (last || written == 0)
        return written;
    return open_end(search, out, written);
}
