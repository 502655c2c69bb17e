/* Tests of the checker itself, with deliberately wrong implementations: one of each kind that it
 * must find. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/parallel/clock.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/checkkernels/bench_work.h"

static ImgStatus right(const ImgCall *call, ImgError *err)
{
    return call->op->impls[0].run(call, err);
}

static ImgStatus one_bit_wrong(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    const ImgView *dst = &call->dst;
    dst->data[(size_t)(dst->height - 1) * dst->stride] ^= 1;
    return status;
}

static ImgStatus last_row_missing(const ImgCall *call, ImgError *err)
{
    const ImgView *dst = &call->dst;
    size_t row = (size_t)dst->width * img_format_pixel_size(dst->format);
    uint8_t *last = dst->data + (size_t)(dst->height - 1) * dst->stride;
    uint8_t before[4096];
    memcpy(before, last, row);
    ImgStatus status = right(call, err);
    memcpy(last, before, row);
    return status;
}

static ImgStatus changes_source(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    call->src.data[0] ^= 1;
    return status;
}

static ImgStatus fails(const ImgCall *call, ImgError *err)
{
    (void)call;
    return img_fail(err, IMG_E_DEVICE, "planted");
}

/* Exempts a function from AddressSanitizer. Guards are poisoned, so these functions would otherwise
 * end the program, and the test could not tell whether the checker finds them. */
#define UNCHECKED __attribute__((no_sanitize("address")))

UNCHECKED static ImgStatus writes_above(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    ((volatile uint8_t *)call->dst.data)[-1] = 0;
    return status;
}

UNCHECKED static ImgStatus writes_beside(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    size_t row = (size_t)call->dst.width * img_format_pixel_size(call->dst.format);
    ((volatile uint8_t *)call->dst.data)[row] = 0;
    return status;
}

UNCHECKED static ImgStatus writes_below(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    const ImgView *dst = &call->dst;
    size_t row = (size_t)dst->width * img_format_pixel_size(dst->format);
    ((volatile uint8_t *)dst->data)[(size_t)(dst->height - 1) * dst->stride + row] = 0;
    return status;
}

/* Behaves like a copy in whole vectors: also copies the byte after the first row of the source. */
UNCHECKED static ImgStatus copies_beside(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    const size_t from = (size_t)call->src.width * img_format_pixel_size(call->src.format);
    const size_t to = (size_t)call->dst.width * img_format_pixel_size(call->dst.format);
    ((volatile uint8_t *)call->dst.data)[to] = ((volatile uint8_t *)call->src.data)[from];
    return status;
}

static const ImgImpl planted[] = {
    {.name = "one-bit-wrong", .backend = IMG_BACKEND_CPU, .note = "", .run = one_bit_wrong},
    {.name = "last-row-missing", .backend = IMG_BACKEND_CPU, .note = "", .run = last_row_missing},
    {.name = "changes-source", .backend = IMG_BACKEND_CPU, .note = "", .run = changes_source},
    {.name = "fails", .backend = IMG_BACKEND_CPU, .note = "", .run = fails},
    {.name = "writes-above", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_above},
    {.name = "writes-beside", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_beside},
    {.name = "copies-beside", .backend = IMG_BACKEND_CPU, .note = "", .run = copies_beside},
    {.name = "writes-below", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_below},
};

/* Prints the result of one check and counts it. `what` describes the expected behaviour. */
static void judge(CheckTally *tally, const char *name, bool good, const char *what)
{
    printf("%-26s %s%s\n", name, good ? "as it should: " : "NOT AS IT SHOULD: ", what);
    good ? tally->passed++ : tally->failed++;
}

static void test_planted(const ImgOp *op, CheckTally *tally)
{
    const CheckOptions options = {.seed = 1, .threads = 1};
    Case one = {.op = op,
                .shape = {33, 17, {IMG_COLOR_RGB, 8}},
                .fill = FILL_RANDOM,
                .seed = 1,
                .threads = 1};
    Checker checker = {.options = &options};
    const ImgImpl sound = {.name = "right", .backend = IMG_BACKEND_CPU, .note = "", .run = right};
    ImgError err = {IMG_OK, ""};
    img_params_init(op, &one.params);
    (void)op->shape(one.shape, one.params.bytes, &one.result, &err);
    checker_start(&checker, &one);
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        img_error_clear(&err);
        bool found = checker_lay(&checker, 1, &err) && !checker_run(&checker, &planted[i], &err);
        judge(tally, planted[i].name, found, found ? err.message : "not found");
        /* The buffers are used again, so no trace of the fault may be left in them. */
        img_error_clear(&err);
        bool accepted = checker_lay(&checker, 64, &err) && checker_run(&checker, &sound, &err);
        judge(tally, sound.name, accepted, accepted ? "accepted" : err.message);
    }
    checker_free(&checker);
}

/* Checks that each seed chooses one of several consecutive cases, and that many seeds together
 * choose every case. */
static void test_chosen_cases(CheckTally *tally)
{
    enum { EVERY = 47, BLOCKS = 5, SEEDS = 2000 };
    static bool seen[EVERY * BLOCKS];
    bool one_each = true, all = true;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (uint64_t block = 0; block < BLOCKS; block++) {
            int chosen = 0;
            for (uint64_t number = block * EVERY; number < (block + 1) * EVERY; number++) {
                bool is_chosen = case_is_chosen(number, EVERY, seed);
                chosen += is_chosen;
                seen[number] |= is_chosen;
            }
            one_each &= chosen == 1;
        }
    }
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++)
        all &= seen[i];
    judge(tally, "one case in 47", one_each, "one of each 47");
    judge(tally, "seeds", all, "in time each case is chosen");
}

static void count_case(const Case *one, void *context)
{
    (void)one;
    ++*(uint64_t *)context;
}

static void test_most(const ImgOp *op, CheckTally *tally)
{
    uint64_t chosen = 0;
    const CaseChoice choice = {.seed = 1, .most = 100};
    uint64_t all = cases_each(op, &choice, count_case, &chosen);
    judge(tally, "at most 100 cases", all > 100 && chosen <= 100 && chosen > 50,
          "no more, not few");
}

/* Properties that at least one selected case had: each bit depth of gray, and a large and a small
 * value of a 16-bit parameter. */
typedef struct Seen {
    bool bits[17], large, small;
} Seen;

static void look(const Case *one, void *context)
{
    Seen *seen = context;
    char text[32];
    if (one->shape.format.color == IMG_COLOR_GRAY)
        seen->bits[one->shape.format.bits] = true;
    img_params_print(img_param_find(one->op, "value"), &one->params, text, sizeof text);
    long value = strtol(text, NULL, 10); /* 0 if the text is a word */
    if (one->shape.format.bits == 16 && one->shape.width <= 33 && one->shape.height <= 33) {
        seen->large |= value > 20000;
        seen->small |= value > 0 && value <= 33;
    }
}

static void test_variety(CheckTally *tally)
{
    const ImgOp *op = NULL;
    ImgError unused = {IMG_OK, ""};
    Seen seen = {.large = false};
    const CaseChoice choice = {.seed = 1, .every = 1, .largest = CASE_SMALL};
    bool found = img_op_find("threshold", &op, &unused) == IMG_OK;
    if (found)
        (void)cases_each(op, &choice, look, &seen);
    judge(tally, "formats",
          seen.bits[1] && seen.bits[2] && seen.bits[4] && seen.bits[8] && seen.bits[16],
          "gray of every depth");
    judge(tally, "numbers", seen.large && seen.small, "16-bit values large and small");
}

/* --- An automatic choice that is slower than another variant ---------------------------------- */

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

#define VARIANT(text, function)                                                                    \
    {                                                                                              \
        .name = (text), .backend = IMG_BACKEND_CPU, .note = "", .run = (function)                  \
    }

/* Variants of a made-up operation. The automatic choice takes the last one. The first is the
 * reference, which is not compared. */
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

/* Runs bench_choice on an operation with these variants, and returns its tally. */
static CheckTally choose(const ImgOp *model, const ImgImpl *impls)
{
    ImgOp op = *model;
    ImgParams params;
    ImgImage source = IMG_IMAGE_NONE;
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
    img_image_free(&source);
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

/* Returns true if bench_choice gives the expected tally in one of several attempts. One attempt is
 * not enough, because other processes may slow any variant. */
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

static void test_choice(const ImgOp *op, CheckTally *tally)
{
    const Expected found = {.failed = 1}, accepted = {.passed = 1}, not_judged = {.alone = 1};
    judge(tally, "a slow choice", comes_out(op, slow_last, found), "found");
    judge(tally, "a fast choice", comes_out(op, quick_last, accepted), "accepted");
    judge(tally, "equally fast", comes_out(op, equal, accepted), "accepted");
    judge(tally, "no other", comes_out(op, only, not_judged), "not judged");
    judge(tally, "one that fails", comes_out(op, failing, found), "found");
}

/* --- All self-tests --------------------------------------------------------------------------- */

void check_self_test(CheckTally *tally)
{
    const ImgOp *op = NULL;
    ImgError unused = {IMG_OK, ""};
    if (img_op_find("rotate", &op, &unused) != IMG_OK) {
        tally->failed++;
        return;
    }
    test_planted(op, tally);
    test_chosen_cases(tally);
    test_most(op, tally);
    test_variety(tally);
    test_choice(op, tally);
}
