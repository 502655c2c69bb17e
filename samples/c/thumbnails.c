/* thumbnails FILE...: the core of a thumbnail server. Each thread has its own context and processes
 * one file after another. */
#include <imgtool.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static char **files;
static atomic_int next = 1, failed;
static imgtool_pipeline *steps; /* parsed once and shared by all threads */

static void serve(imgtool_context *context, const char *path)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, small = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL; /* contains the orientation of the picture */
    imgtool_error error = IMGTOOL_ERROR_INIT;
    void *png = NULL;
    size_t bytes = 0;
    picture.format.color = IMGTOOL_RGBA;
    if (imgtool_read_file(context, path, &picture, &metadata, &error) == IMGTOOL_OK &&
        imgtool_run(context, steps, &picture, &small, metadata, &error) == IMGTOOL_OK &&
        imgtool_write_memory(context, &small, NULL, &png, &bytes, &error) == IMGTOOL_OK)
        printf("%s: %d x %d, %zu bytes\n", path, small.width, small.height, bytes);
    else
        failed += fprintf(stderr, "%s\n", error.message);
    imgtool_free(context, png);
    imgtool_picture_free(context, &small);
    imgtool_picture_free(context, &picture);
    imgtool_metadata_destroy(metadata);
}

static void *work(void *count)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = 1; /* each thread processes its own picture */
    (void)imgtool_context_create(&config, &context, NULL); /* if this fails, later calls fail too */
    for (int i; (i = atomic_fetch_add(&next, 1)) < *(int *)count;)
        serve(context, files[i]);
    imgtool_context_destroy(context);
    return NULL;
}

int main(int argc, char **argv)
{
    imgtool_context *context = NULL;
    pthread_t threads[4];
    files = argv;
    if (argc < 2 || imgtool_context_create(NULL, &context, NULL) != IMGTOOL_OK ||
        imgtool_pipeline_parse(context, "thumbnail 128x128", &steps, NULL) != IMGTOOL_OK)
        return 2;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, &argc);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    imgtool_pipeline_destroy(steps); /* after all threads have ended */
    imgtool_context_destroy(context);
    return failed > 0;
}
