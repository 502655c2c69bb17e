/* Decodes with one thread that inflates while the others unfilter. Used for streams without known
 * block starts. Also used for two threads, because speculative decoding then costs more than it
 * saves. The inflating thread fills one buffer after another; the complete rows in a buffer are a
 * band. */
#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/decode/band_queue.h"
#include "io/png/decode/fast_decoders.h"
#include "kernels/core/parallel/polled.h"

enum { BUFFERS = 3, PORTION = 1 << 18 };

typedef struct Pipeline {
    const ImgPngJob *job;
    ImgIdatScratch scratch;
    ImgInflate inflate;
    ImgInflateData data;
    ImgInflateRoom room;
    ImgBandQueue queue;
    /* Buffers that are used in turn. The last bytes of each buffer are copied before the data of
     * the next one: the window that matches refer to, and the unfinished row. */
    uint8_t *buffers[BUFFERS];
    /* `head`: number of bytes of a buffer before its data. `size`: number of bytes of a portion,
     * which is the data that is inflated into a buffer at a time. */
    size_t head, size;
    size_t bands;  /* largest possible number of bands of the picture */
    uint64_t left; /* number of inflated bytes that are still expected */
    uint32_t adler;

    pthread_mutex_t mutex;
    ImgPolled changed;
    bool inflating, ended;
    ImgStatus status; /* status of the first failure on any thread, which stops all threads */
} Pipeline;

static void fail(Pipeline *pipeline, ImgStatus status)
{
    if (pipeline->status == IMG_OK)
        pipeline->status = status;
}

/* --- Inflating, by the thread that claimed it ------------------------------------------------- */

/* Copies the window and the unfinished row at the end of the last band to the bytes before the next
 * portion. */
static void begin_portion(Pipeline *pipeline, size_t band, size_t partial)
{
    ImgInflateRoom *room = &pipeline->room;
    size_t known = (size_t)(room->at - room->begin);
    if (known > IMG_INFLATE_WINDOW)
        known = IMG_INFLATE_WINDOW;
    size_t kept = known > partial ? known : partial;
    uint8_t *at = pipeline->buffers[band % BUFFERS] + pipeline->head;
    memcpy(at - kept, room->at - kept, kept);
    *room = (ImgInflateRoom){at - known, at, at};
}

/* Inflates until the portion is full or the stream ends. Sets `*ended` to true at the end of the
 * stream. The buffer has room for one byte more than expected, so that excess data is detected. */
static ImgStatus inflate_portion(Pipeline *pipeline, bool *ended)
{
    ImgInflateRoom *room = &pipeline->room;
    const uint8_t *start = room->at;
    const ImgIdat *idat = pipeline->job->idat;
    bool rest = pipeline->left < pipeline->size;
    room->limit = room->at + (rest ? (size_t)pipeline->left + 1 : pipeline->size);
    ImgInflateStop stop;
    do {
        stop = img_inflate(&pipeline->inflate, &pipeline->data, room, false);
        if (stop == IMG_INFLATE_NEED_INPUT)
            pipeline->data =
                img_idat_portion(idat, pipeline->inflate.position / 8, &pipeline->scratch);
    } while (stop == IMG_INFLATE_NEED_INPUT);
    size_t size = (size_t)(room->at - start);
    if (stop == IMG_INFLATE_DAMAGED || size > pipeline->left)
        return IMG_E_FORMAT;
    pipeline->left -= size;
    pipeline->adler = libdeflate_adler32(pipeline->adler, start, size);
    *ended = stop == IMG_INFLATE_END;
    return *ended && pipeline->left > 0 ? IMG_E_FORMAT : IMG_OK;
}

/* Inflates the next band and adds it to the queue. Called without the mutex by the thread that
 * claimed this task. Returns with the mutex locked. */
static void inflate_band(Pipeline *pipeline)
{
    ImgBandQueue *queue = &pipeline->queue;
    size_t k = queue->ready, filtered = img_pixels_filtered_bytes(queue->pixels);
    const ImgQueuedBand *before = k > 0 ? &queue->bands[k - 1] : NULL;
    const uint8_t *row = before != NULL ? before->filtered + filtered * (size_t)before->rows : NULL;
    size_t partial = row != NULL ? (size_t)(pipeline->room.at - row) : 0;
    begin_portion(pipeline, k, partial);
    const uint8_t *first = pipeline->room.at - partial;
    bool ended = false;
    ImgStatus status = k < pipeline->bands ? inflate_portion(pipeline, &ended) : IMG_E_FORMAT;
    if (status != IMG_OK) {
        pthread_mutex_lock(&pipeline->mutex);
        fail(pipeline, status);
        return;
    }
    ImgQueuedBand band = {
        .filtered = first,
        .first_row = before != NULL ? before->first_row + before->rows : 0,
        .rows = (int32_t)((size_t)(pipeline->room.at - first) / filtered),
    };
    pthread_mutex_lock(&pipeline->mutex);
    queue->bands[k] = band;
    queue->ready++;
    pipeline->ended = ended;
}

/* --- Threads ---------------------------------------------------------------------------------- */

/* Returns true if the next band can be inflated now. At most BUFFERS - 2 inflated bands may still
 * need unfiltering. The other two buffers are for the next band, and for the end of that band,
 * which is copied to the buffer after it. */
static bool can_inflate(const Pipeline *pipeline)
{
    return !pipeline->inflating && !pipeline->ended &&
           pipeline->queue.ready < pipeline->queue.first + BUFFERS - 1;
}

static bool has_work(const Pipeline *pipeline)
{
    size_t k;
    return can_inflate(pipeline) || img_band_queue_find(&pipeline->queue, &k);
}

static void unlock_and_signal(Pipeline *pipeline)
{
    if (pipeline->changed.waiting > 0 && has_work(pipeline))
        img_polled_signal(&pipeline->changed);
    pthread_mutex_unlock(&pipeline->mutex);
}

static bool is_done(const Pipeline *pipeline)
{
    return pipeline->status != IMG_OK ||
           (pipeline->ended && pipeline->queue.first == pipeline->queue.ready);
}

static void work_once(Pipeline *pipeline)
{
    size_t k;
    if (can_inflate(pipeline)) {
        pipeline->inflating = true;
        unlock_and_signal(pipeline);
        inflate_band(pipeline); /* inflate_band returns with the mutex locked */
        pipeline->inflating = false;
    } else if (img_band_queue_find(&pipeline->queue, &k)) {
        int column = img_band_queue_take(&pipeline->queue, k);
        unlock_and_signal(pipeline);
        bool right = img_band_queue_run(&pipeline->queue, k, column);
        pthread_mutex_lock(&pipeline->mutex);
        img_band_queue_done(&pipeline->queue, k);
        if (!right)
            fail(pipeline, IMG_E_FORMAT);
    } else {
        img_polled_wait(&pipeline->changed, &pipeline->mutex);
    }
}

static void work(void *context, int worker)
{
    Pipeline *pipeline = context;
    (void)worker;
    pthread_mutex_lock(&pipeline->mutex);
    while (!is_done(pipeline))
        work_once(pipeline);
    img_polled_broadcast(&pipeline->changed);
    pthread_mutex_unlock(&pipeline->mutex);
}

/* --- The whole image -------------------------------------------------------------------------- */

static bool allocate(Pipeline *pipeline)
{
    size_t filtered = img_pixels_filtered_bytes(&pipeline->job->pixels);
    pipeline->head = filtered > IMG_INFLATE_WINDOW ? filtered : IMG_INFLATE_WINDOW;
    pipeline->bands = (size_t)(pipeline->left / pipeline->size) + 2;
    pipeline->queue.bands = calloc(pipeline->bands, sizeof *pipeline->queue.bands);
    for (int i = 0; i < BUFFERS; i++) {
        pipeline->buffers[i] = malloc(pipeline->head + pipeline->size + IMG_INFLATE_ROOM_SLACK);
        if (pipeline->buffers[i] == NULL)
            return false;
    }
    return pipeline->queue.bands != NULL;
}

static void free_pipeline(Pipeline *pipeline)
{
    for (int i = 0; i < BUFFERS; i++)
        free(pipeline->buffers[i]);
    free(pipeline->queue.bands);
    free(pipeline);
}

static void start(Pipeline *pipeline, const ImgPngJob *job, uint64_t first_bit)
{
    pipeline->size = job->piece_bytes > 0 ? (size_t)job->piece_bytes : (size_t)PORTION;
    int unfiltering = job->threads > 2 ? job->threads - 1 : 1;
    pipeline->job = job;
    pipeline->left =
        (uint64_t)img_pixels_filtered_bytes(&job->pixels) * (uint64_t)job->pixels.view.height;
    pipeline->adler = 1;
    pipeline->queue = img_band_queue_start(job, unfiltering);
    img_inflate_start(&pipeline->inflate, first_bit);
    pipeline->data = img_idat_portion(job->idat, first_bit / 8, &pipeline->scratch);
}

ImgStatus img_pipeline_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                              uint64_t *end, ImgError *err)
{
    Pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (pipeline == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    start(pipeline, job, first_bit);
    if (!allocate(pipeline)) {
        free_pipeline(pipeline);
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    }
    pipeline->room.begin = pipeline->room.at = pipeline->buffers[BUFFERS - 1] + pipeline->head;
    pthread_mutex_init(&pipeline->mutex, NULL);
    img_polled_init(&pipeline->changed);
    (void)img_parallel_run(job->team, job->threads, work, pipeline);
    img_polled_destroy(&pipeline->changed);
    pthread_mutex_destroy(&pipeline->mutex);
    ImgStatus status = pipeline->status;
    *adler = pipeline->adler;
    *end = pipeline->inflate.position;
    free_pipeline(pipeline);
    if (status != IMG_OK)
        return img_fail(err, status, "damaged: the image data (IDAT) cannot be decoded");
    return IMG_OK;
}

uint64_t img_pipeline_bytes(uint64_t filtered_row)
{
    const uint64_t head = filtered_row > IMG_INFLATE_WINDOW ? filtered_row : IMG_INFLATE_WINDOW;
    return sizeof(Pipeline) + BUFFERS * (head + PORTION + IMG_INFLATE_ROOM_SLACK);
}
