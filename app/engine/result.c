#include "app/engine/result.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/metadata/resolution.h"
#include "io/output/leftovers.h"
#include "kernels/core/minmax.h"

ImgStatus img_result_prepare(Result *result, const char *path, const EngineOptions *options,
                             ImgError *err)
{
    ImgStatus status;
    if (path[0] == '-' && path[1] == '\0' && isatty(STDOUT_FILENO))
        status = img_fail(err, IMG_E_USAGE,
                          "is a terminal, which cannot show a picture; redirect it or name a file");
    else
        status = img_output_prepare(path, img_engine_hooks(options), &result->output, err);
    if (status == IMG_OK && options->no_clobber)
        status = img_output_refuse_existing(result->output, err);
    if (status == IMG_OK && options->only_files && img_output_is_in_place(result->output))
        status = img_fail(err, IMG_E_IO,
                          "is a pipe or a device, which is not supported here; name a file");
    if (status == IMG_OK && options->backup != NULL)
        status =
            img_backup_find(path, options->backup, img_engine_hooks(options), &result->backup, err);
    return status;
}

ImgStatus img_result_names(Result *result, ImgNameFunction *use, void *context, ImgError *err)
{
    img_backup_names(&result->backup, use, context);
    return result->output != NULL ? img_output_names(result->output, use, context, err) : IMG_OK;
}

void img_result_prepare_early(Result *result, const char *path, const EngineOptions *options)
{
    if (img_result_prepare(result, path, options, &result->failure) == IMG_OK)
        img_result_sweep(result->output, options);
}

void img_result_sweep(const ImgOutput *output, const EngineOptions *options)
{
    const size_t removed = img_leftovers_sweep(output);
    if (removed > 0)
        img_engine_note(options, "%zu unfinished file%s of an earlier run removed", removed,
                        removed == 1 ? "" : "s");
}

ImgStatus img_result_take(Result *early, Result *result, ImgError *err)
{
    if (early->failure.status != IMG_OK)
        return img_fail(err, early->failure.status, "%s", early->failure.message);
    *result = *early;
    *early = (Result){.output = NULL};
    return IMG_OK;
}

const char *img_result_format_name(ImgFileFormat format)
{
    static const char *const names[] = {[IMG_FILE_PNG] = "PNG",
                                        [IMG_FILE_JPEG] = "JPEG",
                                        [IMG_FILE_BMP] = "BMP",
                                        [IMG_FILE_TGA] = "TGA"};
    return names[format];
}

const char *img_result_useless_option(const EngineOptions *options, ImgFileFormat format, int index)
{
    static const struct {
        const char *name;
        ImgFileFormat format; /* format that the option is for */
        uint32_t given;
    } of_formats[] = {{"level", IMG_FILE_PNG, ENGINE_GIVEN_LEVEL},
                      {"dpi", IMG_FILE_PNG, ENGINE_GIVEN_DPI},
                      {"quality", IMG_FILE_JPEG, ENGINE_GIVEN_QUALITY}};
    for (size_t i = 0; i < sizeof of_formats / sizeof *of_formats; i++)
        if (format != of_formats[i].format && (options->given & of_formats[i].given) != 0 &&
            index-- == 0)
            return of_formats[i].name;
    return NULL;
}

void img_result_note_useless(const EngineOptions *options, const char *name, ImgFileFormat format)
{
    const char *option;
    for (int i = 0; (option = img_result_useless_option(options, format, i)) != NULL; i++)
        img_engine_note(options, "%s: --%s has no effect on %s", name, option,
                        img_result_format_name(format));
}

/* Prints notes about the file that the output replaces (img_output_note). */
static void note_replaced(const EngineOptions *options, const char *name, ImgOutput *output)
{
    const char *text;
    for (int i = 0; (text = img_output_note(output, i)) != NULL; i++)
        img_engine_note(options, "%s: %s", name, text);
}

static ImgStatus make_metadata(const EngineOptions *options, ImgMetadata *metadata, ImgError *err)
{
    return options->dpi > 0 ? img_resolution_set(metadata, options->dpi, err) : IMG_OK;
}

static ImgStatus encode(const Result *result, const ResultPicture *picture,
                        const EngineOptions *options, ImgError *err)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    const ImgEncodeOptions how = {
        .level = options->level,
        .threads =
            img_encode_threads(picture->format, img_view_shape(&picture->image->view), &metadata,
                               options->level, picture->room, picture->threads, NULL),
        .index = true,
        .quality = options->quality,
        .team = picture->team};
    ImgStatus status = make_metadata(options, &metadata, err);
    if (status == IMG_OK)
        status =
            img_encode(picture->format, picture->image, &metadata, &how, result->output, NULL, err);
    img_metadata_free(&metadata);
    return status;
}

static ImgStatus commit(Result *result, const char *name, const EngineOptions *options,
                        ImgError *err)
{
    note_replaced(options, name, result->output);
    return img_output_commit(&result->output, err);
}

/* Adds the name of the output to the message. */
static ImgStatus at_output(const char *name, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", name);
    return status;
}

ImgStatus img_result_write(Result *result, const char *name, const ResultPicture *picture,
                           const EngineOptions *options, ImgError *err)
{
    char loss[IMG_LOSS_TEXT];
    ImgStatus status = encode(result, picture, options, err);
    if (status == IMG_OK)
        status = commit(result, name, options, err);
    if (status != IMG_OK)
        return at_output(name, status, err);
    if (img_encode_loss(picture->format, picture->image, &IMG_METADATA_NONE, loss))
        img_engine_note(options, "%s: %s", name, loss);
    img_result_note_useless(options, name, picture->format);
    return IMG_OK;
}

/* --- Pictures whose rows come in bands -------------------------------------------------------- */

struct ResultRows {
    Result *result;
    const char *name;
    const EngineOptions *options;
    ResultRowsPlan plan;
    ImgMetadata metadata;
    ImgPngEncoder *encoder; /* encodes the bands; NULL: they are collected in `image` */
    ImgImage image;
};

bool img_result_rows_stream(const ResultRowsPlan *plan)
{
    return plan->format == IMG_FILE_PNG && !plan->is_in_place &&
           !img_png_encode_is_by_libpng(plan->shape, false);
}

ImgBandHeights img_result_rows_heights(ResultRowsPlan *plan, int32_t least)
{
    if (!img_result_rows_stream(plan))
        return (ImgBandHeights){least, least};
    /* A band has two strips per thread. With only one, all threads would more often wait for the
     * slowest thread at the end of each band. */
    const uint32_t strips = plan->threads > 1 ? 2 * (uint32_t)plan->threads : 1;
    const int32_t rows = img_png_encode_heights(plan->shape, plan->level, 1).rest;
    plan->strips = (uint32_t)((least - 1) / rows + 1);
    plan->strips = plan->strips > strips ? plan->strips : strips;
    /* A low picture has fewer strips, and needs no more threads. */
    const uint32_t most = (uint32_t)((plan->shape.height - 1) / rows + 1);
    plan->strips = plan->strips < most ? plan->strips : most;
    return img_png_encode_heights(plan->shape, plan->level, plan->strips);
}

/* Returns the number of threads that encode a band. */
static int band_threads(const ResultRowsPlan *plan)
{
    return (uint32_t)plan->threads < plan->strips ? plan->threads : (int)plan->strips;
}

/* Returns the memory in bytes of an encoder of a whole picture, without the picture. The first
 * IMG_PNG_OWN_BYTES bytes do not count. */
static uint64_t encoder_bytes(const ResultRowsPlan *plan)
{
    uint64_t bytes = 0;
    (void)img_encode_threads(plan->format, plan->shape, &IMG_METADATA_NONE, plan->level, UINT64_MAX,
                             plan->threads, &bytes);
    return bytes - img_image_bytes(plan->shape);
}

static uint64_t picture_bytes(const ResultRowsPlan *plan)
{
    return plan->store == NULL ? img_image_bytes(plan->shape) : 0;
}

/* Returns the memory in bytes of an encoder of bands. Of one thread the first IMG_PNG_OWN_BYTES
 * bytes do not count. All bytes of further threads do, since decoders work at the same time. */
static uint64_t stream_bytes(const ResultRowsPlan *plan)
{
    const uint64_t own = IMG_PNG_OWN_BYTES;
    const uint64_t one = img_png_encode_bytes(plan->shape, plan->level, 1, 1);
    return img_png_encode_bytes(plan->shape, plan->level, band_threads(plan), 1) -
           img_min64(one, own);
}

uint64_t img_result_rows_bytes(const ResultRowsPlan *plan)
{
    return img_result_rows_stream(plan) ? stream_bytes(plan) : picture_bytes(plan);
}

uint64_t img_result_rows_finish_bytes(const ResultRowsPlan *plan)
{
    return img_result_rows_stream(plan) ? 0 : picture_bytes(plan) + encoder_bytes(plan);
}

static ImgStatus start_encoder(ResultRows *rows, ImgError *err)
{
    const ResultRowsPlan *plan = &rows->plan;
    const ImgPngEncodeOptions how = {
        .level = plan->level, .threads = band_threads(plan), .index = true, .team = plan->team};
    const ImgStatus status = make_metadata(rows->options, &rows->metadata, err);
    return status == IMG_OK ? img_png_encoder_start(plan->shape, &rows->metadata, &how, 1,
                                                    rows->result->output, &rows->encoder, err)
                            : status;
}

ImgStatus img_result_rows_begin(Result *result, const char *name, const ResultRowsPlan *plan,
                                const EngineOptions *options, ResultRows **rows, ImgError *err)
{
    ResultRows *own = *rows = malloc(sizeof *own);
    if (own == NULL)
        return at_output(name, img_fail(err, IMG_E_MEMORY, "no memory to write the picture"), err);
    *own = (ResultRows){.result = result,
                        .name = name,
                        .options = options,
                        .plan = *plan,
                        .metadata = IMG_METADATA_NONE,
                        .image = IMG_IMAGE_NONE};
    return at_output(name,
                     img_result_rows_stream(plan)
                         ? start_encoder(own, err)
                         : img_image_alloc_in(plan->store, plan->shape, &own->image, err),
                     err);
}

ImgStatus img_result_rows_add(ResultRows *rows, int32_t first, const ImgView *band, ImgError *err)
{
    return at_output(rows->name,
                     rows->encoder != NULL ? img_png_encoder_add(rows->encoder, first, band, err)
                                           : img_image_put(&rows->image, first, band, err),
                     err);
}

ImgStatus img_result_rows_finish(ResultRows *rows, ImgError *err)
{
    ImgPngEncodeReport report;
    const ResultPicture picture = {.image = &rows->image,
                                   .format = rows->plan.format,
                                   .room = UINT64_MAX,
                                   .team = rows->plan.team,
                                   .threads = rows->plan.threads};
    if (rows->encoder == NULL)
        return img_result_write(rows->result, rows->name, &picture, rows->options, err);
    ImgStatus status = img_png_encoder_finish(rows->encoder, &report, err);
    if (status == IMG_OK)
        status = commit(rows->result, rows->name, rows->options, err);
    if (status == IMG_OK)
        img_result_note_useless(rows->options, rows->name, IMG_FILE_PNG);
    return at_output(rows->name, status, err);
}

void img_result_rows_free(ResultRows *rows)
{
    if (rows == NULL)
        return;
    img_png_encoder_free(rows->encoder);
    img_metadata_free(&rows->metadata);
    img_image_free(&rows->image);
    free(rows);
}

void img_result_free(Result *result)
{
    img_output_discard(&result->output);
    img_backup_free(&result->backup);
}
