/* threads: runs contexts on different threads that share a pipeline. They must give the same
 * results as a context that runs alone. This is a program of its own because ThreadSanitizer
 * (IMGTOOL_SANITIZE=thread) does not work with Criterion. */
#include <pthread.h>
#include <stdio.h>

#include "imgtool.h"

enum { THREADS = 4, TURNS = 3, SIDE = 96 };

static const char *const texts[] = {
    "thumbnail 40x40",
    "rotate angle=30 | blur sigma=2 | equalize",
    "clahe | median | resize 70% | sharpen",
    "trim | erode | rotate | gamma value=1.5 | saturation factor=2",
};

typedef struct Worker {
    pthread_t thread;
    const imgtool_pipeline *pipeline; /* pipeline that all threads share */
    const char *text;                 /* text of a pipeline that the thread parses itself */
    uint64_t sums[2];
    bool failed;
} Worker;

static uint64_t sum_of(const imgtool_picture *picture)
{
    uint64_t sum = 0;
    const size_t row = (size_t)picture->width * imgtool_pixel_size(picture->format);
    for (size_t y = 0; y < (size_t)picture->height; y++)
        for (size_t x = 0; x < row; x++)
            sum = sum * 31 + ((const uint8_t *)picture->pixels)[y * picture->stride + x];
    return sum;
}

static bool work_once(imgtool_context *context, Worker *worker)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, other = IMGTOOL_PICTURE_INIT;
    imgtool_difference difference = IMGTOOL_DIFFERENCE_INIT;
    void *file = NULL;
    size_t bytes = 0;
    picture.width = picture.height = SIDE;
    picture.format = (imgtool_format){IMGTOOL_RGB, 8};
    bool good = imgtool_picture_allocate(context, &picture, NULL) == IMGTOOL_OK;
    for (size_t i = 0; good && i < SIDE * picture.stride; i++)
        ((uint8_t *)picture.pixels)[i] = (uint8_t)(i * i >> 3);
    good = good && imgtool_write_memory(context, &picture, NULL, &file, &bytes, NULL) == IMGTOOL_OK;
    good = good && imgtool_read_memory(context, file, bytes, &other, NULL, NULL) == IMGTOOL_OK &&
           imgtool_compare(context, &picture, &other, &difference, NULL) == IMGTOOL_OK &&
           difference.differing == 0;
    imgtool_free(context, file);
    imgtool_picture_free(context, &other);
    good =
        good && imgtool_run(context, worker->pipeline, &picture, &other, NULL, NULL) == IMGTOOL_OK;
    worker->sums[0] = good ? sum_of(&other) : 0;
    good = good && imgtool_run_text(context, worker->text, &picture, NULL) == IMGTOOL_OK;
    worker->sums[1] = good ? sum_of(&picture) : 0;
    imgtool_picture_free(context, &other);
    imgtool_picture_free(context, &picture);
    return good;
}

static void *work(void *argument)
{
    Worker *worker = argument;
    imgtool_context *context = NULL;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 2;
    config.backend = IMGTOOL_BACKEND_CPU;
    worker->failed = imgtool_context_create(&config, &context, NULL) != IMGTOOL_OK;
    for (int i = 0; i < TURNS && !worker->failed; i++)
        worker->failed = !work_once(context, worker);
    imgtool_context_destroy(context);
    return NULL;
}

static bool run_together(const imgtool_pipeline *pipeline, Worker workers[THREADS])
{
    int started = 0;
    for (; started < THREADS; started++) {
        workers[started] = (Worker){.pipeline = pipeline, .text = texts[started]};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    return started == THREADS;
}

static bool is_as_alone(const Worker *together)
{
    Worker alone = {.pipeline = together->pipeline, .text = together->text};
    (void)work(&alone);
    return !alone.failed && !together->failed && alone.sums[0] == together->sums[0] &&
           alone.sums[1] == together->sums[1];
}

int main(void)
{
    Worker workers[THREADS];
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    bool good =
        imgtool_context_create(NULL, &context, NULL) == IMGTOOL_OK &&
        imgtool_pipeline_parse(context, "resize 50% | autolevel", &pipeline, NULL) == IMGTOOL_OK &&
        run_together(pipeline, workers);
    for (int i = 0; good && i < THREADS; i++) {
        good = is_as_alone(&workers[i]);
        if (!good)
            fprintf(stderr, "%s: another result than alone\n", texts[i]);
    }
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    return good ? 0 : 1;
}
