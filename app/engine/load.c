#include "app/engine/load.h"

#include "app/engine/share/resources.h"
#include "app/text/streams.h"
#include "io/png/thread_count.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"

Load img_load_begin(const char *path, const EngineOptions *options, bool expands)
{
    return (Load){.path = path,
                  .options = options,
                  .limits = img_resources_limits(options),
                  .expands = expands,
                  .image = IMG_IMAGE_NONE,
                  .metadata = IMG_METADATA_NONE};
}

void img_load_end(Load *load)
{
    img_image_free(&load->image);
    img_metadata_free(&load->metadata);
    img_source_close(load->source);
    img_store_free(load->store);
    load->source = NULL;
    load->store = NULL;
}

ImgStatus img_load_failure(const Load *load, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK && status != IMG_E_UNAVAILABLE)
        img_error_prefix(err, "%s", img_streams_input_name(load->path));
    return status;
}

void img_load_note_damage(const Load *load)
{
    const char *name = img_streams_input_name(load->path);
    for (const char *const *line = img_source_warnings(load->source); *line != NULL; line++)
        img_engine_note(load->options, "%s: %s", name, *line);
}

bool img_load_is_expanded(const Load *load)
{
    return load->shape.format.color != load->raw.format.color;
}

/* Returns the limits for opening the file. The default of --max-pixels does not apply here if the
 * picture may never be in memory as a whole. */
static ImgLimits opening_limits(const Load *load)
{
    ImgLimits limits = load->limits;
    if (load->takes_any_size && (load->options->given & ENGINE_GIVEN_MAX_PIXELS) == 0)
        limits.max_pixels = IMG_PIXELS_MAX;
    return limits;
}

ImgStatus img_load_open(Load *load, ImgError *err)
{
    double start = img_clock();
    const ImgLimits limits = opening_limits(load);
    ImgStatus status = load->takes_rows ? img_source_open_rows(load->path, &limits,
                                                               img_engine_interrupt(load->options),
                                                               &load->source, err)
                                        : img_source_open(load->path, &limits, &load->source, err);
    load->report.read = img_clock() - start;
    if (status == IMG_OK) {
        load->raw = img_source_shape(load->source);
        if (!img_source_can_decode_rows(load->source))
            status = img_resources_check_pixels("", load->raw, &load->limits, err);
    }
    return img_load_failure(load, status, err);
}

ImgStatus img_load_take_metadata(Load *load, ImgError *err)
{
    ImgStatus status = IMG_OK;
    load->metadata = img_source_take_metadata(load->source);
    if (load->keeps_palette)
        status = img_metadata_add_entries(&load->metadata, &load->palette, err);
    else if (img_load_is_expanded(load))
        status = img_expand_metadata(&load->metadata, load->raw.format, err);
    return img_load_failure(load, status, err);
}

ImgStatus img_load_use_store(Load *load, ImgError *err)
{
    const ImgOutputHooks *hooks = img_engine_hooks(load->options);
    ImgStorePlace place = load->scratch;
    place.setting = img_engine_has_options(load->options) ? "TMPDIR" : "temporary";
    if (hooks != NULL) {
        place.enter = hooks->enter;
        place.leave = hooks->leave;
        place.context = hooks->context;
    }
    const ImgStatus status =
        img_store_create(&place, img_load_resident_bytes(load), &load->store, err);
    if (status == IMG_OK)
        img_source_set_store(load->source, load->store);
    img_source_read_in_pieces(load->source);
    return img_load_failure(load, status, err);
}

ImgStatus img_load_read(Load *load, ImgError *err)
{
    double start = img_clock();
    ImgStatus status = img_source_load(load->source, err);
    load->report.read += img_clock() - start;
    if (status != IMG_OK)
        return img_load_failure(load, status, err);
    load->report.bytes = img_source_bytes(load->source);
    load->kept = img_metadata_bytes(img_source_metadata(load->source));
    load->held += load->kept;
    load->shape = load->raw;
    if (load->expands)
        load->shape = img_expanded_shape(load->raw, img_source_metadata(load->source));
    return IMG_OK;
}

/* Returns the memory, in bytes, for decoding a file of `file` bytes into the store. *by_rows
 * becomes true if it is decoded row by row, and false if it is decoded into mapped memory, because
 * buffers for wide rows would exceed --max-memory. */
static uint64_t storing_bytes(const Load *load, uint64_t file, bool *by_rows)
{
    const uint64_t kept = img_load_file_bytes(load), rows = img_png_rows_bytes(load->raw);
    const uint64_t own = IMG_PNG_OWN_BYTES, whole = img_png_decode_beside(load->raw, file, 1, 0);
    const uint64_t buffers = img_max64(rows > own ? rows - own : 0, whole);
    const uint64_t most = load->limits.max_memory;
    *by_rows = kept + buffers + load->held + img_load_store_bytes(load, 0) <= most;
    return kept + (*by_rows ? buffers : whole);
}

static uint64_t loading_bytes(const Load *load, uint64_t file, ImgShape shape)
{
    const ImgShape raw = load->raw;
    bool by_rows;
    if (load->store != NULL)
        return storing_bytes(load, file, &by_rows);
    const uint64_t held = img_source_is_in_pieces(load->source) ? 0 : file;
    const uint64_t decoding = held + img_image_bytes(raw) + img_png_decode_beside(raw, file, 1, 0);
    const uint64_t expanding = img_image_bytes(raw) + img_image_bytes(shape);
    if (raw.format.color == shape.format.color)
        return decoding;
    return decoding > expanding ? decoding : expanding;
}

uint64_t img_load_file_bytes(const Load *load)
{
    return img_source_is_in_pieces(load->source) ? 0
           : load->report.bytes > 0              ? load->report.bytes
                                                 : img_source_file_bytes(load->source);
}

uint64_t img_load_kept_bytes(const Load *load)
{
    return load->keeps_file ? img_load_file_bytes(load) : 0;
}

/* Upper limit, in bytes, for the pages of temporary files that are mapped into memory at a time. */
enum { RESIDENT_MOST = 128 << 20 };

uint64_t img_load_resident_bytes(const Load *load)
{
    const uint64_t quarter = load->limits.max_memory / 4;
    return quarter < RESIDENT_MOST ? quarter : RESIDENT_MOST;
}

uint64_t img_load_store_bytes(const Load *load, uint64_t need)
{
    if (load->store == NULL)
        return 0;
    if (need == 0)
        return img_load_resident_bytes(load);
    /* the least limit that, without a quarter of it, has `need` bytes */
    const uint64_t third = (need - 1) / 3;
    return third < RESIDENT_MOST ? third : RESIDENT_MOST;
}

ImgShape img_load_guess_shape(const Load *load)
{
    return load->expands ? img_expanded_shape(load->raw, &IMG_METADATA_NONE) : load->raw;
}

uint64_t img_load_guess_bytes(const Load *load)
{
    return loading_bytes(load, img_source_file_bytes(load->source), img_load_guess_shape(load));
}

uint64_t img_load_bytes(const Load *load)
{
    return loading_bytes(load, load->report.bytes, load->shape);
}

uint64_t img_load_rows_bytes(const Load *load, uint64_t file_bytes)
{
    const uint64_t file = img_source_is_in_pieces(load->source) ? 0 : file_bytes;
    return file + img_png_rows_bytes(load->raw);
}

static ImgShape rows_of(ImgShape shape, int32_t most)
{
    shape.height = img_min32(shape.height, most);
    return shape;
}

/* Expands a picture in a store to another one, some rows at a time. They are copied, so that no
 * page of the store is mapped; the copies take the memory that is reserved for mapped pages. */
static ImgStatus expand_stored(const Load *load, const ImgExpansion *expansion, const ImgImage *to,
                               ImgTeam *team, int threads, ImgError *err)
{
    enum { BYTES = 4 << 20 };
    const ImgImage *from = &load->image;
    const ImgShape before = img_view_shape(&from->view), after = img_view_shape(&to->view);
    const uint64_t row = img_image_bytes(rows_of(before, 1)) + img_image_bytes(rows_of(after, 1));
    const uint64_t most = img_min64(BYTES, img_load_resident_bytes(load)) / row;
    const int32_t rows = (int32_t)img_min64(img_max64(most, 1), (uint64_t)before.height);
    ImgImage source = IMG_IMAGE_NONE, result = IMG_IMAGE_NONE;
    ImgStatus status = img_image_alloc(rows_of(before, rows), &source, err);
    if (status == IMG_OK)
        status = img_image_alloc(rows_of(after, rows), &result, err);
    for (int32_t y = 0, count; status == IMG_OK && y < before.height; y += count) {
        count = img_min32(rows, before.height - y);
        const ImgView read = img_view_crop(&source.view, 0, 0, before.width, count);
        const ImgView made = img_view_crop(&result.view, 0, 0, after.width, count);
        status = img_image_get(from, 0, y, &read, err);
        if (status != IMG_OK)
            break;
        img_expand_rows(expansion, &read, &made, team, threads);
        status = img_image_put(to, y, &made, err);
    }
    img_image_free(&source);
    img_image_free(&result);
    return status;
}

/* Replaces the decoded picture by its expanded form. */
static ImgStatus expand(Load *load, ImgTeam *team, int threads, ImgError *err)
{
    double start = img_clock();
    ImgImage *image = &load->image, result = IMG_IMAGE_NONE;
    const ImgExpansion expansion =
        img_expansion(image->view.format, img_source_metadata(load->source));
    ImgStatus status = img_image_alloc_in(image->store, load->shape, &result, err);
    if (status == IMG_OK && image->store != NULL)
        status = expand_stored(load, &expansion, &result, team, threads, err);
    else if (status == IMG_OK)
        img_expand_rows(&expansion, &image->view, &result.view, team, threads);
    if (status != IMG_OK) {
        img_image_free(&result);
        return status;
    }
    img_image_free(image);
    *image = result;
    load->report.expand = img_clock() - start;
    return IMG_OK;
}

uint64_t img_load_thrifty_bytes(const Load *load, int threads)
{
    return img_png_decode_bytes(load->raw, img_source_bytes(load->source), threads,
                                IMG_PNG_LEAST_ROOM);
}

void img_load_fit_decoder(const Load *load, uint64_t room, ImgPngDecodeOptions *how,
                          uint64_t *bytes)
{
    const uint64_t file = img_source_bytes(load->source);
    if (load->is_thrifty) {
        how->room = IMG_PNG_LEAST_ROOM;
        if (bytes != NULL)
            *bytes = img_load_file_bytes(load) +
                     (load->store != NULL ? 0 : img_image_bytes(load->raw)) +
                     img_load_thrifty_bytes(load, how->threads);
        return;
    }
    const uint64_t pixels = load->store != NULL ? img_image_bytes(load->raw) : 0;
    const uint64_t stored = file - img_load_file_bytes(load) + pixels;
    img_png_fit_decoder(load->raw, file, room + stored, how, bytes);
    if (bytes != NULL)
        *bytes -= stored;
}

/* Destination of decoded rows: a picture in temporary files (ImgStore). */
typedef struct Put {
    const ImgImage *image;
    ImgStatus status; /* the first failure */
    ImgError failure;
} Put;

static void put_rows(void *context, const ImgView *rows, int32_t first)
{
    Put *put = context;
    if (put->status == IMG_OK)
        put->status = img_image_put(put->image, first, rows, &put->failure);
}

/* Decodes row by row into the temporary files (Load.store), which is faster than decoding into
 * mapped memory. Fails with IMG_E_FORMAT, without a message, if this is not possible or the file
 * seems to be damaged. */
static ImgStatus decode_to_store(Load *load, const ImgPngDecodeOptions *how, ImgError *err)
{
    if (!img_source_can_decode_rows(load->source))
        return IMG_E_FORMAT;
    Put put = {.image = &load->image};
    ImgError unread = {IMG_OK, ""};
    const ImgRowSink sink = {put_rows, &put, NULL};
    ImgStatus status = img_image_alloc_in(load->store, load->raw, &load->image, err);
    if (status != IMG_OK)
        return status;
    status = img_source_decode_rows(load->source, how, &sink, &load->report.decoding, &unread);
    if (status == IMG_OK && put.status == IMG_OK)
        return IMG_OK;
    img_image_free(&load->image);
    if (put.status != IMG_OK)
        return img_fail(err, put.status, "%s", put.failure.message);
    return status == IMG_E_FORMAT || status == IMG_E_UNAVAILABLE
               ? IMG_E_FORMAT
               : img_fail(err, status, "%s", unread.message);
}

uint64_t img_load_pixels_reserved(const Load *load, uint64_t done)
{
    /* STEP: the reservation grows by so many bytes. AHEAD: bytes that decoders write before they
     * report rows. */
    enum { STEP = 1 << 20, AHEAD = 1 << 20 };
    const uint64_t all = img_image_bytes(load->raw);
    const uint64_t row = all / (uint64_t)load->raw.height + 1;
    const uint64_t written = (done + 1) * row + AHEAD + IMG_HUGE_PAGE;
    return img_min64((written + STEP - 1) / STEP * STEP, all);
}

/* Reserves memory for the rows after the first `done` ones. */
static void reserve_pixels(void *context, uint64_t done)
{
    const Load *load = context;
    img_place_raise(load->raises, load->raise_base + img_load_pixels_reserved(load, done));
}

/* Decodes into an image whose memory is reserved while rows are decoded. */
static ImgStatus decode_and_reserve(Load *load, const ImgPngDecodeOptions *how, ImgError *err)
{
    ImgStatus status = img_image_map(load->raw, &load->image, err);
    if (status != IMG_OK)
        return status;
    how->progress->go_on = reserve_pixels;
    how->progress->go_on_context = load;
    status =
        img_source_decode_into(load->source, how, &load->image.view, &load->report.decoding, err);
    if (status != IMG_OK)
        img_image_free(&load->image);
    return status;
}

ImgStatus img_load_decode(Load *load, ImgTeam *team, int threads, ImgError *err)
{
    double start = img_clock();
    const uint64_t room = load->room > 0 ? load->room : load->limits.max_memory;
    ImgProgress progress;
    ImgPngDecodeOptions how = {.team = team,
                               .threads = threads,
                               .progress = img_engine_progress(load->options, &progress)};
    img_load_fit_decoder(load, room, &how, NULL);
    bool by_rows = false;
    if (load->store != NULL)
        (void)storing_bytes(load, img_source_bytes(load->source), &by_rows);
    ImgStatus status = by_rows ? decode_to_store(load, &how, err) : IMG_E_FORMAT;
    if (load->raises != NULL && how.progress == NULL) {
        progress = (ImgProgress){.report = NULL};
        how.progress = &progress;
    }
    if (load->raises != NULL)
        status = decode_and_reserve(load, &how, err);
    else if (status == IMG_E_FORMAT)
        status = img_source_decode(load->source, &how, &load->image, &load->report.decoding, err);
    load->report.decode = img_clock() - start;
    if (status == IMG_OK && img_load_is_expanded(load))
        status = expand(load, team, threads, err);
    return status == IMG_OK ? img_load_take_metadata(load, err)
                            : img_load_failure(load, status, err);
}

/* --- Rows ------------------------------------------------------------------------------------- */

uint64_t img_load_window_bytes(const Load *load, ImgShape shape, bool ahead, int32_t most)
{
    const uint64_t bytes = img_source_rows_bytes(load->raw, most, ahead);
    const bool expands = shape.format.color != load->raw.format.color;
    return expands ? bytes + img_image_bytes(rows_of(shape, most)) : bytes;
}

/* Replaces *view, decoded rows, by their expanded form. */
static void expand_rows(LoadRows *own, ImgView *view)
{
    const ImgView to = img_view_crop(&own->expanded.view, 0, 0, view->width, view->height);
    img_expand_rows(&own->expansion, view, &to, own->options.team, own->expand_threads);
    *view = to;
}

static ImgStatus make_buffer(LoadRows *own, ImgError *err)
{
    if (!img_load_is_expanded(own->load) || own->expanded.view.data != NULL)
        return IMG_OK;
    return img_image_alloc(rows_of(own->load->shape, own->most), &own->expanded, err);
}

static ImgStatus read_rows(void *context, int32_t first, int32_t count, ImgView *view,
                           ImgError *err)
{
    LoadRows *own = context;
    const double start = img_clock();
    own->status = IMG_OK;
    if (own->rows == NULL) {
        own->status = make_buffer(own, err);
        if (own->status == IMG_OK)
            own->status = img_source_rows_start(own->load->source, &own->options, own->ahead,
                                                own->most, &own->rows, err);
    }
    if (own->status == IMG_OK)
        own->status = img_source_rows_read(own->rows, first, count, view, err);
    if (own->status == IMG_OK && img_load_is_expanded(own->load))
        expand_rows(own, view);
    const uint64_t added = (uint64_t)(first + count - own->end);
    own->end = first + count;
    if (own->status == IMG_OK && !img_progress_add_rows(own->progress, added) &&
        img_progress_is_cancelled(own->progress, err))
        own->status = err->status;
    own->load->report.decode += img_clock() - start;
    return own->status;
}

/* Passes decoded rows to a sink in their expanded form. */
typedef struct Expander {
    LoadRows *own;
    const ImgRowSink *sink;
} Expander;

static void take_expanded(void *context, const ImgView *rows, int32_t first)
{
    const Expander *expander = context;
    const int32_t most = expander->own->expanded.view.height;
    for (int32_t y = 0, count; y < rows->height; y += count) {
        count = img_min32(most, rows->height - y);
        ImgView view = img_view_crop(rows, 0, y, rows->width, count);
        expand_rows(expander->own, &view);
        expander->sink->take(expander->sink->context, &view, first + y);
    }
}

/* Decodes on the calling thread, and on others, straight to the sink. */
static ImgStatus decode_all(void *context, const ImgRowSink *sink, ImgError *err)
{
    LoadRows *own = context;
    LoadReport *report = &own->load->report;
    const double start = img_clock();
    ImgProgress progress;
    ImgPngDecodeOptions how = own->options;
    Expander expander = {own, sink};
    const ImgRowSink expanding = {take_expanded, &expander, sink->stopped};
    how.progress = img_engine_progress(own->load->options, &progress);
    own->status = make_buffer(own, err);
    if (own->status == IMG_OK)
        own->status = img_source_decode_rows(own->load->source, &how,
                                             img_load_is_expanded(own->load) ? &expanding : sink,
                                             &report->decoding, err);
    report->decode += img_clock() - start;
    return own->status;
}

bool img_load_streams_ahead(const Load *load, int threads)
{
    return threads > 1 && !img_source_can_request_rows(load->source);
}

void img_load_rows_begin(Load *load, ImgTeam *team, int threads, bool ahead, int32_t most,
                         LoadRows *rows)
{
    *rows = (LoadRows){
        .load = load,
        .options = {.team = team,
                    .threads = threads,
                    .room = load->is_thrifty ? (uint64_t)IMG_PNG_LEAST_ROOM
                                             : img_png_decoder_room(load->room, load->rows_bytes)},
        .ahead = ahead,
        .most = most,
        .expanded = IMG_IMAGE_NONE,
        .expand_threads = 1,
        .source = {.shape = load->shape, .rows = read_rows, .all = decode_all, .context = rows}};
    if (img_load_is_expanded(load))
        rows->expansion = img_expansion(load->raw.format, img_source_metadata(load->source));
}

void img_load_rows_report(LoadRows *rows)
{
    rows->progress = img_engine_progress(rows->load->options, &rows->counted);
    img_progress_start(rows->progress, (uint64_t)rows->load->shape.height);
}

ImgStatus img_load_rows_finish(LoadRows *rows, ImgError *err)
{
    if (rows->rows == NULL)
        return IMG_OK;
    LoadReport *report = &rows->load->report;
    const double start = img_clock();
    rows->status = img_source_rows_finish(rows->rows, &report->decoding, err);
    report->decode += img_clock() - start;
    return rows->status;
}

void img_load_rows_end(LoadRows *rows)
{
    img_source_rows_end(rows->rows);
    img_image_free(&rows->expanded);
    rows->rows = NULL;
}
