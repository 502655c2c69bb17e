/* Comparison of all implementations with the reference (check.h). */
#include "tests/checkkernels/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "tests/checkkernels/op_check.h"

bool check_wants(const CheckOptions *options, const ImgOp *op)
{
    const size_t length = strlen(op->name);
    const char *at = options->ops;
    while (at != NULL && *at != '\0') {
        const size_t size = strcspn(at, ",");
        if (size == length && strncmp(at, op->name, length) == 0)
            return true;
        at += size + (at[size] == ',');
    }
    return options->ops == NULL;
}

bool check_knows(const CheckOptions *options)
{
    size_t names = options->ops != NULL, found = 0;
    const ImgOp *op;
    for (const char *c = options->ops; c != NULL && *c != '\0'; c++)
        names += *c == ',';
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++)
        found += check_wants(options, op);
    return found >= names;
}

/* State of a run over all operations in order. A thread that finds no more cases of one operation
 * continues with the next, while other threads finish their last cases. The last thread that leaves
 * an operation prints its result. */
typedef struct Run {
    const CheckOptions *options;
    CheckTally *tally;
    Checker *checkers; /* one for each thread; owned */
    int threads;
    /* the check of each operation; NULL before that check starts and after it ends */
    OpCheck **checks;
    pthread_mutex_t mutex;
} Run;

/* Returns the check of an operation. The first thread that arrives starts it. */
static OpCheck *arrive(Run *run, size_t number)
{
    pthread_mutex_lock(&run->mutex);
    if (run->checks[number] == NULL)
        run->checks[number] = op_check_begin(img_op_at(number), run->options);
    OpCheck *check = run->checks[number];
    pthread_mutex_unlock(&run->mutex);
    return check;
}

static void leave(Run *run, size_t number)
{
    pthread_mutex_lock(&run->mutex);
    OpCheck *check = run->checks[number];
    if (++check->left == run->threads) {
        op_check_end(check, run->tally);
        run->checks[number] = NULL;
    }
    pthread_mutex_unlock(&run->mutex);
}

/* Checks all operations. Several threads run this function at the same time. */
static void check_ops(void *context, int part)
{
    Run *run = context;
    const ImgOp *op;
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        if (!check_wants(run->options, op))
            continue;
        op_check_take_cases(arrive(run, o), &run->checkers[part]);
        leave(run, o);
    }
}

/* Opens the checkers of all threads. Each checker opens the device for itself, because only one
 * thread at a time may use an open device. */
static void open_checkers(Run *run)
{
    const CheckOptions *options = run->options;
    int wanted = options->threads;
#ifdef IMGTOOL_EMULATOR
    wanted = 1; /* The emulator is a single device with global state. */
#endif
    run->checkers = calloc((size_t)wanted, sizeof *run->checkers);
    if (run->checkers == NULL)
        abort();
    while (run->threads < wanted) {
        Checker *checker = &run->checkers[run->threads];
        checker->options = options;
        checker->device = options->device;
        if (run->threads > 0 && options->device != NULL &&
            img_device_open(0, &checker->device, NULL) != IMG_OK)
            return;
        run->threads++;
    }
}

static void close_checkers(Run *run)
{
    for (int i = 0; i < run->threads; i++) {
        Checker *checker = &run->checkers[i];
        checker_free(checker);
        if (checker->device != run->options->device)
            img_device_close(checker->device);
    }
    free(run->checkers);
}

void check_all(const CheckOptions *options, CheckTally *tally)
{
    Run run = {.options = options, .tally = tally};
    size_t count = 0;
    while (img_op_at(count) != NULL)
        count++;
    /* one element more, because calloc of 0 elements may return NULL */
    run.checks = calloc(count + 1, sizeof(OpCheck *));
    if (run.checks == NULL)
        abort();
    pthread_mutex_init(&run.mutex, NULL);
    open_checkers(&run);
    (void)img_parallel_run(options->team, run.threads, check_ops, &run);
    close_checkers(&run);
    pthread_mutex_destroy(&run.mutex);
    free(run.checks);
}
