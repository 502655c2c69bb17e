/* ISA-L's stateless deflate: one call per piece, which remembers nothing of those before. */
#include "io/png/deflate/matches.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "io/bytes.h"
#include "io/uninstrumented.h"

enum {
    LEVELS = 3,
    LEVEL2_BYTES = ISAL_DEF_LVL2_DEFAULT,
    LEVEL3_BYTES = ISAL_DEF_LVL3_DEFAULT,
    MOST_BYTES = LEVEL3_BYTES > LEVEL2_BYTES ? LEVEL3_BYTES : LEVEL2_BYTES,
};

static const uint32_t BUFFER_BYTES[LEVELS + 1] = {0, ISAL_DEF_LVL1_DEFAULT, LEVEL2_BYTES,
                                                  LEVEL3_BYTES};

/* ISA-L 2.30 to 2.32 (igzip_icf_body_h1_gr_bt.asm, .write_first_byte) enters the third byte that it
 * hashes in a foreign slot of its table: the hash of bits 16 to 47 of the stream's address. Where
 * that is also the slot of certain bytes, a match is lost or found: one piece would be deflated to
 * different bytes in another thread or run. So the stream may lie at any of PLACES addresses, and
 * is put where the slot is not one of those. */
enum {
    PLACES = 16,
    PLACE_BYTES = 1 << 16,  /* the step that changes the slot */
    MOST_AT_ONCE = 1 << 22, /* bytes, of which few slots are to be avoided */
    LONG_RUN = 8,           /* at the start: may be written apart, before hashing begins */
    FIRST_BYTES = 3,        /* where hashing begins, each in a slot that must not be taken */
    THIRD_BYTE = 2,
    WINDOW = 1 << 15, /* places this far apart are taken for one another */
    HASHED_BYTES = 4,
    LEAST_SLOTS_BITS = 13, /* of the tables of all levels; less for short pieces */
};

struct ImgMatchesWork {
    uint8_t buffer[MOST_BYTES];
    uint8_t places[(PLACES - 1) * PLACE_BYTES + sizeof(struct isal_zstream)];
};

_Static_assert(MOST_BYTES % _Alignof(struct isal_zstream) == 0, "every place is aligned");

ImgMatchesWork *img_matches_create(void)
{
    return calloc(1, sizeof(ImgMatchesWork));
}

size_t img_matches_bytes(void)
{
    return sizeof(ImgMatchesWork);
}

void img_matches_free(ImgMatchesWork *work)
{
    free(work);
}

/* Of the smallest table that ISA-L may take: what differs there differs in larger ones. */
typedef struct Slots {
    const uint8_t *data;
    size_t size;
    uint32_t mask;
} Slots;

static Slots slots_of(const uint8_t *data, size_t size)
{
    int bits = 5; /* ISA-L hashes nothing if there are less than 17 bytes */
    while (bits < LEAST_SLOTS_BITS && size >> (bits + 1) != 0)
        bits++;
    return (Slots){.data = data, .size = size, .mask = (1u << bits) - 1};
}

/* As the instruction crc32 of SSE 4.2 on a register of zeros: what ISA-L hashes by. */
static uint32_t slot(const Slots *slots, uint32_t value)
{
    for (int bit = 0; bit < 32; bit++)
        value = (value >> 1) ^ (value & 1 ? 0x82f63b78u : 0);
    return value & slots->mask;
}

static bool is_slot_at(const Slots *slots, uint32_t foreign, size_t at)
{
    return at + HASHED_BYTES <= slots->size &&
           slot(slots, img_get_le32(slots->data + at)) == foreign;
}

/* Whether bytes that would be lost or found have the slot, if hashing begins at `start`. */
static bool is_taken(const Slots *slots, uint32_t foreign, size_t start)
{
    for (size_t i = 0; i < FIRST_BYTES; i++)
        if (is_slot_at(slots, foreign, start + i))
            return true;
    for (size_t at = start + WINDOW; at < slots->size; at += WINDOW)
        if (is_slot_at(slots, foreign, at) || is_slot_at(slots, foreign, at + THIRD_BYTE))
            return true;
    return false;
}

/* The length of the run at the start, if ISA-L may write it apart; else 0. */
static size_t leading_run(const uint8_t *data, size_t size)
{
    size_t length = 0;
    while (length < size && data[length] == data[0])
        length++;
    return length < LONG_RUN ? 0 : length;
}

static struct isal_zstream *place(ImgMatchesWork *work, const uint8_t *data, size_t size)
{
    Slots slots = slots_of(data, size);
    size_t run = leading_run(data, size);
    uint8_t *at = work->places;
    for (int i = 1; i < PLACES; i++, at += PLACE_BYTES) {
        uint32_t foreign = slot(&slots, (uint32_t)((uintptr_t)at >> 16));
        if (!is_taken(&slots, foreign, 0) && (run == 0 || !is_taken(&slots, foreign, run)))
            break;
    }
    return (struct isal_zstream *)at;
}

static size_t deflate_at_once(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                              bool last, uint8_t *out, size_t capacity)
{
    struct isal_zstream *stream = place(work, data, size);
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
    img_foreign_reads(data, size);
    if (isal_deflate_stateless(stream) != COMP_OK)
        return 0;
    img_foreign_wrote(out, stream->total_out);
    return stream->total_out;
}

size_t img_deflate_matches(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                           bool last, uint8_t *out, size_t capacity)
{
    size_t written = 0, done = 0;
    do {
        size_t now = size - done < MOST_AT_ONCE ? size - done : MOST_AT_ONCE;
        size_t more = deflate_at_once(work, level, data + done, now, last && done + now == size,
                                      out + written, capacity - written);
        if (more == 0)
            return 0;
        written += more;
        done += now;
    } while (done < size);
    return written;
}
