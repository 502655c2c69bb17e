#include "io/png/deflate/exact_parse.h"

#include "kernels/core/parallel/cpu.h"

void img_exact_parse(const uint8_t *data, const ImgExactMatches *matches,
                     const ImgExactCosts *costs, uint32_t from, uint32_t to, uint32_t end,
                     const ImgExactPaths *paths)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2) {
        img_exact_parse_avx2(data, matches, costs, from, to, end, paths);
        return;
    }
#endif
    img_exact_parse_portable(data, matches, costs, from, to, end, paths);
}

uint32_t img_exact_follow(const ImgExactPaths *paths, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < end;) {
        const ImgExactSymbol symbol = paths->symbols[place];
        paths->symbols[count++] = symbol;
        place += img_exact_bytes_of(symbol);
    }
    return count;
}
