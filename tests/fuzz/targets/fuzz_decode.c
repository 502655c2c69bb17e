/* Our decoder against libpng: both accept with the same pixels, or both refuse. Through the public
 * interface, and where that has no choice, of strategies, below it. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge_ways.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzPng png;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    (void)judge_ways(&png);
    free(png.data);
    return 0;
}
