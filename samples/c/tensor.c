/* tensor FILE.png...: reads all files into one array of floats, count x 3 x 224 x 224, from 0 to 1,
 * and prints the mean of each picture. */
#include <imgtool.h>
#include <stdio.h>
#include <stdlib.h>

static double mean_of(const float *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)values[i];
    return sum / (double)count;
}

int main(int argc, char **argv)
{
    const size_t count = (size_t)argc - 1;
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_batch batch = IMGTOOL_BATCH_INIT;
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_source *sources = calloc(count + 1, sizeof *sources);
    imgtool_error *results = calloc(count + 1, sizeof *results);
    imgtool_status status = imgtool_context_create(NULL, &context, &error);
    if (sources == NULL || results == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++)
        sources[i] = (imgtool_source){.size = sizeof *sources, .path = argv[i + 1]};
    results[0] = (imgtool_error)IMGTOOL_ERROR_INIT;
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_parse(context, "resize 224x224 fit=cover", &pipeline, &error);
    batch.sources = sources;
    batch.count = count;
    batch.pipeline = pipeline;
    tensor.channels = 3; /* gray and palettes become RGB */
    tensor.channels_first = true;
    tensor.element = IMGTOOL_FLOAT32;
    if (status == IMGTOOL_OK)
        status = imgtool_batch_plan(context, &batch, &tensor, &error);
    const size_t size = (size_t)tensor.channels * (size_t)tensor.height * (size_t)tensor.width;
    float *values = tensor.data = malloc(imgtool_tensor_bytes(&tensor));
    if (status == IMGTOOL_OK)
        status = imgtool_read_batch(context, &batch, &tensor, results, &error);
    if (status != IMGTOOL_OK)
        fprintf(stderr, "%s\n", error.message);
    for (size_t i = 0; i < count && status == IMGTOOL_OK; i++) {
        printf("%s: mean %.4f\n", argv[i + 1], mean_of(values + i * size, size));
        if (results[i].status != IMGTOOL_OK) /* the picture is zeros */
            fprintf(stderr, "%s\n", results[i].message);
    }
    free(values);
    free(sources);
    free(results);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? 0 : 1;
}
