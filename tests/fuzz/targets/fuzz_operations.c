/* Fuzz target: runs operations and measurements on the CPU, on pictures of any size, alignment and
 * stride. Parameters may be valid or out of range. Every implementation must write the same bytes
 * as the reference, and no bytes outside the result. The same must hold row by row, and in a
 * pipeline of the executor. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/op_judge.h"

static const CaseLimits LIMITS = {.side = 3000, .pixels = 6000, .seconds = 20e-6};

/* large enough to use several threads and to overflow 16-bit counters */
static const CaseLimits LARGE = {.side = 3000, .pixels = 1 << 18, .seconds = 400e-6};

static void judge_operation(Choices *choices, const CaseLimits *limits)
{
    static const size_t alignments[] = {1, 1, 1, 2, 8, 16, 64, 4096};
    const size_t alignment = alignments[choose_below(choices, 8)];
    const int32_t rows = 1 + (int32_t)choose_below(choices, 64),
                  first = (int32_t)choose_16(choices);
    const unsigned what = choose_below(choices, 3);
    Case one;
    if (!choose_case(choices, limits, &one))
        return;
    judge_implementations(&one, IMG_BACKEND_CPU, NULL, alignment, false);
    if (what == 1)
        judge_by_rows(&one, rows);
    if (what == 2) {
        const ImgRows wanted = {first % one.result.height, 0};
        const int32_t left = one.result.height - wanted.first;
        judge_part(&one, (ImgRows){wanted.first, wanted.first + (rows < left ? rows : left)});
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { STEPS, LARGE_STEPS = 8, LARGE_OPERATION = 15, KINDS };
    Choices choices = {data, size};
    if (size == 0)
        return 0;
    const unsigned kind = choose_below(&choices, KINDS);
    const CaseLimits *limits = kind == LARGE_STEPS || kind == LARGE_OPERATION ? &LARGE : &LIMITS;
    if (kind % 4 == STEPS)
        judge_pipeline(&choices, limits);
    else
        judge_operation(&choices, limits);
    return 0;
}
