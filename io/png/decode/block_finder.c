/* Searches intervals of a deflate stream for block starts. Each thread searches one interval at a
 * time. */
#include "io/png/decode/speculative_priv.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "io/bytes.h"
#include "io/png/decode/piece.h"
#include "io/png/inflate/inflate.h"

enum {
    STEP = 1 << 16, /* number of bytes that a thread searches at a time */
    /* Number of bytes that all threads together search before they give up if no block has been
     * found. */
    IN_VAIN = 1 << 20,
    /* Number of further bytes that the threads may search after each block that they find. Few
     * blocks are larger than this. */
    PER_PLACE = 1 << 18,
};

typedef struct Search {
    const ImgPngJob *job;
    uint64_t piece_bytes;
    size_t count;
    uint64_t *found;
    atomic_size_t next_place, next_touch;
    atomic_llong left; /* Number of bytes that all threads together may still search. */
} Search;

/* Returns true if the stream probably has a stored block at byte `at` that is not the last
 * block. */
static bool is_stored(const ImgIdat *idat, uint64_t at)
{
    enum { HEADER = 5, TYPE = 7 };
    uint8_t header[HEADER];
    if (at + HEADER > idat->size)
        return false;
    img_idat_copy(idat, at, HEADER, header);
    return (header[0] & TYPE) == 0 && img_inflate_find_lengths(header, 1, 2) == 1;
}

/* Searches `data` for a stored block that another stored block follows. The length field of the
 * first block must lie within the first `size` bytes. Returns the bit position of the first block,
 * or 0.
 *
 * The exact start of the first block is unknown if the block before it ends within a byte. Then
 * returns the start of the second block. */
static uint64_t find_stored(const ImgIdat *idat, const ImgInflateData *data, size_t size,
                            uint64_t to)
{
    enum { LENGTHS = 4 };
    for (size_t at = 0; (at = img_inflate_find_lengths(data->bytes, at, size)) < size; at++) {
        const uint64_t length = img_get_le32(data->bytes + at) & 0xFFFF;
        const uint64_t next = data->start + at + LENGTHS + length;
        if (!is_stored(idat, next))
            continue;
        if (at > 0 && data->bytes[at - 1] == 0)
            return (data->start + at - 1) * 8;
        if (next < to)
            return next * 8;
    }
    return 0;
}

/* Searches bytes `from` to `to` of the stream. Returns the bit position of a possible block start,
 * or 0. Stored blocks are searched first, because that takes a fiftieth of the time.
 *
 * The number of bytes searched is limited. A stream with a single block, or with only fixed codes,
 * has no start to find. Searching all of it would take several times as long as decoding it. */
static uint64_t search_between(Search *search, uint64_t from, uint64_t to, ImgPieceTools *tools)
{
    const ImgIdat *idat = search->job->idat;
    bool last = false;
    while (from < to && !last && atomic_load(&search->left) > 0) {
        ImgInflateData data = img_idat_portion(idat, from, &tools->scratch);
        size_t size = data.last ? data.size : data.size - IMG_INFLATE_DATA_LEAST;
        if (size > to - from)
            size = (size_t)(to - from);
        if (size > STEP)
            size = STEP;
        data.last = data.last && size == data.size;
        uint64_t found = find_stored(idat, &data, size, to);
        if (found > 0)
            return found;
        if (img_inflate_find(&tools->inflate, data.bytes, data.size, 0, size * 8, &found))
            return from * 8 + found;
        atomic_fetch_sub(&search->left, (long long)size);
        from += size;
        last = data.last;
    }
    return 0;
}

/* Writes to each page of the image, so that the system provides zeroed memory now. Otherwise the
 * threads that unfilter would wait for the system at each new page. */
static void touch_image(Search *search)
{
    enum { AT_ONCE = 1 << 21, PAGE = 1 << 12 };
    const ImgView *image = &search->job->pixels.view;
    uint8_t *data = image->data;
    size_t size = image->stride * (size_t)image->height, from;
    while ((from = atomic_fetch_add(&search->next_touch, AT_ONCE)) < size) {
        size_t to = size - from < AT_ONCE ? size : from + AT_ONCE;
        for (size_t at = from; at < to; at += PAGE)
            *(volatile uint8_t *)(data + at) = 0;
    }
}

static void search_places(void *context, int worker)
{
    Search *search = context;
    size_t place;
    ImgPieceTools *tools = malloc(sizeof *tools);
    (void)worker;
    while (tools != NULL && (place = atomic_fetch_add(&search->next_place, 1)) < search->count) {
        uint64_t from = (place + 1) * search->piece_bytes, to = from + search->piece_bytes;
        search->found[place] = search_between(search, from, to, tools);
        if (search->found[place] > 0)
            atomic_fetch_add(&search->left, PER_PLACE);
    }
    touch_image(search);
    free(tools);
}

void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found)
{
    Search search = {
        .job = job, .piece_bytes = piece_bytes, .count = count, .found = found, .left = IN_VAIN};
    (void)img_parallel_run(job->team, job->threads, search_places, &search);
}
