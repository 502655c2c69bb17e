/* See check.h. */
#include "tests/checkkernels/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "tests/checkkernels/cases_list.h"
#include "tests/checkkernels/failures.h"

enum { CACHE_LINE = 64, IMPLS_MAX = 64 };

/* One checker for each thread, kept from operation to operation. */
typedef struct Checkers {
    Checker *each; /* owned */
    int count;
} Checkers;

/* The run of one operation: which of its implementations are checked, and how they did. */
typedef struct OpCheck {
    const ImgOp *op;
    const CheckOptions *options;
    const Checkers *checkers;
    CaseList list;
    size_t impls; /* the reference included */
    bool wanted[IMPLS_MAX];
    pthread_mutex_t mutex; /* for what follows */
    CheckTally tally[IMPLS_MAX];
    Failures failures[IMPLS_MAX];
} OpCheck;

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

/* What one thread does. */
static void check_cases(void *context, int part)
{
    OpCheck *check = context;
    const Case *one;
    size_t number;
    while ((one = case_list_take(&check->list, &number)) != NULL)
        check_case(check, &check->checkers->each[part], one, number);
}

static bool run_cases(OpCheck *check)
{
    const CheckOptions *options = check->options;
    const bool made = case_list_make(&check->list, check->op, &options->choice);
    if (made)
        (void)img_parallel_run(options->team, check->checkers->count, check_cases, check);
    if (made && check->list.count < check->list.of)
        printf("%-12s %zu of %llu cases, which the seed chooses\n", check->op->name,
               check->list.count, (unsigned long long)check->list.of);
    case_list_free(&check->list);
    return made;
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

static void check_op(const ImgOp *op, const CheckOptions *options, const Checkers *checkers,
                     CheckTally *tally)
{
    OpCheck check = {.op = op, .options = options, .checkers = checkers};
    pthread_mutex_init(&check.mutex, NULL);
    if (select_impls(&check) && !run_cases(&check))
        fail_op(op, "no memory", tally);
    print_tallies(&check, tally);
    if (op->impls[check.impls].name != NULL)
        fail_op(op, "too many implementations", tally);
    pthread_mutex_destroy(&check.mutex);
}

/* Each has a way of its own to the device, whose memory, constants and clock are its call's. */
static void make_checkers(Checkers *checkers, const CheckOptions *options)
{
    int wanted = options->threads;
#ifdef IMGTOOL_EMULATOR
    wanted = 1; /* it is one device, whose state is the program's */
#endif
    checkers->each = calloc((size_t)wanted, sizeof *checkers->each);
    if (checkers->each == NULL)
        abort();
    for (int i = 0; i < wanted; i++) {
        Checker *checker = &checkers->each[i];
        checker->options = options;
        checker->device = options->device;
        if (i > 0 && options->device != NULL &&
            img_device_open(0, &checker->device, NULL) != IMG_OK)
            break;
        checkers->count++;
    }
}

static void free_checkers(Checkers *checkers)
{
    for (int i = 0; i < checkers->count; i++) {
        Checker *checker = &checkers->each[i];
        checker_free(checker);
        if (checker->device != checker->options->device)
            img_device_close(checker->device);
    }
    free(checkers->each);
}

void check_all(const CheckOptions *options, CheckTally *tally)
{
    const ImgOp *op;
    Checkers checkers = {.count = 0};
    make_checkers(&checkers, options);
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++)
        if (options->op == NULL || strcmp(options->op, op->name) == 0)
            check_op(op, options, &checkers, tally);
    free_checkers(&checkers);
}
