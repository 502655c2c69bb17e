/* Plans steps that run in bands: while the file is decoded, or on a picture that is already there.
 * The result goes to the encoder in bands, or is collected in memory. */
#include "app/engine/plan.h"
#include "app/engine/share/resources.h"
#include "io/png/index/index.h"
#include "io/png/thread_count.h"
#include "kernels/core/exec/exec_cost.h"
#include "kernels/core/minmax.h"

/* Returns whether the encoder can take the result in bands. */
static bool can_stream(const Load *load, const ImgFileFormat *format, ImgShape after)
{
    return format != NULL && *format == IMG_FILE_PNG && load->again == NULL &&
           !img_png_encode_is_by_libpng(after, img_source_is_interlaced(load->source));
}

/* Returns the memory, in bytes, for rows of the file that are decoded for the bands
 * (load->bands). `ahead` is true if they are decoded ahead of the requests. */
static uint64_t window_bytes(const Load *load, ImgShape shape, bool ahead)
{
    return img_load_window_bytes(load, shape, ahead, load->bands.source_rows);
}

/* Returns `room` less `bytes` bytes of memory that are already in use. */
static ImgRoom room_beside(ImgRoom room, uint64_t bytes)
{
    room.bytes = room.bytes > bytes ? room.bytes - bytes : 0;
    return room;
}

/* Plans steps in bands of `strips` strips. Returns the peak memory in bytes of rows from a decoder,
 * steps and encoder; 0 if the steps cannot run in bands. */
static uint64_t plan_bands_of(Load *load, uint32_t strips, const ImgStep *steps, size_t count,
                              ImgShape shape, ImgShape after, ImgRoom room, ImgBandsSource source)
{
    const int level = load->options->level;
    load->strips = strips;
    load->sink = img_png_encode_heights(after, level, strips);
    if (!img_bands_plan(steps, count, shape, load->options->impl, room, load->sink, source,
                        &load->bands))
        return 0;
    const bool ahead =
        load->bands.measures > 0 ? room.threads > 1 : img_load_streams_ahead(load, room.threads);
    const uint64_t window = source == IMG_BANDS_IN_MEMORY ? 0 : window_bytes(load, shape, ahead);
    return window + load->bands.peak_bytes +
           img_png_encode_bytes(after, level, room.threads, strips);
}

/* Plans bands that need little memory: usually one strip each. If windows are higher than a strip,
 * high bands can need less, because there are then fewer bands than threads. Returns the same as
 * plan_bands_of. */
static uint64_t plan_little(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                            ImgShape after, ImgRoom room, ImgBandsSource source)
{
    uint32_t best = 1;
    uint64_t least = plan_bands_of(load, best, steps, count, shape, after, room, source);
    for (uint32_t strips = 4; least > room.bytes && load->sink.rest < after.height; strips *= 2) {
        const uint64_t bytes =
            plan_bands_of(load, strips, steps, count, shape, after, room, source);
        if (bytes == 0 || bytes >= least)
            continue;
        least = bytes;
        best = strips;
    }
    return plan_bands_of(load, best, steps, count, shape, after, room, source);
}

/* Plans steps in bands for the encoder. If memory is short, see plan_little. Otherwise a band has a
 * few strips. It has more strips if lower bands would compute many rows again because of high
 * windows, or would read narrow parts of a picture in temporary files. Sets load->sink,
 * load->strips and load->bands. Returns the same as plan_bands_of. */
static uint64_t plan_stream(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                            ImgShape after, ImgRoom room, ImgBandsSource source)
{
    enum { FEW = 2, HIGH = 512 };
    /* With several threads, each has its own band. Higher bands then cost more memory and cache
     * than they save by computing fewer rows again, so a higher share of repeated rows is accepted
     * (kernels/MEASUREMENTS.md). */
    const double several = source == IMG_BANDS_IN_MEMORY ? 1.2 : 2;
    const double few_again = room.threads > 1 && !room.stores ? several : 1.05;
    uint32_t strips = FEW;
    uint64_t bytes = plan_bands_of(load, strips, steps, count, shape, after, room, source);
    if (bytes > room.bytes)
        return plan_little(load, steps, count, shape, after, room, source);
    uint64_t more = bytes;
    while (more > 0 && load->sink.rest < after.height &&
           ((load->bands.work >= few_again && load->sink.rest < HIGH) ||
            (room.stores && load->bands.is_narrow))) {
        more = plan_bands_of(load, 2 * strips, steps, count, shape, after, room, source);
        if (more > room.bytes)
            return plan_bands_of(load, strips, steps, count, shape, after, room, source);
        strips *= 2;
        bytes = more;
    }
    return bytes;
}

/* Limit for ImgBandsPlan.work, the number of rows that passes compute per row of their result. If
 * bands would compute more, a picture that fits in memory is processed as a whole. */
static const double MOST_AGAIN = 1.1;

/* Finds the first steps that need the whole picture; the steps after them can run in bands while
 * the result is encoded. Returns the memory in bytes of the picture after the first steps, the
 * bands and the encoder. Returns 0 if no steps can run in bands. */
static uint64_t find_tail(Load *load, const ImgStep *steps, size_t count, ImgShape after,
                          const ImgFileFormat *format, ImgRoom room)
{
    ImgShape shape = load->shape;
    load->has_tail = false;
    if (!load->takes_tail || !can_stream(load, format, after) ||
        load->options->backend == IMG_BACKEND_CUDA)
        return 0;
    for (size_t i = 0; i <= count; i++) {
        const uint64_t pixels = room.stores ? 0 : img_image_bytes(shape);
        const uint64_t bytes = plan_stream(load, steps + i, count - i, shape, after,
                                           room_beside(room, pixels), IMG_BANDS_IN_MEMORY);
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

/* Returns whether the pixels of the result take at most half as much memory as the pixels of the
 * source. */
static bool is_half(ImgShape source, ImgShape result)
{
    const uint64_t bytes = img_image_bytes(result);
    return bytes > 0 && bytes <= img_image_bytes(source) / 2;
}

/* Returns whether the step keeps at most half of the samples. If such a step receives rows, the
 * other samples are never stored. */
static bool halves(const ImgStep *step, ImgShape source)
{
    ImgShape result;
    return step->op->shape(source, step->params.bytes, &result, NULL) == IMG_OK &&
           is_half(source, result);
}

/* Returns whether bands on several threads take longer than processing the whole picture at once.
 * Bands compute some rows again. But with bands, steps and codec never wait for each other, which
 * saves up to a quarter of the codec's time (kernels/MEASUREMENTS.md). Returns true if the repeated
 * rows cost more than that. */
static bool repeats_much(const Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                         ImgShape after)
{
    const double saved = img_resources_codec_cost(shape, after, true, true, 1).cpu / 4;
    return (load->bands.work - 1) * img_cost_of(steps, count, shape, 1).cpu > saved;
}

uint64_t img_plan_by_rows(Load *load, const ImgStep *steps, size_t count, ImgShape shape,
                          ImgShape after, const ImgFileFormat *format, uint64_t file_bytes,
                          ImgRoom room)
{
    enum { MOST_THREADS = 2 };
    const uint64_t reading = img_load_rows_bytes(load, file_bytes);
    const ImgBandHeights collects = {0, 0};
    room = room_beside(room, reading);
    if (!load->takes_rows || load->options->backend == IMG_BACKEND_CUDA ||
        !img_source_can_decode_rows(load->source))
        return 0;
    uint64_t streaming = 0;
    const bool is_short =
        load->store != NULL || load->whole_bytes + load->held > load->limits.max_memory;
    /* If memory is short, the file is decoded again for each measurement. That takes less time than
     * storing the picture in temporary files, but more than keeping it in memory. */
    const ImgBandsSource source = is_short ? IMG_BANDS_REPEATED : IMG_BANDS_IN_ORDER;
    if (load->takes_bands && load->may_stream && can_stream(load, format, after))
        streaming = plan_stream(load, steps, count, shape, after, room, source);
    if (load->bands.source_rows > shape.height / 2)
        streaming = 0; /* a band that needs more than half of the rows saves little memory */
    if (room.threads > 1 && !is_short && repeats_much(load, steps, count, shape, after))
        return 0;
    const bool is_fast = room.threads == 1 || !load->bands.windows ||
                         (room.threads <= MOST_THREADS && !is_half(shape, after));
    if (streaming > 0 && (is_fast || is_short))
        return reading + streaming;
    load->sink = collects;
    if (!img_bands_plan(steps, count, shape, load->options->impl, room, collects, source,
                        &load->bands) ||
        (load->bands.work > 0 && !load->takes_bands))
        return 0;
    /* A band may need more than half of the source rows, for example in a quarter turn. Then
     * decoding by rows saves little memory compared with decoding the whole picture first: more
     * than half of the source would be in memory in addition to the whole result. */
    if (load->bands.source_rows > shape.height / 2 && !is_short)
        return 0;
    return reading + window_bytes(load, shape, room.threads > 1) + load->bands.peak_bytes;
}

bool img_plan_prefers_rows(const Load *load, const ImgStep *steps, size_t count, uint64_t by_rows,
                           int threads)
{
    enum { MOST_THREADS = 3, MOST_WITH_INDEX = 2 };
    const bool has_index = img_png_index_find(img_source_metadata(load->source)) != NULL;
    const uint64_t most = load->limits.max_memory;
    /* Several threads wait for rows that one thread decodes, which takes processor time. */
    if (load->is_thrifty && load->takes_tail && by_rows > img_image_bytes(load->raw) / 4 * 3)
        return false;
    if (load->store != NULL)
        return by_rows > 0 && by_rows + load->held + img_load_store_bytes(load, 0) <= most;
    if (by_rows == 0 || load->whole_bytes + load->held > most ||
        img_resources_check_pixels("", load->raw, &load->limits, NULL) != IMG_OK)
        return by_rows > 0 && by_rows < load->whole_bytes;
    return threads <= (has_index ? MOST_WITH_INDEX : MOST_THREADS) &&
           by_rows < (count > 0 && halves(steps, load->shape) ? load->whole_bytes
                                                              : load->whole_bytes / 4 * 3);
}

int img_plan_rows_threads(const Load *load, uint64_t by_rows, uint64_t most, int threads,
                          uint64_t *bytes)
{
    const uint64_t file = load->report.bytes;
    if (load->most_row_threads > 0)
        threads = img_min32(threads, load->most_row_threads);
    const uint64_t room = img_png_decoder_room(most, by_rows);
    if (load->is_thrifty) {
        *bytes = by_rows + img_load_thrifty_bytes(load, threads);
        return threads;
    }
    *bytes = by_rows + img_png_decode_beside(load->raw, file, threads, room);
    while (threads > 1 && *bytes > most)
        *bytes = by_rows + img_png_decode_beside(load->raw, file, --threads, room);
    return threads;
}

ImgStatus img_plan_bands_again(const PlanLimits *own, const ImgStep *steps, size_t count,
                               ImgShape shape, ImgShape after, ImgError *err)
{
    Load *load = own->load;
    const ImgRoom room = {own->threads, load->room, load->store != NULL};
    const uint64_t pixels = room.stores || load->by_rows ? 0 : img_image_bytes(shape);
    const uint64_t reading = load->by_rows ? img_load_rows_bytes(load, load->report.bytes) : 0;
    const uint64_t bytes =
        plan_stream(load, steps, count, shape, after, room_beside(room, pixels + reading),
                    load->by_rows ? IMG_BANDS_REPEATED : IMG_BANDS_IN_MEMORY);
    return img_load_failure(load, img_plan_admit(own, bytes + pixels + reading, err), err);
}

void img_plan_tail(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                   ImgRoom room, const Plan *plan, uint64_t others)
{
    ImgShape shape;
    uint64_t running = 0;
    uint64_t bytes = find_tail(load, steps, count, plan->after, format, room);
    while (load->has_tail && room.threads > 1 && bytes > room.bytes) {
        room.threads--;
        bytes = find_tail(load, steps, count, plan->after, format, room);
    }
    load->threads = room.threads;
    if (!load->has_tail)
        return;
    (void)img_steps_plan(steps, load->whole_steps, load->shape, &plan->facts, room, &shape,
                         &running, NULL);
    running = img_plan_stored_bytes(load, steps, load->whole_steps, running, room.bytes);
    bytes = img_max64(img_max64(bytes, running) + img_load_kept_bytes(load), others);
    if (img_cuda_in_build() && load->options->backend != IMG_BACKEND_CPU && !room.stores)
        load->whole_bytes = img_max64(load->whole_bytes, bytes);
    else if (bytes <= room.bytes || bytes < load->whole_bytes)
        load->whole_bytes = bytes;
    else
        load->has_tail = false;
}

int img_plan_decode_threads(const Load *load, int threads)
{
    uint64_t bytes;
    return img_plan_rows_threads(load, load->rows_bytes, load->room, threads, &bytes);
}
