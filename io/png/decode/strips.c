/* Decodes the strips that a file's index lists, in parallel. */
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#include "io/png/decode/fast_decoders.h"

typedef struct Strips {
    const ImgPngJob *job;
    const ImgPngIndex *index;
    uint32_t *adlers;
    /* Bit position in the stream after the last strip. The thread that decodes the last strip sets
     * it. */
    uint64_t end;
    atomic_size_t next;
    atomic_int status; /* the first failure, as an ImgStatus; it stops all threads */
} Strips;

static ImgSegment segment_of(const Strips *strips, size_t k)
{
    const ImgPngIndex *index = strips->index;
    const ImgPngEntry *entry = &index->entries[k];
    bool last = k + 1 == index->count;
    int32_t end_row = last ? strips->job->pixels.view.height : entry[1].row;
    return (ImgSegment){
        .start = 8 * (k == 0 ? IMG_ZLIB_HEADER_BYTES : entry->offset),
        .end = last ? IMG_SEGMENT_OPEN : 8 * entry[1].offset,
        .first_row = entry->row,
        .rows = end_row - entry->row,
    };
}

static void fail(Strips *strips, ImgStatus status)
{
    int fine = IMG_OK;
    atomic_compare_exchange_strong(&strips->status, &fine, (int)status);
}

static void decode_strips(void *context, int worker)
{
    Strips *strips = context;
    ImgSegmentTools *tools = img_segment_tools_create();
    size_t k;
    /* Worker 0 alone can decode all strips, so only its failure matters. */
    if (tools == NULL && worker == 0)
        fail(strips, IMG_E_MEMORY);
    while (tools != NULL && atomic_load(&strips->status) == IMG_OK &&
           (k = atomic_fetch_add(&strips->next, 1)) < strips->index->count) {
        ImgSegment segment = segment_of(strips, k);
        uint64_t end;
        ImgStatus status =
            img_segment_decode(strips->job, &segment, tools, &strips->adlers[k], &end, NULL);
        if (status != IMG_OK)
            fail(strips, status);
        else if (k + 1 == strips->index->count)
            strips->end = end;
    }
    img_segment_tools_free(tools);
}

static uint32_t combine(const Strips *strips)
{
    size_t filtered = img_pixels_filtered_bytes(&strips->job->pixels);
    uint32_t adler = 1;
    for (size_t k = 0; k < strips->index->count; k++) {
        uint64_t bytes = (uint64_t)filtered * (uint64_t)segment_of(strips, k).rows;
        adler = (uint32_t)adler32_combine(adler, strips->adlers[k], (z_off_t)bytes);
    }
    return adler;
}

ImgStatus img_strips_decode(const ImgPngJob *job, const ImgPngIndex *index, uint32_t *adler,
                            uint64_t *end, ImgError *err)
{
    Strips strips = {.job = job, .index = index};
    strips.adlers = calloc(index->count, sizeof *strips.adlers);
    if (strips.adlers == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding by strips");
    (void)img_parallel_run(job->team, job->threads, decode_strips, &strips);
    ImgStatus status = (ImgStatus)atomic_load(&strips.status);
    *adler = status == IMG_OK ? combine(&strips) : 0;
    *end = strips.end;
    free(strips.adlers);
    if (status == IMG_OK)
        return IMG_OK;
    return img_fail(err, status, "the index of strips is wrong, or the image data is damaged");
}
