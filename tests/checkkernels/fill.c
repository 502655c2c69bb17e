/* Contents of pictures, and random numbers (fill.h). */
#include "tests/checkkernels/fill.h"

#include <string.h>

uint64_t random_next(Random *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

Random random_start(uint64_t seed, uint64_t stream)
{
    uint64_t mixed = seed * UINT64_C(0xD6E8FEB86659FD93) + stream;
    for (int i = 0; i < 2; i++)
        mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    mixed ^= mixed >> 32;
    return (Random){mixed != 0 ? mixed : 1};
}

uint32_t random_below(Random *random, uint32_t bound)
{
    return (uint32_t)(((random_next(random) >> 32) * bound) >> 32);
}

const char *fill_name(Fill fill)
{
    static const char *const names[FILL_COUNT] = {"random", "place", "bright"};
    return names[fill];
}

/* Writes a hash of the position to a pixel, so that neighbours differ in every byte. */
static void fill_place(uint8_t *pixel, size_t size, int32_t x, int32_t y)
{
    uint64_t mixed = ((uint64_t)(uint32_t)y << 32 | (uint32_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= mixed >> 29;
    memcpy(pixel, &mixed, size);
}

/* Fills a row with random bytes, eight at a time. */
static void fill_random(uint8_t *row, size_t size, Random *random)
{
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t bits = random_next(random);
        memcpy(row + i, &bits, sizeof bits);
    }
    uint64_t bits = random_next(random);
    memcpy(row + i, &bits, size - i);
}

static void fill_row(const ImgView *view, int32_t y, Fill fill, Random *random)
{
    size_t pixel = img_format_pixel_size(view->format), size = (size_t)view->width * pixel;
    uint8_t *row = view->data + (size_t)y * view->stride;
    switch (fill) {
    case FILL_PLACE:
        for (int32_t x = 0; x < view->width; x++)
            fill_place(row + (size_t)x * pixel, pixel, x, y);
        return;
    case FILL_BRIGHT:
        memset(row, 0xff, size);
        memset(row, 0, pixel);
        memset(row + size - pixel, 0, pixel);
        return;
    case FILL_RANDOM:
    case FILL_COUNT:
        break;
    }
    fill_random(row, size, random);
}

/* Clears the unused high bits of samples with fewer than 8 bits. Each of these samples has a byte
 * of its own. */
static void cut_samples(const ImgView *view)
{
    uint8_t maximum = (uint8_t)img_format_maximum(view->format);
    for (int32_t y = 0; y < view->height; y++)
        for (int32_t x = 0; x < view->width; x++)
            view->data[(size_t)y * view->stride + (size_t)x] &= maximum;
}

void fill_view(const ImgView *view, Fill fill, Random *random)
{
    for (int32_t y = 0; y < view->height; y++)
        fill_row(view, y, fill, random);
    if (view->format.bits < 8)
        cut_samples(view);
}
