/* Reads batches into tensors in host memory, one thread per picture. */
#include <stdatomic.h>

#include "app/library/tensors/batch.h"

typedef struct BatchRun {
    imgtool_context *context;
    ImgLibBatch batch;
    ImgTensor tensor;
    imgtool_error *results; /* of the caller; may be NULL */
    ImgLibWorker *workers;
    atomic_size_t next, done; /* number of pictures that were begun, and that are complete */
    atomic_bool stopped;      /* the caller cancelled */
} BatchRun;

/* Reports the progress if this is the thread that called the library. Returns false if the caller
 * cancelled. */
static bool goes_on(void *user)
{
    BatchRun *run = user;
    if (!run->stopped && pthread_equal(run->context->caller, pthread_self()) &&
        img_lib_progress(run->context, run->done, run->batch.own.count, NULL) != IMG_OK)
        run->stopped = true;
    return !run->stopped;
}

static void read_picture(BatchRun *run, ImgLibWorker *worker, size_t index)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const imgtool_status status =
        img_lib_read_one(worker, &run->batch, index, &run->tensor, (int32_t)index, &error);
    img_lib_set_result(run->results, index, status, error.message);
    run->done++;
}

/* Reads pictures until none is left. */
static void read_pictures(void *context, int part)
{
    BatchRun *run = context;
    ImgLibWorker *worker = &run->workers[part];
    worker->goes_on = goes_on;
    worker->user = run;
    for (;;) {
        const size_t index = run->next++;
        if (index >= run->batch.own.count)
            break;
        if (goes_on(run))
            read_picture(run, worker, index);
        else
            img_lib_set_result(run->results, index, IMGTOOL_E_CANCELLED, "cancelled");
    }
    worker->goes_on = NULL;
}

static imgtool_status read_arguments(BatchRun *run, const imgtool_batch *batch,
                                     const imgtool_tensor *tensor, imgtool_error *error)
{
    imgtool_status status = img_lib_begin(run->context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_batch(batch, &run->batch, error);
    if (status == IMGTOOL_OK)
        status = img_lib_read_tensor(tensor, &run->tensor, error);
    if (status == IMGTOOL_OK)
        status = img_lib_batch_fits(&run->batch, &run->tensor, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_results(run->results, error);
    return status == IMGTOOL_OK ? img_lib_workers(run->context, &run->workers, error) : status;
}

imgtool_status imgtool_read_batch(imgtool_context *context, const imgtool_batch *batch,
                                  const imgtool_tensor *tensor, imgtool_error *results,
                                  imgtool_error *error)
{
    BatchRun run = {.context = context, .results = results};
    const imgtool_status begun = read_arguments(&run, batch, tensor, error);
    if (begun != IMGTOOL_OK)
        return begun;
    const size_t count = run.batch.own.count, threads = (size_t)context->config.threads;
    if (count > 0)
        (void)img_parallel_run(context->team, (int)(count < threads ? count : threads),
                               read_pictures, &run);
    (void)goes_on(&run);
    return run.stopped ? img_lib_fail(error, IMGTOOL_E_CANCELLED, "cancelled") : IMGTOOL_OK;
}
