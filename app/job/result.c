#include "app/job/result.h"

#include <unistd.h>

#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "io/output/leftovers.h"

ImgStatus result_prepare(Result *result, const char *path, const Settings *settings, ImgError *err)
{
    ImgStatus status;
    if (path[0] == '-' && path[1] == '\0' && isatty(STDOUT_FILENO))
        status = img_fail(err, IMG_E_USAGE,
                          "is a terminal, which cannot show a picture; redirect it or name a file");
    else
        status = img_output_prepare(path, interrupt_hooks(), &result->output, err);
    if (status == IMG_OK && settings->no_clobber)
        status = img_output_refuse_existing(result->output, err);
    if (status == IMG_OK && settings->only_files && img_output_is_in_place(result->output))
        status = img_fail(err, IMG_E_IO,
                          "is a pipe or a device, which is not supported here; name a file");
    if (status == IMG_OK && settings->backup != NULL)
        status = img_backup_find(path, settings->backup, interrupt_hooks(), &result->backup, err);
    return status;
}

ImgStatus result_names(Result *result, ImgNameFunction *use, void *context, ImgError *err)
{
    img_backup_names(&result->backup, use, context);
    return result->output != NULL ? img_output_names(result->output, use, context, err) : IMG_OK;
}

void result_prepare_early(Result *result, const char *path, const Settings *settings)
{
    if (result_prepare(result, path, settings, &result->failure) == IMG_OK)
        result_sweep(result->output, settings);
}

void result_sweep(const ImgOutput *output, const Settings *settings)
{
    const size_t removed = img_leftovers_sweep(output);
    if (removed > 0)
        report_note(settings, "%zu unfinished file%s of an earlier run removed", removed,
                    removed == 1 ? "" : "s");
}

ImgStatus result_take(Result *early, Result *result, ImgError *err)
{
    if (early->failure.status != IMG_OK)
        return img_fail(err, early->failure.status, "%s", early->failure.message);
    *result = *early;
    *early = (Result){.output = NULL};
    return IMG_OK;
}

const char *result_format_name(ImgFileFormat format)
{
    static const char *const names[] = {[IMG_FILE_PNG] = "PNG",
                                        [IMG_FILE_JPEG] = "JPEG",
                                        [IMG_FILE_BMP] = "BMP",
                                        [IMG_FILE_TGA] = "TGA"};
    return names[format];
}

const char *result_useless_option(const Settings *settings, ImgFileFormat format, int index)
{
    static const struct {
        const char *name;
        ImgFileFormat format; /* format that the option is for */
    } options[] = {{"level", IMG_FILE_PNG}, {"dpi", IMG_FILE_PNG}, {"quality", IMG_FILE_JPEG}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (format != options[i].format && option_given(settings, options[i].name) && index-- == 0)
            return options[i].name;
    return NULL;
}

void result_note_replaced(const Settings *settings, const char *name, ImgOutput *output)
{
    const char *text;
    for (int i = 0; (text = img_output_note(output, i)) != NULL; i++)
        report_note(settings, "%s: %s", name, text);
}

void result_free(Result *result)
{
    img_output_discard(&result->output);
    img_backup_free(&result->backup);
}
