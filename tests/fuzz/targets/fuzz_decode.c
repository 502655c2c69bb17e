/* Compares imgtool's decoders with libpng on PNG files that build_png.h makes. Either all decoders
 * accept the file with the same pixels, or all reject it. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzPng png;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    (void)judge_decoders(&png);
    free(png.data);
    return 0;
}
