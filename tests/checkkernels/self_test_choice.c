/* An automatic choice that is slower than another variant, which --fail-if-slower must find. */
#include <stdio.h>

#include "kernels/core/parallel/clock.h"
#include "kernels/core/params.h"
#include "tests/checkkernels/bench_choice.h"
#include "tests/checkkernels/self_test.h"

static ImgStatus take(double seconds)
{
    const double start = img_clock();
    while (img_clock() - start < seconds)
        continue;
    return IMG_OK;
}

static ImgStatus takes_long(const ImgCall *call, ImgError *err)
{
    (void)call;
    (void)err;
    return take(900e-6);
}

static ImgStatus takes_less(const ImgCall *call, ImgError *err)
{
    (void)call;
    (void)err;
    return take(300e-6);
}

static ImgStatus fails(const ImgCall *call, ImgError *err)
{
    (void)call;
    return img_fail(err, IMG_E_DEVICE, "planted");
}

#define VARIANT(text, function)                                                                    \
    {                                                                                              \
        .name = (text), .backend = IMG_BACKEND_CPU, .note = "", .run = (function)                  \
    }

/* The automatic choice takes the last entry; the first is the reference, which is not compared. */
static const ImgImpl slow_last[] = {VARIANT("reference", takes_less),
                                    VARIANT("quick", takes_less),
                                    VARIANT("slow", takes_long),
                                    {.name = NULL}};
static const ImgImpl quick_last[] = {VARIANT("reference", takes_less),
                                     VARIANT("slow", takes_long),
                                     VARIANT("quick", takes_less),
                                     {.name = NULL}};
static const ImgImpl equal[] = {VARIANT("reference", takes_less),
                                VARIANT("one", takes_less),
                                VARIANT("other", takes_less),
                                {.name = NULL}};
static const ImgImpl only[] = {
    VARIANT("reference", takes_less), VARIANT("slow", takes_long), {.name = NULL}};
static const ImgImpl failing[] = {VARIANT("reference", takes_less),
                                  VARIANT("fails", fails),
                                  VARIANT("quick", takes_less),
                                  {.name = NULL}};

/* Returns the verdict of bench_choice on an operation with these variants. */
static CheckTally choose(const ImgOp *model, const ImgImpl *impls)
{
    ImgOp op = *model;
    ImgParams params;
    BenchSource source = {.image = IMG_IMAGE_NONE};
    const ImgShape shape = {16, 16, {IMG_COLOR_RGB, 8}};
    const CheckOptions options = {.seed = 1, .threads = 1};
    const BenchOptions wanted = {
        .width = 16, .height = 16, .fill = "random", .fail_if_slower = true};
    op.impls = impls;
    img_params_init(&op, &params);
    const BenchWork work = {.op = &op,
                            .params = params.bytes,
                            .backend = IMG_BACKEND_CPU,
                            .src = shape,
                            .dst = shape,
                            .title = "planted",
                            .format = "rgb8",
                            .source = &source};
    CheckTally tally = {.passed = 0};
    bench_choice(&work, &wanted, &options, &tally);
    bench_source_free(&source);
    return tally;
}

typedef struct Expected {
    unsigned passed, failed, alone;
} Expected;

static bool is_so(const CheckTally *tally, Expected expected)
{
    return tally->passed == expected.passed && tally->failed == expected.failed &&
           tally->alone == expected.alone;
}

/* The result must occur in one of several attempts, because other processes may take the processor
 * away from any variant. */
static bool comes_out(const ImgOp *op, const ImgImpl *impls, Expected expected)
{
    enum { ATTEMPTS = 10 };
    for (int i = 0; i < ATTEMPTS; i++) {
        const CheckTally tally = choose(op, impls);
        if (is_so(&tally, expected))
            return true;
    }
    return false;
}

void self_test_choice(const ImgOp *op, CheckTally *tally)
{
    const Expected found = {.failed = 1}, accepted = {.passed = 1}, not_judged = {.alone = 1};
    self_test_judge(tally, "a slow choice", comes_out(op, slow_last, found), "found");
    self_test_judge(tally, "a fast choice", comes_out(op, quick_last, accepted), "accepted");
    self_test_judge(tally, "equally fast", comes_out(op, equal, accepted), "accepted");
    self_test_judge(tally, "no other", comes_out(op, only, not_judged), "not judged");
    self_test_judge(tally, "one that fails", comes_out(op, failing, found), "found");
}
