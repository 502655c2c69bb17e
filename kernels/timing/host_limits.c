#include "kernels/timing/host_limits.h"

#include <string.h>

void img_host_copy(uint8_t *to, const uint8_t *from, size_t size, int threads)
{
    enum { PIECE = 1 << 18 };
    int64_t pieces = (int64_t)((size + PIECE - 1) / PIECE);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < pieces; i++) {
        size_t start = (size_t)i * PIECE;
        memcpy(to + start, from + start, size - start < PIECE ? size - start : PIECE);
    }
    (void)threads; /* where there is no OpenMP */
}

uint64_t img_host_read(const uint8_t *from, size_t size, int threads)
{
    uint64_t sum = 0;
    int64_t words = (int64_t)(size / sizeof sum);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, from + (size_t)i * sizeof word, sizeof word);
        sum += word;
    }
    (void)threads;
    return sum;
}
