/* ISA-L's stateless deflate: one call a piece, which remembers nothing of those before. */
#include "io/png/deflate/matches.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

enum {
    LEVELS = 3,
    LEVEL2_BYTES = ISAL_DEF_LVL2_DEFAULT,
    LEVEL3_BYTES = ISAL_DEF_LVL3_DEFAULT,
    MOST_BYTES = LEVEL3_BYTES > LEVEL2_BYTES ? LEVEL3_BYTES : LEVEL2_BYTES,
};

static const uint32_t BUFFER_BYTES[LEVELS + 1] = {0, ISAL_DEF_LVL1_DEFAULT, LEVEL2_BYTES,
                                                  LEVEL3_BYTES};

struct ImgMatchesWork {
    struct isal_zstream stream;
    uint8_t buffer[MOST_BYTES];
};

ImgMatchesWork *img_matches_create(void)
{
    return calloc(1, sizeof(ImgMatchesWork));
}

void img_matches_free(ImgMatchesWork *work)
{
    free(work);
}

size_t img_deflate_matches(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                           bool last, uint8_t *out, size_t capacity)
{
    struct isal_zstream *stream = &work->stream;
    isal_deflate_stateless_init(stream);
    /* ISA-L 2.30 reads that before it has set it: bytes would depend on what the memory held. */
    stream->internal_state.has_hist = IGZIP_NO_HIST;
    stream->level = (uint32_t)level;
    stream->level_buf = work->buffer;
    stream->level_buf_size = BUFFER_BYTES[level];
    stream->flush = FULL_FLUSH;
    stream->end_of_stream = last;
    stream->next_in = (uint8_t *)data; /* is only read */
    stream->avail_in = (uint32_t)size;
    stream->next_out = out;
    stream->avail_out = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX;
    if (isal_deflate_stateless(stream) != COMP_OK)
        return 0;
    return stream->total_out;
}
