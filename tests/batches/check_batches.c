/* Reads random batches of PNG files into tensors and pictures in memory of a GPU, and compares them
 * with those that the CPU reads. Some files are damaged, missing or interlaced.
 *
 *     check_batches BATCHES SEED FILE...
 *     check_batches --time|--time-masks COUNT STEPS THREADS IN_FLIGHT FILE...
 *
 * The second form prints the speed of batches of COUNT files into float32 N x 3 x H x W, or for
 * masks into uint8 N x 1 x H x W of indices, with IN_FLIGHT batches pending at a time; the files
 * are repeated as often as necessary. Exit status 77: there is no GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/library/imgtool.h"

enum { MOST = 48, PIPELINES = 7, IN_FLIGHT_MOST = 8, SKIPPED = 77 };

static const char *const steps[PIPELINES] = {
    "resize 24x16 fit=fill",
    "resize 31x17 fit=cover filter=bilinear",
    "resize 16x16 fit=contain background=gray",
    "flip axis=vertical | resize 20x20 fit=cover filter=lanczos3 | invert",
    "resize 40x30 fit=fill filter=nearest | rotate angle=90",
    "crop 8x8 x=0 y=0 | blur sigma=1",
    "crop 5x7 x=1 y=0 | flip axis=horizontal | transpose | resize 12x9 fit=fill",
};

typedef struct File {
    uint8_t *bytes;
    size_t size;
    const char *path;
} File;

static uint64_t state;

/* Returns a number from 0 to `below` - 1: the generator of Vigna, "An experimental exploration of
 * Marsaglia's xorshift generators", ACM TOMS 42 (2016). */
static uint32_t random_below(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 32) % below;
}

static void require(imgtool_status status, const imgtool_error *error)
{
    if (status == IMGTOOL_OK)
        return;
    fprintf(stderr, "check_batches: %s\n", error->message);
    exit(status == IMGTOOL_E_UNAVAILABLE ? SKIPPED : 1);
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    if (memory == NULL)
        exit(1);
    return memory;
}

static File load(const char *path)
{
    File file = {NULL, 0, path};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        exit(1);
    file.size = (size_t)ftell(stream);
    rewind(stream);
    file.bytes = allocate(file.size);
    if (fread(file.bytes, 1, file.size, stream) != file.size)
        exit(1);
    fclose(stream);
    return file;
}

/* --- Device memory ---------------------------------------------------------------------------- */

/* Copies bytes between host and device, as a picture of one row. */
static void copy(imgtool_context *context, void *to, const void *from, size_t bytes)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (size_t done = 0; done < bytes;) {
        const size_t part = bytes - done < (1 << 30) ? bytes - done : 1 << 30;
        imgtool_picture source = IMGTOOL_PICTURE_INIT, target;
        source.width = (int32_t)part;
        source.height = 1;
        source.format = (imgtool_format){IMGTOOL_GRAY, 8};
        source.stride = part;
        target = source;
        source.pixels = (char *)from + done;
        target.pixels = (char *)to + done;
        require(imgtool_device_copy(context, &source, &target, NULL, &error), &error);
        done += part;
    }
}

static void *device_memory(imgtool_context *context, size_t bytes)
{
    void *memory = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    require(imgtool_device_allocate(context, bytes + 16, &memory, &error), &error);
    return memory;
}

/* --- Random batches --------------------------------------------------------------------------- */

typedef struct Case {
    imgtool_batch batch;
    imgtool_tensor tensor;
    imgtool_source sources[MOST];
    const imgtool_pipeline *pipelines[MOST];
    uint8_t *damaged[MOST]; /* owned */
    imgtool_error on_cpu[MOST], on_gpu[MOST];
} Case;

static int failures;
static size_t compared, refused;

/* Makes source `i` a random one of the files: by its path, a part of itself, in memory, damaged or
 * missing. */
static void choose_source(Case *own, size_t i, const File *file)
{
    imgtool_source *source = &own->sources[i];
    *source = (imgtool_source)IMGTOOL_SOURCE_INIT;
    const uint32_t kind = random_below(8);
    source->path = file->path;
    if (kind == 0)
        source->bytes = file->size;
    if (kind == 1)
        source->path = "/nonexistent.png";
    if (kind < 2 || kind > 5)
        return;
    source->path = NULL;
    source->data = file->bytes;
    source->bytes = file->size;
    if (kind > 3)
        return;
    own->damaged[i] = allocate(file->size);
    memcpy(own->damaged[i], file->bytes, file->size);
    source->data = own->damaged[i];
    if (kind == 2)
        source->bytes = 1 + random_below((uint32_t)file->size);
    for (uint32_t changes = 1 + random_below(3); kind == 3 && changes > 0; changes--)
        own->damaged[i][random_below((uint32_t)file->size)] ^= (uint8_t)(1 + random_below(255));
}

static void choose_tensor(imgtool_tensor *tensor)
{
    *tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    tensor->channels = 1 + (int32_t)random_below(4);
    tensor->channels_first = random_below(2) == 0;
    tensor->element = (imgtool_element)random_below(5);
    for (int c = 0; c < 4; c++) {
        tensor->mean[c] = (float)random_below(100) / 100;
        tensor->deviation[c] = (float)(1 + random_below(100)) / 100;
    }
}

static void choose(Case *own, imgtool_pipeline *const *all, const File *files, size_t count)
{
    *own = (Case){.batch = IMGTOOL_BATCH_INIT};
    const uint32_t pipeline = random_below(PIPELINES);
    own->batch.count = 1 + random_below(MOST);
    own->batch.sources = own->sources;
    own->batch.pipeline = all[pipeline];
    for (size_t i = 0; i < own->batch.count; i++) {
        choose_source(own, i, &files[random_below((uint32_t)count)]);
        own->pipelines[i] = all[(pipeline + random_below(2) * random_below(2)) % PIPELINES];
        own->on_cpu[i] = own->on_gpu[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
    }
    if (random_below(4) == 0)
        own->batch.pipelines = own->pipelines;
    choose_tensor(&own->tensor);
    own->batch.indices = own->tensor.channels == 1 && random_below(2) == 0;
}

static void discard(Case *own)
{
    for (size_t i = 0; i < own->batch.count; i++)
        free(own->damaged[i]);
}

static void fail(const Case *own, size_t i, const char *what)
{
    const imgtool_source *source = &own->sources[i];
    fprintf(stderr, "FAILED: %s: picture %zu of %zu (%s): CPU '%s', GPU '%s'\n", what, i,
            own->batch.count, source->path != NULL ? source->path : "memory",
            own->on_cpu[i].message, own->on_gpu[i].message);
    failures++;
}

static void compare_results(const Case *own)
{
    for (size_t i = 0; i < own->batch.count; i++)
        if (own->on_cpu[i].status != own->on_gpu[i].status ||
            strcmp(own->on_cpu[i].message, own->on_gpu[i].message) != 0)
            fail(own, i, "other result");
}

/* --- Tensors ---------------------------------------------------------------------------------- */

/* Expects that both tensors, which have equal numbers, become the same files. */
static void check_files(imgtool_context *context, const Case *own, const imgtool_tensor *on_gpu)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_encoded expected[MOST], got[MOST];
    for (size_t i = 0; i < MOST; i++)
        expected[i] = got[i] = (imgtool_encoded)IMGTOOL_ENCODED_INIT;
    encoding.level = 1;
    require(imgtool_write_batch(context, &own->tensor, &encoding, expected, NULL, &error), &error);
    require(imgtool_write_batch_device(context, on_gpu, &encoding, NULL, got, NULL, &error),
            &error);
    for (size_t i = 0; i < own->batch.count; i++) {
        if (expected[i].data == NULL || got[i].data == NULL || expected[i].bytes != got[i].bytes ||
            memcmp(expected[i].data, got[i].data, got[i].bytes) != 0)
            fail(own, i, "another file");
        imgtool_free(context, expected[i].data);
        imgtool_free(context, got[i].data);
    }
}

static void check_tensor(imgtool_context *context, Case *own)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pending *pending = NULL;
    if (imgtool_batch_plan(context, &own->batch, &own->tensor, &error) != IMGTOOL_OK)
        return;
    const size_t bytes = imgtool_tensor_bytes(&own->tensor), each = bytes / own->batch.count;
    imgtool_tensor on_gpu = own->tensor;
    uint8_t *expected = allocate(bytes), *got = allocate(bytes);
    own->tensor.data = expected;
    memset(got, 0x5a, bytes); /* to see that zeros are written */
    on_gpu.data = device_memory(context, bytes);
    copy(context, on_gpu.data, got, bytes);
    require(imgtool_read_batch(context, &own->batch, &own->tensor, own->on_cpu, &error), &error);
    require(imgtool_read_batch_device(context, &own->batch, &on_gpu, NULL, &pending, &error),
            &error);
    require(imgtool_pending_finish(pending, own->on_gpu, &error), &error);
    copy(context, got, on_gpu.data, bytes);
    compare_results(own);
    for (size_t i = 0; i < own->batch.count; i++) {
        if (memcmp(expected + i * each, got + i * each, each) != 0)
            fail(own, i, "other numbers");
        compared++;
        refused += own->on_cpu[i].status != IMGTOOL_OK;
    }
    if (random_below(4) == 0)
        check_files(context, own, &on_gpu);
    imgtool_device_free(0, on_gpu.data);
    free(expected);
    free(got);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Compares a picture with the one that the CPU reads. */
static void check_picture(imgtool_context *context, Case *own, size_t i,
                          const imgtool_picture *picture)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_batch one = own->batch;
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    one.sources = &own->sources[i];
    one.count = 1;
    one.pipelines = own->batch.pipelines != NULL ? &own->pipelines[i] : NULL;
    static const int32_t channels[] = {0, 1, 2, 3, 4, 0, 1};
    if (own->on_gpu[i].status == IMGTOOL_OK && picture->format.bits < 8)
        return;
    tensor.height = picture->height;
    tensor.width = picture->width;
    tensor.channels = channels[picture->format.color];
    tensor.element = picture->format.bits == 16 ? IMGTOOL_UINT16 : IMGTOOL_UINT8;
    if (own->on_gpu[i].status != IMGTOOL_OK) {
        tensor.channels = 4;
        own->on_cpu[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
        if (imgtool_batch_plan(context, &one, &tensor, &own->on_cpu[i]) != IMGTOOL_OK)
            return;
    }
    tensor.count = 1;
    const size_t bytes = imgtool_tensor_bytes(&tensor), row = bytes / (size_t)tensor.height;
    tensor.data = allocate(bytes);
    require(imgtool_read_batch(context, &one, &tensor, &own->on_cpu[i], &error), &error);
    uint8_t *got = allocate(bytes);
    if (own->on_cpu[i].status != own->on_gpu[i].status)
        fail(own, i, "other result of a picture");
    else if (own->on_gpu[i].status == IMGTOOL_OK) {
        imgtool_picture on_host = *picture;
        on_host.pixels = got;
        on_host.stride = row;
        require(imgtool_device_copy(context, picture, &on_host, NULL, &error), &error);
        if (memcmp(got, tensor.data, bytes) != 0)
            fail(own, i, "other pixels");
    }
    free(got);
    free(tensor.data);
    compared++;
}

static void check_pictures(imgtool_context *context, Case *own)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture pictures[MOST];
    for (size_t i = 0; i < MOST; i++)
        pictures[i] = (imgtool_picture)IMGTOOL_PICTURE_INIT;
    if (random_below(2) == 0)
        own->batch.pipeline = NULL;
    own->batch.indices = false;
    require(imgtool_read_pictures_device(context, &own->batch, pictures, NULL, own->on_gpu, &error),
            &error);
    for (size_t i = 0; i < own->batch.count; i++) {
        check_picture(context, own, i, &pictures[i]);
        imgtool_device_free(0, pictures[i].pixels);
    }
}

static int check(imgtool_context *context, int batches, const File *files, size_t count)
{
    static Case own;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *all[PIPELINES];
    for (int p = 0; p < PIPELINES; p++)
        require(imgtool_pipeline_parse(context, steps[p], &all[p], &error), &error);
    for (int k = 0; k < batches; k++) {
        choose(&own, all, files, count);
        if (k % 4 == 3)
            check_pictures(context, &own);
        else
            check_tensor(context, &own);
        discard(&own);
    }
    for (int p = 0; p < PIPELINES; p++)
        imgtool_pipeline_destroy(all[p]);
    printf("%d batches: %zu pictures compared, %zu of them refused by both, %d failures\n", batches,
           compared, refused, failures);
    return failures == 0 && compared > 0 ? 0 : 1;
}

/* --- Speed ------------------------------------------------------------------------------------ */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads batches for about two seconds, after two that allocate memory. */
static void measure(imgtool_context *context, const imgtool_batch *batch, imgtool_tensor *tensors,
                    int in_flight, imgtool_error *results)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pending *pending[IN_FLIGHT_MOST] = {NULL};
    double start = now(), queueing = 0;
    size_t done = 0, calls = 0;
    for (int k = 0;; k++) {
        const int place = k % in_flight;
        if (k == 2 * in_flight) {
            start = now();
            done = 0;
        }
        if (pending[place] != NULL) {
            require(imgtool_pending_finish(pending[place], results, &error), &error);
            done += batch->count;
        }
        pending[place] = NULL;
        if (k > 4 * in_flight && now() - start > 2)
            break;
        const double before = now();
        require(imgtool_read_batch_device(context, batch, &tensors[place], NULL, &pending[place],
                                          &error),
                &error);
        queueing += k < 2 * in_flight ? 0 : now() - before;
        calls += k >= 2 * in_flight;
    }
    printf("batch %zu, in flight %d: %.0f images/s, %.2f ms a batch (%.2f ms of reading and "
           "queueing)\n",
           batch->count, in_flight, (double)done / (now() - start),
           1e3 * (now() - start) / (double)done * (double)batch->count,
           1e3 * queueing / (double)calls);
    for (int k = 0; k < in_flight; k++)
        if (pending[k] != NULL)
            require(imgtool_pending_finish(pending[k], NULL, &error), &error);
}

static int time_batches(bool masks, int count, const char *text, int threads, int in_flight,
                        char **paths, int path_count)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_batch batch = IMGTOOL_BATCH_INIT;
    imgtool_tensor tensors[IN_FLIGHT_MOST];
    imgtool_source *sources = allocate((size_t)count * sizeof *sources);
    imgtool_error *results = allocate((size_t)count * sizeof *results);
    int failed = 0;
    config.threads = threads;
    require(imgtool_context_create(&config, &context, &error), &error);
    require(imgtool_pipeline_parse(context, text, &pipeline, &error), &error);
    for (int i = 0; i < count; i++) {
        sources[i] = (imgtool_source)IMGTOOL_SOURCE_INIT;
        results[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
        sources[i].path = paths[i % path_count];
    }
    batch.sources = sources;
    batch.count = (size_t)count;
    batch.pipeline = pipeline;
    batch.indices = masks;
    in_flight = in_flight < IN_FLIGHT_MOST ? in_flight : IN_FLIGHT_MOST;
    for (int k = 0; k < in_flight; k++) {
        tensors[k] = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
        tensors[k].channels = masks ? 1 : 3;
        tensors[k].channels_first = true;
        tensors[k].element = masks ? IMGTOOL_UINT8 : IMGTOOL_FLOAT32;
        require(imgtool_batch_plan(context, &batch, &tensors[k], &error), &error);
        tensors[k].data = device_memory(context, imgtool_tensor_bytes(&tensors[k]));
    }
    measure(context, &batch, tensors, in_flight, results);
    for (int i = 0; i < count; i++)
        failed += results[i].status != IMGTOOL_OK;
    if (failed > 0)
        printf("%d failed: %s\n", failed, results[0].message);
    for (int k = 0; k < in_flight; k++)
        imgtool_device_free(0, tensors[k].data);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    free(sources);
    free(results);
    return failed > 0;
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (argc > 6 && strncmp(argv[1], "--time", 6) == 0)
        return time_batches(strcmp(argv[1], "--time") != 0, atoi(argv[2]), argv[3], atoi(argv[4]),
                            atoi(argv[5]), argv + 6, argc - 6);
    if (argc < 4)
        return 2;
    const size_t count = (size_t)argc - 3;
    File *files = allocate(count * sizeof *files);
    for (size_t i = 0; i < count; i++)
        files[i] = load(argv[3 + i]);
    state = strtoull(argv[2], NULL, 10) * 2 + 1;
    config.threads = 4;
    require(imgtool_context_create(&config, &context, &error), &error);
    imgtool_device_free(0, device_memory(context, 1)); /* skips if there is no GPU */
    const int status = check(context, atoi(argv[1]), files, count);
    imgtool_context_destroy(context);
    for (size_t i = 0; i < count; i++)
        free(files[i].bytes);
    free(files);
    return status;
}
