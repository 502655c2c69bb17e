/* The check of one operation (op_check.h). */
#include "tests/checkkernels/op_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"

/* --- Failures --------------------------------------------------------------------------------- */

static void write_failure(FILE *out, const Case *one, const ImgImpl *impl, size_t alignment,
                          const ImgError *err)
{
    const ImgShape shape = one->shape;
    fprintf(out, "FAIL %s %s %s %d-bit %d x %d, %s, aligned to %zu:", one->op->name, impl->name,
            img_color_name(shape.format.color), shape.format.bits, shape.width, shape.height,
            fill_name(one->fill), alignment);
    for (const ImgParam *param = one->op->params; param->name != NULL; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, &one->params, text, sizeof text);
        fprintf(out, " %s=%s", param->name, text);
    }
    fprintf(out, ": %s\n", err->message);
}

/* Returns a description of a failure, which the caller frees, or NULL if memory is short. */
static char *failure_text(const Case *one, const ImgImpl *impl, size_t alignment,
                          const ImgError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    write_failure(out, one, impl, alignment, err);
    (void)fclose(out);
    return text;
}

void failures_note(Failures *failures, const Case *one, size_t number, const ImgImpl *impl,
                   size_t alignment, const ImgError *err)
{
    const size_t last = FAILURES_SHOWN - 1;
    size_t place = 0;
    if (err->status == IMG_E_DEVICE && failures->texts[last] == NULL)
        write_failure(stdout, one, impl, alignment, err);
    while (place <= last && failures->texts[place] != NULL && failures->numbers[place] <= number)
        place++;
    char *text = place <= last ? failure_text(one, impl, alignment, err) : NULL;
    if (text == NULL)
        return;
    free(failures->texts[last]);
    for (size_t i = last; i > place; i--) {
        failures->texts[i] = failures->texts[i - 1];
        failures->numbers[i] = failures->numbers[i - 1];
    }
    failures->texts[place] = text;
    failures->numbers[place] = number;
}

void failures_print(Failures *failures)
{
    for (size_t i = 0; i < FAILURES_SHOWN && failures->texts[i] != NULL; i++) {
        fputs(failures->texts[i], stdout);
        free(failures->texts[i]);
        failures->texts[i] = NULL;
    }
}

/* --- Cases ------------------------------------------------------------------------------------ */

enum { CACHE_LINE = 64, IMPLS_MAX = OP_CHECK_IMPLS_MAX };

/* Returns true if pictures of this shape are checked with rows at multiples of `alignment` bytes.
 * On a device this is only the alignment of the executor. On the host it is 1, and for larger
 * pictures also a cache line, because implementations have faster code for aligned rows. A picture
 * is large enough if its shorter side, in pixels times their size, reaches a cache line. */
static bool takes_alignment(const ImgImpl *impl, ImgShape shape, size_t alignment)
{
    int32_t side = shape.width < shape.height ? shape.width : shape.height;
    if (impl->backend == IMG_BACKEND_CUDA)
        return alignment == IMG_DEVICE_ALIGNMENT;
    return alignment == 1 ||
           (alignment == CACHE_LINE && side * img_format_pixel_size(shape.format) >= CACHE_LINE);
}

static void check_impl(OpCheck *check, Checker *checker, size_t case_number, size_t impl_number,
                       size_t alignment)
{
    const ImgImpl *impl = &check->op->impls[impl_number];
    CheckTally *tally = &check->tally[impl_number];
    ImgError err = {IMG_OK, ""};
    bool good = checker->alignment == alignment || checker_lay(checker, alignment, &err);
    good = good && checker_run(checker, impl, &err);
    pthread_mutex_lock(&check->mutex);
    good ? tally->passed++ : tally->failed++;
    if (!good)
        failures_note(&check->failures[impl_number], checker->one, case_number, impl, alignment,
                      &err);
    pthread_mutex_unlock(&check->mutex);
}

static void check_case(OpCheck *check, Checker *checker, const Case *one, size_t number)
{
    static const size_t alignments[] = {1, CACHE_LINE, IMG_DEVICE_ALIGNMENT};
    checker_start(checker, one);
    for (size_t a = 0; a < sizeof alignments / sizeof alignments[0]; a++) {
        for (size_t i = 1; i < check->impls; i++) {
            const ImgImpl *impl = &check->op->impls[i];
            if (check->wanted[i] && takes_alignment(impl, one->shape, alignments[a]) &&
                img_impl_applies(check->op, impl, one->shape, one->params.bytes))
                check_impl(check, checker, number, i, alignments[a]);
        }
    }
}

void op_check_take_cases(OpCheck *check, Checker *checker)
{
    const Case *one;
    size_t number;
    while (check->has_list && (one = case_list_take(&check->list, &number)) != NULL)
        check_case(check, checker, one, number);
}

/* Selects the implementations to check. Returns true if there is at least one. The reference is
 * left out, because unit tests check it. */
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

static void print_tallies(OpCheck *check, CheckTally *tally)
{
    uint64_t of_backend[] = {[IMG_BACKEND_CPU] = 0, [IMG_BACKEND_CUDA] = 0};
    for (size_t i = 1; i < check->impls; i++) {
        const CheckTally *one = &check->tally[i];
        const ImgImpl *impl = &check->op->impls[i];
        if (!check->wanted[i])
            continue;
        failures_print(&check->failures[i]);
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

static void fail_op(const ImgOp *op, const char *why, CheckTally *tally)
{
    printf("FAIL %s: %s\n", op->name, why);
    tally->failed++;
}

OpCheck *op_check_begin(const ImgOp *op, const CheckOptions *options)
{
    OpCheck *check = calloc(1, sizeof *check);
    if (check == NULL)
        abort();
    check->op = op;
    check->options = options;
    pthread_mutex_init(&check->mutex, NULL);
    if (select_impls(check))
        check->has_list = case_list_make(&check->list, op, &options->choice);
    return check;
}

void op_check_end(OpCheck *check, CheckTally *tally)
{
    tally->chosen += check->list.count;
    tally->of += check->list.of;
    print_tallies(check, tally);
    if (check->op->impls[check->impls].name != NULL)
        fail_op(check->op, "too many implementations", tally);
    case_list_free(&check->list);
    pthread_mutex_destroy(&check->mutex);
    free(check);
}
