/* Operations and measurements on the CPU: parameters of all kinds, also just outside their ranges,
 * on pictures of odd sizes whose rows lie in any way. Every implementation gives the reference's
 * bytes and touches nothing else; rows that come one after another give the same; and so do a few
 * steps by the executor. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/op_judge.h"

static const CaseLimits LIMITS = {.side = 3000, .pixels = 6000, .seconds = 20e-6};

static void judge_operation(Choices *choices)
{
    static const size_t alignments[] = {1, 1, 1, 2, 8, 16, 64, 4096};
    const size_t alignment = alignments[choose_below(choices, 8)];
    const int32_t rows = 1 + (int32_t)choose_below(choices, 64),
                  first = (int32_t)choose_16(choices);
    const unsigned what = choose_below(choices, 3);
    Case one;
    if (!choose_case(choices, &LIMITS, &one))
        return;
    judge_implementations(&one, IMG_BACKEND_CPU, NULL, alignment, false);
    if (what == 1)
        judge_by_rows(&one, rows);
    if (what == 2) {
        const ImgRows wanted = {first % one.result.height, 0};
        const int32_t left = one.result.height - wanted.first;
        judge_rows_needed(&one,
                          (ImgRows){wanted.first, wanted.first + (rows < left ? rows : left)});
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Choices choices = {data, size};
    if (size == 0)
        return 0;
    if (choose_below(&choices, 4) == 0)
        judge_pipeline(&choices, &LIMITS);
    else
        judge_operation(&choices);
    return 0;
}
