#include "io/png/deflate/exact_matches.h"

#include <string.h>

#include "kernels/core/parallel/cpu.h"

enum { HASH_BITS_LEAST = 8 };

void img_exact_finder_begin(ImgExactFinder *finder, const uint8_t *data, size_t size)
{
    finder->data = data;
    finder->size = (uint32_t)size;
    finder->hash_bits = HASH_BITS_LEAST;
    while (finder->hash_bits < IMG_EXACT_HASH_BITS && size >> finder->hash_bits > 0)
        finder->hash_bits++;
    for (uint32_t i = 0; i >> finder->hash_bits == 0; i++)
        finder->roots[i] = IMG_EXACT_NOWHERE;
}

uint32_t img_exact_find(ImgExactFinder *finder, uint32_t from, uint32_t count, uint32_t depth,
                        ImgExactMatches *matches)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return img_exact_find_avx2(finder, from, count, depth, matches);
#endif
    return img_exact_find_portable(finder, from, count, depth, matches);
}
