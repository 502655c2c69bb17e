#include "io/png/matches.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/bits.h"

enum {
    /* Of the places where something might occur again, those are looked at whose hash has so many
     * zeros: the same on both occurrences, wherever they lie. */
    CHOSEN_BITS = 3,
    TABLE_BITS = 13,
    WORD = 8,
    WINDOW = 1 << 15,
    PIECES = 4,
    PIECE_BYTES = 1 << 14,
    LEVELS = 3,
    ONE_OF = 24, /* chosen words found again, from which on matches may pay */
};

static const uint32_t BUFFER_BYTES[LEVELS + 1] = {0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
                                                  ISAL_DEF_LVL3_DEFAULT};

struct ImgMatchesWork {
    uint32_t last[1 << TABLE_BITS]; /* where a word of that hash was seen, and 1 */
    struct isal_zstream stream;
    uint8_t buffer[ISAL_DEF_LVL3_DEFAULT > ISAL_DEF_LVL2_DEFAULT ? ISAL_DEF_LVL3_DEFAULT
                                                                 : ISAL_DEF_LVL2_DEFAULT];
};

ImgMatchesWork *img_matches_create(void)
{
    return malloc(sizeof(ImgMatchesWork));
}

void img_matches_free(ImgMatchesWork *work)
{
    free(work);
}

typedef struct Tally {
    uint32_t chosen, again;
} Tally;

static void look_at_piece(ImgMatchesWork *work, const uint8_t *data, size_t size, Tally *tally)
{
    memset(work->last, 0, sizeof work->last);
    for (uint32_t at = 0; at + WORD <= size; at++) {
        uint64_t word = img_load_le64(data + at);
        uint64_t hash = word * UINT64_C(0x9E3779B97F4A7C15);
        if (hash >> (64 - CHOSEN_BITS) != 0 || (word >> 8 | word << 56) == word)
            continue;
        uint32_t *last = &work->last[hash >> (64 - CHOSEN_BITS - TABLE_BITS)];
        tally->chosen++;
        tally->again +=
            *last != 0 && at + 1 - *last <= WINDOW && img_load_le64(data + *last - 1) == word;
        *last = at + 1;
    }
}

bool img_matches_occur(ImgMatchesWork *work, const uint8_t *data, size_t size)
{
    Tally tally = {0, 0};
    size_t apart = size / PIECES;
    for (int i = 0; i < PIECES; i++)
        look_at_piece(work, data + (size_t)i * apart, apart < PIECE_BYTES ? apart : PIECE_BYTES,
                      &tally);
    return tally.again > tally.chosen / ONE_OF;
}

size_t img_deflate_matches(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                           bool last, uint8_t *out, size_t capacity)
{
    struct isal_zstream *stream = &work->stream;
    isal_deflate_stateless_init(stream);
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
