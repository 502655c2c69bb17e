/* See check.h. */
#include "tests/checkkernels/check.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

enum { FAILURES_SHOWN = 5, CACHE_LINE = 64, IMPLS_MAX = 64 };

/* The run of one operation: which of its implementations are checked, and how they did. */
typedef struct OpCheck {
    const ImgOp *op;
    const CheckOptions *options;
    Checker checker;
    size_t impls; /* the reference included */
    bool wanted[IMPLS_MAX];
    CheckTally tally[IMPLS_MAX];
} OpCheck;

static void report_failure(const Case *one, const ImgImpl *impl, size_t alignment,
                           const ImgError *err)
{
    ImgShape shape = one->shape;
    printf("FAIL %s %s %s %d-bit %d x %d, %s, aligned to %zu:", one->op->name, impl->name,
           img_color_name(shape.format.color), shape.format.bits, shape.width, shape.height,
           fill_name(one->fill), alignment);
    for (const ImgParam *param = one->op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, &one->params, text, sizeof text);
        printf(" %s=%s", param->name, text);
    }
    printf(": %s\n", err->message);
}

/* How rows may lie: on a device as the executor lays them; on the host anywhere, and for pictures
 * that are more than lines also at cache lines, which processors have a faster way for. */
static bool takes_alignment(const ImgImpl *impl, ImgShape shape, size_t alignment)
{
    int32_t side = shape.width < shape.height ? shape.width : shape.height;
    if (impl->backend == IMG_BACKEND_CUDA)
        return alignment == IMG_DEVICE_ALIGNMENT;
    return alignment == 1 ||
           (alignment == CACHE_LINE && side * img_format_pixel_size(shape.format) >= CACHE_LINE);
}

static void check_impl(OpCheck *check, const Case *one, size_t number, size_t alignment)
{
    Checker *checker = &check->checker;
    const ImgImpl *impl = &check->op->impls[number];
    CheckTally *tally = &check->tally[number];
    ImgError err = {IMG_OK, ""};
    bool laid = checker->alignment == alignment || checker_lay(checker, alignment, &err);
    if (laid && checker_run(checker, impl, &err))
        tally->passed++;
    else if (tally->failed++ < FAILURES_SHOWN)
        report_failure(one, impl, alignment, &err);
}

static void check_case(const Case *one, void *context)
{
    static const size_t alignments[] = {1, CACHE_LINE, IMG_DEVICE_ALIGNMENT};
    OpCheck *check = context;
    checker_start(&check->checker, one);
    for (size_t a = 0; a < sizeof alignments / sizeof alignments[0]; a++) {
        for (size_t i = 1; i < check->impls; i++) {
            const ImgImpl *impl = &check->op->impls[i];
            if (check->wanted[i] && takes_alignment(impl, one->shape, alignments[a]) &&
                img_impl_applies(check->op, impl, one->shape, one->params.bytes))
                check_impl(check, one, i, alignments[a]);
        }
    }
}

/* Is there any to check? The reference itself has unit tests with cases worked out by hand. */
static bool select_impls(OpCheck *check)
{
    const CheckOptions *options = check->options;
    bool any = false;
    while (check->op->impls[check->impls].name != NULL && check->impls < IMPLS_MAX)
        check->impls++;
    for (size_t i = 1; i < check->impls; i++) {
        const ImgImpl *impl = &check->op->impls[i];
        if ((options->impl != NULL && strcmp(options->impl, impl->name) != 0) ||
            (options->backend != IMG_BACKEND_AUTO && options->backend != impl->backend))
            continue;
        check->wanted[i] = img_impl_usable(impl);
        any |= check->wanted[i];
        if (!check->wanted[i])
            printf("%-12s %-20s not in this build or processor\n", check->op->name, impl->name);
    }
    return any;
}

static void print_tallies(const OpCheck *check, CheckTally *tally)
{
    uint64_t of_backend[] = {[IMG_BACKEND_CPU] = 0, [IMG_BACKEND_CUDA] = 0};
    for (size_t i = 1; i < check->impls; i++) {
        const CheckTally *one = &check->tally[i];
        const ImgImpl *impl = &check->op->impls[i];
        if (!check->wanted[i])
            continue;
        printf("%-12s %-20s %8llu passed %6llu failed\n", check->op->name, impl->name,
               (unsigned long long)one->passed, (unsigned long long)one->failed);
        of_backend[impl->backend] += one->passed + one->failed;
        tally->passed += one->passed;
        tally->failed += one->failed;
    }
    for (ImgBackend b = IMG_BACKEND_CPU; b <= IMG_BACKEND_CUDA; b++)
        if (of_backend[b] > 0)
            printf("cases %s %s %llu\n", check->op->name, img_backend_name(b),
                   (unsigned long long)of_backend[b]);
    fflush(stdout);
}

void check_all(const CheckOptions *options, CheckTally *tally)
{
    const ImgOp *op;
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        if (options->op != NULL && strcmp(options->op, op->name) != 0)
            continue;
        OpCheck check = {.op = op, .options = options, .checker = {.options = options}};
        if (select_impls(&check))
            (void)cases_each(op, &options->choice, check_case, &check);
        print_tallies(&check, tally);
        if (op->impls[check.impls].name != NULL) {
            printf("FAIL %s has more than %d implementations\n", op->name, IMPLS_MAX);
            tally->failed++;
        }
        checker_free(&check.checker);
    }
}
