#include "app/engine/plan.h"

#include <stdlib.h>
#include <string.h>

#include "app/engine/share/optimize.h"
#include "app/engine/share/resources.h"
#include "io/metadata/metadata_follow.h"
#include "io/png/index/index.h"
#include "io/png/thread_count.h"
#include "kernels/core/minmax.h"

/* `light`, the transfer function, is always read.
 * Other facts are read only if a step needs them, because a text chunk that is too long to
 * inflate must not make runs fail that do not need it. */
ImgStatus img_plan_facts(const ImgStep *steps, size_t count, const ImgMetadata *metadata,
                         const ImgLimits *limits, ImgFacts *facts, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *facts = (ImgFacts){0};
    bool asked = false;
    for (size_t i = 0; i < count; i++)
        asked = asked || steps[i].op->facts.bind != NULL;
    if (asked)
        status = img_metadata_facts(metadata, limits, facts, err);
    facts->light = img_metadata_light(metadata);
    return status;
}

ImgStatus img_plan_steps(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                         const ImgLimits *limits, ImgRoom room, Plan *plan, ImgError *err)
{
    const ImgStatus status = img_plan_facts(steps, count, metadata, limits, &plan->facts, err);
    return status == IMG_OK ? img_steps_plan(steps, count, src, &plan->facts, room, &plan->after,
                                             &plan->peak_bytes, err)
                            : status;
}

bool img_plan_bind_palette(ImgStep *steps, size_t count, ImgShape src, const ImgMetadata *metadata,
                           ImgPalette *palette)
{
    if (metadata == NULL || metadata->palette_size == 0 || src.format.color != IMG_COLOR_PALETTE)
        return false;
    img_metadata_palette(metadata, src.format.bits, palette);
    return img_steps_bind_palette(steps, count, src, palette);
}

/* Returns the bytes of memory that Load.again needs. Returns 0 if that step cannot run on the
 * picture; the caller of the step then reports it. */
static uint64_t again_bytes(const Load *load, ImgShape after, ImgRoom room)
{
    const ImgFacts no_facts = {0};
    ImgShape result;
    uint64_t bytes = 0;
    if (load->again == NULL)
        return 0;
    ImgStep copy = *load->again; /* a copy, since planning binds the step to the picture */
    (void)img_steps_plan(&copy, 1, after, &no_facts, room, &result, &bytes, NULL);
    return bytes;
}

uint64_t img_plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                                 const ImgMetadata *metadata, ImgRoom room)
{
    uint64_t bytes = 0;
    const uint64_t again = again_bytes(load, after, room);
    if (format == NULL)
        return again;
    if (load->optimizes) {
        (void)img_optimize_threads(load->options, after, room.bytes, room.threads, &bytes);
        return bytes;
    }
    const uint64_t stored =
        room.stores ? img_image_bytes(after) + img_encode_bytes(*format, after, metadata) : 0;
    (void)img_encode_threads(*format, after, metadata, load->options->level, room.bytes + stored,
                             room.threads, &bytes);
    return img_max64(bytes - stored, again);
}

uint64_t img_plan_stored_bytes(const Load *load, const ImgStep *steps, size_t count, uint64_t whole,
                               uint64_t room)
{
    uint64_t bytes;
    if (load->store == NULL)
        return whole;
    const uint64_t resident = img_store_resident(load->store);
    if (!img_bands_plan_stored(steps, count, load->shape, load->options->impl,
                               img_max64(resident, room), &bytes))
        return whole;
    if (bytes <= resident)
        return 0;
    return bytes <= room ? bytes : img_min64(bytes, whole);
}

/* Returns the room for a picture in memory whose result is encoded in bands. If it reserves memory
 * while it is decoded, it takes half of that on average. */
static ImgRoom tail_room(const Load *load, ImgRoom room)
{
    if (load->is_thrifty)
        room.bytes = img_min64(2 * room.bytes, load->limits.max_memory / 2);
    return room;
}

/* Returns whether the plan includes all buffers of the codec. */
static bool counts_codec(const Load *load)
{
    return load->is_thrifty && (load->by_rows ? load->sink.first > 0 : load->has_tail);
}

/* Returns whether no step changes a picture of this shape. */
static bool do_nothing(const ImgStep *steps, size_t count, ImgShape shape)
{
    for (size_t i = 0; i < count; i++) {
        const ImgOpEffect *effect = &steps[i].op->effect;
        if (effect->does_nothing == NULL || !effect->does_nothing(shape, steps[i].params.bytes))
            return false;
    }
    return true;
}

/* Returns whether the compressed pixels of the file may be written as they are: the result is
 * optimized, or the steps change nothing, and neither a level nor another format was chosen. */
static bool keeps_file(const Load *load, const ImgStep *steps, size_t count,
                       const ImgFileFormat *format)
{
    if (load->optimizes)
        return true;
    return format != NULL && *format == IMG_FILE_PNG && load->may_stream &&
           (load->options->given & ENGINE_GIVEN_LEVEL) == 0 &&
           img_format_equals(load->shape.format, load->raw.format) &&
           do_nothing(steps, count, load->shape);
}

/* Computes the peak memory, which is the maximum of four sums: file and pixels; pixels and their
 * expanded form; the two images of a step; the result and its encoder. */
static ImgStatus make_plan(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                           ImgRoom room, Plan *plan, ImgError *err)
{
    ImgPngDecodeOptions how = {.threads = room.threads};
    uint64_t decoding = 0;
    load->has_tail = false;
    ImgStatus status = img_plan_steps(steps, count, load->shape, img_source_metadata(load->source),
                                      &load->limits, room, plan, err);
    if (status == IMG_OK)
        status = img_resources_check_results(steps, count, load->shape, &load->limits, err);
    if (status != IMG_OK)
        return status;
    load->keeps_file = keeps_file(load, steps, count, format);
    const uint64_t file = img_load_kept_bytes(load);
    const uint64_t running =
        file + img_plan_stored_bytes(load, steps, count, plan->peak_bytes, room.bytes);
    const uint64_t encoding =
        file +
        img_plan_encoding_bytes(load, format, plan->after, img_source_metadata(load->source), room);
    img_load_fit_decoder(load, room.bytes, &how, &decoding);
    if (!load->is_thrifty || img_load_is_expanded(load))
        decoding = img_max64(decoding, img_load_bytes(load));
    const uint64_t least = load->least > load->kept ? load->least - load->kept : 0;
    load->whole_bytes = img_max64(img_max64(running, decoding), img_max64(encoding, least));
    uint64_t by_rows = img_plan_by_rows(load, steps, count, load->shape, plan->after, format,
                                        load->report.bytes, room);
    load->by_rows = img_plan_prefers_rows(load, steps, count, by_rows, room.threads);
    load->rows_bytes = by_rows;
    if (load->by_rows)
        (void)img_plan_rows_threads(load, by_rows, room.bytes, room.threads, &by_rows);
    else
        img_plan_tail(load, steps, count, format, tail_room(load, room), plan,
                      img_max64(decoding, least));
    if (load->sink.first == 0)
        by_rows = img_max64(by_rows, encoding);
    by_rows = img_max64(by_rows, least);
    plan->peak_bytes = load->by_rows ? by_rows : load->whole_bytes;
    load->room = plan->peak_bytes;
    if (!load->by_rows)
        status = img_resources_check_pixels("", load->raw, &load->limits, err);
    const uint64_t need = plan->peak_bytes + load->held;
    if (status == IMG_OK)
        status = img_resources_check_memory(load->raw, need + img_load_store_bytes(load, need),
                                            &load->limits, err);
    return status;
}

uint64_t img_plan_bytes_beside(const Load *load, uint64_t bytes)
{
    enum { SMALL = 1 << 20 };
    const uint64_t codec =
        counts_codec(load) ? (uint64_t)SMALL : img_resources_codec_bytes(load->options, 1);
    return codec + img_resources_pinned_bytes(load->options, bytes);
}

/* Returns whether the steps can copy indices, provided that the palette has room for all background
 * colours. The palette is unknown before the file is read. */
static bool may_keep_palette(const Load *load, ImgStep *steps, size_t count)
{
    ImgPalette roomy = {.room = IMG_PALETTE_MAX};
    return load->raw.format.color == IMG_COLOR_PALETTE &&
           img_steps_bind_palette(steps, count, load->raw, &roomy);
}

/* Returns load->whole_bytes, or less if the result can be encoded in bands, by two threads. */
static uint64_t estimate_tail(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                              ImgShape shape, ImgShape after)
{
    const Plan plan = {.after = after};
    const ImgRoom room = {2, load->limits.max_memory / 2, false};
    load->shape = shape;
    img_plan_tail(load, steps, count, format, room, &plan, img_load_guess_bytes(load));
    return load->whole_bytes;
}

/* Returns what a picture that needs at most `bytes` bytes must reserve. The memory for the pixels
 * is reserved while they are decoded, if the rows are decoded in order and only the encoder
 * follows. */
static PoolNeed need_of(Load *load, const Place *place, uint64_t bytes)
{
    load->raises = NULL;
    if (!load->is_thrifty || place->threads > 0 || load->by_rows || !load->has_tail ||
        load->whole_steps > 0 || load->store != NULL || img_load_is_expanded(load) ||
        !img_source_can_request_rows(load->source) ||
        img_png_index_find(img_source_metadata(load->source)) != NULL)
        return img_pool_at_once(bytes);
    load->raise_base = img_load_file_bytes(load) + load->kept +
                       img_plan_bytes_beside(load, load->report.bytes) +
                       img_load_thrifty_bytes(load, 2);
    const uint64_t now = load->raise_base + img_load_pixels_reserved(load, 0);
    if (now >= bytes)
        return img_pool_at_once(bytes);
    load->raises = place;
    return (PoolNeed){now, bytes};
}

/* Estimates, from its header, the bytes of memory for a file that is open but not read. Includes
 * buffers of the codec. Facts and metadata, including transparency, are not known yet. Metadata
 * could fill the whole file, so there is room for two copies of the file. */
static uint64_t estimate_bytes(Load *load, const ImgStep *steps, size_t count,
                               const ImgFileFormat *format)
{
    /* Copies, since planning binds steps to the picture. */
    ImgStep *copies = malloc((count + 1) * sizeof *copies);
    const ImgFacts no_facts = {0};
    const ImgRoom least = {1, 0, load->store != NULL};
    ImgShape shape = img_load_guess_shape(load), after = shape;
    uint64_t running = 0, by_rows = 0, file = img_load_file_bytes(load);
    if (copies != NULL && count > 0)
        memcpy(copies, steps, count * sizeof *copies);
    if (copies != NULL && may_keep_palette(load, copies, count))
        shape = after = load->raw;
    /* Steps that cannot be applied are reported once the file is read. */
    const bool is_planned = copies != NULL && img_steps_plan(copies, count, shape, &no_facts, least,
                                                             &after, &running, NULL) == IMG_OK;
    if (!is_planned)
        after = shape;
    ImgMetadata metadata = IMG_METADATA_NONE;
    metadata.interlaced = img_source_is_interlaced(load->source);
    const uint64_t encoding = img_plan_encoding_bytes(load, format, after, &metadata, least);
    uint64_t whole = img_max64(img_max64(running, img_load_guess_bytes(load)), encoding);
    load->whole_bytes = whole;
    if (is_planned)
        by_rows = img_plan_by_rows(load, copies, count, shape, after, format, file, least);
    load->by_rows = load->is_thrifty ? img_plan_prefers_rows(load, steps, count, by_rows, 1)
                                     : by_rows > 0 && (load->store != NULL || by_rows < whole);
    if (load->is_thrifty && is_planned && !load->by_rows)
        whole = estimate_tail(load, copies, count, format, shape, after);
    free(copies);
    const uint64_t peak = !load->by_rows         ? whole
                          : load->sink.first > 0 ? by_rows
                                                 : img_max64(by_rows, encoding);
    return img_max64(img_max64(peak, 2 * file), load->least) + img_plan_bytes_beside(load, file);
}

/* For a batch: makes the source read the file into memory of the executor, from which a GPU can
 * copy it. Files that are too large are rejected while they are read, before memory is allocated.
 */
static void lend_memory(Load *load, ImgExec *exec)
{
    size_t bytes = img_source_file_bytes(load->source) + 1; /* + 1 to detect the end of the file */
    if (img_load_guess_bytes(load) > load->limits.max_memory)
        return;
    void *memory = img_exec_file_memory(exec, bytes);
    if (memory != NULL)
        img_source_set_buffer(load->source, memory, bytes);
}

/* Returns the threads and the memory that the picture may use, within --threads and --max-memory.
 * With a place in a pool, these are the threads that were granted, and for each of them a share of
 * the pool's memory. The memory for the codec and for the chunks, which `settle` adds, is
 * subtracted. */
static ImgRoom room_of(const Load *load, const Place *place, const Share *share)
{
    const uint64_t all = load->limits.max_memory;
    const uint64_t held = load->held + img_load_store_bytes(load, 0);
    const int most = img_resources_wanted_threads(load->options);
    ImgRoom room = {most, all > held ? all - held : 0, load->store != NULL};
    if (place == NULL)
        return room;
    room.threads = share->threads < most ? share->threads : most;
    const uint64_t fair = img_pool_share(place->pool) * (uint64_t)room.threads;
    const uint64_t beside = load->kept + img_plan_bytes_beside(load, load->report.bytes);
    room.bytes = img_min64(room.bytes, fair > beside ? fair - beside : 0);
    return room;
}

/* Returns whether a picture can be in temporary files. */
static bool can_store(const Load *load)
{
    return load->scratch.directory != NULL && load->store == NULL &&
           load->options->backend != IMG_BACKEND_CUDA;
}

/* Returns whether a file that is not read yet should be read in pieces: it takes more than a
 * quarter of --max-memory. A GPU reads files only from memory. */
static bool wants_pieces(const Load *load)
{
    return load->options->backend != IMG_BACKEND_CUDA && !load->optimizes &&
           (load->is_thrifty || img_source_file_bytes(load->source) > load->limits.max_memory / 4);
}

/* Returns whether memory is so short that the pictures that remain can not be in memory as many at
 * a time as there are threads. */
static bool is_thrifty(const Load *load, const Place *place)
{
    if (place == NULL || place->pictures < 2 || img_resources_may_use_gpu(load->options))
        return false;
    const uint64_t bytes = img_load_guess_bytes(load) + img_resources_codec_bytes(load->options, 1);
    return bytes > img_pool_share(place->pool) &&
           bytes > img_pool_memory(place->pool) / place->pictures;
}

/* Returns whether the pixels of a file that is not read yet should be in a temporary file. They
 * should if pixels, file and other data in memory together take more than half of --max-memory. */
static bool is_too_large(const Load *load)
{
    const uint64_t pixels = load->by_rows ? 0 : img_image_bytes(load->raw);
    return img_load_file_bytes(load) + pixels + load->held > load->limits.max_memory / 2;
}

/* Makes a plan for as many threads as --max-memory allows, at most room.threads. */
static ImgStatus plan_within(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                             ImgRoom room, Plan *plan, ImgError *err)
{
    for (;;) {
        load->threads = room.threads;
        const ImgStatus status = make_plan(load, steps, count, format, room, plan, err);
        if (status != IMG_E_LIMIT || room.threads == 1)
            return status;
        room.threads /= 2;
        img_error_clear(err);
    }
}

static bool is_there_again(const Load *load)
{
    return img_source_file_bytes(load->source) > 0; /* pipes have size 0 */
}

ImgStatus img_plan_lacks(Load *load, uint64_t need, ImgError *err)
{
    if (is_there_again(load))
        load->lacking = need + load->kept;
    return img_fail(
        err, IMG_E_LIMIT,
        "needs more memory than other pictures leave free; process fewer at a time with --jobs 1");
}

/* Changes the reservation to `bytes`, before any pixel is decoded. If steps measure the picture,
 * the job may need more memory later. If it could not restart then, it reserves all of --max-memory
 * now, so that no other job runs beside it. */
static ImgStatus settle(Load *load, const ImgStep *steps, size_t count, uint64_t bytes,
                        const Place *place, Share *share, ImgError *err)
{
    if (place == NULL)
        return IMG_OK;
    uint64_t all = bytes + load->kept + img_plan_bytes_beside(load, load->report.bytes);
    if (!is_there_again(load) && img_steps_measure(steps, count))
        all = img_max64(all, load->limits.max_memory);
    const bool is_large = img_load_file_bytes(load) + load->kept > IMG_PNG_OWN_BYTES;
    const PoolNeed need = need_of(load, place, all);
    if (need.now == need.most && !img_place_grow(place, all) && is_large && is_there_again(load) &&
        load->begins_anew)
        return img_plan_lacks(load, bytes, err);
    img_place_settle(place, need, share);
    return share->lacks ? img_plan_lacks(load, bytes, err) : IMG_OK;
}

static bool again_needs_channels(const Load *load)
{
    return load->again != NULL && img_steps_need_channels(load->again, 1);
}

/* If the steps can copy indices, binds them to the palette that includes their background colour.
 * The palette is then not expanded. */
static void bind_palette(Load *load, ImgStep *steps, size_t count)
{
    if (again_needs_channels(load))
        return;
    load->keeps_palette = img_plan_bind_palette(steps, count, load->raw,
                                                img_source_metadata(load->source), &load->palette);
    if (load->keeps_palette)
        load->shape = load->raw;
}

/* Returns whether steps may run in bands. If every thread works on a picture of its own, passing
 * rows from the decoder to the steps costs up to a seventh of the time. Jobs of a pool therefore
 * use bands only if memory is short. */
static bool takes_bands(const Load *load, const Place *place)
{
    return place == NULL || 2 * img_load_guess_bytes(load) > img_pool_share(place->pool);
}

/* Checks that the whole picture may be in memory. */
static ImgStatus hold_pixels(const Load *load, ImgError *err)
{
    ImgStatus status = img_resources_check_pixels("", load->raw, &load->limits, err);
    if (status == IMG_OK)
        status = img_source_hold_pixels(load->source, err);
    return img_load_failure(load, status, err);
}

ImgStatus img_plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                        const Place *place, Share *share, Plan *plan, ImgError *err)
{
    load->held += img_steps_held(steps, count);
    /* The caller may have used the same steps for another picture: removes the palette of that
     * picture from the steps. */
    (void)img_steps_bind_palette(steps, count, load->raw, NULL);
    img_steps_choose_form(steps, count, format != NULL && !again_needs_channels(load));
    load->expands = img_steps_need_channels(steps, count) || again_needs_channels(load);
    ImgStatus status = img_load_open(load, err);
    if (status != IMG_OK)
        return status;
    load->takes_bands = takes_bands(load, place);
    load->is_thrifty = is_thrifty(load, place);
    uint64_t bytes = estimate_bytes(load, steps, count, format);
    if (wants_pieces(load)) {
        img_source_read_in_pieces(load->source);
        bytes = estimate_bytes(load, steps, count, format);
    }
    if (can_store(load) && is_there_again(load) && is_too_large(load)) {
        status = img_load_use_store(load, err);
        bytes = status == IMG_OK ? estimate_bytes(load, steps, count, format) : 0;
    }
    if (status == IMG_OK && !load->by_rows)
        status = hold_pixels(load, err);
    if (status == IMG_OK && place != NULL) {
        status = img_place_admit(place, load->raw, need_of(load, place, bytes), share, err);
        if (status == IMG_OK && share->lacks)
            status = img_plan_lacks(load, 1, err); /* it may be less */
        status = img_load_failure(load, status, err);
        if (status == IMG_OK)
            lend_memory(load, share->exec);
    }
    img_source_set_read_threads(load->source, room_of(load, place, share).threads);
    if (status == IMG_OK)
        status = img_load_read(load, err);
    if (status != IMG_OK)
        return status;
    bind_palette(load, steps, count);
    status = plan_within(load, steps, count, format, room_of(load, place, share), plan, err);
    if (status == IMG_E_LIMIT && can_store(load)) {
        img_error_clear(err);
        status = img_load_use_store(load, err);
        if (status == IMG_OK)
            status =
                plan_within(load, steps, count, format, room_of(load, place, share), plan, err);
    }
    if (status == IMG_OK)
        status = settle(load, steps, count, plan->peak_bytes, place, share, err);
    img_source_keep_file(load->source, load->keeps_file);
    return img_load_failure(load, status, err);
}

ImgStatus img_plan_leave_rows(Load *load, const ImgStep *steps, size_t count, const Place *place,
                              Share *share, ImgError *err)
{
    load->by_rows = false;
    load->room = load->whole_bytes;
    ImgStatus status = img_resources_check_pixels("", load->raw, &load->limits, err);
    const bool fits = load->whole_bytes + load->held <= load->limits.max_memory;
    if (status == IMG_OK && !fits && can_store(load))
        return img_load_use_store(load, err);
    if (status == IMG_OK)
        status = img_resources_check_memory(load->raw, load->whole_bytes + load->held,
                                            &load->limits, err);
    if (status == IMG_OK)
        status = settle(load, steps, count, load->whole_bytes, place, share, err);
    return img_load_failure(load, status, err);
}
