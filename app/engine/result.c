#include "app/engine/result.h"

#include <unistd.h>

#include "io/metadata/resolution.h"
#include "io/output/leftovers.h"

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
    ImgStatus status = options->dpi > 0 ? img_resolution_set(&metadata, options->dpi, err) : IMG_OK;
    if (status == IMG_OK)
        status =
            img_encode(picture->format, picture->image, &metadata, &how, result->output, NULL, err);
    img_metadata_free(&metadata);
    return status;
}

ImgStatus img_result_write(Result *result, const char *name, const ResultPicture *picture,
                           const EngineOptions *options, ImgError *err)
{
    char loss[IMG_LOSS_TEXT];
    ImgStatus status = encode(result, picture, options, err);
    if (status == IMG_OK) {
        note_replaced(options, name, result->output);
        status = img_output_commit(&result->output, err);
    }
    if (status != IMG_OK) {
        img_error_prefix(err, "%s", name);
        return status;
    }
    if (img_encode_loss(picture->format, picture->image, &IMG_METADATA_NONE, loss))
        img_engine_note(options, "%s: %s", name, loss);
    img_result_note_useless(options, name, picture->format);
    return IMG_OK;
}

void img_result_free(Result *result)
{
    img_output_discard(&result->output);
    img_backup_free(&result->backup);
}
