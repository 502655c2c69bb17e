/* Delivers rows in order, with a few rows in memory at a time. If several threads decode, the
 * calling thread waits for their rows and passes them to the caller's function, which must run on
 * the calling thread. */
#include "app/library/codec/reader.h"
#include "io/png/thread_count.h"
#include "io/size_text.h"
#include "io/source_rows.h"

/* Bytes of rows that are converted and delivered at a time. */
enum { BAND_BYTES = 256 << 10 };

/* State of one call that delivers rows from the decoder to the caller. */
typedef struct Delivery {
    imgtool_reader *reader;
    const ImgLibTransfer *transfer;
    imgtool_rows_function *take;
    void *user;
    ImgPngDecodeOptions how; /* number of decoding threads, and their memory */
    ImgImage band;           /* buffer for converted rows */
    int32_t next;            /* index of the next row to deliver */
    bool stopped;
    ImgError failure; /* the error that stopped the delivery */
} Delivery;

/* --- To the caller ---------------------------------------------------------------------------- */

static void stop(Delivery *delivery)
{
    delivery->stopped = true;
}

static void deliver_block(Delivery *delivery, const imgtool_picture *rows)
{
    imgtool_context *context = delivery->reader->context;
    const int32_t height = img_source_shape(delivery->reader->source).height;
    ImgStatus status = IMG_OK;
    if (!delivery->take(delivery->user, rows, delivery->next))
        status = img_lib_cancel(context, &delivery->failure);
    delivery->next += rows->height;
    if (status == IMG_OK)
        status = img_lib_progress(context, (uint64_t)delivery->next, (uint64_t)height,
                                  &delivery->failure);
    if (status != IMG_OK)
        stop(delivery);
}

/* Delivers a block of rows that starts at row `first`. Skips rows that were delivered earlier. */
static void deliver(Delivery *delivery, const ImgView *rows, int32_t first)
{
    const imgtool_format to = delivery->transfer->to;
    const bool none = img_lib_transfer_is_none(delivery->transfer);
    const int32_t most = none ? rows->height : delivery->band.view.height;
    int32_t count = 0;
    for (int32_t y = delivery->next - first; y < rows->height && !delivery->stopped; y += count) {
        const int32_t left = rows->height - y;
        count = left < most ? left : most;
        const ImgView part = img_view_crop(rows, 0, y, rows->width, count);
        imgtool_picture picture = img_lib_borrow(none ? &part : &delivery->band.view);
        picture.width = rows->width;
        picture.height = count;
        picture.format = to;
        if (!none && img_lib_transfer_rows(delivery->transfer, &part, &picture,
                                           &delivery->failure) != IMG_OK)
            stop(delivery);
        else
            deliver_block(delivery, &picture);
    }
}

/* Sets the shape of the buffer for converted rows. Only its size in bytes matters, so the shape is
 * that of a gray picture with one pixel per byte. */
static ImgStatus shape_band(const Delivery *delivery, ImgShape *band, ImgError *err)
{
    const ImgShape shape = img_source_shape(delivery->reader->source);
    const size_t row = (size_t)shape.width * imgtool_pixel_size(delivery->transfer->to);
    const size_t most = BAND_BYTES / row > 0 ? BAND_BYTES / row : 1;
    if (row > INT32_MAX)
        return img_fail(err, IMG_E_LIMIT, "a row of %zu bytes is too long", row);
    const int32_t rows = most < (size_t)shape.height ? (int32_t)most : shape.height;
    *band = (ImgShape){(int32_t)row, rows, {IMG_COLOR_GRAY, 8}};
    return IMG_OK;
}

/* Returns the number of rows that the calling thread reads at a time. */
static int32_t rows_at_a_time(ImgShape shape)
{
    const uint64_t row = (uint64_t)shape.width * img_format_pixel_size(shape.format);
    const uint64_t rows = BAND_BYTES / row > 0 ? BAND_BYTES / row : 1;
    return rows < (uint64_t)shape.height ? (int32_t)rows : shape.height;
}

/* Chooses the number of threads that fits in max_memory. Interlaced pictures are not checked here,
 * since they are decoded as a whole. */
static ImgStatus plan_threads(Delivery *delivery, uint64_t band_bytes, ImgError *err)
{
    const imgtool_reader *reader = delivery->reader;
    const ImgShape shape = img_source_shape(reader->source);
    const uint64_t limit = reader->context->limits.max_memory;
    uint64_t need = 0;
    delivery->how = (ImgPngDecodeOptions){.team = reader->context->team,
                                          .threads = reader->context->config.threads};
    img_png_fit_rows_decoder(shape, img_source_bytes(reader->source),
                             band_bytes + img_source_rows_bytes(shape, rows_at_a_time(shape), true),
                             limit, &delivery->how, &need);
    if (need <= limit || img_source_is_interlaced(reader->source))
        return IMG_OK;
    return img_fail_memory("the file and some of its rows", need, limit, NULL, err);
}

static ImgStatus prepare(Delivery *delivery, ImgError *err)
{
    ImgShape band = {0};
    size_t bytes = 0;
    const bool none = img_lib_transfer_is_none(delivery->transfer);
    ImgStatus status = none ? IMG_OK : shape_band(delivery, &band, err);
    if (status == IMG_OK && !none)
        status = img_shape_bytes(band, &bytes, err);
    if (status == IMG_OK)
        status = plan_threads(delivery, bytes, err);
    return status == IMG_OK && !none ? img_image_alloc(band, &delivery->band, err) : status;
}

/* --- Decoding on the calling thread ----------------------------------------------------------- */

static void deliver_rows(void *context, const ImgView *rows, int32_t first)
{
    deliver(context, rows, first);
}

static ImgStatus decode_on_caller(Delivery *delivery, ImgError *err)
{
    const ImgPngDecodeOptions options = {.threads = 1};
    const ImgRowSink sink = {deliver_rows, delivery, &delivery->stopped};
    ImgPngDecodeReport report;
    return img_source_decode_rows(delivery->reader->source, &options, &sink, &report, err);
}

/* --- Decoding on other threads ---------------------------------------------------------------- */

static ImgStatus deliver_all(Delivery *delivery, ImgSourceRows *rows, ImgError *err)
{
    const ImgShape shape = img_source_shape(delivery->reader->source);
    const int32_t most = rows_at_a_time(shape);
    ImgStatus status = IMG_OK;
    for (int32_t y = 0, count; y < shape.height && !delivery->stopped; y += count) {
        ImgView view;
        count = shape.height - y < most ? shape.height - y : most;
        status = img_source_rows_read(rows, y, count, &view, err);
        if (status != IMG_OK)
            return status;
        deliver(delivery, &view, y);
    }
    return status;
}

/* Reads rows that other threads decode. */
static ImgStatus decode_on_threads(Delivery *delivery, ImgError *err)
{
    const imgtool_reader *reader = delivery->reader;
    ImgSourceRows *rows;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status =
        img_source_rows_start(reader->source, &delivery->how, true,
                              rows_at_a_time(img_source_shape(reader->source)), &rows, &failure);
    if (status == IMG_OK)
        status = deliver_all(delivery, rows, &failure);
    img_source_rows_end(rows);
    if (status == IMG_E_UNAVAILABLE) /* the system could not start a thread */
        return decode_on_caller(delivery, err);
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
}

/* --- Choice of the strategy ------------------------------------------------------------------- */

static bool is_worth_threads(const Delivery *delivery)
{
    enum { LEAST_BYTES = 1 << 20 };
    const ImgShape shape = img_source_shape(delivery->reader->source);
    const uint64_t row = (uint64_t)shape.width * img_format_pixel_size(shape.format);
    return delivery->how.threads > 1 && row * (uint64_t)shape.height >= LEAST_BYTES;
}

/* Decodes the picture as a whole if it is interlaced, or if the fast decoder finds the file
 * suspicious: libpng then decides whether it is valid. Skips rows that were delivered earlier. */
static ImgStatus decode_whole(Delivery *delivery, ImgError *err)
{
    ImgImage raw;
    ImgStatus status = img_lib_reader_decode_raw(delivery->reader, 0, &raw, err);
    if (status == IMG_OK)
        deliver(delivery, &raw.view, 0);
    img_image_free(&raw);
    return status;
}

static ImgStatus decode(Delivery *delivery, ImgError *err)
{
    const imgtool_reader *reader = delivery->reader;
    const bool fast = img_source_can_decode_rows(reader->source);
    ImgError doubt = {IMG_OK, ""};
    ImgStatus status;
    if (fast && is_worth_threads(delivery))
        status = decode_on_threads(delivery, &doubt);
    else
        status = decode_on_caller(delivery, &doubt);
    const bool open = status == IMG_E_UNSUPPORTED || (fast && status == IMG_E_FORMAT);
    if (open && !delivery->stopped)
        status = decode_whole(delivery, err);
    else if (status != IMG_OK && !delivery->stopped)
        status = img_fail(err, status, "%s", doubt.message);
    if (delivery->stopped)
        status = img_fail(err, delivery->failure.status, "%s", delivery->failure.message);
    return status;
}

imgtool_status imgtool_reader_rows(imgtool_reader *reader, imgtool_format format,
                                   imgtool_rows_function *take, void *user, imgtool_error *error)
{
    ImgLibTransfer transfer;
    ImgError failure = {IMG_OK, ""};
    Delivery delivery = {.reader = reader,
                         .transfer = &transfer,
                         .take = take,
                         .user = user,
                         .band = IMG_IMAGE_NONE};
    imgtool_status begun = img_lib_reader_begin(reader, error);
    if (begun == IMGTOOL_OK && take == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "the function for rows is NULL");
    if (begun != IMGTOOL_OK)
        return begun;
    ImgStatus status = img_lib_reader_prepare(reader, format, &transfer, &failure);
    if (status == IMG_OK)
        status = prepare(&delivery, &failure);
    if (status == IMG_OK) {
        reader->decoded = true;
        status = decode(&delivery, &failure);
    }
    img_image_free(&delivery.band);
    return img_lib_reader_end(reader, status, &failure, error);
}
