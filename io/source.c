/* Reads a file in three steps: the header, with a check of limits; the rest of the file, with its
 * chunks; and the pixels. The file is read instead of mapped, because a mapped file that another
 * program truncates would crash the process. A large file can be read in pieces, whenever chunks or
 * decoders need them. */
#include "io/source.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "io/file_format.h"
#include "io/png/chunks.h"
#include "io/png/encode/keep.h"
#include "io/png/index/index.h"
#include "io/size_text.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/status.h"
#include "kernels/core/store.h"

enum { FIRST_CAPACITY = 1 << 18 };

/* The pixels that the caller needs: all at once, row by row, or none. */
typedef enum Wanted { WANTS_ALL, WANTS_ROWS, WANTS_NONE } Wanted;

struct ImgSource {
    ImgInput input;
    int read_threads; /* number of threads that may read the file; 0: one */
    bool keeps_file;  /* true: decoding does not free the file's bytes */
    bool is_read;     /* true after the whole input has been read */
    ImgLimits limits;
    ImgPngHeader header;
    Wanted wanted;
    /* Size in bytes of the pixels if they will all be in memory at once; otherwise 0. */
    uint64_t image_bytes;
    ImgStore *store; /* store for pixels, borrowed; NULL: memory */
    /* true: the file is read in pieces; `data` holds only its header, and is NULL after
     * img_source_free_file */
    bool is_in_pieces;
    ImgPieces pieces;
    atomic_int read_error; /* first failure of img_input_piece; 0: none */
    uint64_t beside; /* number of bytes of max_memory that the caller uses while the file is read */
    uint8_t *data;
    size_t size, capacity;
    uint8_t *buffer; /* buffer of the caller that `data` may use; NULL if there is none */
    size_t buffer_bytes;
    ImgPngScan scan;
    ImgMetadata metadata;
    ImgMetadata indexes; /* with `keeps_file`: the indexes that were in the metadata */
    ImgPngWarnings warnings;
};

static ImgStatus check_signature(const uint8_t *data, size_t size, ImgError *err)
{
    if (size == 0)
        return img_fail(err, IMG_E_FORMAT, "is empty");
    if (!img_png_is_signed(data, size)) {
        const char *name = img_sniff(data, size);
        if (name != NULL)
            return img_fail(err, IMG_E_FORMAT,
                            "is %s %s file; imgtool reads only PNG, so convert it first",
                            img_sniff_article(name), name);
        if (size >= 4 && memcmp(data, "\x89PNG", 4) == 0)
            return img_fail(err, IMG_E_FORMAT,
                            size < 8 ? "truncated: the file ends in its header"
                                     : "damaged: the PNG signature is broken, as "
                                       "by a transfer in text mode");
        return img_fail(err, IMG_E_FORMAT,
                        "is not a PNG file; imgtool reads only PNG, so convert it first if it is "
                        "an image");
    }
    if (size < IMG_PNG_HEADER_BYTES)
        return img_fail(err, IMG_E_FORMAT, "truncated: the file ends in its header");
    return IMG_OK;
}

static ImgStatus fail_memory(const ImgSource *source, const char *what, uint64_t need,
                             ImgError *err)
{
    return img_fail_memory(what, need, source->limits.max_memory, source->limits.more_memory, err);
}

/* Returns the number of bytes of max_memory that the file cannot use. This is the size of the
 * pixels if they will be in memory all at once, or the caller's reservation, whichever is
 * larger. */
static uint64_t beside_file(const ImgSource *source)
{
    return source->image_bytes > source->beside ? source->image_bytes : source->beside;
}

static ImgStatus fail_file(const ImgSource *source, uint64_t file_bytes, ImgError *err)
{
    const uint64_t other = beside_file(source);
    return fail_memory(source,
                       other > source->image_bytes ? "the file and what is held beside it"
                       : other > 0                 ? "the file and its pixels"
                                                   : "the bytes of the file",
                       other + file_bytes, err);
}

void img_source_set_store(ImgSource *source, ImgStore *store)
{
    source->store = store;
    source->image_bytes = 0;
}

ImgStatus img_source_hold_pixels(ImgSource *source, ImgError *err)
{
    if (source->store != NULL)
        return IMG_OK;
    const uint64_t bytes = source->image_bytes = img_image_bytes(source->header.shape);
    if (bytes > source->limits.max_memory)
        return fail_memory(source, "its pixels", bytes, err);
    if (source->scan.size > 0 && !source->is_in_pieces &&
        source->size > source->limits.max_memory - bytes)
        return fail_file(source, source->size, err);
    return IMG_OK;
}

static ImgStatus check_limits(ImgSource *source, ImgError *err)
{
    const ImgLimits *limits = &source->limits;
    ImgShape shape = source->header.shape;
    uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    if (pixels > limits->max_pixels)
        return img_fail(err, IMG_E_LIMIT, "%d x %d is %llu pixels, more than the limit of %llu%s%s",
                        shape.width, shape.height, (unsigned long long)pixels,
                        (unsigned long long)limits->max_pixels,
                        limits->more_pixels != NULL ? "; " : "",
                        limits->more_pixels != NULL ? limits->more_pixels : "");
    size_t bytes;
    ImgStatus status = img_shape_bytes(shape, &bytes, err);
    if (status == IMG_OK && source->wanted == WANTS_ALL)
        status = img_source_hold_pixels(source, err);
    return status;
}

/* Uses the caller's memory as the file. The cast removes const, but borrowed memory is never
 * written. */
static void borrow_memory(ImgSource *source)
{
    source->data = (uint8_t *)(uintptr_t)source->input.bytes.memory;
    source->size = source->capacity = source->input.bytes.size;
    source->is_read = true;
}

static ImgStatus read_first(ImgSource *source, ImgError *err)
{
    source->data = malloc(IMG_PNG_HEADER_BYTES);
    if (source->data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    source->capacity = IMG_PNG_HEADER_BYTES;
    return img_input_read(&source->input, source->data, source->capacity, &source->size, err);
}

static ImgStatus read_header(ImgSource *source, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (source->input.fd < 0 && source->input.bytes.read == NULL)
        borrow_memory(source);
    else
        status = read_first(source, err);
    if (status == IMG_OK)
        status = check_signature(source->data, source->size, err);
    if (status == IMG_OK)
        status = img_png_header(source->data, &source->header, err);
    if (status == IMG_OK)
        status = check_limits(source, err);
    return status;
}

/* Opens a source. Its input is `bytes`; if `bytes` is NULL, it is the file `path`. */
static ImgStatus open_source(const char *path, const ImgInputBytes *bytes, Wanted wanted,
                             const ImgLimits *limits, const ImgInterrupt *interrupt,
                             ImgSource **source, ImgError *err)
{
    *source = calloc(1, sizeof **source);
    if (*source == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*source)->input.fd = -1;
    (*source)->limits = *limits;
    (*source)->wanted = wanted;
    if (interrupt != NULL)
        (*source)->input.interrupt = *interrupt;
    ImgStatus status = IMG_OK;
    if (bytes != NULL)
        (*source)->input.bytes = *bytes;
    else
        status = img_input_open(&(*source)->input, path, limits->only_files, err);
    if (status == IMG_OK)
        status = read_header(*source, err);
    if (status != IMG_OK) {
        img_source_close(*source);
        *source = NULL;
    }
    return status;
}

ImgStatus img_source_open(const char *path, const ImgLimits *limits, ImgSource **source,
                          ImgError *err)
{
    return open_source(path, NULL, WANTS_ALL, limits, NULL, source, err);
}

ImgStatus img_source_open_rows(const char *path, const ImgLimits *limits,
                               const ImgInterrupt *interrupt, ImgSource **source, ImgError *err)
{
    return open_source(path, NULL, WANTS_ROWS, limits, interrupt, source, err);
}

ImgStatus img_source_open_chunks(const char *path, const ImgLimits *limits, ImgSource **source,
                                 ImgError *err)
{
    return open_source(path, NULL, WANTS_NONE, limits, NULL, source, err);
}

ImgStatus img_source_open_bytes(const ImgInputBytes *bytes, bool by_rows, const ImgLimits *limits,
                                ImgSource **source, ImgError *err)
{
    return open_source(NULL, bytes, by_rows ? WANTS_ROWS : WANTS_ALL, limits, NULL, source, err);
}

ImgShape img_source_shape(const ImgSource *source)
{
    return source->header.shape;
}

bool img_source_is_interlaced(const ImgSource *source)
{
    return source->header.interlaced;
}

bool img_source_can_decode_rows(const ImgSource *source)
{
    return img_png_can_decode_rows(&source->header);
}

uint64_t img_source_file_bytes(const ImgSource *source)
{
    return source->input.size_hint;
}

uint64_t img_source_bytes(const ImgSource *source)
{
    return source->size;
}

void img_source_set_buffer(ImgSource *source, void *memory, size_t bytes)
{
    source->buffer = memory;
    source->buffer_bytes = bytes;
}

static void free_data(ImgSource *source)
{
    if (source->data != source->buffer && source->data != source->input.bytes.memory)
        free(source->data);
    source->data = NULL;
}

/* Copies the contents of the file to `data`, which becomes the new buffer. Frees the old buffer.
 * Returns false if `data` is NULL. */
static bool move_to(ImgSource *source, uint8_t *data)
{
    if (data == NULL)
        return false;
    memcpy(data, source->data, source->size);
    free_data(source);
    source->data = data;
    return true;
}

/* Enlarges the buffer to at least `wanted` bytes. If the size of the file is known, a single
 * allocation has this size, so that large files use huge pages. */
static bool grow(ImgSource *source, size_t wanted)
{
    bool first = source->capacity == IMG_PNG_HEADER_BYTES,
         in_caller_buffer = source->data == source->buffer;
    uint8_t *data;
    if (wanted <= source->capacity)
        return true;
    if (first && wanted <= source->buffer_bytes) {
        if (!move_to(source, source->buffer))
            return false;
    } else if (first || in_caller_buffer) {
        if (!move_to(source, img_large_alloc(wanted)))
            return false;
    } else {
        if ((data = realloc(source->data, wanted)) == NULL)
            return false;
        source->data = data;
    }
    source->capacity = wanted;
    return true;
}

void img_source_set_read_threads(ImgSource *source, int threads)
{
    source->read_threads = threads;
}

/* Bytes that a thread reads at a time: a huge page, so that one thread clears the whole page. */
enum { READ_BYTES = 2 << 20 };

/* A file that several threads read into the buffer of the source. */
typedef struct Reading {
    ImgSource *source;
    atomic_uint_fast64_t next; /* offset of the first byte that no thread reads yet */
    atomic_bool failed;
} Reading;

static void read_part(void *context, int part)
{
    Reading *reading = context;
    ImgSource *source = reading->source;
    const uint64_t end = source->input.size_hint;
    (void)part;
    for (;;) {
        const uint64_t at = atomic_fetch_add(&reading->next, READ_BYTES);
        if (at >= end || atomic_load(&reading->failed))
            return;
        const size_t size = end - at < READ_BYTES ? (size_t)(end - at) : READ_BYTES;
        if (img_input_piece(&source->input, at, source->data + at, size) != 0)
            atomic_store(&reading->failed, true);
    }
}

/* Reads a regular file up to its expected end, with several threads: a thread spends most of the
 * time on copying bytes and on clearing pages of the buffer, which must have space for the file.
 * If anything fails, nothing counts as read, and read_rest finds the reason. */
static void read_with_threads(ImgSource *source)
{
    const uint64_t size = source->input.size_hint;
    const int threads = img_min32(source->read_threads, (int)img_min64(size / READ_BYTES, 4));
    if (threads < 2 || source->size >= size || !img_input_has_pieces(&source->input, source->size))
        return;
    Reading reading = {.source = source, .next = source->size};
    (void)img_parallel_run(NULL, threads, read_part, &reading);
    if (!atomic_load(&reading.failed) && img_input_continue_at(&source->input, size))
        source->size = (size_t)size;
}

/* Reads to the end of the file. The buffer has at most one byte more than `budget`; this byte shows
 * whether the file is larger. */
static ImgStatus read_rest(ImgSource *source, uint64_t budget, ImgError *err)
{
    uint64_t most = budget < SIZE_MAX - 1 ? budget + 1 : SIZE_MAX;
    /* Requests one byte more than the file should have. The first read then returns fewer bytes
     * than requested, which marks the end of the file. */
    uint64_t wanted = source->input.size_hint > 0 ? source->input.size_hint + 1 : FIRST_CAPACITY;
    for (;;) {
        if (wanted > most)
            wanted = most;
        if (!grow(source, (size_t)wanted))
            return img_fail(err, IMG_E_MEMORY, "no memory for the file");
        if (source->capacity > source->input.size_hint)
            read_with_threads(source);
        size_t got, room = source->capacity - source->size;
        ImgStatus status =
            img_input_read(&source->input, source->data + source->size, room, &got, err);
        if (status != IMG_OK)
            return status;
        source->size += got;
        if (source->size > budget)
            return fail_file(source, source->size, err);
        if (got < room)
            return IMG_OK;
        wanted = source->capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * (uint64_t)source->capacity;
    }
}

/* --- Pieces of the file ----------------------------------------------------------------------- */

static void read_piece(void *context, uint64_t at, size_t size, uint8_t *to)
{
    ImgSource *source = context;
    const int error = img_input_piece(&source->input, at, to, size);
    int none = 0;
    if (error == 0)
        return;
    memset(to, 0, size);
    (void)atomic_compare_exchange_strong(&source->read_error, &none, error);
}

void img_source_read_in_pieces(ImgSource *source)
{
    if (source->is_read || source->input.size_hint <= IMG_SOURCE_SMALL ||
        !img_input_has_pieces(&source->input, source->size))
        return;
    source->is_in_pieces = true;
    source->pieces = (ImgPieces){read_piece, source};
}

bool img_source_is_in_pieces(const ImgSource *source)
{
    return source->is_in_pieces;
}

/* Returns the reader of pieces, or NULL if the whole file is in memory. */
static const ImgPieces *pieces_of(const ImgSource *source)
{
    return source->is_in_pieces ? &source->pieces : NULL;
}

/* Returns `status`, the status of work on the file. Exception: if a piece could not be read, or the
 * file has changed since it was opened, fails for this reason instead. */
static ImgStatus check_pieces(ImgSource *source, ImgStatus status, ImgError *err)
{
    if (!source->is_in_pieces || source->data == NULL)
        return status;
    const int error = atomic_load(&source->read_error);
    if (error == 0 && !img_input_has_changed(&source->input))
        return status;
    img_error_clear(err);
    return error > 0 ? img_fail(err, img_errno_status(error), "cannot be read: %s", strerror(error))
                     : img_fail(err, IMG_E_IO, "was changed while it was read; try again");
}

/* --- The rest of the file --------------------------------------------------------------------- */

ImgStatus img_source_read_metadata(ImgSource *source, ImgError *err)
{
    const uint64_t size = source->is_in_pieces ? 0 : source->size;
    const ImgPngBudget budget = {beside_file(source) + size, source->limits.max_memory,
                                 source->limits.more_memory, pieces_of(source)};
    img_metadata_free(&source->metadata);
    const ImgStatus status = img_png_scan(source->data, source->size, &source->header, budget,
                                          &source->metadata, &source->scan, err);
    return check_pieces(source, status, err);
}

void img_source_reserve_memory(ImgSource *source, uint64_t bytes)
{
    source->beside = bytes;
}

ImgStatus img_source_load(ImgSource *source, ImgError *err)
{
    if (source->scan.size > 0 || source->data == NULL)
        return img_fail(err, IMG_E_USAGE, "was loaded already");
    const uint64_t other = beside_file(source), most = source->limits.max_memory;
    const uint64_t budget = source->is_in_pieces ? UINT64_MAX : most > other ? most - other : 0;
    const bool is_all = source->is_read || source->size > source->input.size_hint;
    const uint64_t known = is_all ? source->size : source->input.size_hint;
    ImgStatus status = known > budget                            ? fail_file(source, known, err)
                       : source->is_read || source->is_in_pieces ? IMG_OK
                                                                 : read_rest(source, budget, err);
    if (source->is_in_pieces)
        source->size = (size_t)known;
    else
        img_input_close(&source->input);
    source->is_read = true;
    if (status == IMG_OK)
        status = img_source_read_metadata(source, err);
    if (status == IMG_OK)
        img_png_warn_of_scan(&source->scan, source->size, &source->warnings);
    return status;
}

const ImgMetadata *img_source_metadata(const ImgSource *source)
{
    return &source->metadata;
}

const char *const *img_source_warnings(const ImgSource *source)
{
    return source->warnings.lines;
}

uint64_t img_source_decode_bytes(const ImgSource *source, int threads)
{
    return img_png_decode_bytes(source->header.shape, source->size, threads, 0);
}

ImgStatus img_source_decode_into(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgView *view, ImgPngDecodeReport *report, ImgError *err)
{
    ImgPngDecodeOptions how = options != NULL ? *options : (ImgPngDecodeOptions){.threads = 1};
    if (source->scan.size == 0 || source->data == NULL)
        return img_fail(err, IMG_E_USAGE, "is not loaded");
    how.index = img_png_index_find(&source->metadata);
    how.pieces = pieces_of(source);
    ImgPngDecodeReport unwanted;
    if (report == NULL)
        report = &unwanted;
    ImgStatus status =
        img_png_decode_into(source->data, &source->header, &source->scan, &how, view, report, err);
    if (report->extra_data)
        img_png_warn_of_extra_data(&source->scan, &source->warnings);
    status = check_pieces(source, status, err);
    if (status != IMG_OK || !source->keeps_file)
        img_source_free_file(source);
    return status;
}

ImgStatus img_source_decode(ImgSource *source, const ImgPngDecodeOptions *options, ImgImage *image,
                            ImgPngDecodeReport *report, ImgError *err)
{
    ImgPngDecodeOptions how = options != NULL ? *options : (ImgPngDecodeOptions){.threads = 1};
    how.store = source->store;
    ImgStatus status = img_image_alloc_in(source->store, source->header.shape, image, err);
    if (status == IMG_OK)
        status = img_source_decode_into(source, &how, &image->view, report, err);
    else
        img_source_free_file(source);
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}

ImgStatus img_source_decode_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                 const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err)
{
    ImgPngDecodeOptions how = *options;
    how.pieces = pieces_of(source);
    ImgStatus status =
        img_png_decode_rows(source->data, &source->header, &source->scan, &how, sink, report, err);
    if (report->extra_data)
        img_png_warn_of_extra_data(&source->scan, &source->warnings);
    return img_source_finish_rows(source, status, err);
}

void img_source_keep_file(ImgSource *source, bool keeps)
{
    source->keeps_file = keeps;
}

/* Writes the file that img_source_write_pixels writes, if it is smaller than `output`. */
static ImgStatus write_smaller(const ImgPngKept *kept, ImgOutput *output, bool *writes,
                               ImgError *err)
{
    *writes = img_png_kept_bytes(kept) < img_output_bytes(output);
    if (!*writes)
        return IMG_OK;
    const ImgStatus status = img_output_restart(output, err);
    return status == IMG_OK ? img_png_write_kept(kept, output, err) : status;
}

ImgStatus img_source_write_pixels(const ImgSource *source, const ImgMetadata *metadata, bool index,
                                  ImgOutput *output, bool *writes, ImgError *err)
{
    ImgIdat idat = {.pieces = pieces_of(source)};
    const ImgPngKept kept = {source->header.shape, metadata, index ? &source->indexes : NULL,
                             &idat};
    *writes = false;
    ImgStatus status = img_idat_list(source->data, source->size, &idat, err);
    if (status == IMG_OK)
        status = write_smaller(&kept, output, writes, err);
    img_idat_free(&idat);
    return status;
}

ImgStatus img_source_check_file(ImgSource *source, ImgError *err)
{
    return check_pieces(source, IMG_OK, err);
}

bool img_source_can_request_rows(const ImgSource *source)
{
    return img_png_can_request_rows(&source->header);
}

ImgStatus img_source_begin_rows(ImgSource *source, const ImgPngDecodeOptions *options,
                                ImgPngRows **rows, ImgError *err)
{
    ImgPngDecodeOptions how = *options;
    how.pieces = pieces_of(source);
    const ImgStatus status =
        img_png_rows_begin(source->data, &source->header, &source->scan, &how, rows, err);
    return status == IMG_OK ? IMG_OK : check_pieces(source, status, err);
}

ImgStatus img_source_finish_rows(ImgSource *source, ImgStatus status, ImgError *err)
{
    status = check_pieces(source, status, err);
    if (status == IMG_OK && !source->keeps_file)
        img_source_free_file(source);
    return status;
}

ImgSourceFile img_source_file(const ImgSource *source)
{
    bool in_caller_buffer = source->data != NULL && source->data == source->buffer;
    return (ImgSourceFile){source->is_in_pieces ? NULL : source->data, source->size,
                           &source->header, &source->scan, in_caller_buffer};
}

void img_source_free_file(ImgSource *source)
{
    free_data(source);
    img_input_close(&source->input);
}

bool img_source_is_animated(const ImgSource *source)
{
    return source->scan.frames > 0;
}

uint32_t img_source_frames(const ImgSource *source)
{
    return source->scan.frames;
}

const char *img_source_dropped_chunks(const ImgSource *source)
{
    return source->scan.wrong_crc;
}

/* Copies the indexes of the metadata, because users of the metadata drop them. Omits large ones: an
 * index has some 10 bytes for 200 KB of pixels. */
static void keep_indexes(ImgSource *source)
{
    enum { SIZE_MOST = 1 << 16 };
    const ImgMetadata *metadata = &source->metadata;
    img_metadata_free(&source->indexes);
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        if (img_png_is_index(chunk->type) && chunk->size <= SIZE_MOST)
            (void)img_metadata_add(&source->indexes, chunk->type, chunk->place, chunk->data,
                                   chunk->size, NULL);
    }
}

ImgMetadata img_source_take_metadata(ImgSource *source)
{
    ImgMetadata metadata = source->metadata;
    if (source->keeps_file)
        keep_indexes(source);
    source->metadata = IMG_METADATA_NONE;
    return metadata;
}

void img_source_close(ImgSource *source)
{
    if (source == NULL)
        return;
    img_input_close(&source->input);
    img_metadata_free(&source->metadata);
    img_metadata_free(&source->indexes);
    free_data(source);
    free(source);
}
