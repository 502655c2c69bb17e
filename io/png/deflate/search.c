/* Deflates with libdeflate, which produces only complete streams. To let more data follow, this
 * code clears the flag of the last block and appends an empty stored block. It inflates the stream
 * to find the position of this flag. */
#include "io/png/deflate/search.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "io/png/inflate/inflate.h"

enum { STORED_END = 5 /* largest size of an empty stored block in bytes */ };

struct ImgSearch {
    struct libdeflate_compressor *compressor;
    ImgInflate inflate;
    uint8_t *inflated; /* buffer for the inflated data */
    size_t room;
};

ImgSearch *img_search_create(int level)
{
    ImgSearch *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NULL;
    search->compressor = libdeflate_alloc_compressor(level);
    if (search->compressor == NULL) {
        free(search);
        return NULL;
    }
    return search;
}

/* Estimates the memory that libdeflate allocates. libdeflate does not document it; the numbers were
 * measured with versions 1.14 to 1.20. */
size_t img_search_bytes(int level, size_t size)
{
    enum { OPTIMAL_FROM = 10, OPTIMAL_BYTES = 9100 << 10, OTHER_BYTES = 700 << 10 };
    return (level >= OPTIMAL_FROM ? (size_t)OPTIMAL_BYTES : (size_t)OTHER_BYTES) +
           sizeof(ImgSearch) + size + IMG_INFLATE_ROOM_SLACK;
}

void img_search_free(ImgSearch *search)
{
    if (search == NULL)
        return;
    libdeflate_free_compressor(search->compressor);
    free(search->inflated);
    free(search);
}

size_t img_deflate_search_bound(size_t size)
{
    return libdeflate_deflate_compress_bound(NULL, size) + STORED_END + IMG_INFLATE_DATA_SLACK;
}

static bool make_room(ImgSearch *search, size_t size)
{
    if (size <= search->room)
        return true;
    free(search->inflated);
    search->inflated = malloc(size);
    search->room = search->inflated != NULL ? size : 0;
    return search->inflated != NULL;
}

/* Inflates the stream. Sets `*start` and `*end` to the bit positions at which the last block starts
 * and ends. Returns false if memory is short. */
static bool find_last_block(ImgSearch *search, const uint8_t *stream, size_t stream_size,
                            size_t size, uint64_t *start, uint64_t *end)
{
    if (!make_room(search, size + IMG_INFLATE_ROOM_SLACK))
        return false;
    ImgInflate *inflate = &search->inflate;
    const ImgInflateData data = {stream, 0, stream_size, true};
    ImgInflateRoom room = {search->inflated, search->inflated, search->inflated + size + 1};
    ImgInflateStop stop;
    img_inflate_start(inflate, 0);
    do {
        *start = inflate->position;
        stop = img_inflate(inflate, &data, &room, true);
    } while (stop == IMG_INFLATE_BLOCK);
    *end = inflate->position;
    return stop == IMG_INFLATE_END;
}

/* Changes a complete stream so that more data can follow. Returns its new size in bytes, or 0 if
 * memory is short. */
static size_t open_end(ImgSearch *search, uint8_t *stream, size_t stream_size, size_t size)
{
    uint64_t start, end;
    if (!find_last_block(search, stream, stream_size, size, &start, &end))
        return 0;
    stream[start / 8] &= (uint8_t) ~(1U << start % 8);
    /* Appends an empty stored block: three zero bits, zero bits up to a byte boundary, length 0 and
     * its complement. The bits of the last byte after the end of the stream are zero already. */
    size_t at = (size_t)((end + 3 + 7) / 8);
    for (size_t i = stream_size; i < at; i++)
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
    return open_end(search, out, written, size);
}
