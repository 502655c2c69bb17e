/* Each place is looked for by one thread; they are many. */
#include "io/png/decode/block_finder.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "io/png/decode/piece.h"
#include "io/png/inflate/inflate_find.h"

typedef struct Search {
    const ImgPngJob *job;
    uint64_t piece_bytes;
    size_t count;
    uint64_t *found;
    atomic_size_t next_place, next_touch;
} Search;

/* Looks from byte `from` of the stream on, as far as byte `to`. Says at which bit, or 0. */
static uint64_t search_between(const ImgIdat *idat, uint64_t from, uint64_t to,
                               ImgPieceTools *tools)
{
    bool last = false;
    while (from < to && !last) {
        ImgInflateData data = img_idat_portion(idat, from, &tools->scratch);
        size_t size = data.last ? data.size : data.size - IMG_INFLATE_DATA_LEAST;
        if (size > to - from)
            size = (size_t)(to - from);
        uint64_t found;
        if (img_inflate_find(&tools->inflate, data.bytes, data.size, 0, size * 8, &found))
            return from * 8 + found;
        from += size;
        last = data.last;
    }
    return 0;
}

/* The system clears memory when it is first touched, a huge page at a time. Later, threads that
 * undo filters would wait for each of them in turn. */
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
        search->found[place] = search_between(search->job->idat, from, to, tools);
    }
    touch_image(search);
    free(tools);
}

void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found)
{
    Search search = {.job = job, .piece_bytes = piece_bytes, .count = count, .found = found};
    (void)img_parallel_run(job->team, job->threads, search_places, &search);
}
