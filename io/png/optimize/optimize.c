#include "io/png/optimize/optimize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/decode.h"
#include "io/png/encode/write_chunk.h"
#include "io/png/idat.h"
#include "io/png/optimize/forms.h"
#include "io/png/optimize/trials.h"
#include "kernels/core/sample.h"

/* A file in memory. */
typedef struct Bytes {
    uint8_t *data;
    size_t size, room;
} Bytes;

/* State of one optimization. */
typedef struct Optimizer {
    const ImgOptimizeInput *input;
    const ImgOptimizeOptions *options;
    const ImgOptimizeResources *resources;
    ImgOptimizeReport *report;
    ImgReduced source; /* borrows the pixels of the input */
    ImgForms forms;
    ImgTrialResult result;
    ImgMetadata metadata; /* of the file that is written */
    Bytes made;           /* that file */
} Optimizer;

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory to optimize the picture");
}

/* --- Metadata --------------------------------------------------------------------------------- */

static ImgStatus copy_metadata(const ImgMetadata *from, ImgMetadata *to, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *to = IMG_METADATA_NONE;
    for (size_t i = 0; i < from->count && status == IMG_OK; i++) {
        const ImgChunk *chunk = &from->chunks[i];
        status = img_metadata_add(to, chunk->type, chunk->place, chunk->data, chunk->size, err);
    }
    memcpy(to->palette, from->palette, sizeof to->palette);
    to->palette_size = from->palette_size;
    to->interlaced = from->interlaced;
    return status;
}

/* Makes the metadata of the file that is written. `form` is NULL if the compressed pixels stay. */
static ImgStatus make_metadata(Optimizer *own, const ImgReduced *form, ImgError *err)
{
    ImgStatus status = copy_metadata(own->input->metadata, &own->metadata, err);
    if (status != IMG_OK)
        return status;
    img_drop_stale_chunks(&own->metadata);
    if (form == NULL)
        return IMG_OK;
    own->metadata.interlaced = false;
    return img_colours_write(&form->colours, form->view.format, &own->metadata, err);
}

/* --- Files in memory -------------------------------------------------------------------------- */

static ImgStatus append(void *context, const void *data, size_t size, ImgError *err)
{
    Bytes *bytes = context;
    if (size > bytes->room - bytes->size) {
        const size_t room = bytes->size + size + bytes->room / 2;
        uint8_t *grown = realloc(bytes->data, room);
        if (grown == NULL)
            return no_memory(err);
        bytes->data = grown;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return IMG_OK;
}

static ImgStatus write_stream(const uint8_t *stream, size_t size, ImgOutput *output, ImgError *err)
{
    enum { CHUNK_MOST = 1 << 30 };
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && size > 0) {
        const uint32_t part = size < CHUNK_MOST ? (uint32_t)size : (uint32_t)CHUNK_MOST;
        status = img_png_write_chunk(output, "IDAT", stream, part, err);
        stream += part;
        size -= part;
    }
    return status;
}

/* Writes a file with this stream to own->made. */
static ImgStatus make_file(Optimizer *own, ImgShape shape, const uint8_t *stream, size_t size,
                           ImgError *err)
{
    ImgOutput *output = NULL;
    own->made.size = 0;
    ImgStatus status = img_output_open_function(append, &own->made, &output, err);
    if (status != IMG_OK)
        return status;
    status = img_png_write_start(output, shape, &own->metadata, err);
    if (status == IMG_OK)
        status = write_stream(stream, size, output, err);
    if (status == IMG_OK)
        status = img_png_write_end(output, &own->metadata, err);
    if (status == IMG_OK)
        return img_output_commit(&output, err);
    img_output_discard(&output);
    return status;
}

/* Writes a file with the compressed pixels of the input, in one chunk. */
static ImgStatus make_file_of_input(Optimizer *own, ImgError *err)
{
    const ImgOptimizeInput *input = own->input;
    ImgIdat idat = {.file = input->file};
    uint8_t *stream = NULL;
    ImgStatus status = img_idat_list(input->file, input->size, &idat, err);
    if (status == IMG_OK) {
        stream = malloc((size_t)idat.size);
        status = stream != NULL ? IMG_OK : no_memory(err);
    }
    if (status == IMG_OK) {
        img_idat_copy(&idat, 0, (size_t)idat.size, stream);
        status = make_metadata(own, NULL, err);
    }
    if (status == IMG_OK)
        status =
            make_file(own, img_view_shape(&input->image->view), stream, (size_t)idat.size, err);
    free(stream);
    img_idat_free(&idat);
    img_metadata_free(&own->metadata);
    return status;
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Decodes own->made, and compares the pixels with those of the input. */
static ImgStatus check_file(const Optimizer *own, ImgError *err)
{
    ImgPngHeader header;
    ImgPngScan scan;
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgReduced made = IMG_REDUCED_NONE;
    const ImgPngBudget budget = {.limit = UINT64_MAX};
    const ImgPngDecodeOptions how = {.team = own->resources->team,
                                     .threads = own->resources->threads,
                                     .room = IMG_PNG_LEAST_ROOM};
    ImgStatus status = img_png_header(own->made.data, &header, err);
    if (status == IMG_OK)
        status =
            img_png_scan(own->made.data, own->made.size, &header, budget, &metadata, &scan, err);
    if (status == IMG_OK)
        status = img_png_decode(own->made.data, &header, &scan, &how, &made.image, NULL, err);
    if (status == IMG_OK) {
        made.view = made.image.view;
        made.colours = img_colours_read(&metadata, made.view.format);
        if (!img_reduced_equal(&own->source, &made, own->options->clears_hidden))
            status = img_fail(err, IMG_E_MISMATCH,
                              "a pixel changed while optimizing; nothing is written");
    }
    img_reduced_free(&made);
    img_metadata_free(&metadata);
    return status;
}

/* --- The smallest file ------------------------------------------------------------------------ */

/* Estimates how much colours under alpha 0 may cost (ImgOptimizeReport.hidden). */
static int count_hidden(const ImgView *view)
{
    const size_t channels = (size_t)img_format_channels(view->format);
    const int bits = view->format.bits;
    uint64_t count = 0;
    for (int32_t y = 0; img_format_has_alpha(view->format) && y < view->height; y++) {
        const uint8_t *row = view->data + (size_t)y * view->stride;
        for (size_t x = 0; x < (size_t)view->width; x++) {
            uint32_t colour = 0;
            for (size_t i = 0; i + 1 < channels; i++)
                colour |= img_sample(row, x * channels + i, bits);
            count += colour != 0 && img_sample(row, (x + 1) * channels - 1, bits) == 0;
        }
    }
    return (int)(count * 1000 / ((uint64_t)view->width * (uint64_t)view->height));
}

static ImgStatus try_forms(Optimizer *own, ImgError *err)
{
    ImgTrialPicture pictures[IMG_FORMS_MAX];
    for (int i = 0; i < own->forms.count; i++) {
        const ImgReduced *form = &own->forms.list[i];
        pictures[i] = (ImgTrialPicture){form, img_colours_bytes(&form->colours, form->view.format),
                                        own->forms.is_extra[i]};
    }
    const ImgTrialJob job = {
        .pictures = pictures,
        .count = own->forms.count,
        .effort = img_effort(own->options->effort),
        .team = own->resources->team,
        .threads = own->resources->threads,
        .progress = own->resources->progress,
    };
    return img_try_pictures(&job, &own->result, err);
}

/* Makes the file with the smallest form. */
static ImgStatus make_smallest(Optimizer *own, ImgError *err)
{
    ImgStatus status = img_forms_make(&own->source, own->options, &own->forms, err);
    if (status == IMG_OK)
        status = try_forms(own, err);
    if (status != IMG_OK)
        return status;
    const ImgReduced *form = &own->forms.list[own->result.picture];
    status = make_metadata(own, form, err);
    if (status == IMG_OK)
        status =
            make_file(own, img_view_shape(&form->view), own->result.stream, own->result.size, err);
    img_metadata_free(&own->metadata);
    *own->report = (ImgOptimizeReport){
        .before = own->source.view.format,
        .after = form->view.format,
        .was_interlaced = own->input->metadata->interlaced,
        .done = form->done,
        .filter = img_filter_plan_name(own->result.plan),
        .forms = own->forms.count,
        .trials = own->result.trials,
        .bytes_before = own->input->size,
        .hidden = own->options->clears_hidden ? 0 : count_hidden(&own->source.view),
    };
    return status;
}

static void note_kept(ImgOptimizeReport *report, ImgOptimizeKept kept)
{
    report->kept = kept;
    report->after = report->before;
    report->done = 0;
    report->filter = NULL;
}

/* Replaces the smallest file by one with the compressed pixels of the input, if that is not larger.
 */
static ImgStatus compare_with_input(Optimizer *own, ImgError *err)
{
    Bytes smallest = own->made;
    own->made = (Bytes){.data = NULL};
    const ImgStatus status = make_file_of_input(own, err);
    if (status == IMG_OK && own->made.size <= smallest.size) {
        note_kept(own->report, IMG_KEPT_STREAM);
        free(smallest.data);
        return IMG_OK;
    }
    free(own->made.data);
    own->made = smallest;
    return status;
}

static ImgStatus optimize(Optimizer *own, ImgOutput *output, ImgError *err)
{
    const ImgOptimizeInput *input = own->input;
    ImgStatus status = make_smallest(own, err);
    img_forms_free(&own->forms);
    free(own->result.stream);
    if (status == IMG_OK && !input->extra_data)
        status = compare_with_input(own, err);
    if (status == IMG_OK && !input->must_change && own->made.size >= input->size) {
        note_kept(own->report, IMG_KEPT_FILE);
        own->report->bytes_after = input->size;
        return img_output_write(output, input->file, input->size, err);
    }
    if (status == IMG_OK)
        status = check_file(own, err);
    own->report->bytes_after = own->made.size;
    return status == IMG_OK ? img_output_write(output, own->made.data, own->made.size, err)
                            : status;
}

static bool has_transparency(const ImgReduced *picture, const ImgMetadata *metadata)
{
    return img_format_has_alpha(picture->view.format) ||
           img_metadata_find(metadata, "tRNS") != NULL;
}

ImgStatus img_png_optimize(const ImgOptimizeInput *input, const ImgOptimizeOptions *options,
                           const ImgOptimizeResources *resources, ImgOutput *output,
                           ImgOptimizeReport *report, ImgError *err)
{
    Optimizer own = {
        .input = input,
        .options = options,
        .resources = resources,
        .report = report,
        .source = IMG_REDUCED_NONE,
        .metadata = IMG_METADATA_NONE,
    };
    own.source.view = input->image->view;
    own.source.colours = img_colours_read(input->metadata, input->image->view.format);
    own.source.colours.writes_alpha =
        options->keeps_alpha && has_transparency(&own.source, input->metadata);
    const ImgStatus status = optimize(&own, output, err);
    free(own.made.data);
    return status;
}

const char *img_optimize_describe(const ImgOptimizeReport *report, char text[IMG_OPTIMIZE_TEXT])
{
    static const struct {
        unsigned bit;
        const char *words;
    } parts[] = {
        {IMG_REDUCED_HIDDEN, "hidden colours cleared"},
        {IMG_REDUCED_DEPTH, "fewer bits"},
        {IMG_REDUCED_OPAQUE, "opaque alpha dropped"},
        {IMG_REDUCED_KEY, "alpha as one colour"},
        {IMG_REDUCED_EXPANDED, "no palette"},
        {IMG_REDUCED_GRAY, "gray"},
        {IMG_REDUCED_PALETTE, "palette"},
        {IMG_REDUCED_ENTRIES, "palette entries removed"},
        {IMG_REDUCED_ORDER, "palette sorted"},
    };
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if ((report->done & parts[i].bit) != 0)
            at += (size_t)snprintf(text + at, IMG_OPTIMIZE_TEXT - at, "%s%s", at > 0 ? ", " : "",
                                   parts[i].words);
    if (report->was_interlaced && report->kept == IMG_KEPT_NOTHING)
        snprintf(text + at, IMG_OPTIMIZE_TEXT - at, "%sinterlacing removed", at > 0 ? ", " : "");
    return text;
}

uint64_t img_png_optimize_bytes(ImgShape shape, int effort, int threads)
{
    const ImgEffort *how = img_effort(effort);
    /* The file in memory grows by half, and is compared with one more file. */
    const uint64_t whole = img_image_bytes(shape);
    const uint64_t files = 3 * whole;
    const uint64_t trials =
        img_forms_bytes(shape) + img_trials_bytes(shape, IMG_FORMS_MAX, how, threads);
    const uint64_t check = whole + img_png_decode_bytes(shape, whole, threads, IMG_PNG_LEAST_ROOM);
    return files + (trials > check ? trials : check);
}
