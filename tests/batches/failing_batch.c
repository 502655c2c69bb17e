/* Reads one batch of files into memory of a GPU, prints a sum over its numbers, and releases
 * everything, also after a failure. check_failing.sh makes calls of the CUDA runtime fail
 * meanwhile.
 *
 *     failing_batch FILE...
 *
 * Exit status: 0 if the batch was read, 1 if a call of the library failed, 77 without a GPU. */
#include <stdio.h>
#include <stdlib.h>

#include "app/library/imgtool.h"

enum { MOST = 16, SKIPPED = 77 };

typedef struct Run {
    imgtool_context *context;
    imgtool_pipeline *pipeline;
    imgtool_batch batch;
    imgtool_source sources[MOST];
    imgtool_error results[MOST];
    imgtool_tensor tensor;
    unsigned char *numbers; /* the tensor in host memory */
} Run;

static imgtool_status begin(Run *run, char **paths, size_t count, imgtool_error *error)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 2;
    run->batch = (imgtool_batch)IMGTOOL_BATCH_INIT;
    run->tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    for (size_t i = 0; i < count; i++) {
        run->results[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
        run->sources[i] = (imgtool_source)IMGTOOL_SOURCE_INIT;
        run->sources[i].path = paths[i];
    }
    imgtool_status status = imgtool_context_create(&config, &run->context, error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_parse(
            run->context, "crop 5x7 | resize 12x10 fit=fill | blur sigma=1", &run->pipeline, error);
    run->batch.sources = run->sources;
    run->batch.count = count;
    run->batch.pipeline = run->pipeline;
    run->tensor.channels = 3;
    if (status == IMGTOOL_OK)
        status = imgtool_batch_plan(run->context, &run->batch, &run->tensor, error);
    return status;
}

static imgtool_status copy_back(Run *run, size_t bytes, imgtool_error *error)
{
    imgtool_picture from = IMGTOOL_PICTURE_INIT, to;
    from.width = (int32_t)bytes;
    from.height = 1;
    from.format = (imgtool_format){IMGTOOL_GRAY, 8};
    from.stride = bytes;
    to = from;
    from.pixels = run->tensor.data;
    to.pixels = run->numbers;
    return imgtool_device_copy(run->context, &from, &to, NULL, error);
}

static imgtool_status read_batch(Run *run, imgtool_error *error)
{
    imgtool_pending *pending = NULL;
    const size_t bytes = imgtool_tensor_bytes(&run->tensor);
    run->numbers = calloc(1, bytes);
    if (run->numbers == NULL)
        exit(1);
    imgtool_status status = imgtool_device_allocate(run->context, bytes, &run->tensor.data, error);
    if (status == IMGTOOL_OK)
        status = imgtool_read_batch_device(run->context, &run->batch, &run->tensor, NULL, &pending,
                                           error);
    if (status == IMGTOOL_OK)
        status = imgtool_pending_finish(pending, run->results, error);
    if (status == IMGTOOL_OK)
        status = copy_back(run, bytes, error);
    return status;
}

/* Prints the sum, and how many pictures failed. */
static void report(const Run *run)
{
    unsigned long sum = 0, failed = 0;
    for (size_t i = 0; i < imgtool_tensor_bytes(&run->tensor); i++)
        sum = sum * 31 + run->numbers[i];
    for (size_t i = 0; i < run->batch.count; i++)
        failed += run->results[i].status != IMGTOOL_OK;
    printf("%lu, %lu failed\n", sum, failed);
}

int main(int argc, char **argv)
{
    static Run run;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const size_t count = argc - 1 < MOST ? (size_t)argc - 1 : MOST;
    imgtool_status status = begin(&run, argv + 1, count, &error);
    if (status == IMGTOOL_OK)
        status = read_batch(&run, &error);
    if (status == IMGTOOL_OK)
        report(&run);
    else
        fprintf(stderr, "failing_batch: %s\n", error.message);
    imgtool_device_free(0, run.tensor.data);
    imgtool_pipeline_destroy(run.pipeline);
    imgtool_context_destroy(run.context);
    free(run.numbers);
    return status == IMGTOOL_OK ? 0 : status == IMGTOOL_E_UNAVAILABLE ? SKIPPED : 1;
}
