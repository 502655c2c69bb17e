/* A match is taken to cost MATCH_BITS, its literals what a Huffman code for the piece costs. What
 * is found is thereby a little more than LZ77 finds: on 450 strips of photographs, drawings and
 * screens none was left out that LZ77 shrank more. */
#include "io/png/encode/repeats.h"

#include <string.h>

#include "io/bytes.h"
#include "io/png/deflate/huffman.h"
#include "io/png/deflate/runs.h"

enum {
    STEP = 512, /* bytes that are looked up before any of them is entered */
    STRIDE = 2, /* every so many-th is looked up */
    TABLE_BITS = 13,
    HASHED_BYTES = 6,
    WORD = 8, /* bytes that are read to hash some of them */
    MATCH_LEAST = 6,
    MATCH_MOST = 64,
    MATCH_BITS = 24,
    GAIN_PERCENT = 98, /* of the bits: less is not worth LZ77's time */
    LANES = 4,
};

typedef struct Finder {
    const uint8_t *data;
    size_t size;
    uint8_t lengths[IMG_SYMBOLS];     /* of the codes of bytes */
    uint16_t places[1 << TABLE_BITS]; /* a place + 1 by hash, the last one; 0: none */
    uint16_t hashes[STEP];            /* of the bytes of a step */
} Finder;

static unsigned hash(const uint8_t *p)
{
    uint64_t bytes = img_get_le64(p) << 8 * (WORD - HASHED_BYTES);
    return (unsigned)(bytes * UINT64_C(0x9E3779B185EBCA87) >> (64 - TABLE_BITS));
}

/* Several tables of counts, so that equal bytes do not wait. */
static void count_bytes(const uint8_t *data, size_t size, uint32_t *counts)
{
    uint32_t found[LANES][IMG_LITERALS] = {{0}};
    size_t i = 0;
    for (; i + LANES <= size; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            found[k][data[i + k]]++;
    for (; i < size; i++)
        found[0][data[i]]++;
    for (int byte = 0; byte < IMG_LITERALS; byte++)
        counts[byte] = found[0][byte] + found[1][byte] + found[2][byte] + found[3][byte];
}

/* Returns the bits of all bytes. */
static uint32_t make_code(Finder *finder)
{
    uint32_t counts[IMG_SYMBOLS] = {[IMG_END_OF_BLOCK] = 1}, bits = 0;
    count_bytes(finder->data, finder->size, counts);
    img_huffman_lengths(counts, IMG_SYMBOLS, IMG_RUN_CODE_MOST, finder->lengths);
    for (int byte = 0; byte < IMG_LITERALS; byte++)
        bits += counts[byte] * finder->lengths[byte];
    return bits;
}

/* A match at `at` of what lies at `from`, its first bytes known to be alike: the bits of its
 * literals, and its end. */
static uint32_t measure_match(const Finder *finder, size_t at, size_t from, size_t *end)
{
    size_t most = finder->size - at < MATCH_MOST ? finder->size - at : MATCH_MOST, length = 0;
    uint32_t bits = 0;
    for (; length < most && finder->data[at + length] == finder->data[from + length]; length++)
        bits += finder->lengths[finder->data[at + length]];
    *end = at + length;
    return bits;
}

static bool is_like(const Finder *finder, size_t at, size_t from)
{
    const uint64_t first = (UINT64_C(1) << 8 * MATCH_LEAST) - 1;
    uint64_t unlike = img_get_le64(finder->data + at) ^ img_get_le64(finder->data + from);
    return (unlike & first) == 0;
}

/* Looks up every other byte of a step behind the last match, which ends at *end. Matches are taken
 * as they come, the first that gains. Returns what they gain. */
static uint32_t take_matches(const Finder *finder, size_t step, size_t count, size_t *end)
{
    uint32_t gain = 0;
    for (size_t i = 0; i < count; i += STRIDE) {
        size_t at = step + i, place = finder->places[finder->hashes[i]], behind;
        if (place == 0 || !is_like(finder, at, place - 1) || at < *end)
            continue;
        uint32_t bits = measure_match(finder, at, place - 1, &behind);
        if (bits > MATCH_BITS) {
            gain += bits - MATCH_BITS;
            *end = behind;
        }
    }
    return gain;
}

void img_repeats_add(ImgRepeats *repeats, const uint8_t *data, size_t size)
{
    Finder finder;
    finder.data = data;
    finder.size = size;
    memset(finder.places, 0, sizeof finder.places);
    uint32_t literal_bits = make_code(&finder), gain = 0;
    const size_t hashed = size < WORD ? 0 : size - WORD + 1; /* places of whole words */
    size_t end = 0;                                          /* of the last match */
    for (size_t step = 0; step < hashed; step += STEP) {
        size_t count = hashed - step < STEP ? hashed - step : STEP;
        for (size_t i = 0; i < count; i++)
            finder.hashes[i] = (uint16_t)hash(data + step + i);
        gain += take_matches(&finder, step, count, &end);
        for (size_t i = 0; i < count; i++)
            finder.places[finder.hashes[i]] = (uint16_t)(step + i + 1);
    }
    repeats->literal_bits += literal_bits;
    repeats->bits += literal_bits - gain;
}

bool img_repeats_may_pay(const ImgRepeats *repeats)
{
    return repeats->bits * 100 < repeats->literal_bits * GAIN_PERCENT;
}
