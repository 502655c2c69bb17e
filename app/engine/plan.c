#include "app/engine/plan.h"

#include <stdlib.h>
#include <string.h>

#include "app/engine/share/resources.h"
#include "io/metadata/metadata_follow.h"
#include "io/png/index/index.h"
#include "io/png/thread_count.h"
#include "kernels/core/minmax.h"

/* Reads the facts about the file that steps need. All except `light` are read only if a step needs
 * them: a text that is too long to inflate must not make other jobs fail. */
static ImgStatus find_facts(const Load *load, const ImgStep *steps, size_t count, ImgFacts *facts,
                            ImgError *err)
{
    const ImgMetadata *metadata = img_source_metadata(load->source);
    ImgStatus status = IMG_OK;
    *facts = (ImgFacts){0};
    bool asked = false;
    for (size_t i = 0; i < count; i++)
        asked = asked || steps[i].op->bind != NULL;
    if (asked)
        status = img_metadata_facts(metadata, &load->limits, facts, err);
    facts->light = img_metadata_light(metadata);
    return status;
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

uint64_t plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                             const ImgMetadata *metadata, ImgRoom room)
{
    size_t pixels = 0;
    uint64_t bytes = 0;
    const uint64_t again = again_bytes(load, after, room);
    if (format == NULL)
        return again;
    (void)img_shape_bytes(after, &pixels, NULL);
    const uint64_t stored = room.stores ? pixels : 0;
    if (*format != IMG_FILE_PNG)
        bytes = pixels + img_encode_bytes(*format, after, metadata);
    else
        (void)img_png_encode_threads(after, load->options->level, room.bytes + stored, room.threads,
                                     &bytes);
    return img_max64(bytes - stored, again);
}

/* Checks that no step on a picture of shape `shape` has a result with more pixels than
 * --max-pixels. If a step measures its size during the run, the size is checked then. */
static ImgStatus check_results(const Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                               ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].op->measure != NULL ||
            steps[i].op->shape(shape, steps[i].params.bytes, &shape, NULL) != IMG_OK)
            return IMG_OK;
        const uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
        if (pixels > load->limits.max_pixels)
            return img_fail(err, IMG_E_LIMIT,
                            "%s: %d x %d is %llu pixels, more than the limit of %llu%s%s",
                            steps[i].op->name, shape.width, shape.height,
                            (unsigned long long)pixels, (unsigned long long)load->limits.max_pixels,
                            load->limits.more_pixels != NULL ? "; " : "",
                            load->limits.more_pixels != NULL ? load->limits.more_pixels : "");
    }
    return IMG_OK;
}

/* Returns whether the encoder can take the result in bands. */
static bool can_stream(const Load *load, const ImgFileFormat *format, ImgShape after)
{
    return format != NULL && *format == IMG_FILE_PNG && load->again == NULL &&
           !img_png_encode_is_by_libpng(after, img_source_is_interlaced(load->source));
}

/* Plans steps in bands of `strips` strips. Returns the peak memory in bytes of steps and encoder; 0
 * if the steps cannot run in bands. */
static uint64_t plan_bands_of(Load *load, uint32_t strips, const ImgStep *steps, size_t count,
                              ImgShape shape, ImgShape after, ImgRoom room, bool is_in_memory)
{
    const int level = load->options->level;
    load->strips = strips;
    load->sink = img_png_encode_heights(after, level, strips);
    if (!img_bands_plan(steps, count, shape, load->options->impl, room, load->sink, is_in_memory,
                        &load->bands))
        return 0;
    return load->bands.peak_bytes + img_png_encode_bytes(after, level, room.threads, strips);
}

/* Plans steps in bands for the encoder: of few strips, or of more if windows would else compute
 * many rows again, or if narrow parts of a picture in a store would be read. Sets load->sink,
 * load->strips and load->bands. Returns the same as plan_bands_of. */
static uint64_t plan_stream(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                            ImgShape after, ImgRoom room, bool is_in_memory)
{
    enum { LEAST = 2, HIGH = 512 };
    /* Several threads have a band each, so that higher bands cost more memory and cache than the
     * rows cost that are computed again. */
    const double few_again = room.threads > 1 && !room.stores ? 1.2 : 1.05;
    uint32_t strips = LEAST;
    uint64_t bytes = plan_bands_of(load, strips, steps, count, shape, after, room, is_in_memory),
             more = bytes;
    while (more > 0 && load->sink.rest < after.height &&
           ((load->bands.work >= few_again && load->sink.rest < HIGH) ||
            (room.stores && load->bands.is_narrow))) {
        more = plan_bands_of(load, 2 * strips, steps, count, shape, after, room, is_in_memory);
        if (more > room.bytes)
            return plan_bands_of(load, strips, steps, count, shape, after, room, is_in_memory);
        strips *= 2;
        bytes = more;
    }
    return bytes;
}

/* Returns the largest number of rows per row of the result that a pass may compute if the picture
 * could also be processed as a whole. */
static const double MOST_AGAIN = 1.1;

/* Finds the first steps that need the whole picture; the others can run in bands while the result
 * is encoded. Returns the memory in bytes of the picture between both, its bands and the encoder; 0
 * if there are no such bands. */
static uint64_t find_tail(Load *load, const ImgStep *steps, size_t count, ImgShape after,
                          const ImgFileFormat *format, ImgRoom room)
{
    ImgShape shape = load->shape;
    load->has_tail = false;
    if (!load->takes_tail || !can_stream(load, format, after) ||
        load->options->backend == IMG_BACKEND_CUDA)
        return 0;
    for (size_t i = 0; i <= count; i++) {
        size_t pixels = 0;
        const uint64_t bytes = plan_stream(load, steps + i, count - i, shape, after, room, true);
        if (!room.stores)
            (void)img_shape_bytes(shape, &pixels, NULL);
        if (bytes > 0 && (room.stores || load->bands.work <= MOST_AGAIN)) {
            load->has_tail = true;
            load->whole_steps = i;
            return bytes + pixels;
        }
        if (i == count || steps[i].op->shape(shape, steps[i].params.bytes, &shape, NULL) != IMG_OK)
            return 0;
    }
    return 0;
}

/* Returns whether the pixels of the result take at most half of the memory of the source's. */
static bool is_half(ImgShape source, ImgShape result)
{
    size_t before = 0, after = 0;
    return img_shape_bytes(source, &before, NULL) == IMG_OK &&
           img_shape_bytes(result, &after, NULL) == IMG_OK && after <= before / 2;
}

/* Returns the peak memory in bytes if the bound steps run in bands while the file is decoded: that
 * of file, rows, steps, and encoder or result. Returns 0 if the steps cannot run in bands, or the
 * caller does not want that. Bands for the encoder are decoded in order, by one thread. On more
 * than two threads, steps that need rows around a pixel would wait for it, and a small result in
 * memory takes little, so the encoder takes such bands only if memory is short. */
static uint64_t bytes_by_rows(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                              ImgShape after, const ImgFileFormat *format, uint64_t file_bytes,
                              ImgRoom room)
{
    enum { MOST_THREADS = 2 };
    const uint64_t reading = load_rows_bytes(load, file_bytes);
    const ImgBandHeights collects = {0, 0};
    room.bytes = room.bytes > reading ? room.bytes - reading : 0;
    if (!load->takes_rows || shape.format.color != load->raw.format.color ||
        load->options->backend == IMG_BACKEND_CUDA || !img_source_can_decode_rows(load->source))
        return 0;
    uint64_t encoding = 0;
    uint64_t streaming = 0;
    if (load->takes_bands && load->may_stream && can_stream(load, format, after))
        streaming = plan_stream(load, steps, count, shape, after, room, false);
    if (load->bands.source_rows > shape.height / 2)
        streaming = 0; /* a band that needs half of the picture saves little memory */
    const bool is_short = load->whole_bytes + load->held > load->limits.max_memory;
    const bool is_fast = room.threads == 1 || !load->bands.windows ||
                         (room.threads <= MOST_THREADS && !is_half(shape, after));
    if (streaming > 0 && (is_fast || is_short)) {
        encoding = streaming - load->bands.peak_bytes;
    } else {
        load->sink = collects;
        if (!img_bands_plan(steps, count, shape, load->options->impl, room, collects, false,
                            &load->bands) ||
            (load->bands.work > 0 && !load->takes_bands))
            return 0;
    }
    const uint64_t window =
        img_source_rows_bytes(load->raw, load->bands.source_rows, room.threads > 1);
    return reading + window + load->bands.peak_bytes + encoding;
}

/* Returns whether passing rows to the steps is better than decoding the whole picture first. Rows
 * are decoded one after the other. With many threads, or fewer if an index allows entering the
 * stream, decoding a whole picture is faster (io/png/MEASUREMENTS.md). The whole picture is also
 * preferred if rows would save little memory. */
static bool prefers_rows(const Load *load, const ImgStep *steps, size_t count, uint64_t by_rows,
                         int threads)
{
    enum { MOST_THREADS = 3, MOST_WITH_INDEX = 2 };
    const bool has_index = img_png_index_find(img_source_metadata(load->source)) != NULL;
    const uint64_t most = load->limits.max_memory;
    if (load->store != NULL)
        return by_rows > 0 && by_rows + load->held + load_store_bytes(load, 0) <= most;
    if (by_rows == 0 || load->whole_bytes + load->held > most ||
        load_check_pixels(load, NULL) != IMG_OK)
        return by_rows > 0 && by_rows < load->whole_bytes;
    return threads <= (has_index ? MOST_WITH_INDEX : MOST_THREADS) &&
           by_rows < (count > 0 && load_is_halved(load, steps) ? load->whole_bytes
                                                               : load->whole_bytes / 4 * 3);
}

/* Returns the number of threads that decode rows. `by_rows` bytes and the buffers of these threads
 * must not exceed `most` bytes. Sets *bytes to the sum. */
static int rows_threads(const Load *load, uint64_t by_rows, uint64_t most, int threads,
                        uint64_t *bytes)
{
    const uint64_t file = load->report.bytes;
    if (load->most_row_threads > 0)
        threads = img_min32(threads, load->most_row_threads);
    *bytes = by_rows + img_png_decode_beside(load->raw, file, threads);
    while (threads > 1 && *bytes > most)
        *bytes = by_rows + img_png_decode_beside(load->raw, file, --threads);
    return threads;
}

ImgStatus plan_tail_again(const PlanLimits *own, const ImgStep *steps, size_t count, ImgShape shape,
                          ImgShape after, ImgError *err)
{
    Load *load = own->load;
    const ImgRoom room = {own->threads, load->room, load->store != NULL};
    size_t pixels = 0;
    if (!room.stores)
        (void)img_shape_bytes(shape, &pixels, NULL);
    ImgStatus status = check_results(load, steps, count, shape, err);
    const uint64_t bytes = plan_stream(load, steps, count, shape, after, room, true);
    if (status == IMG_OK)
        status = plan_admit(own, bytes + pixels, err);
    return load_failure(load, status, err);
}

/* Plans a result that is encoded in bands while the last steps run, without ever being in memory.
 * `others` is the memory in bytes for decoding. If the GPU may run the steps, the result must fit
 * in memory. */
static void plan_tail(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                      ImgRoom room, const Plan *plan, uint64_t others)
{
    ImgShape shape;
    uint64_t running = 0;
    uint64_t bytes = find_tail(load, steps, count, plan->after, format, room);
    while (load->has_tail && room.threads > 1 && bytes > room.bytes) {
        room.threads /= 2;
        bytes = find_tail(load, steps, count, plan->after, format, room);
    }
    load->threads = room.threads;
    if (!load->has_tail)
        return;
    (void)img_steps_plan(steps, load->whole_steps, load->shape, &plan->facts, room, &shape,
                         &running, NULL);
    bytes = img_max64(img_max64(bytes, running), others);
    if (img_cuda_in_build() && load->options->backend != IMG_BACKEND_CPU && !room.stores)
        load->whole_bytes = img_max64(load->whole_bytes, bytes);
    else if (bytes <= room.bytes || bytes < load->whole_bytes)
        load->whole_bytes = bytes;
    else
        load->has_tail = false;
}

/* Computes the peak memory, which is the maximum of four sums: file and pixels; pixels and their
 * expanded form; the two images of a step; the result and its encoder. */
static ImgStatus make_plan(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                           ImgRoom room, Plan *plan, ImgError *err)
{
    uint64_t running = 0, decoding = 0;
    ImgStatus status = find_facts(load, steps, count, &plan->facts, err);
    if (status == IMG_OK)
        status = img_steps_plan(steps, count, load->shape, &plan->facts, room, &plan->after,
                                &running, err);
    if (status == IMG_OK)
        status = check_results(load, steps, count, load->shape, err);
    if (status != IMG_OK)
        return status;
    uint64_t encoding =
        plan_encoding_bytes(load, format, plan->after, img_source_metadata(load->source), room);
    (void)load_decode_threads(load, room.bytes, room.threads, &decoding);
    decoding = img_max64(decoding, load_bytes(load));
    const uint64_t least = load->least > load->kept ? load->least - load->kept : 0;
    load->whole_bytes = img_max64(img_max64(running, decoding), img_max64(encoding, least));
    uint64_t by_rows = bytes_by_rows(load, steps, count, load->shape, plan->after, format,
                                     load->report.bytes, room);
    load->by_rows = prefers_rows(load, steps, count, by_rows, room.threads);
    load->rows_bytes = by_rows;
    if (load->by_rows)
        (void)rows_threads(load, by_rows, room.bytes, room.threads, &by_rows);
    else
        plan_tail(load, steps, count, format, room, plan, img_max64(decoding, least));
    if (load->sink.first == 0)
        by_rows = img_max64(by_rows, encoding);
    by_rows = img_max64(by_rows, least);
    plan->peak_bytes = load->by_rows ? by_rows : load->whole_bytes;
    load->room = plan->peak_bytes;
    if (!load->by_rows)
        status = load_check_pixels(load, err);
    const uint64_t need = plan->peak_bytes + load->held;
    if (status == IMG_OK)
        status = resources_check_memory(load->raw, need + load_store_bytes(load, need),
                                        &load->limits, err);
    return status;
}

uint64_t plan_bytes_beside(const Load *load, uint64_t bytes)
{
    return resources_codec_bytes(load->options, 1) + resources_pinned_bytes(load->options, bytes);
}

/* Returns whether the steps can copy indices, provided that the palette has room for all background
 * colours. The palette is unknown before the file is read. */
static bool may_keep_palette(const Load *load, ImgStep *steps, size_t count)
{
    ImgPalette roomy = {.room = IMG_PALETTE_MAX};
    return load->raw.format.color == IMG_COLOR_PALETTE &&
           img_steps_bind_palette(steps, count, load->raw, &roomy);
}

/* Estimates, from its header, the bytes of memory for a file that is open but not read. Includes
 * buffers of the codec. Facts and metadata, including transparency, are not yet known; metadata
 * could fill the whole file. */
static uint64_t estimate_bytes(Load *load, const ImgStep *steps, size_t count,
                               const ImgFileFormat *format)
{
    /* Copies, since planning binds steps to the picture. */
    ImgStep *copies = malloc((count + 1) * sizeof *copies);
    const ImgFacts no_facts = {0};
    const ImgRoom least = {1, 0, load->store != NULL};
    ImgShape shape = load_guess_shape(load), after = shape;
    uint64_t running = 0, by_rows = 0, file = load_file_bytes(load);
    if (copies != NULL && count > 0)
        memcpy(copies, steps, count * sizeof *copies);
    if (copies != NULL && may_keep_palette(load, copies, count))
        shape = after = load->raw;
    /* Steps that cannot be applied are reported once the file is read. */
    if (copies == NULL ||
        img_steps_plan(copies, count, shape, &no_facts, least, &after, &running, NULL) != IMG_OK)
        after = shape;
    else
        by_rows = bytes_by_rows(load, copies, count, shape, after, format, file, least);
    free(copies);
    uint64_t encoding = plan_encoding_bytes(load, format, after, &IMG_METADATA_NONE, least);
    uint64_t whole = img_max64(img_max64(running, load_guess_bytes(load)), encoding);
    load->by_rows = by_rows > 0 && (load->store != NULL || by_rows < whole);
    const uint64_t peak = !load->by_rows         ? whole
                          : load->sink.first > 0 ? by_rows
                                                 : img_max64(by_rows, encoding);
    return img_max64(img_max64(peak, 2 * file), load->least) + plan_bytes_beside(load, file);
}

/* For a batch: makes the source read the file into memory of the executor, from which a GPU can
 * copy it. Files that are too large are rejected while they are read, before memory is allocated.
 */
static void lend_memory(Load *load, ImgExec *exec)
{
    size_t bytes = img_source_file_bytes(load->source) + 1; /* + 1 to detect the end of the file */
    if (load_guess_bytes(load) > load->limits.max_memory)
        return;
    void *memory = img_exec_file_memory(exec, bytes);
    if (memory != NULL)
        img_source_set_buffer(load->source, memory, bytes);
}

/* Returns the part of --max-memory that the picture may use, whether it is alone or one of several.
 */
static ImgRoom room_of(const Load *load, const Place *place, const Share *share)
{
    const uint64_t all = load->limits.max_memory;
    const uint64_t held = load->held + load_store_bytes(load, 0);
    const int most = resources_wanted_threads(load->options);
    ImgRoom room = {most, all > held ? all - held : 0, load->store != NULL};
    if (place == NULL)
        return room;
    room.threads = share->threads < most ? share->threads : most;
    room.bytes = img_min64(room.bytes, pool_share(place->pool));
    return room;
}

/* Returns whether a picture can be in temporary files. */
static bool can_store(const Load *load)
{
    return load->scratch != NULL && load->store == NULL &&
           load->options->backend != IMG_BACKEND_CUDA;
}

/* Returns whether a file that is not read yet should be in a temporary file: it takes more than
 * half of the memory, with its pixels if they are all in memory. */
static bool is_too_large(const Load *load)
{
    size_t pixels = 0;
    if (!load->by_rows)
        (void)img_shape_bytes(load->raw, &pixels, NULL);
    return load_file_bytes(load) + pixels + load->held > load->limits.max_memory / 2;
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

ImgStatus plan_lacks(Load *load, uint64_t need, ImgError *err)
{
    if (is_there_again(load))
        load->lacking = need + load->kept;
    return img_fail(
        err, IMG_E_LIMIT,
        "needs more memory than other pictures leave free; process fewer at a time with --jobs 1");
}

/* Changes the reservation to `bytes`, before any pixel is decoded. If the job cannot restart, also
 * reserves the memory that a measurement may need later; then no other job runs. */
static ImgStatus settle(Load *load, const ImgStep *steps, size_t count, uint64_t bytes,
                        const Place *place, Share *share, ImgError *err)
{
    if (place == NULL)
        return IMG_OK;
    uint64_t all = bytes + load->kept + plan_bytes_beside(load, load->report.bytes);
    if (!is_there_again(load) && img_steps_measure(steps, count))
        all = img_max64(all, load->limits.max_memory);
    const bool is_large = load->report.bytes + load->kept > IMG_PNG_OWN_BYTES;
    if (!place_grow(place, all) && is_large && is_there_again(load) && load->begins_anew)
        return plan_lacks(load, bytes, err);
    place_settle(place, all, share);
    return share->lacks ? plan_lacks(load, bytes, err) : IMG_OK;
}

static bool again_needs_channels(const Load *load)
{
    return load->again != NULL && img_steps_need_channels(load->again, 1);
}

/* If the steps can copy indices, binds them to the palette that includes their background colour.
 * The palette is then not expanded. */
static void bind_palette(Load *load, ImgStep *steps, size_t count)
{
    if (load->raw.format.color != IMG_COLOR_PALETTE || again_needs_channels(load))
        return;
    img_metadata_palette(img_source_metadata(load->source), load->raw.format.bits, &load->palette);
    load->keeps_palette = img_steps_bind_palette(steps, count, load->raw, &load->palette);
    if (load->keeps_palette)
        load->shape = load->raw;
}

/* Returns whether steps may run in bands. When every thread works on a picture of its own, handing
 * rows from the decoder to the steps costs up to a seventh of the time; so only if memory is short.
 */
static bool takes_bands(const Load *load, const Place *place)
{
    return place == NULL || 2 * load_guess_bytes(load) > pool_share(place->pool);
}

/* Checks that the whole picture may be in memory. */
static ImgStatus hold_pixels(const Load *load, ImgError *err)
{
    ImgStatus status = load_check_pixels(load, err);
    if (status == IMG_OK)
        status = img_source_hold_pixels(load->source, err);
    return load_failure(load, status, err);
}

ImgStatus plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                    const Place *place, Share *share, Plan *plan, ImgError *err)
{
    load->held += img_steps_held(steps, count);
    /* Removes the palette of the previous picture. */
    (void)img_steps_bind_palette(steps, count, load->raw, NULL);
    load->expands = img_steps_need_channels(steps, count) || again_needs_channels(load);
    ImgStatus status = load_open(load, err);
    if (status != IMG_OK)
        return status;
    load->takes_bands = takes_bands(load, place);
    uint64_t bytes = estimate_bytes(load, steps, count, format);
    if (can_store(load) && is_there_again(load) && is_too_large(load)) {
        status = load_use_store(load, err);
        bytes = status == IMG_OK ? estimate_bytes(load, steps, count, format) : 0;
    }
    if (status == IMG_OK && !load->by_rows)
        status = hold_pixels(load, err);
    if (status == IMG_OK && place != NULL) {
        status = place_admit(place, load->raw, bytes, share, err);
        if (status == IMG_OK && share->lacks)
            status = plan_lacks(load, 1, err); /* it may be less */
        status = load_failure(load, status, err);
        if (status == IMG_OK)
            lend_memory(load, share->exec);
    }
    if (status == IMG_OK)
        status = load_read(load, err);
    if (status != IMG_OK)
        return status;
    bind_palette(load, steps, count);
    status = plan_within(load, steps, count, format, room_of(load, place, share), plan, err);
    if (status == IMG_E_LIMIT && can_store(load)) {
        img_error_clear(err);
        status = load_use_store(load, err);
        if (status == IMG_OK)
            status =
                plan_within(load, steps, count, format, room_of(load, place, share), plan, err);
    }
    if (status == IMG_OK)
        status = settle(load, steps, count, plan->peak_bytes, place, share, err);
    return load_failure(load, status, err);
}

/* --- By rows ---------------------------------------------------------------------------------- */

int plan_decode_threads(const Load *load, int threads)
{
    uint64_t bytes;
    return rows_threads(load, load->rows_bytes, load->room, threads, &bytes);
}

ImgStatus plan_leave_rows(Load *load, const ImgStep *steps, size_t count, const Place *place,
                          Share *share, ImgError *err)
{
    load->by_rows = false;
    load->room = load->whole_bytes;
    ImgStatus status = load_check_pixels(load, err);
    const bool fits = load->whole_bytes + load->held <= load->limits.max_memory;
    if (status == IMG_OK && !fits && can_store(load))
        return load_use_store(load, err);
    if (status == IMG_OK)
        status =
            resources_check_memory(load->raw, load->whole_bytes + load->held, &load->limits, err);
    if (status == IMG_OK)
        status = settle(load, steps, count, load->whole_bytes, place, share, err);
    return load_failure(load, status, err);
}

/* If one thread decoded and ran the steps, separates the times of both. With several threads,
 * decoding does not wait for the thread that receives the rows. */
static void divide_time(LoadReport *load, const ImgRunReport *run)
{
    for (size_t i = 0; load->decoding.threads == 1 && i < run->count; i++)
        load->decode -= run->passes[i].in_bands ? run->passes[i].seconds : 0;
}

static ImgStatus collect(LoadRows *rows, ImgStep *steps, size_t count, const Share *share,
                         ImgRunReport *run, ImgError *err)
{
    Load *load = rows->load;
    ImgBands *bands = NULL;
    ImgStatus status = img_bands_begin(share->exec, steps, count, &rows->source,
                                       (ImgBandHeights){0, 0}, &bands, err);
    if (status == IMG_OK)
        status = img_bands_collect(bands, &load->image, err);
    img_bands_end(bands, run);
    if (status == IMG_OK && rows->rows == NULL)
        divide_time(&load->report, run);
    if (status == IMG_OK)
        status = load_rows_finish(rows, err);
    load_rows_end(rows);
    return status;
}

ImgStatus plan_run_rows(Load *load, ImgStep *steps, size_t count, const Place *place, Share *share,
                        ImgRunReport *run, bool *done, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    LoadRows rows;
    load_rows_begin(load, share->team, plan_decode_threads(load, share->threads),
                    share->threads > 1, load->bands.source_rows, &rows);
    const ImgStatus status = collect(&rows, steps, count, share, run, &failure);
    *done = status == IMG_OK;
    if (*done)
        return load_take_metadata(load, err);
    img_image_free(&load->image);
    if (rows.status == IMG_E_FORMAT || rows.status == IMG_E_UNAVAILABLE)
        return plan_leave_rows(load, steps, count, place, share, err);
    return load_failure(load, img_fail(err, status, "%s", failure.message), err);
}
