/* Encodes a PNG on several threads. A strip is a group of rows that is filtered and deflated
 * independently and becomes one IDAT chunk. Threads encode strips in parallel: each claims the next
 * strip of a picture in memory, or encodes the strips of its band in order. Strips are written in
 * order: a thread that completes the strip that comes next in the file writes it, and all complete
 * strips after it. A thread waits while the buffers of all strips are in use. */
#include "io/png/encode.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/write_chunk.h"
#include "io/png/index/block_index.h"
#include "io/png/index/index.h"
#include "io/png/libpng.h"

enum {
    /* Bytes of filtered data per strip. A strip of this size fits the cache of a core, and 12
     * megapixels of 3 bytes give 44 strips. Shorter strips compress worse. */
    STRIP_BYTES = 800 << 10,
    /* Bytes of filtered data per strip of palette indices or samples below 8 bits. Such strips are
     * longer because they compress to fewer bytes. */
    INDEX_STRIP_BYTES = 2 << 20,
    /* Largest size of a row in bytes. If rows are longer, libpng writes the picture, without
     * strips. */
    ROW_MOST = 16 << 20,
    LENGTH_BYTES = 4,
    TYPE_BYTES = 4,
    /* Bytes of a zlib stream before its blocks (STREAM_HEAD) and after them (STREAM_TAIL). */
    STREAM_HEAD = 2,
    STREAM_TAIL = 4,
    CRC_BYTES = 4,
    BEFORE_DATA = LENGTH_BYTES + TYPE_BYTES + STREAM_HEAD,
    AFTER_DATA = STREAM_TAIL + CRC_BYTES,
};

/* The state of one strip that is being encoded, or that waits to be written. */
typedef struct Slot {
    uint8_t *buffer;  /* BEFORE_DATA bytes, the deflated data, and space for AFTER_DATA bytes */
    uint32_t *starts; /* start of each deflate block in the data, as a bit position */
    ImgStripResult result;
    /* CRC of the IDAT chunk up to the end of its deflated data. */
    uint32_t crc;
    /* The strip if it was encoded elsewhere; NULL if the encoded strip is in `buffer`. */
    const ImgPngEncodedStrip *pre_encoded;
    bool complete;
} Slot;

/* A thread that encodes strips. */
typedef struct Worker {
    ImgStripWorker *strips; /* working memory; NULL until the worker's first strip */
    ImgView view;           /* the rows that the worker encodes; borrowed */
    int32_t first;          /* index in the picture of the first row of `view` */
} Worker;

struct ImgPngEncoder {
    ImgShape shape;
    ImgPngLevel level;
    ImgStrips strips;
    const ImgMetadata *metadata;
    ImgTeam *team;
    int threads; /* number of workers */
    /* Strips that are already encoded; NULL if all strips are encoded from the pixels. */
    const ImgPngEncodedStrips *pre_encoded;
    /* Receives the progress, and can cancel the encoding; may be NULL. */
    ImgProgress *progress;
    ImgOutput *output;
    Slot *slots;
    uint32_t slot_count;
    Worker *workers;
    uint32_t adler;          /* Adler-32 of the filtered data of all strips written so far */
    ImgPngBlockIndex blocks; /* block starts of all strips written so far */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* The lock protects the fields from here on. */
    /* Index of the next strip that a thread claims, and the number of strips that can be claimed.
     * Both are for rows that all threads encode together. */
    uint32_t next, claimable;
    uint32_t written; /* index of the next strip to write */
    bool writing;     /* true while a thread writes strips to the file */
    ImgError failure;
    ImgPngEncodeReport report;
};

typedef struct ImgPngEncoder Encoder;

/* --- A strip as a chunk ----------------------------------------------------------------------- */

/* Writes the zlib header. It states a window of 32 KiB, and a compression level that decoders
 * ignore. */
static void put_stream_head(const ImgPngLevel *level, uint8_t *head)
{
    head[0] = 0x78;
    head[1] = level->search == 0 ? 0x01 : 0xDA;
}

static bool make_strip(Encoder *encoder, const Worker *worker, uint32_t number, Slot *slot)
{
    bool last = number + 1 == encoder->strips.count;
    ImgStrip strip = {img_strips_start(&encoder->strips, number) - worker->first,
                      img_strips_start(&encoder->strips, number + 1) - worker->first, last};
    uint8_t *data = slot->buffer + BEFORE_DATA;
    if (!img_strip_encode(worker->strips, &strip, data, slot->starts, &slot->result))
        return false;
    size_t head = number == 0 ? STREAM_HEAD : 0;
    if (number == 0)
        put_stream_head(&encoder->level, data - head);
    uint8_t *type = data - head - TYPE_BYTES;
    memcpy(type, "IDAT", TYPE_BYTES);
    size_t size = head + slot->result.size + (last ? STREAM_TAIL : 0);
    img_put_be32(type - LENGTH_BYTES, (uint32_t)size);
    slot->crc = libdeflate_crc32(0, type, TYPE_BYTES + head + slot->result.size);
    return true;
}

/* Writes the last strip. Replaces the Adler-32 at its end if it is wrong: the encoder of the strip
 * may not have known the checksums of all other strips. */
static ImgStatus write_end(Encoder *encoder, const ImgPngEncodedStrip *strip, ImgError *err)
{
    uint8_t tail[STREAM_TAIL + CRC_BYTES];
    size_t body = strip->size - sizeof tail;
    if (img_get_be32(strip->chunk + body) == encoder->adler)
        return img_output_write(encoder->output, strip->chunk, strip->size, err);
    img_put_be32(tail, encoder->adler);
    uint32_t crc = libdeflate_crc32(0, strip->chunk + LENGTH_BYTES, body - LENGTH_BYTES);
    img_put_be32(tail + STREAM_TAIL, libdeflate_crc32(crc, tail, STREAM_TAIL));
    ImgStatus status = img_output_write(encoder->output, strip->chunk, body, err);
    return status == IMG_OK ? img_output_write(encoder->output, tail, sizeof tail, err) : status;
}

static ImgStatus note_blocks(Encoder *encoder, const uint32_t *starts, size_t count, ImgError *err)
{
    if (img_png_block_index_add(&encoder->blocks, starts, count))
        return IMG_OK;
    return img_fail(err, IMG_E_MEMORY, "no memory for the index of blocks");
}

static ImgStatus write_pre_encoded(Encoder *encoder, uint32_t number,
                                   const ImgPngEncodedStrip *strip, ImgError *err)
{
    int64_t rows =
        img_strips_start(&encoder->strips, number + 1) - img_strips_start(&encoder->strips, number);
    size_t row = 1 + img_png_row_bytes(encoder->shape.width, encoder->shape.format);
    encoder->adler =
        (uint32_t)adler32_combine(encoder->adler, strip->adler, (z_off_t)(row * (size_t)rows));
    ImgStatus status = note_blocks(encoder, strip->blocks, strip->block_count, err);
    if (status != IMG_OK)
        return status;
    if (number + 1 == encoder->strips.count)
        return write_end(encoder, strip, err);
    return img_output_write(encoder->output, strip->chunk, strip->size, err);
}

static ImgStatus write_strip(Encoder *encoder, uint32_t number, Slot *slot, ImgError *err)
{
    if (slot->pre_encoded != NULL)
        return write_pre_encoded(encoder, number, slot->pre_encoded, err);
    const ImgStripResult *result = &slot->result;
    uint8_t *start = slot->buffer + (number == 0 ? 0 : STREAM_HEAD);
    uint8_t *end = slot->buffer + BEFORE_DATA + result->size;
    encoder->adler =
        (uint32_t)adler32_combine(encoder->adler, result->adler, (z_off_t)result->data);
    if (number + 1 == encoder->strips.count) {
        img_put_be32(end, encoder->adler);
        slot->crc = libdeflate_crc32(slot->crc, end, STREAM_TAIL);
        end += STREAM_TAIL;
    }
    img_put_be32(end, slot->crc);
    ImgStatus status = note_blocks(encoder, slot->starts, result->blocks, err);
    if (status != IMG_OK)
        return status;
    return img_output_write(encoder->output, start, (size_t)(end + CRC_BYTES - start), err);
}

/* --- Threads that encode strips --------------------------------------------------------------- */

static void fail(Encoder *encoder, ImgStatus status, const char *message)
{
    img_fail(&encoder->failure, status, "%s", message);
    pthread_cond_broadcast(&encoder->changed);
}

/* Writes the completed strips that come next in the file, unless another thread is already writing.
 * Called with the lock held; releases the lock while writing. */
static void write_due(Encoder *encoder)
{
    if (encoder->writing)
        return;
    encoder->writing = true;
    for (;;) {
        uint32_t number = encoder->written;
        Slot *slot = &encoder->slots[number % encoder->slot_count];
        if (!slot->complete || encoder->failure.status != IMG_OK)
            break;
        pthread_mutex_unlock(&encoder->lock);
        ImgError err = {IMG_OK, ""};
        ImgStatus status = write_strip(encoder, number, slot, &err);
        pthread_mutex_lock(&encoder->lock);
        if (status != IMG_OK)
            fail(encoder, status, err.message);
        slot->complete = false;
        encoder->report.by_strategy[slot->pre_encoded != NULL ? slot->pre_encoded->strategy
                                                              : slot->result.strategy]++;
        encoder->written++;
        pthread_cond_broadcast(&encoder->changed);
    }
    encoder->writing = false;
}

/* Reports the rows of strip `number` as done. Called without the lock. Returns false if the
 * encoding is cancelled. */
static bool report_rows(const Encoder *encoder, uint32_t number)
{
    const int32_t rows =
        img_strips_start(&encoder->strips, number + 1) - img_strips_start(&encoder->strips, number);
    return img_progress_add_rows(encoder->progress, (uint64_t)rows);
}

/* Waits until the slot that will hold strip `number` is free. Called with the lock held. Returns
 * false if the encoding has failed. */
static bool wait_for_slot(Encoder *encoder, uint32_t number)
{
    while (encoder->failure.status == IMG_OK && number - encoder->written >= encoder->slot_count)
        pthread_cond_wait(&encoder->changed, &encoder->lock);
    return encoder->failure.status == IMG_OK;
}

static const ImgPngEncodedStrip *pre_encoded_strip(const Encoder *encoder, uint32_t number)
{
    const ImgPngEncodedStrips *pre_encoded = encoder->pre_encoded;
    return pre_encoded != NULL && pre_encoded->strips[number].chunk != NULL
               ? &pre_encoded->strips[number]
               : NULL;
}

static bool fill_slot(Encoder *encoder, const Worker *worker, uint32_t number)
{
    Slot *slot = &encoder->slots[number % encoder->slot_count];
    slot->pre_encoded = pre_encoded_strip(encoder, number);
    if (slot->pre_encoded != NULL)
        return true;
    if (slot->buffer == NULL)
        slot->buffer = malloc(BEFORE_DATA + AFTER_DATA +
                              img_strip_bound(&worker->view, encoder->strips.first_rows));
    if (slot->starts == NULL)
        slot->starts = malloc(img_strip_blocks_most(&worker->view, encoder->strips.first_rows) *
                              sizeof *slot->starts);
    return slot->buffer != NULL && slot->starts != NULL &&
           make_strip(encoder, worker, number, slot);
}

/* Encodes strip `number`, which lies in the worker's rows. Then writes the completed strips that
 * come next in the file. Returns false if the encoding has failed. */
static bool encode_strip(Encoder *encoder, const Worker *worker, uint32_t number)
{
    pthread_mutex_lock(&encoder->lock);
    bool goes_on = wait_for_slot(encoder, number);
    pthread_mutex_unlock(&encoder->lock);
    if (!goes_on)
        return false;
    const bool filled = fill_slot(encoder, worker, number);
    goes_on = report_rows(encoder, number);
    pthread_mutex_lock(&encoder->lock);
    if (filled)
        encoder->slots[number % encoder->slot_count].complete = true;
    else
        fail(encoder, IMG_E_MEMORY, "no memory to encode the picture");
    if (!goes_on)
        fail(encoder, encoder->progress->failure.status, encoder->progress->failure.message);
    write_due(encoder);
    goes_on = encoder->failure.status == IMG_OK;
    pthread_mutex_unlock(&encoder->lock);
    return goes_on;
}

/* Allocates the memory of a worker, if it has none yet. */
static bool prepare_worker(const Encoder *encoder, Worker *worker)
{
    if (worker->strips == NULL)
        worker->strips =
            img_strip_worker_create(&worker->view, &encoder->level, encoder->strips.first_rows);
    return worker->strips != NULL;
}

/* The main function of a thread: claims and encodes strips of the rows that all threads encode
 * together, until no strip is left. */
static void work_on_strips(void *context, int number_of_worker)
{
    Encoder *encoder = context;
    Worker *worker = &encoder->workers[number_of_worker];
    bool goes_on = prepare_worker(encoder, worker);
    if (!goes_on && number_of_worker > 0)
        return; /* Memory is short; the other threads encode the strips. */
    pthread_mutex_lock(&encoder->lock);
    if (!goes_on)
        fail(encoder, IMG_E_MEMORY, "no memory to encode the picture");
    while (goes_on && encoder->next < encoder->claimable) {
        const uint32_t number = encoder->next++;
        pthread_mutex_unlock(&encoder->lock);
        goes_on = encode_strip(encoder, worker, number);
        pthread_mutex_lock(&encoder->lock);
    }
    pthread_mutex_unlock(&encoder->lock);
}

static ImgStatus write_all_pre_encoded(Encoder *encoder, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (uint32_t i = 0; i < encoder->strips.count && status == IMG_OK; i++) {
        status = write_pre_encoded(encoder, i, &encoder->pre_encoded->strips[i], err);
        encoder->report.by_strategy[encoder->pre_encoded->strips[i].strategy]++;
    }
    return status;
}

/* Returns the number of slots. A slot holds a strip until it is written; strips are written in
 * order. Each of `threads` threads encodes `strips` consecutive strips at a time, and each of these
 * strips has a slot. Some more slots (threads / 2 + 1) let threads continue while an earlier strip
 * is still being encoded. A single thread writes each strip before it encodes the next one, so one
 * slot suffices. */
static uint32_t slots_for(int threads, uint32_t strips)
{
    return threads > 1 ? (uint32_t)threads * strips + (uint32_t)threads / 2 + 1 : 1;
}

static ImgStatus report_failure(const Encoder *encoder, ImgError *err)
{
    if (encoder->failure.status == IMG_OK)
        return IMG_OK;
    return img_fail(err, encoder->failure.status, "%s", encoder->failure.message);
}

/* Encodes the strips that can be claimed. `rows` begins at row `first` of the picture. */
static ImgStatus write_strips(Encoder *encoder, int32_t first, const ImgView *rows, ImgError *err)
{
    for (int i = 0; i < encoder->threads; i++) {
        encoder->workers[i].view = *rows;
        encoder->workers[i].first = first;
    }
    encoder->report.threads =
        img_parallel_run(encoder->team, encoder->threads, work_on_strips, encoder);
    return report_failure(encoder, err);
}

/* --- Writing a file --------------------------------------------------------------------------- */

ImgStrips img_png_encode_strips(ImgShape shape, int level)
{
    size_t bytes = img_png_level(level, shape.format).by_value ? STRIP_BYTES : INDEX_STRIP_BYTES;
    size_t rows = bytes / (1 + img_png_row_bytes(shape.width, shape.format));
    if (rows > (size_t)shape.height)
        rows = (size_t)shape.height;
    return img_strips_divide(shape.height, rows > 0 ? (int32_t)rows : 1);
}

/* Writes the chunk that lists where the strips start. */
static ImgStatus write_index(const Encoder *encoder, ImgError *err)
{
    uint8_t index[IMG_PNG_INDEX_BYTES];
    img_png_index_make(encoder->strips.count, index);
    return img_png_write_chunk(encoder->output, IMG_PNG_INDEX_TYPE, index, sizeof index, err);
}

/* Writes the chunk that lists where the deflate blocks start, if this is known for all strips. */
static ImgStatus write_block_index(const Encoder *encoder, ImgError *err)
{
    const ImgPngBlockIndex *blocks = &encoder->blocks;
    if (blocks->size == 0 || blocks->lacks)
        return IMG_OK;
    return img_png_write_chunk(encoder->output, IMG_PNG_BLOCK_INDEX_TYPE, blocks->bytes,
                               (uint32_t)blocks->size, err);
}

static ImgStatus allocate(Encoder *encoder, uint32_t strips, ImgError *err)
{
    const uint32_t slots = slots_for(encoder->threads, strips);
    encoder->slot_count = slots < encoder->strips.count ? slots : encoder->strips.count;
    encoder->slots = calloc(encoder->slot_count, sizeof *encoder->slots);
    encoder->workers = calloc((size_t)encoder->threads, sizeof *encoder->workers);
    if (encoder->slots == NULL || encoder->workers == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to encode the picture");
    for (int i = 0; i < encoder->threads; i++)
        encoder->workers[i].view = img_view_make(NULL, 0, encoder->shape);
    return IMG_OK;
}

ImgStatus img_png_encoder_start(ImgShape shape, const ImgMetadata *metadata,
                                const ImgPngEncodeOptions *options, uint32_t strips,
                                ImgOutput *output, ImgPngEncoder **encoder, ImgError *err)
{
    Encoder *own = *encoder = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to encode the picture");
    own->shape = shape;
    own->level = img_png_level(options->level, shape.format);
    own->strips = img_png_encode_strips(shape, options->level);
    own->metadata = metadata;
    own->team = options->team;
    own->threads = options->threads > 1 ? options->threads : 1;
    own->pre_encoded = options->pre_encoded;
    own->progress = options->progress;
    own->output = output;
    own->adler = 1;
    own->report = (ImgPngEncodeReport){
        .threads = own->threads,
        .strips = own->strips.count,
        .index = options->index && img_png_index_allows(own->strips.count, shape.height),
    };
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->changed, NULL);
    img_progress_start(options->progress, (uint64_t)shape.height);
    ImgStatus status = allocate(own, strips, err);
    if (status == IMG_OK)
        status = img_png_write_start(output, shape, metadata, err);
    if (status == IMG_OK && own->report.index)
        status = write_index(own, err);
    return status;
}

ImgStatus img_png_encoder_rows(ImgPngEncoder *encoder, int worker, int32_t first,
                               const ImgView *rows, ImgError *err)
{
    Worker *own = &encoder->workers[worker];
    uint32_t number = 0;
    while (number < encoder->strips.count && img_strips_start(&encoder->strips, number) < first)
        number++;
    own->view = *rows;
    own->first = first;
    if (!prepare_worker(encoder, own))
        return img_fail(err, IMG_E_MEMORY, "no memory to encode the picture");
    const int32_t end = first + rows->height;
    for (; number < encoder->strips.count && img_strips_start(&encoder->strips, number + 1) <= end;
         number++)
        if (!encode_strip(encoder, own, number))
            break;
    pthread_mutex_lock(&encoder->lock);
    const ImgStatus status = report_failure(encoder, err);
    pthread_mutex_unlock(&encoder->lock);
    return status;
}

ImgStatus img_png_encoder_add(ImgPngEncoder *encoder, int32_t first, const ImgView *rows,
                              ImgError *err)
{
    const int32_t end = first + rows->height;
    while (encoder->claimable < encoder->strips.count &&
           img_strips_start(&encoder->strips, encoder->claimable + 1) <= end)
        encoder->claimable++;
    return write_strips(encoder, first, rows, err);
}

void img_png_encoder_stop(ImgPngEncoder *encoder)
{
    pthread_mutex_lock(&encoder->lock);
    fail(encoder, IMG_E_TEMPORARY, "stopped");
    pthread_mutex_unlock(&encoder->lock);
}

ImgStatus img_png_encoder_finish(ImgPngEncoder *encoder, ImgPngEncodeReport *report, ImgError *err)
{
    *report = encoder->report;
    if (encoder->written != encoder->strips.count)
        return img_fail(err, IMG_E_USAGE, "rows are missing");
    ImgStatus status = report->index ? write_block_index(encoder, err) : IMG_OK;
    return status == IMG_OK ? img_png_write_end(encoder->output, encoder->metadata, err) : status;
}

void img_png_encoder_free(ImgPngEncoder *encoder)
{
    if (encoder == NULL)
        return;
    for (uint32_t i = 0; encoder->slots != NULL && i < encoder->slot_count; i++) {
        free(encoder->slots[i].starts);
        free(encoder->slots[i].buffer);
    }
    for (int i = 0; encoder->workers != NULL && i < encoder->threads; i++)
        img_strip_worker_free(encoder->workers[i].strips);
    free(encoder->slots);
    free(encoder->workers);
    img_png_block_index_free(&encoder->blocks);
    pthread_cond_destroy(&encoder->changed);
    pthread_mutex_destroy(&encoder->lock);
    free(encoder);
}

/* Writes a picture that is in memory as a whole. Some or all of its strips may have been encoded
 * elsewhere. */
static ImgStatus encode_all(Encoder *encoder, const ImgView *view, ImgError *err)
{
    encoder->claimable = encoder->strips.count;
    for (uint32_t i = 0; i < encoder->strips.count; i++)
        encoder->report.pre_encoded += pre_encoded_strip(encoder, i) != NULL;
    if (encoder->report.pre_encoded < encoder->strips.count)
        return write_strips(encoder, 0, view, err);
    encoder->written = encoder->strips.count;
    return write_all_pre_encoded(encoder, err);
}

static ImgStatus encode_by_strips(const ImgImage *image, const ImgMetadata *metadata,
                                  const ImgPngEncodeOptions *options, ImgOutput *output,
                                  ImgPngEncodeReport *report, ImgError *err)
{
    const ImgShape shape = img_view_shape(&image->view);
    const uint32_t strips = img_png_encode_strips(shape, options->level).count;
    ImgPngEncodeOptions how = *options;
    ImgPngEncoder *encoder;
    if (how.threads > 1 && (uint32_t)how.threads > strips)
        how.threads = (int)strips;
    ImgStatus status = img_png_encoder_start(shape, metadata, &how, 1, output, &encoder, err);
    if (status == IMG_OK)
        status = encode_all(encoder, &image->view, err);
    if (status == IMG_OK)
        status = img_png_encoder_finish(encoder, report, err);
    img_png_encoder_free(encoder);
    return status;
}

ImgBandHeights img_png_encode_heights(ImgShape shape, int level, uint32_t strips)
{
    const ImgStrips all = img_png_encode_strips(shape, level);
    if (strips >= all.count)
        return (ImgBandHeights){shape.height, shape.height};
    const int32_t rest = (int32_t)strips * all.rows;
    return (ImgBandHeights){rest - all.rows + all.first_rows, rest};
}

uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads, uint32_t strips_at_a_time)
{
    const ImgView view = img_view_make(NULL, 0, shape);
    const ImgPngLevel how = img_png_level(level, shape.format);
    const ImgStrips strips = img_png_encode_strips(shape, level);
    const int used = (uint32_t)threads < strips.count ? threads : (int)strips.count;
    const uint32_t wanted = slots_for(used, strips_at_a_time);
    const uint64_t slots = wanted < strips.count ? wanted : strips.count;
    const uint64_t slot = BEFORE_DATA + AFTER_DATA + img_strip_bound(&view, strips.first_rows) +
                          img_strip_blocks_most(&view, strips.first_rows) * sizeof(uint32_t);
    if (img_png_encode_is_by_libpng(shape, false))
        return img_libpng_encode_bytes(shape);
    return slots * (sizeof(Slot) + slot) +
           (uint64_t)used * img_strip_worker_bytes(&view, &how, strips.first_rows);
}

bool img_png_encode_is_by_libpng(ImgShape shape, bool interlaced)
{
    return interlaced || img_png_row_bytes(shape.width, shape.format) > ROW_MOST;
}

ImgStatus img_png_encode(const ImgImage *image, const ImgMetadata *metadata,
                         const ImgPngEncodeOptions *options, ImgOutput *output,
                         ImgPngEncodeReport *report, ImgError *err)
{
    ImgPngEncodeReport unasked;
    if (report == NULL)
        report = &unasked;
    *report = (ImgPngEncodeReport){.threads = 1};
    if (img_png_encode_is_by_libpng(img_view_shape(&image->view), metadata->interlaced)) {
        report->by_libpng = true;
        return img_libpng_encode(image, metadata, options->level, options->progress, output, err);
    }
    return encode_by_strips(image, metadata, options, output, report, err);
}
