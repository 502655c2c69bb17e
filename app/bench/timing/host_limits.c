#include "app/bench/timing/host_limits.h"

#include <stdatomic.h>
#include <string.h>

typedef struct Copy {
    uint8_t *to;
    const uint8_t *from;
    size_t size;
} Copy;

enum { PIECE = 1 << 18 };

static void copy_pieces(void *context, int64_t first, int64_t end)
{
    const Copy *copy = context;
    for (int64_t i = first; i < end; i++) {
        size_t start = (size_t)i * PIECE, left = copy->size - start;
        memcpy(copy->to + start, copy->from + start, left < PIECE ? left : PIECE);
    }
}

void img_host_copy(uint8_t *to, const uint8_t *from, size_t size, ImgTeam *team, int threads)
{
    Copy copy = {to, from, size};
    img_parallel_for(team, threads, (int64_t)((size + PIECE - 1) / PIECE), copy_pieces, &copy);
}

typedef struct Read {
    const uint8_t *from;
    atomic_uint_fast64_t sum;
} Read;

static void read_words(void *context, int64_t first, int64_t end)
{
    Read *read = context;
    const uint8_t *from = read->from;
    uint64_t sum = 0;
    for (int64_t i = first; i < end; i++) {
        uint64_t word;
        memcpy(&word, from + (size_t)i * sizeof word, sizeof word);
        sum += word;
    }
    atomic_fetch_add(&read->sum, sum);
}

uint64_t img_host_read(const uint8_t *from, size_t size, ImgTeam *team, int threads)
{
    Read read = {.from = from};
    img_parallel_for(team, threads, (int64_t)(size / sizeof(uint64_t)), read_words, &read);
    return atomic_load(&read.sum);
}
