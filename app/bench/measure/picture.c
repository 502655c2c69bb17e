#include "app/bench/measure/picture.h"

#include <string.h>

enum { AREA_BYTES = 1 << 14, WORD = sizeof(uint64_t) };

static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);

/* Returns the next random number, by the generator xorshift64* (Vigna, "An experimental exploration
 * of Marsaglia's xorshift generators", 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Returns eight bytes of samples for area number `area`: eight samples of one byte, or four of two
 * bytes. Each area has one of 64 levels, which are 1/64 of the range apart, and noise as large as
 * this distance. For fewer than 8 bits per sample, only the upper bits are kept. */
static uint64_t photo_word(uint64_t random, size_t area, int bits)
{
    uint64_t level = area % 64 * 4;
    if (bits == 16)
        return level * (EACH_BYTE & UINT64_C(0xff00ff00ff00ff00)) +
               (random & UINT64_C(0x03ff03ff03ff03ff));
    uint64_t word = level * EACH_BYTE + (random & 3 * EACH_BYTE);
    return word >> (8 - bits) & ((1U << bits) - 1) * EACH_BYTE;
}

void bench_fill_photo(const ImgView *view, uint64_t seed)
{
    size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    /* The generator returns only zeros after a state of 0. */
    uint64_t state = seed != 0 ? seed : 1;
    for (size_t y = 0; y < (size_t)view->height; y++) {
        uint8_t *to = view->data + y * view->stride;
        for (size_t x = 0; x < row; x += WORD) {
            size_t area = (y * row + x) / AREA_BYTES;
            uint64_t word = photo_word(next_random(&state), area, view->format.bits);
            memcpy(to + x, &word, row - x < WORD ? row - x : WORD);
        }
        memset(to + row, 0, view->stride - row);
    }
}
