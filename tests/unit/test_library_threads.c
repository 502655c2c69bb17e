/* libimgtool: contexts on threads of their own know nothing of each other, and share a pipeline.
 * ThreadSanitizer has nothing against it (IMGTOOL_SANITIZE=thread). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "app/library/imgtool.h"

enum { THREADS = 4, TURNS = 3, SIDE = 96 };

static const char *const texts[] = {
    "thumbnail 40x40",
    "rotate angle=30 | blur sigma=2 | equalize",
    "clahe | median | resize 70% | sharpen",
    "trim | erode | rotate | gamma value=1.5 | saturation factor=2",
};

typedef struct Worker {
    pthread_t thread;
    const imgtool_pipeline *pipeline; /* of all of them */
    const char *text;                 /* its own */
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
    config.backend = IMGTOOL_CPU;
    worker->failed = imgtool_context_create(&config, &context, NULL) != IMGTOOL_OK;
    for (int i = 0; i < TURNS && !worker->failed; i++)
        worker->failed = !work_once(context, worker);
    imgtool_context_destroy(context);
    return NULL;
}

Test(library_threads, contexts_are_independent)
{
    Worker workers[THREADS] = {0}, alone = {0};
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    cr_assert_eq(imgtool_context_create(NULL, &context, NULL), IMGTOOL_OK);
    cr_assert_eq(imgtool_pipeline_parse(context, "resize 50% | autolevel", &pipeline, NULL),
                 IMGTOOL_OK);
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.pipeline = pipeline, .text = texts[i]};
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < THREADS; i++) {
        alone = (Worker){.pipeline = pipeline, .text = texts[i]};
        (void)work(&alone);
        cr_expect_not(alone.failed || workers[i].failed, "%s", texts[i]);
        cr_expect_eq(alone.sums[0], workers[i].sums[0]);
        cr_expect_eq(alone.sums[1], workers[i].sums[1], "%s", texts[i]);
    }
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
}
