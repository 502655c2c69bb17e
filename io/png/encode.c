/* Encodes a PNG on several threads. A strip is a group of rows that is filtered and deflated
 * independently and becomes one IDAT chunk. Threads claim strips in order. If the next strip of the
 * file is complete, the thread that completed it writes it. A thread that is too far ahead
 * waits. */
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
#include "io/png/libpng_write.h"

enum {
    /* Bytes of filtered data per strip. A strip of this size fits the cache of a core, and 12
     * megapixels give 44 strips. Shorter strips compress worse. */
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

typedef struct Encoder {
    const ImgView *view;
    ImgPngLevel level;
    ImgStrips strips;
    /* Strips that are already encoded; NULL if all strips are encoded from the pixels. */
    const ImgPngEncodedStrips *pre_encoded;
    /* Receives the progress, and can cancel the encoding; may be NULL. */
    ImgProgress *progress;
    ImgOutput *output;
    Slot *slots;
    uint32_t slot_count;
    uint32_t adler;          /* Adler-32 of the filtered data of all strips written so far */
    ImgPngBlockIndex blocks; /* block starts of all strips written so far */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* The lock protects the fields from here on. */
    uint32_t next, written; /* next strip that a thread will claim; next strip to write */
    bool writing;           /* true while a thread writes strips to the file */
    ImgError failure;
    uint32_t by_strategy[IMG_STRIP_STRATEGIES];
} Encoder;

/* --- A strip as a chunk ----------------------------------------------------------------------- */

/* Writes the zlib header. It states a window of 32 KiB, and a compression level that decoders
 * ignore. */
static void put_stream_head(const ImgPngLevel *level, uint8_t *head)
{
    head[0] = 0x78;
    head[1] = level->search == 0 ? 0x01 : 0xDA;
}

static bool make_strip(Encoder *encoder, ImgStripWorker *worker, uint32_t number, Slot *slot)
{
    bool last = number + 1 == encoder->strips.count;
    ImgStrip strip = {img_strips_start(&encoder->strips, number),
                      img_strips_start(&encoder->strips, number + 1), last};
    uint8_t *data = slot->buffer + BEFORE_DATA;
    if (!img_strip_encode(worker, &strip, data, slot->starts, &slot->result))
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

/* Writes the last strip. Replaces its Adler-32 if this is wrong, because the encoder of the strip
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
    size_t row = 1 + img_png_row_bytes(encoder->view->width, encoder->view->format);
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

/* --- Threads ---------------------------------------------------------------------------------- */

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
        encoder->by_strategy[slot->pre_encoded != NULL ? slot->pre_encoded->strategy
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

/* Claims the next strip and waits until its slot is free. Called with the lock held. Returns false
 * if no strip is left or the encoding has failed. */
static bool take_strip(Encoder *encoder, uint32_t *number)
{
    if (encoder->next == encoder->strips.count)
        return false;
    *number = encoder->next++;
    while (encoder->failure.status == IMG_OK && *number - encoder->written >= encoder->slot_count)
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

static bool fill_slot(Encoder *encoder, ImgStripWorker *worker, uint32_t number)
{
    Slot *slot = &encoder->slots[number % encoder->slot_count];
    slot->pre_encoded = pre_encoded_strip(encoder, number);
    if (slot->pre_encoded != NULL)
        return true;
    if (slot->buffer == NULL)
        slot->buffer = malloc(BEFORE_DATA + AFTER_DATA +
                              img_strip_bound(encoder->view, encoder->strips.first_rows));
    if (slot->starts == NULL)
        slot->starts = malloc(img_strip_blocks_most(encoder->view, encoder->strips.first_rows) *
                              sizeof *slot->starts);
    return slot->buffer != NULL && slot->starts != NULL &&
           make_strip(encoder, worker, number, slot);
}

static void work_on_strips(void *context, int number_of_worker)
{
    Encoder *encoder = context;
    ImgStripWorker *worker =
        img_strip_worker_create(encoder->view, &encoder->level, encoder->strips.first_rows);
    if (worker == NULL && number_of_worker > 0)
        return; /* Memory is short, but the other threads do the work. */
    pthread_mutex_lock(&encoder->lock);
    if (worker == NULL)
        fail(encoder, IMG_E_MEMORY, "no memory to encode the picture");
    for (uint32_t number; worker != NULL && take_strip(encoder, &number);) {
        pthread_mutex_unlock(&encoder->lock);
        bool filled = fill_slot(encoder, worker, number);
        bool goes_on = report_rows(encoder, number);
        pthread_mutex_lock(&encoder->lock);
        if (filled)
            encoder->slots[number % encoder->slot_count].complete = true;
        else
            fail(encoder, IMG_E_MEMORY, "no memory to encode the picture");
        if (!goes_on)
            fail(encoder, encoder->progress->failure.status, encoder->progress->failure.message);
        write_due(encoder);
    }
    pthread_mutex_unlock(&encoder->lock);
    img_strip_worker_free(worker);
}

static ImgStatus write_all_pre_encoded(Encoder *encoder, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (uint32_t i = 0; i < encoder->strips.count && status == IMG_OK; i++) {
        status = write_pre_encoded(encoder, i, &encoder->pre_encoded->strips[i], err);
        encoder->by_strategy[encoder->pre_encoded->strips[i].strategy]++;
    }
    return status;
}

static uint32_t slots_for(int threads)
{
    return threads > 1 ? (uint32_t)threads * 3 / 2 + 1 : 1;
}

static ImgStatus write_strips(Encoder *encoder, ImgTeam *team, int threads, int *used,
                              ImgError *err)
{
    encoder->slot_count = slots_for(threads);
    encoder->slots = calloc(encoder->slot_count, sizeof *encoder->slots);
    if (encoder->slots == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to encode the picture");
    pthread_mutex_init(&encoder->lock, NULL);
    pthread_cond_init(&encoder->changed, NULL);
    *used = img_parallel_run(team, threads, work_on_strips, encoder);
    pthread_cond_destroy(&encoder->changed);
    pthread_mutex_destroy(&encoder->lock);
    for (uint32_t i = 0; i < encoder->slot_count; i++) {
        free(encoder->slots[i].starts);
        free(encoder->slots[i].buffer);
    }
    free(encoder->slots);
    if (encoder->failure.status == IMG_OK)
        return IMG_OK;
    return img_fail(err, encoder->failure.status, "%s", encoder->failure.message);
}

/* --- A file ----------------------------------------------------------------------------------- */

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

static ImgStatus encode_by_strips(const ImgImage *image, const ImgMetadata *metadata,
                                  const ImgPngEncodeOptions *options, ImgOutput *output,
                                  ImgPngEncodeReport *report, ImgError *err)
{
    const ImgView *view = &image->view;
    Encoder encoder = {
        .view = view,
        .level = img_png_level(options->level, view->format),
        .output = output,
        .adler = 1,
    };
    encoder.strips = img_png_encode_strips(img_view_shape(view), options->level);
    encoder.pre_encoded = options->pre_encoded;
    encoder.progress = options->progress;
    img_progress_start(options->progress, (uint64_t)view->height);
    uint32_t count = encoder.strips.count;
    for (uint32_t i = 0; i < count; i++)
        report->pre_encoded += pre_encoded_strip(&encoder, i) != NULL;
    uint32_t threads = options->threads > 1 ? (uint32_t)options->threads : 1;

    report->strips = count;
    report->index = options->index && img_png_index_allows(count, view->height);
    ImgStatus status = img_png_write_start(output, img_view_shape(view), metadata, err);
    if (status == IMG_OK && report->index)
        status = write_index(&encoder, err);
    if (status == IMG_OK && report->pre_encoded == count)
        status = write_all_pre_encoded(&encoder, err);
    else if (status == IMG_OK)
        status = write_strips(&encoder, options->team, (int)(threads < count ? threads : count),
                              &report->threads, err);
    memcpy(report->by_strategy, encoder.by_strategy, sizeof encoder.by_strategy);
    if (status == IMG_OK && report->index)
        status = write_block_index(&encoder, err);
    img_png_block_index_free(&encoder.blocks);
    return status != IMG_OK ? status : img_png_write_end(output, metadata, err);
}

uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads)
{
    const ImgView view = img_view_make(NULL, 0, shape);
    const ImgPngLevel how = img_png_level(level, shape.format);
    const ImgStrips strips = img_png_encode_strips(shape, level);
    const int used = (uint32_t)threads < strips.count ? threads : (int)strips.count;
    const uint64_t slots = slots_for(used) < strips.count ? slots_for(used) : strips.count;
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
